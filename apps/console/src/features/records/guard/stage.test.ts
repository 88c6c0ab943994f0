import { expect, test } from 'vitest'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { testingRecord as record } from '../../../shared/testing/record.ts'
import { HOLD, HOLD_AMONG_EQUALS, LIVE, nextStage, nextTurn, type Stage } from './stage.ts'

const NOW = 1_000_000
const hit = { personId: 'm', personName: 'James Moriarty', groupName: '', score: 88, registeredImage: '', reason: '', instruction: '' }
const refused = (id: string, time: number, more: Partial<AccessRecord> = {}) => record(id, time, { result: 0, ...more })
const shownIn = (stage: Stage) => stage.record?.id

/**
 * Run a stage that is updated whenever a record arrives and whenever it is due. Return what it showed, and for how long,
 * until nothing is due any more.
 */
function play(rows: AccessRecord[], arrivals: AccessRecord[]) {
  let [stage, current] = [nextStage(undefined, rows, NOW), rows]
  const turns = [[shownIn(stage), stage.since]] as [string | undefined, number][]
  const look = (at: number): void => {
    stage = nextStage(stage, current, at)
    if (turns.at(-1)?.[0] !== shownIn(stage)) turns.push([shownIn(stage), at])
  }
  const lookUntil = (end: number): void => {
    for (let at = nextTurn(stage, current); at !== undefined && at < end; at = nextTurn(stage, current)) look(at)
  }
  for (const arrival of arrivals) {
    lookUntil(arrival.receivedAt)
    current = [...current.filter(({ id }) => id !== arrival.id), arrival].toSorted((one, other) => other.time - one.time)
    look(arrival.receivedAt)
  }
  lookUntil(Infinity)
  return turns.map(([id, at], place) => ({ id, lasts: (turns[place + 1]?.[1] ?? Infinity) - at }))
}
const shownBy = (turns: ReturnType<typeof play>) => turns.map(({ id }) => id)

test('at the beginning the newest has the stage, whatever came before; where nobody has passed, the first who does', () => {
  const rows = [record('b', NOW - 20), refused('a', NOW - 90)]
  const stage = nextStage(undefined, rows, NOW)
  expect([shownIn(stage), nextTurn(stage, rows), nextStage(stage, rows, NOW + 60_000)]).toEqual(['b', undefined, stage])
  expect(shownBy(play([], [record('a', NOW + 10)]))).toEqual([undefined, 'a'])
})

test('who passes after a while is shown at once', () => {
  expect(play([record('a', NOW - HOLD.admitted)], [record('b', NOW)])).toMatchObject([{ id: 'a', lasts: HOLD.admitted }, { id: 'b' }])
  expect(play([record('a', NOW - 30_000)], [record('b', NOW + 5)])).toMatchObject([{ id: 'a', lasts: 30_005 }, { id: 'b' }])
})

test('a refusal takes the stage at once, and holds it before one who was admitted', () => {
  expect(play([record('a', NOW)], [refused('b', NOW + 10), record('c', NOW + 20)])).toMatchObject([
    { id: 'a', lasts: 10 },
    { id: 'b', lasts: HOLD.refused },
    { id: 'c' },
  ])
})

test('a hit holds it before refusals, too, which then come with their own hold, the newest of them', () => {
  expect(HOLD).toEqual({ admitted: 1000, refused: 4000, hit: 12_000 })
  const arrivals = [
    refused('hit', NOW + 10, { watchList: hit }),
    refused('b', NOW + 20),
    refused('c', NOW + 30),
    record('d', NOW + 40),
    record('e', NOW + 50),
  ]
  expect(play([record('a', NOW)], arrivals)).toMatchObject([
    { id: 'a' },
    { id: 'hit', lasts: HOLD.hit },
    { id: 'c', lasts: HOLD.refused },
    { id: 'e' },
  ])
})

test('a refusal that turns out to be a hit begins to hold anew, and comes back where it had given way', () => {
  const late = refused('b', NOW, { receivedAt: NOW + 3000, watchList: hit })
  expect(play([record('a', NOW - 5000)], [refused('b', NOW), late, record('c', NOW + 3500)])).toMatchObject([
    { id: 'a' },
    { id: 'b', lasts: 3000 + HOLD.hit },
    { id: 'c' },
  ])
  const later = { ...late, receivedAt: NOW + 9000 }
  expect(shownBy(play([record('a', NOW - 5000)], [refused('b', NOW), record('c', NOW + 4000), later]))).toEqual(['a', 'b', 'c', 'b'])
})

test('many at once do not flicker: each that is shown can be looked at, the newest wins, and none is left', () => {
  const burst = Array.from({ length: 30 }, (_, at) => record(`r${at}`, NOW + 333 * at))
  const turns = play([record('a', NOW - 60_000)], burst)
  expect(Math.min(...turns.map(({ lasts }) => lasts))).toBeGreaterThanOrEqual(HOLD_AMONG_EQUALS)
  expect(turns.length).toBeLessThanOrEqual(12)
  expect(turns.at(-1)?.id).toBe('r29')
})

test('what comes out of its order is shown while it is news: not what a terminal kept for long', () => {
  const rows = [record('a', NOW)]
  expect(shownBy(play(rows, [refused('b', NOW - 300, { receivedAt: NOW + 400 })]))).toEqual(['a', 'b'])
  expect(shownBy(play(rows, [refused('b', NOW - LIVE, { receivedAt: NOW + 400 })]))).toEqual(['a'])
})

test('a picture that comes later changes what is shown, not for how long', () => {
  const stage = nextStage(undefined, [refused('a', NOW)], NOW)
  const rows = [refused('a', NOW, { captureThumbnail: '/a.webp' })]
  const after = nextStage(stage, rows, NOW + 500)
  expect([after.record?.captureThumbnail, after.since]).toEqual(['/a.webp', stage.since])
  expect(nextStage(after, rows, NOW + 900)).toBe(after)
})
