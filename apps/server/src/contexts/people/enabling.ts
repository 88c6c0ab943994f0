/** Enables and disables persons. */
import type { Transaction } from '../../platform/database/database.ts'
import { lockPersons, updateEnabled } from './data.ts'
import type { RegisterParts } from './parts.ts'
import type { PeopleService } from './service-types.ts'

export function createEnabling({ platform, admission, rows }: RegisterParts): Pick<PeopleService, 'setEnabled'> {
  return {
    async setEnabled(scope, ids, enabled, reason) {
      await rows.existing(scope, ids)
      const write = async (tx: Transaction): Promise<number> => {
        const persons = await lockPersons(scope, tx, ids)
        const personIds = await updateEnabled(scope, tx, ids, enabled, platform.clock.now())
        await rows.noteHistory(tx, scope, personIds)
        for (const person of persons)
          // A reason is logged also for persons whose state it does not change.
          if (person.enabled !== enabled || reason)
            platform.audit.note({
              entity: 'person',
              id: person.id,
              label: person.name,
              labelMask: 'name',
              before: { enabled: person.enabled },
              after: { enabled, ...(reason && { reason }) },
            })
        if (personIds.length > 0) await rows.announceChange(tx, scope, personIds)
        return personIds.length
      }
      // Disabling lets nobody pass who could not before, so nothing has to admit it.
      return enabled ? admission.change(scope, ids, { enabled }, '', write) : platform.transaction(write)
    },
  }
}
