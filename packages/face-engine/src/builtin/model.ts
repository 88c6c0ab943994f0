/** The built-in engine, described apart from itself so that nobody loads models to learn its name. */
import { BUILT_IN_ENGINE_NAME } from '@gatehouse/contract/built-in-names'
import type { EngineDescription } from '../face.ts'

export const BUILTIN_MODEL = 'builtin-128-1'
export const BUILTIN_DIMENSIONS = 128

export const BUILTIN_ENGINE: EngineDescription = {
  kind: 'builtin',
  modelId: BUILTIN_MODEL,
  name: BUILT_IN_ENGINE_NAME,
  dimensions: BUILTIN_DIMENSIONS,
  calibration: {
    curve: [
      { distance: 0.43, falseMatchRate: 1e-5, falseNonMatchRate: 0.49 },
      { distance: 0.486, falseMatchRate: 1e-4, falseNonMatchRate: 0.255 },
      { distance: 0.547, falseMatchRate: 1e-3, falseNonMatchRate: 0.071 },
      { distance: 0.617, falseMatchRate: 1e-2, falseNonMatchRate: 0.017 },
      // Of 690 pairs of one person none was missed: said to be one.
      { distance: 0.718, falseMatchRate: 1e-1, falseNonMatchRate: 0.0015 },
    ],
    unlike: 1.4,
    // A stricter door turns people away so often that they wedge it open; at 1e-3 a list of a hundred lets in every tenth stranger.
    recommended: { door: 5e-4, watchList: 1e-3, search: 1e-2 },
    measured: true,
    source: '1,097 photographs of 420 people; at 1 in 10, 297 photographs of 55 others; at 1 in 100,000 extrapolated',
  },
  livenessModelId: null,
  licences: [
    { part: 'BlazeFace, FaceMesh (@vladmandic/human)', licence: 'MIT' },
    { part: 'face recognition net (@vladmandic/face-api)', licence: 'MIT' },
  ],
}
