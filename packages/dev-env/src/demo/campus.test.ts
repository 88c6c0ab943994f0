import { describe, expect, test } from 'vitest'
import { localTime } from '@gatehouse/access-rules'
import { personCreate } from '@gatehouse/contract/people/calls'
import { PARK } from './campus.ts'
import { approachesTo } from './passages.ts'
import { rosterOf } from './roster.ts'

const DAY = 86_400_000
/** A Friday noon in the park. */
const ANCHOR = Date.UTC(2026, 10, 20, 4)
const roster = rosterOf('test', ANCHOR)

describe('the roster', () => {
  test('has two hundred people, nobody twice, as the register takes them', () => {
    expect(roster).toHaveLength(200)
    for (const key of ['workNumber', 'name', 'phone'] as const) expect(new Set(roster.map((person) => person[key])).size).toBe(200)
    for (const { workNumber, name, phone, gender, validFrom, validTo } of roster) {
      const parsed = personCreate.safeParse({ workNumber, name, phone, gender, validFrom, validTo, groupId: 'group' })
      expect(parsed.error?.issues).toBeUndefined()
    }
  })

  test('has people without a photograph, disabled ones, and validities that end soon or have ended', () => {
    expect(roster.filter(({ hasPhoto }) => !hasPhoto).length).toBeGreaterThan(2)
    expect(roster.filter(({ disabled }) => disabled).length).toBeGreaterThan(2)
    expect(roster.filter(({ validTo }) => validTo !== null && validTo > ANCHOR && validTo < ANCHOR + 30 * DAY).length).toBeGreaterThan(5)
    expect(roster.filter(({ validTo }) => validTo !== null && validTo < ANCHOR).length).toBeGreaterThan(2)
  })

  test('is the same for the same seed and another for another', () => {
    expect(rosterOf('test', ANCHOR)).toEqual(roster)
    expect(rosterOf('other', ANCHOR).map(({ name }) => name)).not.toEqual(roster.map(({ name }) => name))
  })
})

describe('the passages', () => {
  const from = ANCHOR - 35 * DAY
  const arrivals = approachesTo(1, 'test', roster, from, ANCHOR)

  test('up to a moment begin with those up to an earlier one, so that places can number records', () => {
    for (const back of [6 * 3_600_000, DAY, 8 * DAY]) {
      const earlier = approachesTo(1, 'test', roster, from, ANCHOR - back)
      expect(earlier.length).toBeLessThan(arrivals.length)
      expect(arrivals.slice(0, earlier.length)).toEqual(earlier)
    }
  })

  test('are in order, in one direction and not in the future', () => {
    expect(arrivals.every(({ moment }, index) => index === 0 || moment >= arrivals[index - 1]!.moment)).toBe(true)
    expect(arrivals.every(({ direction, moment }) => direction === 1 && moment <= ANCHOR)).toBe(true)
  })

  test('have a morning peak on working days and few people at the weekend', () => {
    const times = arrivals.map(({ moment }) => localTime(moment, PARK.zone))
    const onWorkdays = times.filter(({ weekday }) => weekday <= 5)
    const between = (first: number, last: number) => onWorkdays.filter(({ minute }) => minute >= first * 60 && minute < last * 60).length
    expect(between(7, 10)).toBeGreaterThan(3 * between(10, 12))
    expect(between(7, 10)).toBeGreaterThan(10 * between(0, 5))
    expect(onWorkdays.length / 5).toBeGreaterThan((3 * (times.length - onWorkdays.length)) / 2)
  })

  test('have strangers among them', () => {
    const share = arrivals.filter(({ workNumber }) => workNumber === null).length / arrivals.length
    expect(share).toBeGreaterThan(0.01)
    expect(share).toBeLessThan(0.1)
  })
})
