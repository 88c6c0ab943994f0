/**
 * The passages that are shown for a change that waits, stored with it by person, door and hour: the second person agrees to
 * these, and not to what the change comes to later. A group that grows or a rule that opens longer meanwhile does not change the
 * version of the change itself.
 */
import { NO_HOURS, isOpenNever, newlyWithin, weekOf } from '@gatehouse/access-rules'
import type { NewPassage } from '../strategies/index.ts'
import type { Hit } from './written-rules-check.ts'

const idsOf = (some: readonly { id: string }[]): string[] => some.map(({ id }) => id)

/**
 * Return passages in which each person appears once for each kind of passing, however many doors there are: hits repeat the same
 * persons for every kind of doors.
 */
export const newPassages = (hits: readonly Hit[]): NewPassage[] =>
  [...Map.groupBy(hits, ({ by, persons }) => `${by} ${persons[0]!.id}`).values()].map((alike) => ({
    by: alike[0]!.by,
    personIds: idsOf(alike[0]!.persons),
    at: alike.map(({ doors, hours }) => ({ deviceIds: idsOf(doors), hours })),
  }))

/** Whether all persons, doors and hours are among those agreed to; there may be fewer. */
export function isWithin(agreed: readonly NewPassage[], passages: readonly NewPassage[]): boolean {
  const agreedByPerson = new Map(agreed.flatMap((one) => one.personIds.map((id) => [`${one.by} ${id}`, one] as const)))
  return passages.every(({ by, personIds, at }) =>
    [...new Set(personIds.map((id) => agreedByPerson.get(`${by} ${id}`)))].every((shown) => {
      const hoursAt = new Map(shown?.at.flatMap(({ deviceIds, hours }) => deviceIds.map((id) => [id, hours] as const)))
      return at.every(({ deviceIds, hours }) =>
        deviceIds.every((id) => isOpenNever(newlyWithin(weekOf([]), hoursAt.get(id) ?? NO_HOURS, hours))),
      )
    }),
  )
}
