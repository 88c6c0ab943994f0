/** An engine for tests that says it is one: the built-in one's faces with another embedding, so that two models exist without a second engine. */
import { BUILTIN_ENGINE, type AnalyseOptions, type EngineDescription, type FacePool, type PhotoAnalysis } from '@gatehouse/face-engine'

export interface TestingPool extends Pick<FacePool, 'modelId' | 'dimensions' | 'description' | 'ready' | 'analyse' | 'close'> {
  /** Photographs analysed so far. */
  analysed(): number
  /** Called before each photograph; may throw what an engine throws. */
  before: (photo: Uint8Array) => Promise<void> | void
}

/**
 * Its embeddings are those of the built-in engine backwards: as good among themselves, and nothing to any other's.
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
