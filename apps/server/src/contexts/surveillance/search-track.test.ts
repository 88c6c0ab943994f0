import { describe, expect, test } from 'vitest'
import { STAY_MS, stepsOf } from './search-track.ts'
import type { TrackedCapture, TrackStep } from './search-track.ts'

const capture = (id: string, capturedAt: number, deviceId: string, score = 80): TrackedCapture => ({
  id,
  capturedAt,
  deviceId,
  deviceName: `Camera ${deviceId}`,
  image: `/${id}`,
  score,
})
const passage = (id: string, time: number): TrackStep => ({
  kind: 'passage',
  id,
  time,
  until: time,
  count: 1,
  deviceId: 'door',
  deviceName: 'Door',
  image: '',
  score: null,
})

describe('the way of a face', () => {
  test('merges captures of a device while the face stays, and shows the one that is most alike', () => {
    const steps = stepsOf([capture('a', 0, '1'), capture('b', STAY_MS, '1', 95), capture('c', 2 * STAY_MS, '1', 90)], [])
    expect(steps).toEqual([
      {
        kind: 'capture',
        id: 'b',
        time: 0,
        until: 2 * STAY_MS,
        count: 3,
        deviceId: '1',
        deviceName: 'Camera 1',
        image: '/b',
        score: 95,
      },
    ])
  })

  test('begins a new step where the face was away for longer, or elsewhere in between', () => {
    const steps = stepsOf(
      [capture('a', 0, '1'), capture('b', STAY_MS + 1, '1'), capture('c', STAY_MS + 2, '2'), capture('d', STAY_MS + 3, '1')],
      [],
    )
    expect(steps.map(({ id, count }) => [id, count])).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
      ['d', 1],
    ])
  })

  test('has passages at their time; one while the face stays before a camera does not divide the stay', () => {
    const steps = stepsOf([capture('a', 10, '1'), capture('b', 30, '1')], [passage('p', 20), passage('q', 5)])
    expect(steps.map(({ id, kind }) => [id, kind])).toEqual([
      ['q', 'passage'],
      ['a', 'capture'],
      ['p', 'passage'],
    ])
  })

  test('of one who was never seen has no steps', () => {
    expect(stepsOf([], [])).toEqual([])
  })
})
