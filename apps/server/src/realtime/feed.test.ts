/** Frames of live topics: their rate, size and counts, with stand-ins for rows and for the broker of frames. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import type { Consumer } from '../platform/events/events.ts'
import type { Scope } from '../platform/session/session.ts'
import { createLiveFeed } from './feed.ts'
import { FRAME_LIMIT } from './frame.ts'

const PARK = 'park-1'
const RECORDS = '/topic/100/access/record'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const idsFrom = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `record-${from + index}`)

const noAlarms = { rows: async () => [], seen: async () => [] }

/**
 * Set up a feed with a listener to records.
 * @param read returns rows of ids, as the database would
 * @param hidden records that only an unlimited scope sees
 */
function started(read = async (ids: readonly string[]) => ids.map((id) => ({ id })), hidden: ReadonlySet<string> = new Set()) {
  const state = {
    listening: true,
    owed: false,
    frames: [] as { at: number; rows: { id: string }[]; more: number; bytes: number }[],
    asked: [] as (readonly string[])[],
    /** Scopes, in the order in which they were read. */
    scopes: [] as Scope[],
    listeners: [{ parkId: PARK }] as Scope[],
    /** Frames that each listener was sent. */
    sent: [] as object[][],
  }
  let consumer: Consumer | undefined
  const feed = createLiveFeed(
    { events: { consume: (one: Consumer) => (consumer = one) }, log: { error: () => {} } } as never,
    () => ({
      hasListeners: (destination) => state.listening && destination === RECORDS,
      listeners: () => state.listeners,
      send(_, frameFor) {
        state.sent.push(state.listeners.map((listener) => JSON.parse(frameFor(listener).body()) as object))
        const body = frameFor({ parkId: PARK }).body()
        state.frames.push({
          at: performance.now(),
          bytes: Buffer.byteLength(body),
          more: 0,
          ...(JSON.parse(body) as { rows: { id: string }[] }),
        })
        return state.owed
      },
    }),
    {
      records: {
        async rows(scope, ids) {
          state.scopes.push(scope)
          state.asked.push(ids)
          const shown = scope.sees === undefined ? ids : ids.filter((id) => !hidden.has(id))
          return (await read(shown)) as AccessRecord[]
        },
        seen: async (_, ids) => ids.filter((id) => !hidden.has(id)),
      },
      devices: { some: async () => [], names: async () => [], fetches: async () => [] },
      doors: { states: async () => [] },
      visits: { waiting: async () => [], arrived: async () => [], existing: async () => [] },
      alarms: { faces: noAlarms, rules: noAlarms, boxes: noAlarms, deviceEvents: noAlarms, maintenance: noAlarms },
      organisation: { get: (id) => (id === PARK ? ({ areaCode: '100' } as never) : undefined) },
    },
  )
  const say = (name: string, payload: object, parkId = PARK) =>
    consumer!.handlers.find(({ event }) => event.name === name)!.handle({ seq: 1, id: '', name, parkId, payload } as never)
  return {
    state,
    feed,
    received: (recordIds: string[], parkId?: string) => say('records.received', { recordIds }, parkId),
    pictured: (recordId: string) => say('record.pictured', { recordId }),
  }
}

test('the first row goes out at once, and those that follow travel together, at most ten frames in any second', async () => {
  const { state, received } = started()
  const startedAt = performance.now()
  for (let at = 0; at < 3_000; at += 10) {
    received([`record-${at}`])
    await pass(10)
  }
  expect(state.frames[0]).toMatchObject({ rows: [{ id: 'record-0' }], more: 0 })
  expect(state.frames[0]!.at - startedAt).toBeLessThanOrEqual(10)
  expect(state.frames.length).toBeGreaterThan(20)
  for (const { at } of state.frames)
    expect(state.frames.filter((other) => other.at > at - 1_000 && other.at <= at).length).toBeLessThanOrEqual(10)
  await pass(200)
  expect(state.frames.flatMap(({ rows }) => rows)).toHaveLength(300)
})

test('a frame shows the newest first, within 16,384 bytes, and counts the rest', async () => {
  const { state, received } = started(async (ids) => ids.map((id) => ({ id, text: 'é'.repeat(400) })))
  received(idsFrom(1, 50))
  received(idsFrom(51, 500))
  await pass(1)
  const [frame] = state.frames
  const shown = frame!.rows.map(({ id }) => id)
  expect(shown.length).toBeGreaterThan(10)
  expect(shown).toEqual(idsFrom(1, 500).toReversed().slice(0, shown.length))
  expect(shown.length + frame!.more).toBe(500)
  expect(frame!.bytes).toBeLessThanOrEqual(FRAME_LIMIT - 512)
  // One more row would not have fitted.
  expect(frame!.bytes + Buffer.byteLength(JSON.stringify(frame!.rows[0]))).toBeGreaterThan(FRAME_LIMIT - 512)
})

test('a row too large for any frame is counted', async () => {
  const { state, received } = started(async (ids) => ids.map((id) => ({ id, text: 'x'.repeat(FRAME_LIMIT) })))
  received(['record-1'])
  await pass(1)
  expect(state.frames).toMatchObject([{ rows: [], more: 1 }])
})

test('no more rows are read than a frame shows', async () => {
  const { state, received } = started()
  received(idsFrom(1, 5_000))
  await pass(1)
  expect(state.asked).toHaveLength(1)
  expect(state.asked[0]!.length).toBeLessThan(50)
  expect(state.frames[0]!.rows.length + state.frames[0]!.more).toBe(5_000)
})

test('a record and its picture within one frame are one row', async () => {
  const { state, received, pictured } = started()
  received(['record-1', 'record-2'])
  pictured('record-1')
  pictured('record-2')
  await pass(1)
  expect(state.frames).toMatchObject([{ rows: [{ id: 'record-2' }, { id: 'record-1' }], more: 0 }])
  pictured('record-1')
  await pass(200)
  expect(state.frames[1]).toMatchObject({ rows: [{ id: 'record-1' }], more: 0 })
})

test('nothing is read while nobody listens, nor kept for those who come later', async () => {
  const { state, received } = started()
  state.listening = false
  received(idsFrom(1, 50))
  await pass(500)
  expect([state.asked, state.frames]).toEqual([[], []])
  state.listening = true
  received(['record-51'])
  await pass(1)
  expect(state.asked).toEqual([['record-51']])
  expect(state.frames).toMatchObject([{ rows: [{ id: 'record-51' }], more: 0 }])
})

test('events of a park this node does not know harm nobody', async () => {
  const { state, received } = started()
  received(['record-1'], 'park-2')
  await pass(500)
  expect(state.frames).toEqual([])
})

test('while rows are slow to be read no second read begins, and all that came meanwhile is counted', async () => {
  const reads: PromiseWithResolvers<void>[] = []
  const { state, received } = started(async (ids) => {
    await reads[reads.push(Promise.withResolvers<void>()) - 1]!.promise
    return ids.map((id) => ({ id }))
  })
  received(['record-0'])
  await pass(1)
  for (let from = 1; from <= 20_000; from += 50) received(idsFrom(from, from + 49))
  await pass(5_000)
  expect(reads).toHaveLength(1)
  reads[0]!.resolve()
  await pass(200)
  reads[1]!.resolve()
  await pass(1)
  expect(state.frames.map(({ rows, more }) => rows.length + more)).toEqual([1, 20_000])
  expect(state.frames[1]!.rows[0]).toEqual({ id: 'record-20000' })
})

test('rows that cannot be read are counted, and those after them are shown', async () => {
  let fails = true
  const { state, received } = started(async (ids) => {
    if (fails) throw new Error('the database is away')
    return ids.map((id) => ({ id }))
  })
  received(idsFrom(1, 3))
  await pass(1)
  fails = false
  received(['record-4'])
  await pass(200)
  expect(state.frames).toMatchObject([
    { rows: [], more: 3 },
    { rows: [{ id: 'record-4' }], more: 0 },
  ])
})

test('goes on by itself while a reader is owed a count, without reading anything for it', async () => {
  const { state, received } = started()
  state.owed = true
  received(['record-1'])
  await pass(1_050)
  expect(state.frames.length).toBeGreaterThan(5)
  expect(state.frames.length).toBeLessThanOrEqual(11)
  expect(state.frames.slice(1).every(({ rows, more }) => rows.length + more === 0)).toBe(true)
  expect(state.asked).toHaveLength(1)
  state.owed = false
  await pass(200)
  const sent = state.frames.length
  await pass(1_000)
  expect(state.frames).toHaveLength(sent)
})

test('after its end nothing is sent any more', async () => {
  const { state, feed, received } = started()
  received(['record-1'])
  feed.stop()
  received(['record-2'])
  await pass(500)
  expect(state.frames).toEqual([])
})

const WHOLE: Scope = { parkId: PARK }
const atDoors = (group: string, watchList = true): Scope => ({ parkId: PARK, sees: { watchList, deviceGroups: [[group]] } })

test('rows are read once for all to whom the same is shown, and nobody is sent those of others', async () => {
  const { state, received } = started(undefined, new Set(['record-2']))
  state.listeners = [
    WHOLE,
    atDoors('a'),
    WHOLE,
    { parkId: PARK, sees: { watchList: true, masked: true } },
    atDoors('a'),
    atDoors('b', false),
  ]
  received(['record-1', 'record-2'])
  await pass(1)
  expect(state.scopes).toEqual([WHOLE, atDoors('a'), atDoors('b', false)])
  const [all, some] = [{ rows: [{ id: 'record-2' }, { id: 'record-1' }] }, { rows: [{ id: 'record-1' }] }]
  expect(state.sent).toEqual([[all, some, all, all, some, some]])
})

test('what does not exist for somebody is not counted for them', async () => {
  const { state, received } = started(undefined, new Set(idsFrom(1, 5_000).filter((_, index) => index % 100 > 0)))
  state.listeners = [WHOLE, atDoors('a')]
  received(idsFrom(1, 5_000))
  await pass(1)
  const [all, some] = state.sent[0] as { rows: object[]; more?: number }[]
  expect(all!.rows.length + all!.more!).toBe(5_000)
  // Of the 4,096 ids that were kept.
  expect(some!.rows.length + some!.more!).toBe(40)
})

test('rows that cannot be read are counted for nobody who may not know of them', async () => {
  const { state, received } = started(async () => {
    throw new Error('the database is away')
  })
  state.listeners = [WHOLE, atDoors('a')]
  received(idsFrom(1, 3))
  await pass(1)
  expect(state.sent).toEqual([[{ rows: [], more: 3 }, { rows: [] }]])
})

test('whoever comes to listen while rows are read is sent a frame of what exists for them', async () => {
  const reading = Promise.withResolvers<void>()
  const { state, received } = started(
    async (ids) => {
      await reading.promise
      return ids.map((id) => ({ id }))
    },
    new Set(['record-1']),
  )
  received(['record-1', 'record-2'])
  await pass(1)
  state.listeners.push(atDoors('a'))
  reading.resolve()
  await pass(1)
  expect(state.sent).toEqual([[{ rows: [{ id: 'record-2' }, { id: 'record-1' }] }, { rows: [{ id: 'record-2' }] }]])
})
