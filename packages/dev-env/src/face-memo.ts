/**
 * A memo of the real face engine for tests of other subjects: the engine itself analyses each photograph once in a test run, whichever
 * process requests it first. Tests of the engine and of how well it recognises bypass it.
 */
import { deserialize, serialize } from 'node:v8'
import { FacePool, PhotoRefusal, type AnalyseOptions, type FacePoolOptions, type PhotoAnalysis } from '@gatehouse/face-engine'
import { memoKey, runMemo, type RunMemo } from './run-memo.ts'

/**
 * What determines a result besides the photograph: the sources of the engine, and the pinned versions of the packages that carry its
 * models.
 */
const INGREDIENTS = [
  'packages/face-engine/src/**/*.ts',
  'packages/face-engine/src/**/*.wasm',
  'packages/face-engine/package.json',
  'package-lock.json',
]

type Kept = { analysis: PhotoAnalysis } | { refused: Pick<PhotoRefusal, 'reason' | 'measured' | 'faces'> }

/**
 * Return the engine of a test: with the run's memo inside a run, else the plain one. The engine itself starts with the first photograph
 * that is not in the memo.
 */
export function testingFacePool(options: FacePoolOptions = {}): FacePool {
  const memo = runMemo()
  return memo === null ? new FacePool(options) : new MemoFacePool(memo, options)
}

class MemoFacePool extends FacePool {
  readonly #memo: RunMemo
  /** The models by their bytes: a set names the digest of each of its files. */
  readonly #engine: string
  readonly #asked = new Map<string, Promise<Kept>>()
  #closed = false

  constructor(memo: RunMemo, options: FacePoolOptions) {
    super(options)
    this.#memo = memo
    this.#engine = JSON.stringify(options.engine ?? 'builtin')
  }

  /** Stored results need no model: the engine starts when it is needed. */
  override async ready(): Promise<void> {
    if (this.#closed) throw new Error('the face engine is closed')
  }

  override async analyse(photo: Uint8Array, options: AnalyseOptions = {}): Promise<PhotoAnalysis> {
    if (this.#closed) throw new Error('the face engine is closed')
    const key = memoKey(INGREDIENTS, this.#engine, JSON.stringify(options), photo)
    const kept = this.#read(key) ?? (await this.#askOnce(key, photo, options))
    if ('refused' in kept) throw new PhotoRefusal(kept.refused.reason, kept.refused.measured, kept.refused.faces)
    return structuredClone(kept.analysis)
  }

  override async close(): Promise<void> {
    this.#closed = true
    await super.close()
  }

  /** Analyse a photograph once for simultaneous requests. */
  #askOnce(key: string, photo: Uint8Array, options: AnalyseOptions): Promise<Kept> {
    const requested =
      this.#asked.get(key) ??
      this.#ask(photo, options)
        .then((kept) => this.#write(key, kept))
        .finally(() => this.#asked.delete(key))
    this.#asked.set(key, requested)
    return requested
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
    const bytes = this.#memo.read(key)
    return bytes && (deserialize(bytes) as Kept)
  }

  #write(key: string, kept: Kept): Kept {
    this.#memo.write(key, serialize(kept))
    return kept
  }
}
