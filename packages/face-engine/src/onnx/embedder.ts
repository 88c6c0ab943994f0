/** The embedding model of a set: an aligned chip to a vector that is compared by euclidean distance. */
import type { Point } from '../face.ts'
import type { Pixels } from '../photo.ts'
import { fitSimilarity, warp } from '../warp.ts'
import type { Embedding } from './model-set.ts'
import { planesOf } from './planes.ts'
import { Network } from './runtime.ts'
import type { FivePoints } from './yunet.ts'
import { atUnitLength } from '../unit-length.ts'

export class Embedder {
  readonly #network: Network
  readonly #form: Embedding
  readonly #template: readonly Point[]

  private constructor(network: Network, form: Embedding) {
    this.#network = network
    this.#form = form
    this.#template = form.landmarks.map(([x, y]) => ({ x, y }))
  }

  static async load(path: string, form: Embedding): Promise<Embedder> {
    return new Embedder(await Network.load(path, form.side), form)
  }

  /** The face as the model wants to see it: `side` × `side` × red, green, blue. @param points in the same pixels */
  chip(pixels: Pixels, points: FivePoints): Uint8Array {
    return warp(pixels, fitSimilarity(points, this.#template), this.#form.side)
  }

  /** @returns at unit length where the model is compared by cosine */
  async embed(chip: Uint8Array): Promise<Float32Array> {
    const numbers = await this.#network.numbers(planesOf(chip, this.#form))
    if (numbers.length !== this.#form.dimensions) {
      throw new Error(`${this.#form.file} gave ${numbers.length} numbers where its set says ${this.#form.dimensions}`)
    }
    // The answer stands in memory of the runtime, which is reused.
    return this.#form.metric === 'cosine' ? atUnitLength(numbers) : new Float32Array(numbers)
  }

  close(): Promise<void> {
    return this.#network.close()
  }
}
