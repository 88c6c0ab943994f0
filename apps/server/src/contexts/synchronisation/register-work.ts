/** Pending work for the register of a park. */
import type { Touched } from './audience.ts'

/** What has to be read again for a park. */
export interface Marks {
  persons?: readonly string[]
  strategies?: readonly string[]
  /** All strategies: a group was moved. */
  groups?: boolean
  devices?: boolean
  timeRules?: boolean
  /** Persons of a linked park, some of whom this park may let pass; null: all of its persons. */
  guests?: { home: string; personIds: readonly string[] | null }
  /** Time has passed, or the zone has changed: nothing is read, validity is checked again. */
  time?: boolean
  /** The whole park. */
  everything?: boolean
}

export interface Work {
  persons: Set<string>
  strategies: Set<string>
  groups: boolean
  devices: boolean
  timeRules: boolean
  /** Persons by home park; null: all of its persons. */
  guests: Map<string, Set<string> | null>
  time: boolean
  everything: boolean
  /** Changes that are in the register and not yet in the log. */
  touched: Touched
  moved: Set<string>
}

export const noWork = (): Work => ({
  persons: new Set(),
  strategies: new Set(),
  groups: false,
  devices: false,
  timeRules: false,
  guests: new Map(),
  time: false,
  everything: false,
  touched: new Map(),
  moved: new Set(),
})

/** Add marks to the work of a park. */
export function addMarks(work: Work, marks: Marks): void {
  for (const id of marks.persons ?? []) work.persons.add(id)
  for (const id of marks.strategies ?? []) work.strategies.add(id)
  work.groups ||= marks.groups === true
  work.devices ||= marks.devices === true || marks.groups === true
  work.timeRules ||= marks.timeRules === true
  if (marks.guests !== undefined) noteGuests(work.guests, marks.guests.home, marks.guests.personIds)
  work.time ||= marks.time === true
  work.everything ||= marks.everything === true
}

function noteGuests(all: Work['guests'], home: string, ids: Iterable<string> | null): void {
  const before = all.get(home)
  all.set(home, ids === null || before === null ? null : new Set([...(before ?? []), ...ids]))
}

export function mergedWork(one: Work, other: Work): Work {
  const touched: Touched = new Map([...one.touched].map(([id, persons]) => [id, new Set(persons)]))
  for (const [id, persons] of other.touched) touched.set(id, new Set([...(touched.get(id) ?? []), ...persons]))
  const guests: Work['guests'] = new Map()
  for (const [home, ids] of [...one.guests, ...other.guests]) noteGuests(guests, home, ids)
  return {
    persons: new Set([...one.persons, ...other.persons]),
    strategies: new Set([...one.strategies, ...other.strategies]),
    groups: one.groups || other.groups,
    devices: one.devices || other.devices,
    timeRules: one.timeRules || other.timeRules,
    guests,
    time: one.time || other.time,
    everything: one.everything || other.everything,
    touched,
    moved: new Set([...one.moved, ...other.moved]),
  }
}
