/** When the people of the demo campus come and go on one day: in offices, by shifts, before dawn and at night. */
import type { Random } from '@gatehouse/face-engine/portrait/random'
import type { Rhythm } from './campus.ts'

const MINUTE = 60_000
export const HOUR = 60 * MINUTE

export const clock = (hours: number, minutes = 0): number => hours * HOUR + minutes * MINUTE

/** Return a number that is about normally distributed, at most one and a half times the spread from the mean. */
export const around = (random: Random, mean: number, spread: number): number =>
  mean + (random.next() + random.next() + random.next() - 1.5) * spread

export interface Day {
  /** Number of days since an arbitrary day. */
  number: number
  /** 1 Monday to 7 Sunday. */
  weekday: number
}

/** The person whose day it is; `place` distributes people over teams and shifts. */
export interface Worker {
  rhythm: Rhythm
  place: number
}

interface Absence {
  out: number
  back: number
}

/** Least time between two passages of one person. */
const APART = 5 * MINUTE

/** Return the moments of coming in, of going out and back for each absence that there is time for, and of going out. */
function stay(begin: number, end: number, absences: readonly Absence[] = []): number[] {
  const moments = [begin]
  for (const { out, back } of absences.toSorted((one, other) => one.out - other.out))
    if (out > moments.at(-1)! + APART && back < end - APART) moments.push(out, back)
  return [...moments, end]
}

/** Return an absence of some minutes that begins between two times, or none. */
function perhaps(random: Random, probability: number, from: number, to: number, minutes: readonly [number, number]): Absence[] {
  if (!random.chance(probability)) return []
  const out = random.between(from, to)
  return [{ out, back: out + random.between(...minutes) * MINUTE }]
}

/** Return regular absences. @param every minutes between two, least and most @param away minutes of each */
function rounds(random: Random, begin: number, end: number, every: readonly [number, number], away: readonly [number, number]): Absence[] {
  const absences: Absence[] = []
  for (let out = begin + random.between(0.3, 1) * every[0] * MINUTE; out < end; out += random.between(...every) * MINUTE)
    absences.push({ out, back: out + random.between(...away) * MINUTE })
  return absences
}

function office(random: Random, { weekday }: Day): number[] {
  // The offices are closed on Sundays; now and then somebody tries to come in.
  if (weekday === 7) return random.chance(0.012) ? [around(random, clock(10, 30), 2 * HOUR)] : []
  if (weekday === 6) {
    if (!random.chance(0.22)) return []
    return stay(around(random, clock(9, 45), 45 * MINUTE), around(random, clock(16), 70 * MINUTE), [
      ...perhaps(random, 0.6, clock(11, 45), clock(12, 30), [30, 60]),
      ...perhaps(random, 0.4, clock(13, 30), clock(15), [10, 35]),
    ])
  }
  if (!random.chance(0.92)) return []
  const isLong = random.chance(0.22)
  // A person who comes before the time rule permits tries once, and waits.
  const early = random.chance(0.012) ? clock(6, 40) + random.between(0, 17) * MINUTE : null
  const begin = early === null ? around(random, clock(8, 42), 45 * MINUTE) : clock(7, 1) + random.between(0, 8) * MINUTE
  const end = isLong ? around(random, clock(20, 40), 45 * MINUTE) : around(random, clock(18, 10), 60 * MINUTE)
  const day = stay(begin, end, [
    ...perhaps(random, 0.25, clock(9, 40), clock(11, 20), [8, 30]),
    ...perhaps(random, 0.55, clock(11, 40), clock(12, 35), [30, 65]),
    ...perhaps(random, 0.4, clock(13, 40), clock(15, 20), [8, 40]),
    ...perhaps(random, 0.2, clock(15, 30), clock(17), [8, 25]),
    ...perhaps(random, isLong ? 0.8 : 0, clock(18), clock(18, 50), [30, 55]),
  ])
  return early === null ? day : [early, ...day]
}

/** Number of guards of one team whose rounds are spread over the hour. */
const SPREAD = 4

/**
 * Return the day of a guard. Four teams share three shifts: two days of each shift and two days off. Guards on duty walk out once an hour,
 * one after another.
 */
function shift(random: Random, place: number, { number }: Day): number[] {
  const turn = (place + Math.floor(number / 2)) % 4
  if (turn === 3) return []
  const start = [clock(6, 50), clock(14, 50), clock(22, 50)][turn]!
  const begin = around(random, start, 12 * MINUTE)
  const end = around(random, start + 8 * HOUR + 20 * MINUTE, 8 * MINUTE)
  const turnOfHour = ((Math.floor(place / 4) % SPREAD) / SPREAD) * HOUR
  const absences: Absence[] = []
  for (let hour = Math.floor(begin / HOUR) * HOUR; hour < end; hour += HOUR) {
    const out = hour + turnOfHour + random.between(-3, 3) * MINUTE
    absences.push({ out, back: out + random.between(5, 10) * MINUTE })
  }
  return stay(begin, end, absences)
}

const isWeekend = ({ weekday }: Day): boolean => weekday > 5

/**
 * Return the moments of one person's day in milliseconds since the local midnight it begins at, ascending. They alternate between in and
 * out, except for a person whom a gate refuses. A night ends on the next day.
 */
export function dayOf(random: Random, { rhythm, place }: Worker, day: Day): number[] {
  const isFirstTeam = place % 2 === 0
  switch (rhythm) {
    case 'office':
      return office(random, day)
    case 'shifts':
      return shift(random, place, day)
    case 'night':
      if (!random.chance(isWeekend(day) ? 0.5 : 0.85)) return []
      return stay(around(random, clock(19, 25), 30 * MINUTE), around(random, clock(30, 40), 35 * MINUTE), [
        ...perhaps(random, 0.6, clock(24, 5), clock(27, 20), [18, 40]),
      ])
    case 'maintenance': {
      if (!random.chance(isWeekend(day) ? 0.5 : 0.92)) return []
      const [begin, end] = isFirstTeam ? [clock(7), clock(15, 50)] : [clock(14, 10), clock(21, 50)]
      return stay(around(random, begin, 25 * MINUTE), around(random, end, 30 * MINUTE), [
        ...rounds(random, begin + HOUR, end - HOUR, [130, 220], [15, 45]),
      ])
    }
    case 'cleaning': {
      if (!random.chance(isWeekend(day) ? 0.55 : 0.92)) return []
      const [begin, end] = isFirstTeam ? [clock(4, 50), clock(13, 20)] : [clock(12, 50), clock(20, 50)]
      return stay(around(random, begin, 28 * MINUTE), around(random, end, 25 * MINUTE), [
        ...perhaps(random, 0.5, begin + 2 * HOUR, end - 2 * HOUR, [10, 30]),
      ])
    }
    case 'catering': {
      if (!random.chance(isWeekend(day) ? 0.55 : 0.92)) return []
      const [begin, end] = isFirstTeam ? [clock(5, 20), clock(14, 10)] : [clock(10, 20), clock(20, 10)]
      return stay(around(random, begin, 25 * MINUTE), around(random, end, 30 * MINUTE), [
        ...perhaps(random, 0.5, begin + HOUR, end - 2 * HOUR, [20, 50]),
      ])
    }
    case 'deliveries': {
      if (!random.chance(isWeekend(day) ? 0.75 : 0.92)) return []
      const [begin, end] = isFirstTeam ? [clock(4, 40), clock(13, 10)] : [clock(9, 30), clock(18, 40)]
      return stay(around(random, begin, 22 * MINUTE), around(random, end, 45 * MINUTE), [
        ...rounds(random, begin + HOUR / 2, end, [80, 140], [30, 60]),
      ])
    }
  }
}
