/** Guessing numbers at a terminal: cards, codes and numbers of ID cards of nobody. */
import { expect, test } from 'vitest'
import type { Reader, ReaderEvent } from '../readers/reader.ts'
import { until } from '../device/testing/folder.ts'
import { BLIND_ENGINE } from '../settings/testing/terminal.ts'
import { openDoor, type Answer, type Door } from './testing/door.ts'

const ANN = { ann: { credentials: { cards: ['1234567890'], idNumber: '11010119900307123X', qrCodes: ['GATE/ann'] } } }
/** Methods card and code. */
const METHODS = [4, 6]
const SECOND = 1_000

async function doorWith(readers: readonly Reader[] = []) {
  let now = Date.parse('2026-11-22T04:00:00Z')
  const sentences: string[] = []
  const door = await openDoor(
    BLIND_ENGINE,
    ANN,
    { methods: METHODS },
    { clock: () => now, log: (sentence) => void sentences.push(sentence), readers },
  )
  return { door, pass: (milliseconds: number) => void (now += milliseconds), sentences }
}

const numberOf = (place: number) => String(2_000_000_000 + place)
/** Try all at once. @returns how many were looked at, and the answers to the others */
async function tried(door: Door, path: string, bodies: readonly object[]): Promise<{ seen: number; paused: Answer[] }> {
  const answers = await Promise.all(bodies.map((body) => door.post(path, body)))
  return {
    seen: answers.filter(({ status }) => status === 200).length,
    paused: answers.filter(({ status }) => status === 429).map(({ answer }) => answer),
  }
}
const cards = (count: number, from = 0) => Array.from({ length: count }, (_, place) => ({ number: numberOf(from + place) }))
const holdUps = (sentences: readonly string[]) => sentences.filter((sentence) => sentence.includes('unknown numbers'))

test('of three hundred cards of nobody ten are looked at, then one a second; a card that is known waits no longer than that', async () => {
  const { door, pass, sentences } = await doorWith()
  const { seen, paused } = await tried(door, 'input/card', cards(300))
  expect(seen).toBe(10)
  expect(paused).toHaveLength(290)
  expect(paused[0]).toMatchObject({ reason: 'paused', retryAfter: 1 })
  expect(holdUps(sentences)).toHaveLength(1)
  pass(SECOND)
  expect((await tried(door, 'input/card', cards(20, 300))).seen).toBe(1)
  pass(SECOND)
  expect(await door.show('input/card', { number: '1234567890' })).toMatchObject({ verdict: 'allowed' })
  // The accepted card used none of the allowance for unknown numbers.
  expect((await tried(door, 'input/card', cards(20, 400))).seen).toBe(1)
  expect(holdUps(sentences)).toHaveLength(1)
  expect(await door.records(13)).toHaveLength(13)
})

test('what passes at a busy door is never held up, and what lies on the reader is one number', async () => {
  const { door } = await doorWith()
  const own = await tried(
    door,
    'input/card',
    Array.from({ length: 40 }, () => ({ number: '1234567890' })),
  )
  expect(own.seen).toBe(40)
  const lying = await tried(
    door,
    'input/card',
    Array.from({ length: 40 }, () => ({ number: '77' })),
  )
  expect(lying.seen).toBe(40)
})

test('typed numbers of ID cards and codes are counted each for itself', async () => {
  const { door } = await doorWith()
  const ids = cards(30).map(({ number }) => ({ number: `1101011990030${number.slice(-4)}`, source: 'typed' }))
  expect((await tried(door, 'input/id', ids)).seen).toBe(10)
  expect(
    (
      await tried(
        door,
        'input/qr',
        cards(30).map(({ number }) => ({ text: number })),
      )
    ).seen,
  ).toBe(10)
  expect((await tried(door, 'input/card', cards(30))).seen).toBe(10)
})

test('a reader on a line is held up too, apart from others, and said once', async () => {
  const lines: ((event: ReaderEvent) => void)[] = []
  const reader = (): Reader => ({ start: (onEvent) => void lines.push(onEvent), stop: () => {} })
  const { door, pass, sentences } = await doorWith([reader(), reader()])
  for (let place = 0; place < 50; place++) lines[0]!({ kind: 'card', number: numberOf(place) })
  lines[1]!({ kind: 'card', number: '1234567890' })
  const records = await door.records(11)
  expect(records.at(-1)).toMatchObject({ result: 1 })
  expect(records).toHaveLength(11)
  expect(holdUps(sentences)).toHaveLength(1)
  expect(sentences.filter((sentence) => sentence.includes('could not be decided'))).toEqual([])
  // After a long enough quiet time, a further delay is logged again.
  pass(60 * SECOND)
  for (let place = 50; place < 70; place++) lines[0]!({ kind: 'card', number: numberOf(place) })
  await until('it is said again', () => holdUps(sentences).length === 2)
})
