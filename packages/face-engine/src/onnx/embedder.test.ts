/** How pixels reach an embedder, by a network that answers its own input. What SFace makes of them was tried nowhere here. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Embedder } from './embedder.ts'
import { parseModelSet } from './model-set.ts'
import type { Embedding } from './model-set.ts'
import type { FivePoints } from './yunet.ts'

const place = join(import.meta.dirname, '../../models/yunet-sface/model.json')
const sface = parseModelSet(readFileSync(place, 'utf8'), place).embedder
const SIDE = sface.side

let folder: string
let path: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-models-'))
  path = join(folder, 'mirror.onnx')
  writeFileSync(path, mirror(SIDE))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** An ONNX file (protocol buffers) of one step that puts its input in a row. */
function mirror(side: number): Buffer {
  const number = (value: number): number[] => (value < 128 ? [value] : [(value % 128) + 128, ...number(Math.floor(value / 128))])
  const field = (id: number, content: number | string | Buffer) =>
    typeof content === 'number'
      ? Buffer.from([...number(id * 8), ...number(content)])
      : Buffer.concat([Buffer.from([...number(id * 8 + 2), ...number(content.length)]), Buffer.from(content as Buffer)])
  const message = (id: number, ...fields: Buffer[]) => field(id, Buffer.concat(fields))
  const tensor = (id: number, name: string, shape: number[]) =>
    message(id, field(1, name), message(2, message(1, field(1, 1), message(2, ...shape.map((length) => message(1, field(1, length)))))))
  const step = message(1, field(1, 'input'), field(2, 'output'), field(4, 'Flatten'))
  const graph = message(7, step, field(2, 'mirror'), tensor(11, 'input', [1, 3, side, side]), tensor(12, 'output', [1, 3 * side * side]))
  return Buffer.concat([field(1, 8), graph, message(8, field(2, 13))])
}

const mirrored = (changes: Partial<Embedding> = {}): Embedding => ({
  ...sface,
  dimensions: 3 * SIDE * SIDE,
  metric: 'euclidean',
  ...changes,
})

test('the five points arrive on the chip where the template wants them, in planes of red, green and blue', async () => {
  const embedder = await Embedder.load(path, mirrored())
  // The face is twice as large as the chip and stands elsewhere.
  const points = sface.landmarks.map(([x, y]) => ({ x: 2 * x + 40, y: 2 * y + 60 })) as unknown as FivePoints
  const picture = { data: new Uint8Array(400 * 400 * 3), width: 400, height: 400 }
  for (const [i, { x, y }] of points.entries()) {
    for (let row = Math.round(y) - 5; row <= Math.round(y) + 5; row++) {
      for (let column = Math.round(x) - 5; column <= Math.round(x) + 5; column++) picture.data[(row * 400 + column) * 3 + (i % 3)] = 240
    }
  }
  const planes = await embedder.embed(embedder.chip(picture, points))
  expect(planes).toHaveLength(3 * SIDE * SIDE)
  for (const [i, [x, y]] of sface.landmarks.entries()) {
    for (let plane = 0; plane < 3; plane++)
      expect(planes[(plane * SIDE + Math.round(y)) * SIDE + Math.round(x)]).toBe(plane === i % 3 ? 240 : 0)
  }
  await embedder.close()
})

test('a model compared by cosine answers at unit length', async () => {
  const embedder = await Embedder.load(path, mirrored({ metric: 'cosine' }))
  const numbers = await embedder.embed(Uint8Array.from({ length: 3 * SIDE * SIDE }, (_, i) => i % 251))
  expect(numbers.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 5)
  await embedder.close()
})

test('one answer is not overwritten by the next', async () => {
  const embedder = await Embedder.load(path, mirrored())
  const first = await embedder.embed(new Uint8Array(3 * SIDE * SIDE).fill(7))
  await embedder.embed(new Uint8Array(3 * SIDE * SIDE).fill(9))
  expect(first.every((value) => value === 7)).toBe(true)
  await embedder.close()
})

test('a model that answers another number of numbers than its set says is refused', async () => {
  const embedder = await Embedder.load(path, mirrored({ dimensions: 128, file: 'mirror.onnx' }))
  await expect(embedder.embed(new Uint8Array(3 * SIDE * SIDE))).rejects.toThrow(/mirror\.onnx gave 37632 numbers where its set says 128/)
  await embedder.close()
})
