/**
 * Drawn people for the demo and for tests. In a test run each photograph is drawn once, whichever process asks first: drawing takes the
 * time of several calls. Tests of the drawing itself bypass it.
 */
import * as engine from '@gatehouse/face-engine/portrait/portrait'
import { memoKey, runMemo } from './run-memo.ts'

/** What determines a drawing besides its options: its sources, and the pinned version of the package that encodes it. */
const INGREDIENTS = ['packages/face-engine/src/portrait/*.ts', 'package-lock.json']

/** As the engine's own. @returns a JPEG, 400 × 500; the same seed and options give the same bytes */
export const portrait = (seed: number | string, options: engine.PortraitOptions = {}): Promise<Buffer> => portraitVariant(seed, 0, options)

/** As the engine's own. @param variant 0 is `portrait` itself */
export async function portraitVariant(seed: number | string, variant: number, options: engine.PortraitOptions = {}): Promise<Buffer> {
  const memo = runMemo()
  if (memo === null) return engine.portraitVariant(seed, variant, options)
  const key = memoKey(INGREDIENTS, 'portrait', JSON.stringify([seed, variant, options.gender ?? null]))
  const kept = memo.read(key)
  if (kept !== null) return Buffer.from(kept)
  const drawn = await engine.portraitVariant(seed, variant, options)
  memo.write(key, drawn)
  return drawn
}
