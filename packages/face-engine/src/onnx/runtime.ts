/** ONNX Runtime, an optional package: loaded only where a model set asks for it. */
import type { InferenceSession, Tensor } from 'onnxruntime-node'
import type * as Runtime from 'onnxruntime-node'

/** A machine without ONNX Runtime; the sentence is for a person at a terminal. */
export class RuntimeMissing extends Error {
  override readonly name = 'RuntimeMissing'
}

let loaded: Promise<typeof Runtime> | undefined

function runtime(): Promise<typeof Runtime> {
  loaded ??= import('onnxruntime-node').catch((error: unknown) => {
    throw new RuntimeMissing(
      `The models in MODEL_DIR need ONNX Runtime, which does not run here (${process.platform} ${process.arch}): ` +
        'run “npm install” with optional packages, or take the set out of MODEL_DIR to go on with the built-in engine.',
      { cause: error },
    )
  })
  return loaded
}

/** One picture in, numbers out. */
export class Network {
  readonly #session: InferenceSession
  readonly #tensor: (planes: Float32Array) => Tensor

  private constructor(session: InferenceSession, tensor: (planes: Float32Array) => Tensor) {
    this.#session = session
    this.#tensor = tensor
  }

  /**
   * @param path of an ONNX file with one input, 1 × 3 × side × side
   * @throws RuntimeMissing, or an error of the runtime when the file is no such network
   */
  static async load(path: string, side: number): Promise<Network> {
    const { InferenceSession: Session, Tensor: Numbers } = await runtime()
    // One thread each: the pool's workers are what runs side by side.
    const session = await Session.create(path, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      logSeverityLevel: 3,
    })
    return new Network(session, (planes) => new Numbers('float32', planes, [1, 3, side, side]))
  }

  /** @param planes three planes of side × side numbers @returns the outputs by name */
  async run(planes: Float32Array): Promise<Record<string, Float32Array>> {
    const answers = await this.#session.run({ [this.#session.inputNames[0]!]: this.#tensor(planes) })
    return Object.fromEntries(Object.entries(answers).map(([name, { data }]) => [name, data as Float32Array]))
  }

  /** Runs a network of one output. */
  async numbers(planes: Float32Array): Promise<Float32Array> {
    return (await this.run(planes))[this.#session.outputNames[0]!]!
  }

  close(): Promise<void> {
    return this.#session.release()
  }
}
