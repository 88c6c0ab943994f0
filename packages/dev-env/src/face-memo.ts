/**
 * A memo of the real face engine for tests that say nothing about it: each photograph is analysed once in a test run, by
 * the engine itself, whichever process asks first. Tests of the engine and of how well it recognises bypass it.
 */
import { deserialize, serialize } from 'node:v8'
import { FacePool, PhotoRefusal, type AnalyseOptions, type FacePoolOptions, type PhotoAnalysis } from '@gatehouse/face-engine'
import { memoKey, runMemo, type RunMemo } from './run-memo.ts'

/** What decides about a result besides the photograph: sources of the engine, and the pinned versions of the packages that carry its models. */
const INGREDIENTS = [
  'packages/face-engine/src/**/*.ts',
  'packages/face-engine/src/**/*.wasm',
  'packages/face-engine/package.json',
  'package-lock.json',
]

type Kept = { analysis: PhotoAnalysis } | { refused: Pick<PhotoRefusal, 'reason' | 'measured' | 'faces'> }

/** The engine of a test: with the run's memo inside a run, else the plain one. The engine itself starts with the first photograph nobody asked about before. */
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

  /** What is kept needs no model: the engine starts when it is asked. */
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
    const bytes = this.#memo.read(key)
    return bytes && (deserialize(bytes) as Kept)
  }

  #write(key: string, kept: Kept): Kept {
    this.#memo.write(key, serialize(kept))
    return kept
  }
}
