import { expect, test } from 'vitest'
import { planesOf } from './planes.ts'

const pixels = Uint8Array.from([10, 20, 30, 11, 21, 31, 12, 22, 32, 13, 23, 33])

test('each colour is a plane, in the order the model wants', () => {
  expect([...planesOf(pixels, { side: 2, channels: 'rgb', scale: 1, mean: 0 })]).toEqual([10, 11, 12, 13, 20, 21, 22, 23, 30, 31, 32, 33])
  expect([...planesOf(pixels, { side: 2, channels: 'bgr', scale: 1, mean: 0 })]).toEqual([30, 31, 32, 33, 20, 21, 22, 23, 10, 11, 12, 13])
})

test('the mean is taken off before scaling', () => {
  expect(planesOf(pixels, { side: 2, channels: 'rgb', scale: 0.5, mean: 8 })[0]).toBe(1)
})
