/** Changes of the stored persons: written completely or not at all, then applied in memory. */
import type { DatabaseSync } from 'node:sqlite'
import type { PersonException } from '@gatehouse/contract/device/protocol-persons'
import type { HoldingsChange } from '../device/store.ts'
import { transaction } from './database.ts'
import type { PersonMemory } from './person-memory.ts'
import { readPerson, unrecognisable, type StorablePerson } from './person-reading.ts'
import type { PersonTable } from './person-table.ts'
import type { PositionStore } from './position.ts'
import type { Model } from './stored-person.ts'

/** A person who cannot be recognised, and the other means by which they, or contacts in their place, may pass. */
interface Failed {
  exception: PersonException
  besides: StorablePerson | null
}

export interface TakingParts {
  database: DatabaseSync
  model: Model
  table: PersonTable
  memory: PersonMemory
  position: PositionStore
}

/** Take a change. @throws when it cannot be written; nothing has changed then */
export function takeChange({ database, model, table, memory, position }: TakingParts, change: HoldingsChange): void {
  const read = change.persons.map((person) => readPerson(person, model))
  const taken = read.filter(({ own, unread, others }) => own > 0 || (!unread && others !== null))
  const failed: Failed[] = [
    ...change.exceptions.map(({ personId, version, reason, besides }) => ({
      exception: { personId, version, reason },
      besides: besides ? readPerson({ ...besides, faces: [] }, model).others : null,
    })),
    ...read
      .filter((each) => !taken.includes(each))
      .map(({ person, others }) => ({
        exception: { personId: person.id, version: person.version, reason: 'templateInvalid' },
        besides: others,
      })),
  ]
  transaction(database, () => {
    for (const id of change.removed) table.remove(id)
    for (const person of taken) table.write(person, null)
    for (const { exception, besides } of failed) table.write(besides ?? unrecognisable(exception), exception.reason)
    if (change.position) position.write(change.position)
  })
  for (const id of change.removed) memory.forget(id)
  for (const { person, faces } of taken) {
    memory.forget(person.id)
    memory.remember(person)
    memory.recognise(person.id, faces)
  }
  for (const { exception, besides } of failed) {
    memory.forget(exception.personId)
    memory.remember((besides ?? unrecognisable(exception)).person)
    memory.except(exception)
    memory.recognise(exception.personId, besides?.faces ?? [])
  }
  if (change.position) position.set(change.position)
}

/**
 * Make exceptions of persons whose rows do not match their marks. Nobody passes as these until the server has sent them again, which
 * happens because it never uses their new version.
 */
export function forgetUnfit(
  { database, table, memory }: Omit<TakingParts, 'model' | 'position'>,
  exceptions: readonly PersonException[],
): void {
  if (exceptions.length === 0) return
  transaction(database, () => {
    for (const exception of exceptions) table.write(unrecognisable(exception), exception.reason)
  })
  for (const exception of exceptions) {
    memory.forget(exception.personId)
    memory.remember(unrecognisable(exception).person)
    memory.except(exception)
  }
}
