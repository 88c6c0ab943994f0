/** The engine that runs a set of ONNX models: detector, embedder and, where the set has them, models that tell living faces. */
import { join } from 'node:path'
import { enlarged, prominence, timedAnalysis } from '../analysis.ts'
import type { Timed } from '../analysis.ts'
import type { AnalyseOptions, EngineDescription, Face, FaceEngine, PhotoAnalysis } from '../face.ts'
import { decodePhoto } from '../photo.ts'
import { Embedder } from './embedder.ts'
import { findFaces } from './find.ts'
import { Liveness } from './liveness.ts'
import { anglesOf, certaintyOf, lookOf, tightBox } from './measure.ts'
import { descriptionOfSet } from './model-set.ts'
import type { ModelSet } from './model-set.ts'
import { YuNet } from './yunet.ts'

interface Parts {
  detector: YuNet
  embedder: Embedder
  liveness: Liveness | null
}

/** Use it through `FacePool` where anything else runs in the same thread. */
export class OnnxEngine implements FaceEngine {
  readonly description: EngineDescription
  readonly #parts: Parts

  private constructor(description: EngineDescription, parts: Parts) {
    this.description = description
    this.#parts = parts
  }

  /**
   * @param set as `readModelSet` verified it in this folder
   * @throws RuntimeMissing
   */
  static async load(folder: string, set: ModelSet): Promise<OnnxEngine> {
    const { detector, embedder, liveness } = set
    return new OnnxEngine(descriptionOfSet(set), {
      detector: await YuNet.load(join(folder, detector.file), detector),
      embedder: await Embedder.load(join(folder, embedder.file), embedder),
      liveness: liveness ? await Liveness.load(folder, liveness.models) : null,
    })
  }

  get modelId(): string {
    return this.description.modelId
  }

  get dimensions(): number {
    return this.description.dimensions
  }

  analyse(photo: Uint8Array, options: AnalyseOptions = {}): Promise<PhotoAnalysis> {
    return timedAnalysis((timed) => this.#analyse(photo, options, timed))
  }

  async #analyse(
    photo: Uint8Array,
    { embed = 'all', liveness = false, search = 'thorough' }: AnalyseOptions,
    timed: Timed,
  ): Promise<Omit<PhotoAnalysis, 'timings'>> {
    const { detector, embedder, liveness: judge } = this.#parts
    const { pixels, scale, width, height } = await timed('decode', () => decodePhoto(photo))
    const finds = await timed('detect', () => findFaces(detector, pixels, search))
    const described = finds
      .map(({ score, box, points }) => ({ score: certaintyOf(score), points, whole: box, box: tightBox(box, pixels) }))
      .sort((a, b) => prominence(b, pixels) - prominence(a, pixels))
    const faces: Face[] = []
    for (const { score, points, whole, box } of described) {
      const isFirst = faces.length === 0
      const isEmbedded = embed === 'all' || (embed === 'first' && isFirst)
      const look = await timed('align', () => lookOf(pixels, points))
      const chip = isEmbedded ? await timed('align', () => embedder.chip(pixels, points)) : null
      const embedding = chip ? await timed('embed', () => embedder.embed(chip)) : null
      const living = liveness && isFirst && judge ? { livenessScore: await timed('liveness', () => judge.score(pixels, whole)) } : {}
      faces.push({
        ...enlarged({ box, landmarks: points, ...anglesOf(points), ...look, score, ...living }, scale),
        embedding,
        modelId: this.modelId,
      })
    }
    return { width, height, faces }
  }

  /** Frees the models. */
  async close(): Promise<void> {
    const { detector, embedder, liveness } = this.#parts
    await detector.close()
    await embedder.close()
    await liveness?.close()
  }
}
