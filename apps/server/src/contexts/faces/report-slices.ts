/** The slices of a gallery whose errors are measured separately. Pure. */
import { gender } from '@gatehouse/contract/enums'
import type { REPORT_DIMENSIONS } from '@gatehouse/contract/faces/report'

/** Facts of a person that slices are made by. */
export interface SlicedPerson {
  gender: number
  kind: string
  groupId: string
  groupName: string
  /** `YYYY-MM-DD`. */
  birthday: string | null
}

/** A slice, with the places of its persons in the list it was made from. */
export interface Slice {
  dimension: (typeof REPORT_DIMENSIONS)[number]
  /** Empty for everybody, and for an unknown age. */
  value: string
  /** Name of the group; empty for values that the console has its own texts for. */
  name: string
  persons: Uint32Array
}

/** Smallest number of persons of a slice: figures of fewer describe only those persons. */
export const PERSONS_PER_SLICE = 5

/** Age bands, each with the first age above it. */
const AGE_BANDS = [
  { value: '0-17', below: 18 },
  { value: '18-29', below: 30 },
  { value: '30-44', below: 45 },
  { value: '45-59', below: 60 },
  { value: '60+', below: Infinity },
] as const
/** The value for an unknown birthday. */
const AGE_UNKNOWN = ''
const AGES: readonly string[] = [...AGE_BANDS.map(({ value }) => value), AGE_UNKNOWN]
const GENDERS: readonly string[] = [gender.male, gender.female, gender.unknown].map(String)

/** Return the age band of a birthday at a moment, by whole years. @param now epoch milliseconds */
export function ageBand(birthday: string | null, now: number): string {
  const born = birthday === null ? Number.NaN : Date.parse(`${birthday}T00:00:00Z`)
  if (Number.isNaN(born)) return AGE_UNKNOWN
  const [day, birth] = [new Date(now), new Date(born)]
  const hadBirthday = day.getUTCMonth() * 31 + day.getUTCDate() >= birth.getUTCMonth() * 31 + birth.getUTCDate()
  const years = day.getUTCFullYear() - birth.getUTCFullYear() - (hadBirthday ? 0 : 1)
  return AGE_BANDS.find(({ below }) => years < below)!.value
}

/** Return the slice of everybody, then each slice that is large enough: groups and kinds by name, genders and ages in their order. */
export function slicesOf(persons: readonly SlicedPerson[], now: number): Slice[] {
  if (persons.length === 0) return []
  const parts = (
    dimension: Slice['dimension'],
    valueOf: (person: SlicedPerson) => string,
    nameOf: (person: SlicedPerson) => string = () => '',
  ): Slice[] => {
    const places = Map.groupBy(persons.keys(), (place) => valueOf(persons[place]!))
    return [...places]
      .filter(([, members]) => members.length >= PERSONS_PER_SLICE)
      .map(([value, members]) => ({ dimension, value, name: nameOf(persons[members[0]!]!), persons: Uint32Array.from(members) }))
  }
  const inOrder = (slices: Slice[], order: readonly string[]) => slices.toSorted((a, b) => order.indexOf(a.value) - order.indexOf(b.value))
  const byName = (slices: Slice[]) => slices.toSorted((a, b) => a.name.localeCompare(b.name) || a.value.localeCompare(b.value))
  return [
    { dimension: 'all', value: '', name: '', persons: Uint32Array.from(persons.keys()) },
    ...byName(
      parts(
        'group',
        ({ groupId }) => groupId,
        ({ groupName }) => groupName,
      ),
    ),
    ...inOrder(
      parts('gender', (person) => String(person.gender)),
      GENDERS,
    ),
    ...inOrder(
      parts('age', ({ birthday }) => ageBand(birthday, now)),
      AGES,
    ),
    ...byName(parts('kind', ({ kind }) => kind)),
  ]
}
