/**
 * The second embedding model: MobileNet, trained by `@vladmandic/human` to tell age, gender and identity. What stands
 * before its last layers,
 * 1,024 numbers, tells people apart in another way than the recognition net does.
 */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Tensor1D, Tensor4D, io } from '@tensorflow/tfjs-core'
import type { Landmarks } from '../face.ts'
import { fivePoints } from '../five-points.ts'
import type { Pixels } from '../photo.ts'
import { FACE_TEMPLATE, fitSimilarity, warp } from '../warp.ts'
import { humanPath, tf } from './wasm.ts'

/** Numbers of a description. */
export const DESCRIPTION_NUMBERS = 1024

const CROP_SIDE = 224
/** Distance of the eyes and their height, as shares of the crop's side. */
const EYE_DISTANCE = 0.3
const EYE_HEIGHT = 0.39
/** Of red, green, blue, taken off before the net; it wants blue first. */
const MEAN_COLOUR = [123.68, 116.779, 103.939] as const

/** Blocks that halve width and height. */
const HALVING: ReadonlySet<number> = new Set([2, 4, 6, 12])
const BLOCKS = 13

/** Where the five points lie on the crop, in pixels: as they lie to each other on the chip of the recognition net. */
const CROP_POINTS = (() => {
  const [rightOuter, rightInner, leftInner, leftOuter, nose] = FACE_TEMPLATE
  const eyes = (leftInner[0] + leftOuter[0] - rightOuter[0] - rightInner[0]) / 2
  const height = (rightOuter[1] + rightInner[1] + leftInner[1] + leftOuter[1]) / 4
  const scale = EYE_DISTANCE / eyes
  return fivePoints<readonly [number, number]>(FACE_TEMPLATE, ([x, y]) => ({
    x: (0.5 + (x - nose[0]) * scale) * CROP_SIDE,
    y: (EYE_HEIGHT + (y - height) * scale) * CROP_SIDE,
  }))
})()

/** The face as this net wants to see it: `CROP_SIDE` × `CROP_SIDE` × red, green, blue. */
export const describedCrop = (pixels: Pixels, landmarks: Landmarks): Uint8Array =>
  warp(pixels, fitSimilarity(landmarks, CROP_POINTS), CROP_SIDE)

interface Block {
  /** Each channel by itself. */
  across: { filter: Tensor4D; bias: Tensor1D; stride: 1 | 2 }
  /** Channels with each other. */
  through: { filter: Tensor4D; bias: Tensor1D }
}

export class DescriptionNet {
  readonly #first: { filter: Tensor4D; bias: Tensor1D }
  readonly #blocks: readonly Block[]

  private constructor(first: { filter: Tensor4D; bias: Tensor1D }, blocks: readonly Block[]) {
    this.#first = first
    this.#blocks = blocks
  }

  /** Reads the weights (7 MB); the layers for age and gender are left out. The scale behind each convolution is folded into it. */
  static async load(): Promise<DescriptionNet> {
    const path = join(dirname(humanPath), '../models/faceres.json')
    const { weightsManifest } = JSON.parse(await readFile(path, 'utf8')) as io.ModelJSON
    const files = await Promise.all(weightsManifest.flatMap(({ paths }) => paths).map((name) => readFile(join(dirname(path), name))))
    const weights = tf.io.decodeWeights(
      new Uint8Array(Buffer.concat(files)).buffer,
      weightsManifest.flatMap((group) => group.weights),
    )
    const used = new Set<string>()
    const take = <T>(name: string): T => {
      used.add(name)
      return weights[name] as T
    }
    const blocks = Array.from({ length: BLOCKS }, (_, at): Block => {
      const block = at + 1
      const kernel = weights[`conv_dw_${block}/depthwise_kernel`] as Tensor4D
      const scale = weights[`conv_dw_${block}_bn/batchnorm_1/mul`] as Tensor1D
      const filter = tf.tidy(() => tf.mul(kernel, tf.reshape(scale, [1, 1, -1, 1])) as Tensor4D)
      return {
        across: { filter, bias: take(`conv_dw_${block}_bn/batchnorm_1/sub`), stride: HALVING.has(block) ? 2 : 1 },
        through: { filter: take(`conv_pw_${block}/convolution/merged_input`), bias: take(`conv_pw_${block}_bn/batchnorm_1/sub`) },
      }
    })
    const first = {
      filter: take<Tensor4D>('conv1/convolution/merged_input'),
      bias: take<Tensor1D>('conv1_bn/batchnorm_1/sub'),
    }
    tf.dispose(Object.entries(weights).flatMap(([name, tensor]) => (used.has(name) ? [] : [tensor])))
    return new DescriptionNet(first, blocks)
  }

  /** @param crop `describedCrop` of a face. @returns `DESCRIPTION_NUMBERS` numbers from 0 to 6 */
  async describe(crop: Uint8Array): Promise<Float32Array> {
    const output = tf.tidy(() => {
      const input = new Float32Array(crop.length)
      for (let i = 0; i < crop.length; i += 3) {
        input[i] = crop[i + 2]! - MEAN_COLOUR[2]
        input[i + 1] = crop[i + 1]! - MEAN_COLOUR[1]
        input[i + 2] = crop[i]! - MEAN_COLOUR[0]
      }
      const pad = 'same'
      const activation = 'relu6'
      const x = tf.tensor4d(input, [1, CROP_SIDE, CROP_SIDE, 3])
      let out = tf.fused.conv2d({ x, ...this.#first, strides: 2, pad, activation })
      for (const { across, through } of this.#blocks) {
        const { filter, bias, stride } = across
        out = tf.fused.depthwiseConv2d({ x: out, filter, bias, strides: stride, pad, activation })
        out = tf.fused.conv2d({ x: out, ...through, strides: 1, pad, activation })
      }
      return tf.mean(out, [1, 2])
    })
    const numbers = (await output.data()) as Float32Array
    output.dispose()
    if (numbers.length !== DESCRIPTION_NUMBERS) throw new Error(`the description model gave ${numbers.length} numbers`)
    return new Float32Array(numbers)
  }

  dispose(): void {
    for (const { across, through } of this.#blocks) tf.dispose([across.filter, across.bias, through.filter, through.bias])
    tf.dispose([this.#first.filter, this.#first.bias])
  }
}
