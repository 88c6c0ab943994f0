/** Deletes persons, with their photographs and contacts. */
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import { personsDeleted } from './events.ts'
import { hideWatched } from './former-watched.ts'
import type { RegisterParts } from './parts.ts'
import type { PeopleService } from './service-types.ts'

export function createDeleting({ platform, faces, contacts, rows }: RegisterParts): Pick<PeopleService, 'delete' | 'remove' | 'erasePark'> {
  async function remove(tx: Transaction, scope: Scope, personIds: readonly string[]): Promise<void> {
    await hideWatched(platform.audit, tx, scope, personIds)
    await faces.release(tx, scope, personIds)
    await contacts.release(tx, scope, personIds)
    await platform.storage.release(tx, scope, await data.findPictures(scope, tx, personIds))
    await data.deletePersons(scope, tx, personIds)
    await rows.noteHistory(tx, scope, personIds)
    await platform.audit.forget(tx, 'person', personIds)
    // The log keeps the id of a deleted person alone: the name is deleted with the person.
    for (const id of personIds) platform.audit.note({ entity: 'person', id, before: {} })
    await platform.events.announce(tx, personsDeleted, scope.parkId, { personIds: [...personIds] })
  }

  return {
    remove,
    delete: async (scope, ids) =>
      platform.transaction(async (tx) => {
        const personIds = (await rows.lockEnabled(tx, scope, ids)).map(({ id }) => id)
        await remove(tx, scope, personIds)
        return personIds.length
      }),
    async erasePark(tx, scope) {
      await platform.history.erase(tx, scope, ['person', 'personGroup'])
      await platform.storage.release(tx, scope, await data.findPictures(scope, tx))
      return data.deletePeopleOfPark(scope, tx)
    },
  }
}
