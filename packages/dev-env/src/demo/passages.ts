/** Who comes to a gate of the demo campus and when: arrivals, lunch, departures, nights, strangers. */
import { localDate, localTime, startOfDay } from '@gatehouse/access-rules'
import { randomOf, type Random } from '@gatehouse/face-engine/portrait/random'
import { PARK, type Department } from './campus.ts'
import type { DemoPerson } from './roster.ts'

/** Somebody in front of a terminal; what comes of it the terminal decides. */
export interface Approach {
  moment: number
  direction: 1 | 2
  /** Null for somebody the campus does not know. */
  workNumber: string | null
  /** 0..100. */
  score: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** About normally distributed. */
const around = (random: Random, mean: number, spread: number): number =>
  mean + (random.next() + random.next() + random.next() - 1.5) * spread

const clock = (hours: number, minutes = 0): number => hours * HOUR + minutes * MINUTE

/** Moments of one person's day in milliseconds since midnight, in turn in and out. */
function dayOf(random: Random, rhythm: Department['rhythm'], weekend: boolean): number[] {
  const attendance = { office: weekend ? 0.05 : 0.9, early: weekend ? 0.3 : 0.92, shifts: 0.62, night: weekend ? 0.25 : 0.85 }[rhythm]
  if (!random.chance(attendance)) return []
  if (rhythm === 'night') return [around(random, clock(19, 20), 50 * MINUTE), around(random, clock(6, 40), 40 * MINUTE)]
  if (rhythm === 'shifts') {
    const start = random.pick([clock(6, 50), clock(14, 50), clock(22, 45)])
    return [around(random, start, 20 * MINUTE), around(random, start + 8 * HOUR + 20 * MINUTE, 25 * MINUTE)]
  }
  const begin = rhythm === 'early' ? clock(6, 45) : clock(8, 42)
  const end = rhythm === 'early' ? clock(15, 50) : clock(18, 25)
  const times = [around(random, begin, 45 * MINUTE)]
  if (random.chance(0.42)) times.push(around(random, clock(12, 8), 22 * MINUTE), around(random, clock(13, 12), 24 * MINUTE))
  times.push(around(random, end, rhythm === 'office' ? 95 * MINUTE : 40 * MINUTE))
  return times
}

/** Everything of one local day, in no order. */
function approachesOn(seed: string, date: string, people: readonly DemoPerson[]): Approach[] {
  const start = startOfDay(date, PARK.zone)
  const weekend = localTime(start, PARK.zone).weekday > 5
  const approaches: Approach[] = []
  for (const { workNumber, department, hasPhoto, leftAt } of people) {
    // A face nobody has on file cannot be recognised.
    if (!hasPhoto) continue
    const random = randomOf(`${seed} ${date} ${workNumber}`)
    // Who has left tries it once more, but not every day.
    if (leftAt !== null && start > leftAt && !random.chance(0.1)) continue
    dayOf(random, department.rhythm, weekend).forEach((offset, index) => {
      const moment = start + Math.round(offset)
      const direction = index % 2 === 0 ? 1 : 2
      // Now and then the first look fails, by a bad angle, and the second succeeds.
      if (random.chance(0.02))
        approaches.push({
          moment: moment - Math.round(random.between(4_000, 9_000)),
          direction,
          workNumber: null,
          score: random.between(52, 71),
        })
      approaches.push({ moment, direction, workNumber, score: Math.min(99.4, around(random, 91, 8)) })
    })
  }
  const random = randomOf(`${seed} ${date} strangers`)
  const strangers = Math.round(weekend ? random.between(0, 3) : random.between(3, 9))
  for (let n = 0; n < strangers; n++) {
    const moment = start + Math.round(around(random, clock(13), 8 * HOUR))
    approaches.push({ moment, direction: random.chance(0.8) ? 1 : 2, workNumber: null, score: random.between(18, 62) })
  }
  return approaches
}

/**
 * All approaches in one direction from the first day up to a moment, in order of time. The list for a later moment
 * begins with the list for an earlier one, so a place in it can number a record.
 */
export function approachesTo(direction: 1 | 2, seed: string, people: readonly DemoPerson[], from: number, until: number): Approach[] {
  const all: Approach[] = []
  for (const date of datesBetween(from, until)) all.push(...approachesOn(seed, date, people).filter((one) => one.direction === direction))
  return all.toSorted((one, other) => one.moment - other.moment).filter((one) => one.moment <= until)
}

/** Local dates from that of `from` to that of `until`. */
function datesBetween(from: number, until: number): string[] {
  const dates = new Set<string>()
  for (let moment = from; moment < until; moment += 12 * HOUR) dates.add(localDate(moment, PARK.zone))
  return [...dates.add(localDate(until, PARK.zone))]
}
