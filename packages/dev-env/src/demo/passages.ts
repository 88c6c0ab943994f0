/** Who comes to a gate of the demo campus and when: its people, by their rhythm, and strangers. */
import { localDate, localTime, startOfDay } from '@gatehouse/access-rules'
import { randomOf, type Random } from '@gatehouse/face-engine/portrait/random'
import { PARK } from './campus.ts'
import { HOUR, around, clock, dayOf, type Day } from './rhythm.ts'
import type { DemoPerson } from './roster.ts'

/** A person in front of a terminal. The terminal decides what follows. */
export interface Approach {
  moment: number
  direction: 1 | 2
  /** Work number of the person; null for somebody whom the campus does not know. */
  workNumber: string | null
  /** False for strangers, and where the view was too bad to recognise the person. */
  recognised: boolean
  /** 0..100. */
  score: number
}

const DAY = 24 * HOUR

const dayNumbered = (date: string, start: number): Day => ({ number: Date.parse(date) / DAY, weekday: localTime(start, PARK.zone).weekday })

/** Return the approaches of one person on one day. */
function approachesOf(random: Random, person: DemoPerson, start: number, day: Day): Approach[] {
  const { workNumber, department, leftAt } = person
  const place = Number(workNumber.slice(2))
  const offsets = dayOf(random, { rhythm: department.rhythm, place }, day)
  const hasLeft = leftAt !== null && start + DAY > leftAt
  // A person who has left tries once more on some days.
  if (hasLeft && !random.chance(0.08)) return []
  // An odd number of passages: the first one is refused and repeated.
  const isRefusedFirst = offsets.length % 2 === 1
  return (hasLeft ? offsets.slice(0, 1) : offsets).flatMap((offset, index) => {
    const moment = start + Math.round(offset)
    const direction = index === 0 || index % 2 === Number(isRefusedFirst) ? 1 : 2
    // A gate that knows all two hundred requires a score of 86.
    const approach: Approach = { moment, direction, workNumber, recognised: true, score: Math.min(99.4, around(random, 95, 3.6)) }
    if (!random.chance(0.008)) return [approach]
    // Now and then the first look fails, by a bad angle, and the second succeeds.
    const failed = { recognised: false, score: random.between(52, 71) }
    return [{ ...approach, ...failed, moment: moment - Math.round(random.between(4_000, 9_000)) }, approach]
  })
}

/** Return all approaches that begin on one local day, in no order; nights end on the next. */
function approachesOn(seed: string, date: string, people: readonly DemoPerson[]): Approach[] {
  const start = startOfDay(date, PARK.zone)
  const day = dayNumbered(date, start)
  const approaches: Approach[] = []
  for (const person of people) {
    // The face of a person without a photograph cannot be recognised.
    if (person.hasPhoto) approaches.push(...approachesOf(randomOf(`${seed} ${date} ${person.workNumber}`), person, start, day))
  }
  const random = randomOf(`${seed} ${date} strangers`)
  const strangers = Math.round(day.weekday > 5 ? random.between(1, 5) : random.between(3, 9))
  for (let n = 0; n < strangers; n++) {
    const moment = start + Math.round(around(random, clock(13), 6 * HOUR))
    const direction = random.chance(0.85) ? 1 : 2
    approaches.push({ moment, direction, workNumber: null, recognised: false, score: random.between(18, 62) })
  }
  return approaches
}

/** Yield all approaches in one direction from the day of a moment on, in order of time, without end. One day is made at a time. */
export function* approachesFrom(
  direction: 1 | 2,
  seed: string,
  people: readonly DemoPerson[],
  from: number,
): Generator<Approach, never, undefined> {
  let started: Approach[] = []
  for (let date = localDate(from, PARK.zone); ;) {
    const next = localDate(startOfDay(date, PARK.zone) + 1.5 * DAY, PARK.zone)
    const end = startOfDay(next, PARK.zone)
    started.push(...approachesOn(seed, date, people).filter((one) => one.direction === direction))
    started.sort((one, other) => one.moment - other.moment)
    yield* started.filter(({ moment }) => moment < end)
    started = started.filter(({ moment }) => moment >= end)
    date = next
  }
}

/**
 * Return the approaches up to a moment. The list for a later moment begins with the list for an earlier one, so a place in it can number a
 * record.
 */
export function approachesTo(direction: 1 | 2, seed: string, people: readonly DemoPerson[], from: number, until: number): Approach[] {
  const approaches: Approach[] = []
  for (const approach of approachesFrom(direction, seed, people, from)) {
    if (approach.moment > until) break
    approaches.push(approach)
  }
  return approaches
}
