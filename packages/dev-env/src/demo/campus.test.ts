import { describe, expect, test } from 'vitest'
import { localTime } from '@gatehouse/access-rules'
import { DEFAULT_PROMISES, scoreKept } from '@gatehouse/contract/faces/promise'
import { personCreate } from '@gatehouse/contract/people/person-fields'
import { scoreOfRate } from '@gatehouse/contract/score'
import { BUILTIN_ENGINE } from '@gatehouse/face-engine'
import { PARK } from './campus.ts'
import { approachesTo } from './passages.ts'
import { rosterOf } from './roster.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** A Friday noon in the park. */
const ANCHOR = Date.UTC(2026, 10, 20, 4)
const roster = rosterOf('test', ANCHOR)

describe('the roster', () => {
  test('has two hundred people, nobody twice, as the register takes them', () => {
    expect(roster).toHaveLength(200)
    for (const key of ['workNumber', 'name', 'phone'] as const) expect(new Set(roster.map((person) => person[key])).size).toBe(200)
    for (const { workNumber, name, phone, gender, validFrom, validTo } of roster) {
      const parsed = personCreate.safeParse({ workNumber, name, phone, gender, validFrom, validTo, groupId: crypto.randomUUID() })
      expect(parsed.error?.issues).toBeUndefined()
    }
  })

  test('leaves a few things to do, as in a park that is looked after', () => {
    const withEnd = roster.filter(({ validTo }) => validTo !== null)
    const counts = {
      withoutPhoto: roster.filter(({ hasPhoto }) => !hasPhoto).length,
      endingSoon: withEnd.filter(({ validTo }) => validTo! > ANCHOR && validTo! < ANCHOR + 30 * DAY).length,
      ended: withEnd.filter(({ validTo }) => validTo! < ANCHOR).length,
      disabled: roster.filter(({ disabled }) => disabled).length,
    }
    for (const [what, count] of Object.entries(counts)) {
      expect(count, what).toBeGreaterThanOrEqual(2)
      expect(count, what).toBeLessThanOrEqual(4)
    }
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

  test('are those that a day goes on with: made from any day before, they are the same', () => {
    const later = ANCHOR - 3 * DAY
    expect(approachesTo(1, 'test', roster, later - 2 * DAY, ANCHOR).filter(({ moment }) => moment > later)).toEqual(
      arrivals.filter(({ moment }) => moment > later),
    )
  })

  test('have a morning peak on working days and few people at the weekend', () => {
    const times = arrivals.map(({ moment }) => localTime(moment, PARK.zone))
    const onWorkdays = times.filter(({ weekday }) => weekday <= 5)
    const between = (first: number, last: number) => onWorkdays.filter(({ minute }) => minute >= first * 60 && minute < last * 60).length
    expect(between(8, 9)).toBeGreaterThan(2 * between(10, 11))
    expect(between(8, 9)).toBeGreaterThan(10 * between(2, 3))
    expect(onWorkdays.length / 5).toBeGreaterThan(times.length - onWorkdays.length)
  })

  test('are of faces that a gate recognises which knows them all, or of some that no gate does', () => {
    const templates = roster.filter(({ hasPhoto }) => hasPhoto).length
    const { door } = BUILTIN_ENGINE.calibration.recommended
    const asked = scoreKept('door', DEFAULT_PROMISES.strangersPerThousand, { templates }, door)
    const scores = (recognised: boolean) => arrivals.filter((each) => each.recognised === recognised).map(({ score }) => score)
    expect(Math.min(...scores(true))).toBeGreaterThan(asked)
    expect(Math.max(...scores(false))).toBeLessThan(scoreOfRate(door))
  })

  const departures = approachesTo(2, 'test', roster, from, ANCHOR)
  const both = [...arrivals, ...departures].toSorted((one, other) => one.moment - other.moment)

  test('go in and out in turn: whoever comes leaves again', () => {
    const passages = both.filter(({ recognised }) => recognised).length
    const [inwards, outwards] = [arrivals, departures].map((list) => list.filter(({ recognised }) => recognised).length)
    expect(Math.abs(inwards! - outwards!)).toBeLessThan(0.02 * passages)
    const inside = new Set<string>()
    const repeated = both.filter(({ workNumber, direction, recognised }) => {
      if (workNumber === null || !recognised) return false
      const changes = inside.has(workNumber) !== (direction === 1)
      if (direction === 1) inside.add(workNumber)
      else inside.delete(workNumber)
      return !changes
    })
    // Refused at the gate, and tried again.
    expect(repeated.length).toBeLessThan(0.01 * passages)
  })

  /** Local midnight; the days before ANCHOR are whole. */
  const days = {
    'a working day': Date.UTC(2026, 10, 17, 16),
    'a Saturday': Date.UTC(2026, 10, 13, 16),
    'a Sunday': Date.UTC(2026, 10, 14, 16),
  }

  test.each(Object.entries(days))('leave no hour of %s without any, and people inside', (name, start) => {
    const insideAt = (moment: number, since = from): number => {
      const last = new Map(
        both
          .filter((one) => one.recognised && one.moment >= since && one.moment <= moment)
          .map(({ workNumber, direction }) => [workNumber, direction]),
      )
      return [...last.values()].filter((direction) => direction === 1).length
    }
    const isWeekend = name !== 'a working day'
    for (let hour = 0; hour < 24; hour++) {
      const [begin, end] = [start + hour * HOUR, start + (hour + 1) * HOUR]
      const passages = both.filter(({ moment }) => moment >= begin && moment < end).length
      const isDay = !isWeekend && hour >= 8 && hour < 19
      expect(passages, `passages from ${hour}:00`).toBeGreaterThanOrEqual(isDay ? 12 : 2)
      expect(passages, `passages from ${hour}:00`).toBeLessThanOrEqual(hour < 5 ? 18 : 120)
      expect(insideAt(end), `inside at ${hour + 1}:00`).toBeGreaterThanOrEqual(3)
      // As the console counts them: by the passages of the day.
      expect(insideAt(end, start), `inside since midnight, at ${hour + 1}:00`).toBeGreaterThanOrEqual(1)
    }
    const moments = both.map(({ moment }) => moment).filter((moment) => moment >= start && moment < start + DAY)
    expect(Math.max(...moments.slice(1).map((moment, index) => moment - moments[index]!))).toBeLessThan(HOUR / 2)
    const [night, morning] = [insideAt(start + 3 * HOUR), insideAt(start + 10.5 * HOUR)]
    expect(night).toBeLessThan(35)
    if (isWeekend) expect(morning).toBeLessThan(60)
    else expect(morning).toBeGreaterThan(110)
  })

  test('have few who are not recognised among them', () => {
    const share = both.filter(({ recognised }) => !recognised).length / both.length
    expect(share).toBeGreaterThan(0.005)
    expect(share).toBeLessThan(0.025)
  })
})
