import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { Worker } from 'node:worker_threads'
import { IncompatibleModel } from '../match.ts'
import type { CaptureLimits } from './capture-scan.ts'
import { CaptureSearchWorker, startCaptureThread } from './capture-worker.ts'
import type { CaptureSearchOptions } from './capture-worker.ts'
import { nearestCaptures } from './nearest-captures.ts'
import { byTryingEverything, columnsOf, EVER, idOf } from './testing/captures.ts'
import { embeddingNumbers, MODEL, seededNumbers } from './testing/galleries.ts'

const NEAREST: CaptureLimits = { limit: 3, within: Infinity }
const workers: CaptureSearchWorker[] = []

function start(options: Partial<CaptureSearchOptions> = {}, thread = startCaptureThread): CaptureSearchWorker {
  const worker = new CaptureSearchWorker({ modelId: MODEL, dimensions: 4, ...options }, thread)
  workers.push(worker)
  return worker
}
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.close()
})

const capture = (id: number, ...numbers: number[]) => ({
  id: idOf(id),
  time: id,
  deviceId: id % 2 === 0 ? 'even' : 'odd',
  numbers: Float32Array.from({ length: 4 }, (_, i) => numbers[i] ?? 0),
})
const probe = (...numbers: number[]) => ({ modelId: MODEL, embedding: capture(0, ...numbers).numbers })

test('a scan sees everything put in and blanked before it, of the segments asked for', async () => {
  const worker = start({ threads: 1 })
  worker.put('monday', columnsOf([capture(1, 0.1), capture(2, 0.2), capture(3, 0.3)]))
  worker.put('tuesday', columnsOf([capture(4, 0.05)]))
  worker.put('other', columnsOf([capture(5, 0)]))
  const search = worker.begin([probe()], { limit: 2, within: 0.25 })
  worker.blank('monday', [idOf(1)])
  worker.put('monday', columnsOf([capture(6, 0.15)]))
  expect(await Promise.all([search.scan('monday', EVER), search.scan('tuesday', EVER)])).toEqual([3, 1])
  await expect(search.scan('nowhere', EVER)).rejects.toThrow('not in memory')
  expect((await search.candidates()).map(({ id }) => id)).toEqual([idOf(4), idOf(6)])
  expect(await search.scan('monday', { ...EVER, deviceIds: new Set(['odd']) })).toBe(1)
  search.end()
  await expect(search.scan('monday', EVER)).rejects.toThrow('the search has ended')
  worker.drop('monday')
  expect((await worker.memory()).map(({ segment, captures }) => [segment, captures])).toEqual([
    ['tuesday', 1],
    ['other', 1],
  ])
})

test('a segment that is being filled answers nothing, whole or not, until it is complete', async () => {
  const worker = start()
  worker.open('day', 2)
  worker.put('day', columnsOf([capture(1)]))
  const search = worker.begin([probe()], NEAREST)
  await expect(search.scan('day', EVER)).rejects.toThrow('a day of captures is not filled yet')
  worker.put('day', columnsOf([capture(2)]))
  await expect(search.scan('day', EVER)).rejects.toThrow('a day of captures is not filled yet')
  worker.complete('day')
  expect(await search.scan('day', EVER)).toBe(2)
})

test('searches that run at once do not know of each other', async () => {
  const worker = start()
  const next = seededNumbers(9)
  const captures = Array.from({ length: 500 }, (_, i) => capture(i, next(), next(), next(), next()))
  for (let day = 0; day < 5; day++) worker.put(`day ${day}`, columnsOf(captures.slice(100 * day, 100 * (day + 1))))
  const found = await Promise.all(
    captures.slice(0, 30).map(async ({ numbers }) => {
      const search = worker.begin([{ modelId: MODEL, embedding: numbers }], { limit: 1, within: Infinity })
      for (let day = 0; day < 5; day++) await search.scan(`day ${day}`, EVER)
      return (await search.candidates())[0]!.id
    }),
  )
  expect(found).toEqual(captures.slice(0, 30).map(({ id }) => id))
})

test.each([1, 2, 3])(
  'segments spread over %i threads give what trying everything gives, whatever order they are scanned in',
  async (threads) => {
    const worker = start({ threads })
    let runs = 0
    const numbers = embeddingNumbers(4)
    const story = fc.record({
      days: fc.array(fc.array(numbers, { maxLength: 150 }), { minLength: 1, maxLength: 5 }),
      probed: fc.array(numbers, { minLength: 1, maxLength: 2 }),
      limit: fc.integer({ min: 1, max: 20 }),
      within: fc.oneof(fc.constant(Infinity), fc.double({ min: 0, max: 2, noNaN: true })),
      atOnce: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(story, async ({ days, probed, atOnce, ...limits }) => {
        const run = runs++
        const captures = days.map((ofDay, day) => ofDay.map((made, i) => capture(1000 * day + i, ...made)))
        const segments = captures.map((_, day) => `${run}/${day}`)
        for (const [day, ofDay] of captures.entries()) worker.put(segments[day]!, columnsOf(ofDay))
        const probes = probed.map((made) => Float32Array.from(made))
        const search = worker.begin(
          probes.map((embedding) => ({ modelId: MODEL, embedding })),
          limits,
        )
        if (atOnce) await Promise.all(segments.map((segment) => search.scan(segment, EVER)))
        else for (const segment of segments) await search.scan(segment, EVER)
        const candidates = await search.candidates()
        search.end()
        for (const segment of segments) worker.drop(segment)
        const all = captures.flat()
        const templates = new Map(all.map(({ id, numbers: own }) => [id, own]))
        const read = (ids: readonly string[]) => Promise.resolve(new Map(ids.map((id) => [id, templates.get(id)!])))
        expect(await nearestCaptures(candidates, probes, limits, read)).toEqual(byTryingEverything(all, probes, limits))
      }),
      { numRuns: 60 },
    )
  },
)

test('what one thread found narrows what the others look for', async () => {
  const worker = start({ threads: 2 })
  const captures = (from: number, far: number) => Array.from({ length: 64 }, (_, i) => capture(from + i, far + i / 1000))
  worker.put('near', columnsOf(captures(0, 0)))
  worker.put('far', columnsOf(captures(64, 5)))
  const search = worker.begin([probe()], { limit: 2, within: Infinity })
  for (const segment of ['near', 'far']) expect(await search.scan(segment, EVER)).toBe(64)
  expect((await search.candidates()).map(({ id }) => id)).toEqual([idOf(0), idOf(1)])
})

test('what cannot be compared is refused', () => {
  const worker = start()
  expect(() => worker.begin([{ ...probe(), modelId: 'other' }], NEAREST)).toThrow(IncompatibleModel)
  expect(() => worker.begin([{ ...probe(), embedding: new Float32Array(3) }], NEAREST)).toThrow(RangeError)
  expect(() => worker.put('day', columnsOf([capture(1, NaN)]))).toThrow(RangeError)
  expect(() => worker.put('day', { ...columnsOf([capture(1)]), times: new Float64Array(2) })).toThrow(RangeError)
  expect(() => start({ dimensions: 0 })).toThrow(RangeError)
})

test('a segment without room for all its captures answers nothing until it is filled again; others go on', async () => {
  const worker = start()
  worker.put('small', columnsOf([capture(1)]))
  worker.put('large', columnsOf([capture(1)]))
  worker.drop('large')
  worker.open('large', 2 ** 31)
  worker.put('large', columnsOf([capture(1)]))
  worker.complete('large')
  const search = worker.begin([probe()], NEAREST)
  await expect(search.scan('large', EVER)).rejects.toThrow(/a day of captures is full/)
  expect(await search.scan('small', EVER)).toBe(1)
  worker.drop('large')
  worker.put('large', columnsOf([capture(1)]))
  expect(await search.scan('large', EVER)).toBe(1)
})

describe('a thread that is gone', () => {
  test.each([1, 2])('one of %i rejects what waits and what comes of all, and is told once', async (threads) => {
    const deaths: string[] = []
    let thread!: Worker
    const onDeath = ({ message }: Error) => deaths.push(message)
    const worker = start({ threads, onDeath }, (options) => (thread = startCaptureThread(options)))
    await worker.memory()
    const search = worker.begin([probe()], NEAREST)
    const ended = thread.terminate()
    await Promise.all([expect(search.candidates()).rejects.toThrow('the search thread ended'), ended])
    await expect(search.scan('day', EVER)).rejects.toThrow('the search thread ended')
    expect(() => worker.put('day', columnsOf([capture(1)]))).toThrow('the search thread ended')
    expect(deaths).toEqual(['the search thread ended with code 1'])
  })

  test('that was closed on purpose is no death', async () => {
    const deaths: Error[] = []
    const worker = start({ onDeath: (error) => deaths.push(error) })
    const waiting = worker.memory()
    await Promise.all([expect(waiting).rejects.toThrow('the search among captures is closed'), worker.close()])
    expect(deaths).toEqual([])
  })
})
