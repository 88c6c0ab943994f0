/**
 * What somebody is shown of a change that waits, kept with it to the person, the door and the hour: whoever agrees to it agrees to that, and
 * not to what became of it since. A group that grows or a rule that opens longer meanwhile shows in no version of the change itself.
 */
import { NO_HOURS, isOpenNever, newlyWithin, weekOf } from '@gatehouse/access-rules'
import type { NewPassage } from '../strategies/index.ts'
import type { Hit } from './written-rules-check.ts'

const idsOf = (some: readonly { id: string }[]): string[] => some.map(({ id }) => id)

/** Persons once each, however many doors there are: hits tell those who are alike anew for every kind of door. */
export const newPassages = (hits: readonly Hit[]): NewPassage[] =>
  [...Map.groupBy(hits, ({ by, persons }) => `${by} ${persons[0]!.id}`).values()].map((alike) => ({
    by: alike[0]!.by,
    personIds: idsOf(alike[0]!.persons),
    at: alike.map(({ doors, hours }) => ({ deviceIds: idsOf(doors), hours })),
  }))

/** Whether there is nobody, no door and no hour that was not among those agreed to; fewer are. */
export function isWithin(agreed: readonly NewPassage[], passages: readonly NewPassage[]): boolean {
  const known = new Map(agreed.flatMap((one) => one.personIds.map((id) => [`${one.by} ${id}`, one] as const)))
  return passages.every(({ by, personIds, at }) =>
    [...new Set(personIds.map((id) => known.get(`${by} ${id}`)))].every((shown) => {
      const hoursAt = new Map(shown?.at.flatMap(({ deviceIds, hours }) => deviceIds.map((id) => [id, hours] as const)))
      return at.every(({ deviceIds, hours }) =>
        deviceIds.every((id) => isOpenNever(newlyWithin(weekOf([]), hoursAt.get(id) ?? NO_HOURS, hours))),
      )
    }),
  )
}
