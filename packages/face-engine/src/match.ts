/** Comparing embeddings. Every threshold of matching stands here. */

/** An embedding with the model that made it, which alone makes it comparable. */
export interface Template {
  modelId: string
  embedding: Float32Array
}

/**
 * Distances of the built-in engine at which one pair in 100, 1,000 or 10,000 of different people is taken for the same person
 * (false accept rate), measured on 420 people. At these, 98.3, 92.9 and 74.5 of 100 pairs of the same person are recognised.
 */
export const DISTANCE_AT_FALSE_ACCEPT_RATE = { '1e-2': 0.617, '1e-3': 0.547, '1e-4': 0.486 } as const

/**
 * Up to this distance a door takes a face for the person: a false accept rate of about 5e-4 (interpolated), where nine of ten
 * genuine attempts succeed at once and the camera's next frame decides the rest. Stricter, and people are turned away so often
 * that they wedge the door open; looser, at 1e-3, a list of a hundred people lets in every tenth stranger.
 */
export const DOOR_DISTANCE = 0.53

/** Up to this distance several photographs handed in for one person count as that person: only a gross mistake is refused. */
export const SAME_PERSON_DISTANCE = DISTANCE_AT_FALSE_ACCEPT_RATE['1e-2']

/** Euclidean distance of two embeddings of one model; 0 is identical, strangers are around 0.8. @throws when the models differ */
export function distanceOf(a: Template, b: Template): number {
  if (a.modelId !== b.modelId) throw new IncompatibleModel(a.modelId, b.modelId)
  let sum = 0
  for (let i = 0; i < a.embedding.length; i++) sum += (a.embedding[i]! - b.embedding[i]!) ** 2
  return Math.sqrt(sum)
}

/** Raised when embeddings of different models meet: their numbers mean nothing to each other. */
export class IncompatibleModel extends Error {
  override readonly name = 'IncompatibleModel'
  constructor(expected: string, found: string) {
    super(`embeddings of model ${found} cannot be compared with those of ${expected}`)
  }
}

/** Distance and score of similarity, between which `scoreOf` is linear; 80 is what a door asks for. */
const SCALE = [
  { distance: 0, score: 100 },
  { distance: DOOR_DISTANCE, score: 80 },
  { distance: DISTANCE_AT_FALSE_ACCEPT_RATE['1e-2'], score: 60 },
  { distance: 1, score: 10 },
  { distance: 1.4, score: 0 },
] as const

/** The score a door asks for unless set otherwise. */
export const DOOR_SCORE = scoreOf(DOOR_DISTANCE)

/** Similarity from 0 to 100 of a distance: falls steadily, never rounded, so that comparing scores is comparing distances. */
export function scoreOf(distance: number): number {
  for (const [i, to] of SCALE.entries()) {
    if (distance > to.distance) continue
    const from = SCALE[i - 1] ?? to
    return from === to ? to.score : from.score + ((distance - from.distance) / (to.distance - from.distance)) * (to.score - from.score)
  }
  return 0
}

/** The distance of a score, the way back: what a threshold set as a score means to a search. @param score 0 to 100 */
export function distanceOfScore(score: number): number {
  for (const [i, to] of SCALE.entries()) {
    if (score < to.score) continue
    const from = SCALE[i - 1] ?? to
    return from === to ? to.distance : from.distance + ((score - from.score) / (to.score - from.score)) * (to.distance - from.distance)
  }
  return SCALE[SCALE.length - 1]!.distance
}
