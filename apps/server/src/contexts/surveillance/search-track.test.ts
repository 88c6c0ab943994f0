import { describe, expect, test } from 'vitest'
import { newestOf, newestWhole, STAY_MS, STEPS_MAX, stepsOf } from './search-track.ts'
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

describe('a way that is too long', () => {
  test('keeps its newest steps, those alone since when nothing is missing, and says that there are others', () => {
    const passages = Array.from({ length: STEPS_MAX + 3 }, (_, i) => passage(`p${i}`, i))
    const longest = newestOf(passages, { from: 0, whole: 0 })
    expect([longest.more, longest.steps.length, longest.steps[0]!.time, longest.steps.at(-1)!.time]).toEqual([
      true,
      STEPS_MAX,
      3,
      STEPS_MAX + 2,
    ])
    expect(newestOf(passages.slice(3), { from: 0, whole: 0 })).toMatchObject({ more: false, steps: { length: STEPS_MAX } })
    // A stay that reaches into the part that is whole belongs to it.
    const steps = stepsOf([capture('a', 10, '1'), capture('b', 30, '1'), capture('c', 40, '2')], [passage('p', 5), passage('q', 35)])
    const late = newestOf(steps, { from: 0, whole: 20 })
    expect([late.more, late.steps.map(({ id }) => id)]).toEqual([true, ['a', 'q', 'c']])
  })

  test('begins later rather than leave out what is less alike', async () => {
    const all = Array.from({ length: 100 }, (_, i) => ({ capturedAt: 1000 + i }))
    const limit = 30
    const asked: number[] = []
    const whole = await newestWhole(0, async (from) => {
      asked.push(from)
      const since = all.filter(({ capturedAt }) => capturedAt >= from)
      const found = since.length <= limit ? since : since.filter((_, i) => i % Math.ceil(since.length / limit) === 0)
      return { found, limited: since.length >= limit }
    })
    expect(whole.found).toEqual(all.filter(({ capturedAt }) => capturedAt >= whole.from))
    expect(whole.found.length).toBeGreaterThan(limit / 3)
    expect(asked).toEqual(asked.toSorted((a, b) => a - b))
    // Ends also where all are of one moment.
    const crowd = await newestWhole(7, async (from) => ({ found: from > 7 ? [] : [{ capturedAt: 7 }], limited: from <= 7 }))
    expect(crowd).toEqual({ found: [], from: 8 })
  })
})
