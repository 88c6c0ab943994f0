/** The persons of the demo campus: how they are made and found again. */
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { Person } from '@gatehouse/contract/people/person'
import type { MakingParts, OnProgress } from './making-types.ts'
import { makePerson, personsOf } from './persons.ts'
import type { DemoPerson } from './roster.ts'
import { groupIds, unlessTaken } from './setting.ts'
import type { RegisteredPerson } from './verdicts.ts'

/** Portraits drawn and checked at the same time. */
const AT_ONCE = 2

/** Make persons, and count each as a step. @throws as the maker's calls */
export async function makePersons(parts: MakingParts, people: readonly DemoPerson[], onProgress: OnProgress): Promise<void> {
  if (people.length === 0) return
  const { maker, painter, registered, signal } = parts
  const waiting = people.values()
  const groups = groupIds(await maker.call(peopleCalls.groupTree, { query: {} }))
  let failure: unknown
  /** Make one person after another. End where another lane has failed. */
  async function lane(): Promise<void> {
    for (const person of waiting) {
      if (failure !== undefined) return
      try {
        const groupId = groups.get(person.department.name)!
        await unlessTaken(makePerson(maker, person, groupId, registered.get(person.workNumber), painter, signal))
        await parts.advance(onProgress)
      } catch (error) {
        failure ??= error
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  if (failure !== undefined) throw failure
}

/** Return whether a person is complete: registered, and disabled where the roster says so. */
export const isMade = ({ disabled }: DemoPerson, found: Person | undefined): boolean =>
  found !== undefined && (!disabled || found.status === 0)

/** Return the registered persons of the roster, by work number. */
export async function registeredOf({ maker, roster, own }: MakingParts): Promise<ReadonlyMap<string, RegisteredPerson>> {
  const found = await personsOf(maker, await own('person'))
  return new Map(
    roster.flatMap((person) => {
      const id = found.get(person.workNumber)?.id
      return id === undefined ? [] : [[person.workNumber, { ...person, id }] as const]
    }),
  )
}
