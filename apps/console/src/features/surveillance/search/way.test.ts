import { expect, test } from 'vitest'
import { daysOf, legTo, nextAt, numbersOf, unplacedOf, type TrackStep } from './way.ts'

const HOUR = 3_600_000
const step = (deviceId: string, time: number): TrackStep => ({
  kind: 'capture',
  id: `${deviceId} ${time}`,
  time,
  until: time,
  count: 1,
  deviceId,
  deviceName: `Camera ${deviceId}`,
  image: '',
  score: 90,
})
const way = ['a', 'b', 'x', 'a', 'c'].map((deviceId, index) => step(deviceId, index * 6 * HOUR))
const placed = new Set(['a', 'b', 'c', 'd'])

test('steps are grouped by the days of the park', () => {
  const shape = (offset: number) => daysOf(way, offset).map(({ date, first, steps }) => [date, first, steps.length])
  expect(shape(0)).toEqual([
    ['1970-01-01', 0, 4],
    ['1970-01-02', 4, 1],
  ])
  expect(shape(8 * 60)).toEqual([
    ['1970-01-01', 0, 3],
    ['1970-01-02', 3, 2],
  ])
  expect(daysOf([], 0)).toEqual([])
})

test('devices on the plan are numbered in the order of the way; the others are named', () => {
  expect([...numbersOf(way, placed)]).toEqual([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ])
  expect(unplacedOf([...way, step('x', 99 * HOUR)], placed)).toEqual([{ id: 'x', name: 'Camera x' }])
})

test('a device leads to its next step, and from the last to the first again', () => {
  expect([undefined, 0, 3].map((current) => nextAt(way, 'a', current))).toEqual([0, 3, 0])
  expect(nextAt(way, 'd', 1)).toBeUndefined()
})

test('the leg to a step comes from the last place on the plan', () => {
  expect(legTo(way, 3, placed)).toEqual({ from: 'b', to: 'a' })
  expect([undefined, 0, 2, 99].map((index) => legTo(way, index, placed))).toEqual([undefined, undefined, undefined, undefined])
  expect(legTo([way[0]!, step('a', HOUR)], 1, placed)).toBeUndefined()
})
