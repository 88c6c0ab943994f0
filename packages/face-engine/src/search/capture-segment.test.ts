import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CaptureScan } from './capture-scan.ts'
import { CaptureSegment } from './capture-segment.ts'
import { CodeBlocks } from './code-blocks.ts'
import { KERNELS } from './kernel.ts'
import { nearestCaptures } from './nearest-captures.ts'
import { squaredDistance } from './squared-distance.ts'
import { bytesOfIds, byTryingEverything, columnsOf, EVER, idOf } from './testing/captures.ts'
import type { Capture } from './testing/captures.ts'
import { embeddingNumbers, seededNumbers } from './testing/galleries.ts'

const DAY = 86_400_000

/** Searches segments in both phases; templates are read from what is kept beside them. */
async function search(
  segments: readonly CaptureSegment[],
  kept: readonly Capture[],
  probes: readonly Float32Array[],
  limits: { limit: number; within: number },
  filter = EVER,
) {
  const scan = new CaptureScan(probes, limits)
  let compared = 0
  for (const segment of segments) compared += segment.scan(scan, filter)
  const candidates = scan.candidates()
  const templates = new Map(kept.map(({ id, numbers }) => [id, numbers]))
  const read: string[] = []
  const matches = await nearestCaptures(candidates, probes, limits, (ids) => {
    read.push(...ids)
    return Promise.resolve(new Map(ids.map((id) => [id, templates.get(id)!])))
  })
  return { matches, compared, candidates, read }
}

test('no distance lies outside of its bracket', () => {
  const pairs = fc
    .integer({ min: 1, max: 70 })
    .chain((dimensions) => fc.tuple(embeddingNumbers(dimensions), embeddingNumbers(dimensions), fc.nat(63)))
  fc.assert(
    fc.property(pairs, ([first, second, row]) => {
      const [numbers, probe] = [Float32Array.from(first), Float32Array.from(second)]
      const blocks = new CodeBlocks(numbers.length)
      blocks.growTo(blocks.pagesOf(1))
      blocks.openChunk(0)
      blocks.put(0, row, numbers)
      const { least, most } = blocks.bracket(0, row, blocks.putProbe(probe))
      const squared = squaredDistance(probe, numbers, 0)
      expect(least).toBeLessThanOrEqual(squared)
      expect(most).toBeGreaterThanOrEqual(squared)
    }),
    { numRuns: 2000 },
  )
})

describe.each(KERNELS)('with the %s kernel', (kernel) => {
  test('after any adding and blanking, a search over several days finds what trying everything finds, to the last bit', async () => {
    const change = (dimensions: number) =>
      fc.record({
        kind: fc.constantFrom('put', 'put', 'put', 'blank'),
        day: fc.nat(2),
        captures: fc.array(fc.record({ id: fc.nat(60), time: fc.nat(DAY - 1), device: fc.nat(3), numbers: embeddingNumbers(dimensions) }), {
          maxLength: 40,
        }),
      })
    const question = fc.record({
      limit: fc.oneof(fc.integer({ min: 0, max: 15 }), fc.constant(1000)),
      within: fc.oneof(fc.constant(Infinity), fc.double({ min: -1, max: 4, noNaN: true })),
      from: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3 * DAY })),
      until: fc.oneof(fc.constant(3 * DAY), fc.integer({ min: 0, max: 3 * DAY })),
      deviceIds: fc.option(
        fc.uniqueArray(fc.nat(4), { maxLength: 3 }).map((devices) => new Set(devices.map((device) => `d${device}`))),
        { nil: undefined },
      ),
      // Also ids that nobody has.
      only: fc.option(
        fc.array(fc.nat(300), { maxLength: 60 }).map((ids) => bytesOfIds(ids.map((id) => idOf(id)))),
        { nil: undefined },
      ),
    })
    const stories = fc
      .integer({ min: 1, max: 40 })
      .chain((dimensions) =>
        fc.tuple(
          fc.array(change(dimensions), { maxLength: 8 }),
          fc.array(embeddingNumbers(dimensions), { minLength: 1, maxLength: 3 }),
          question,
        ),
      )
    await fc.assert(
      fc.asyncProperty(stories, async ([changes, probed, { limit, within, ...filter }]) => {
        const probes = probed.map((numbers) => Float32Array.from(numbers))
        const segments = [0, 1, 2].map(() => new CaptureSegment(probes[0]!.length, kernel))
        const kept = [0, 1, 2].map(() => new Map<string, Capture>())
        for (const { kind, day, captures } of changes) {
          // Ids of a day are its own.
          const made = captures.map(({ id, time, device, numbers }) => ({
            id: idOf(100 * day + id),
            time: day * DAY + time,
            deviceId: `d${device}`,
            numbers: Float32Array.from(numbers),
          }))
          const distinct = [...new Map(made.map((capture) => [capture.id, capture])).values()]
          if (kind === 'put') {
            segments[day]!.put(columnsOf(distinct))
            for (const capture of distinct) kept[day]!.set(capture.id, capture)
          } else {
            const present = distinct.filter(({ id }) => kept[day]!.delete(id))
            expect(segments[day]!.blank(distinct.map(({ id }) => id))).toBe(present.length)
          }
          expect(segments[day]!.size).toBe(kept[day]!.size)
        }
        const all = kept.flatMap((day) => [...day.values()])
        const { matches, compared } = await search(segments, all, probes, { limit, within }, filter)
        expect(matches).toEqual(byTryingEverything(all, probes, { limit, within }, filter))
        expect(compared).toBe(
          byTryingEverything(
            all,
            [new Float32Array(probes[0]!.length)],
            { limit: Infinity, within: Infinity },
            { ...filter, only: undefined },
          ).length,
        )
      }),
      { numRuns: 200 },
    )
  }, 60_000)

  test('answers as trying everything does among many random faces, and reads few of their templates', async () => {
    const next = seededNumbers(7)
    const random = () => Float32Array.from({ length: 128 }, () => next() / 6.5)
    const captures = Array.from({ length: 6000 }, (_, i) => ({ id: idOf(i), time: i, deviceId: `d${i % 5}`, numbers: random() }))
    const segments = [0, 1, 2].map((day) => {
      const segment = new CaptureSegment(128, kernel)
      segment.reserve(2000)
      segment.put(columnsOf(captures.slice(2000 * day, 2000 * (day + 1))))
      return segment
    })
    for (let i = 0; i < 40; i++) {
      const near = captures[i * 97]!.numbers.map((number) => number + next() / 30)
      const probes = i % 2 === 0 ? [random()] : [near, random()]
      const { matches, read } = await search(segments, captures, probes, { limit: 10, within: Infinity })
      expect(matches).toEqual(byTryingEverything(captures, probes, { limit: 10, within: Infinity }))
      expect(read.length).toBeLessThan(600)
    }
  })

  describe.each([
    ['all faces the same', () => [0.5, 0.5, 0.5]],
    ['nothing but zeros', () => []],
    ['the largest numbers there are', (i: number) => [3.4e38, -3.4e38, i % 2 === 0 ? 3.4e38 : 1]],
    ['one face among giants', (i: number) => (i === 150 ? [0.1] : [1e30 * i])],
    ['the smallest numbers there are', (i: number) => [i / 1e44, 1e-40]],
    ['every face nearer than the one before', (i: number) => [1 - i / 1000]],
    ['small beside large', (i: number) => [1e6, i / 1000]],
  ] as const)('%s', (_, numbersOf) => {
    const captures = Array.from({ length: 300 }, (_unused, i) => {
      const numbers: readonly number[] = numbersOf(i)
      return { id: idOf((i * 7) % 300), time: i, deviceId: 'd', numbers: Float32Array.from({ length: 4 }, (_none, at) => numbers[at] ?? 0) }
    })
    test.each([1, 5, 100, 1000])('limit %i', async (limit) => {
      const segment = new CaptureSegment(4, kernel)
      segment.put(columnsOf(captures))
      for (const probe of [[], [0.5, 0.5, 0.5], [3.4e38, 1], [1.4e-45], [1e6, 0.2001]]) {
        const numbers = Float32Array.from({ length: 4 }, (_none, at) => probe[at] ?? 0)
        const { matches } = await search([segment], captures, [numbers], { limit, within: Infinity })
        expect(matches).toEqual(byTryingEverything(captures, [numbers], { limit, within: Infinity }))
      }
    })
  })
})

test('a template of 512 numbers takes 532 bytes and 22 beside, and no more where the number of captures is known', () => {
  const segment = new CaptureSegment(512, 'plain')
  segment.reserve(64_000)
  // The probe has a page of its own; the last is not full.
  expect(segment.bytes).toBeLessThanOrEqual(64_000 * (532 + 22) + 2 * 65_536)
})

test('what has no room, is of another day, or has no id, leaves everything as it was', () => {
  const segment = new CaptureSegment(4, 'plain')
  const capture = (id: string, time: number) => ({ id, time, deviceId: 'd', numbers: new Float32Array(4) })
  expect(() => segment.put(columnsOf([capture('no id', 1)]))).toThrow(RangeError)
  segment.put(columnsOf([capture(idOf(1), 10 * DAY)]))
  for (const other of [capture(idOf(2), 0), capture(idOf(2), 100 * DAY), capture(idOf(2), NaN), capture('no id', 10 * DAY)])
    expect(() => segment.put(columnsOf([capture(idOf(1), 10 * DAY), other]))).toThrow(RangeError)
  expect(() => segment.reserve(2 ** 32)).toThrow(RangeError)
  expect(segment.size).toBe(1)
})

test('a cleared row leaves no code behind', () => {
  const blocks = new CodeBlocks(20)
  blocks.growTo(blocks.pagesOf(1))
  blocks.openChunk(0)
  const memory = () => Buffer.from(blocks.memory.buffer.slice(0))
  const before = memory()
  blocks.put(0, 33, new Float32Array(20).fill(0.25))
  expect(memory().equals(before)).toBe(false)
  blocks.clear(0, 33)
  expect(memory().equals(before)).toBe(true)
})
