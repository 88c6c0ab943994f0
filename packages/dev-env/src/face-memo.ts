/**
 * A memo of the real face engine for tests that say nothing about it: each photograph is analysed once in a test run, by
 * the engine itself, whichever process asks first. Tests of the engine and of how well it recognises bypass it.
 */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { FacePool, PhotoRefusal, type AnalyseOptions, type FacePoolOptions, type PhotoAnalysis } from '@gatehouse/face-engine'

/** The folder of a run's memo; absent outside a test run. Its name is made for the run and forgotten with it. */
const FOLDER = 'FACE_MEMO'

const ROOT = join(import.meta.dirname, '..', '..', '..')
/** What decides about a result besides the photograph: sources of the engine, and the pinned versions of the packages that carry its models. */
const INGREDIENTS = [
  'packages/face-engine/src/**/*.ts',
  'packages/face-engine/src/**/*.wasm',
  'packages/face-engine/package.json',
  'package-lock.json',
]

/** Start a run's memo for this process and those it starts from now on. Inside a run nothing is started. @returns what ends it */
export function startFaceMemo(): () => void {
  if (process.env[FOLDER] !== undefined) return () => {}
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-faces-'))
  process.env[FOLDER] = folder
  return () => {
    delete process.env[FOLDER]
    rmSync(folder, { recursive: true, force: true })
  }
}

type Kept = { analysis: PhotoAnalysis } | { refused: Pick<PhotoRefusal, 'reason' | 'measured' | 'faces'> }

let digest: string | undefined
function digestOfEngine(): string {
  if (digest !== undefined) return digest
  const hash = createHash('sha256')
  for (const file of globSync(INGREDIENTS, { cwd: ROOT }).toSorted()) hash.update(file).update(readFileSync(join(ROOT, file)))
  return (digest = hash.digest('hex'))
}

/** The engine of a test: with the run's memo inside a run, else the plain one. The engine itself starts with the first photograph nobody asked about before. */
export function testingFacePool(options: FacePoolOptions = {}): FacePool {
  const folder = process.env[FOLDER]
  return folder === undefined ? new FacePool(options) : new MemoFacePool(folder, options)
}

class MemoFacePool extends FacePool {
  readonly #folder: string
  /** The models by their bytes: a set names the digest of each of its files. */
  readonly #engine: string
  readonly #asked = new Map<string, Promise<Kept>>()
  #closed = false

  constructor(folder: string, options: FacePoolOptions) {
    super(options)
    this.#folder = folder
    this.#engine = JSON.stringify(options.engine ?? 'builtin')
  }

  /** What is kept needs no model: the engine starts when it is asked. */
  override async ready(): Promise<void> {
    if (this.#closed) throw new Error('the face engine is closed')
  }

  override async analyse(photo: Uint8Array, options: AnalyseOptions = {}): Promise<PhotoAnalysis> {
    if (this.#closed) throw new Error('the face engine is closed')
    const key = createHash('sha256')
      .update(digestOfEngine())
      .update(this.#engine)
      .update(JSON.stringify(options))
      .update(photo)
      .digest('hex')
    const kept = this.#read(key) ?? (await this.#askOnce(key, photo, options))
    if ('refused' in kept) throw new PhotoRefusal(kept.refused.reason, kept.refused.measured, kept.refused.faces)
    return structuredClone(kept.analysis)
  }

  override async close(): Promise<void> {
    this.#closed = true
    await super.close()
  }

  /** Two who ask at the same time ask once. */
  #askOnce(key: string, photo: Uint8Array, options: AnalyseOptions): Promise<Kept> {
    const asked =
      this.#asked.get(key) ??
      this.#ask(photo, options)
        .then((kept) => this.#write(key, kept))
        .finally(() => this.#asked.delete(key))
    this.#asked.set(key, asked)
    return asked
  }

  async #ask(photo: Uint8Array, options: AnalyseOptions): Promise<Kept> {
    try {
      return { analysis: await super.analyse(photo, options) }
    } catch (error) {
      if (!(error instanceof PhotoRefusal)) throw error
      const { reason, measured, faces } = error
      return { refused: { reason, measured, faces } }
    }
  }

  #read(key: string): Kept | null {
    const file = join(this.#folder, key)
    return existsSync(file) ? (deserialize(readFileSync(file)) as Kept) : null
  }

  /** Written beside its place and renamed, so that nobody reads half of it. */
  #write(key: string, kept: Kept): Kept {
    mkdirSync(this.#folder, { recursive: true })
    const unfinished = join(this.#folder, randomUUID())
    writeFileSync(unfinished, serialize(kept))
    renameSync(unfinished, join(this.#folder, key))
    return kept
  }
}
