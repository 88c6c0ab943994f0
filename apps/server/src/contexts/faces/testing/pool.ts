/**
 * A test engine that identifies itself as one: it uses the faces of the built-in engine with a different embedding, so that two
 * models exist without a second engine.
 */
import { BUILTIN_ENGINE, type AnalyseOptions, type EngineDescription, type FacePool, type PhotoAnalysis } from '@gatehouse/face-engine'

export interface TestingPool extends Pick<FacePool, 'modelId' | 'dimensions' | 'description' | 'ready' | 'analyse' | 'close'> {
  /** Photographs analysed so far. */
  analysed(): number
  /** Called before each photograph; may throw an engine error. */
  before: (photo: Uint8Array) => Promise<void> | void
}

/**
 * Create a test engine whose embeddings are those of the built-in engine reversed: equally good among themselves, and unrelated
 * to any other model.
 * @param real finds the faces
 */
export function testingPool(real: FacePool, modelId: string): TestingPool {
  const description: EngineDescription = { ...BUILTIN_ENGINE, modelId, name: 'Of a test' }
  let count = 0
  const pool: TestingPool = {
    modelId,
    dimensions: description.dimensions,
    description,
    before: () => {},
    analysed: () => count,
    ready: () => real.ready(),
    async analyse(photo: Uint8Array, options: AnalyseOptions = {}): Promise<PhotoAnalysis> {
      await pool.before(photo)
      count++
      const analysis = await real.analyse(photo, options)
      return { ...analysis, faces: analysis.faces.map((face) => ({ ...face, modelId, embedding: face.embedding?.toReversed() ?? null })) }
    },
    close: async () => {},
  }
  return pool
}
