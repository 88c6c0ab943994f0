/** Comparing embeddings. What their distances mean stands in `calibration.ts`. */

/** An embedding with the model that made it, which alone makes it comparable. */
export interface Template {
  modelId: string
  embedding: Float32Array
}

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
