/** The first embedding model: a residual network of 29 convolutions, 150 × 150 pixels to 128 numbers. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tensor1D, Tensor2D, Tensor4D, io } from '@tensorflow/tfjs-core'
import { CHIP_SIDE } from '../warp.ts'
import { recognitionFolder, tf } from './wasm.ts'

interface Convolution {
  filters: Tensor4D
  bias: Tensor1D
}

/** Numbers of what it says. */
export const RECOGNITION_NUMBERS = 128

/** Mean colour of the training pictures; what is left is divided by `RANGE`. */
const MEAN_COLOUR = [122.782, 117.001, 104.298]
const RANGE = 256

/** Blocks after the stem, in order; a name ending in `down` (or `down_out`) halves width and height. */
const BLOCKS = [
  'conv32_1',
  'conv32_2',
  'conv32_3',
  'conv64_down',
  'conv64_1',
  'conv64_2',
  'conv64_3',
  'conv128_down',
  'conv128_1',
  'conv128_2',
  'conv256_down',
  'conv256_1',
  'conv256_2',
  'conv256_down_out',
]

export class RecognitionNet {
  readonly #convolutions: ReadonlyMap<string, Convolution>
  readonly #projection: Tensor2D

  private constructor(convolutions: ReadonlyMap<string, Convolution>, projection: Tensor2D) {
    this.#convolutions = convolutions
    this.#projection = projection
  }

  /** Reads the weights (6 MB). The scale that follows each convolution is folded into it: same result, half the steps. */
  static async load(): Promise<RecognitionNet> {
    const text = await readFile(join(recognitionFolder, 'face_recognition_model-weights_manifest.json'), 'utf8')
    const manifest = JSON.parse(text) as io.WeightsManifestConfig
    const files = await Promise.all(manifest.flatMap(({ paths }) => paths).map((name) => readFile(join(recognitionFolder, name))))
    const weights = tf.io.decodeWeights(
      new Uint8Array(Buffer.concat(files)).buffer,
      manifest.flatMap((group) => group.weights),
    )
    const convolutions = new Map<string, Convolution>()
    for (const name of ['conv32_down', ...BLOCKS.flatMap((block) => [`${block}/conv1`, `${block}/conv2`])]) {
      const scale = weights[`${name}/scale/weights`] as Tensor1D
      convolutions.set(name, {
        filters: tf.tidy(() => tf.mul(weights[`${name}/conv/filters`] as Tensor4D, scale) as Tensor4D),
        bias: tf.tidy(
          () => tf.add(tf.mul(weights[`${name}/conv/bias`] as Tensor1D, scale), weights[`${name}/scale/biases`] as Tensor1D) as Tensor1D,
        ),
      })
    }
    const { fc, ...folded } = weights
    tf.dispose(folded)
    return new RecognitionNet(convolutions, fc as Tensor2D)
  }

  /** @param chip an aligned face, `CHIP_SIDE` × `CHIP_SIDE` × red, green, blue */
  async embed(chip: Uint8Array): Promise<Float32Array> {
    const output = tf.tidy(() => {
      const pixels = tf.tensor4d(Float32Array.from(chip), [1, CHIP_SIDE, CHIP_SIDE, 3])
      const input = tf.div(tf.sub(pixels, MEAN_COLOUR), RANGE) as Tensor4D
      let out = tf.maxPool(this.#convolve(input, 'conv32_down', 2, 'relu'), 3, 2, 'valid')
      for (const block of BLOCKS) out = this.#block(out, block)
      return tf.matMul(tf.mean(out, [1, 2]) as Tensor2D, this.#projection)
    })
    const numbers = (await output.data()) as Float32Array
    output.dispose()
    if (numbers.length !== RECOGNITION_NUMBERS) throw new Error(`the embedding model gave ${numbers.length} numbers`)
    return new Float32Array(numbers)
  }

  #convolve(input: Tensor4D, name: string, stride: number, activation: 'relu' | 'linear'): Tensor4D {
    const { filters, bias } = this.#convolutions.get(name)!
    return tf.fused.conv2d({ x: input, filter: filters, strides: stride, pad: stride === 2 ? 'valid' : 'same', bias, activation })
  }

  /** Two convolutions whose result is added to the block's own input; a halving block adds its input averaged by fours. */
  #block(input: Tensor4D, name: string): Tensor4D {
    const halves = name.includes('down')
    let out = this.#convolve(this.#convolve(input, `${name}/conv1`, halves ? 2 : 1, 'relu'), `${name}/conv2`, 1, 'linear')
    if (!halves) return tf.relu(tf.add(out, input))
    const shortcut = tf.avgPool(input, 2, 2, 'valid')
    const [, rows, columns, channels] = shortcut.shape
    // An even side loses a row and a column in the convolution, and the block may have more channels than its input: zeros fill both.
    out = tf.pad(out, [
      [0, 0],
      [0, rows - out.shape[1]],
      [0, columns - out.shape[2]],
      [0, 0],
    ])
    return tf.relu(
      tf.add(
        out,
        tf.pad(shortcut, [
          [0, 0],
          [0, 0],
          [0, 0],
          [0, out.shape[3] - channels],
        ]),
      ),
    )
  }

  dispose(): void {
    for (const { filters, bias } of this.#convolutions.values()) tf.dispose([filters, bias])
    this.#projection.dispose()
  }
}
