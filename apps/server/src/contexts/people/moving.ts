/** Moves persons into another group. */
import type { Transaction } from '../../platform/database/database.ts'
import { refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { updateGroupOf } from './data.ts'
import { groupsChanged } from './events.ts'
import type { RegisterParts } from './parts.ts'
import type { PeopleService } from './service-types.ts'
import { refuseDuplicate } from './unique-values.ts'
import { groupFor } from './values.ts'

export function createMoving(
  { platform, groups, admission, rows }: RegisterParts,
  { facts }: Pick<PeopleService, 'facts'>,
): Pick<PeopleService, 'move' | 'moving'> {
  /** Return the persons and the group of a move. @throws NotFound; InvalidRequest for a group of another register */
  async function movable(scope: Scope, ids: readonly string[], groupId: string) {
    const persons = await rows.existing(scope, ids)
    const kinds = persons.map(({ kind }) => kind)
    return { persons, group: await groupFor(groups, scope, groupId, kinds) }
  }

  return {
    async moving(scope, ids, groupId) {
      const { persons } = await movable(scope, ids, groupId)
      if (persons.some(({ enabled }) => !enabled)) refuse(200224)
      const elsewhere = persons.filter((person) => person.groupId !== groupId).map(({ id }) => id)
      return facts(scope, elsewhere)
    },
    async move(scope, ids, groupId) {
      const { group } = await movable(scope, ids, groupId)
      return admission
        .change(scope, ids, { groupId }, 'groupId', async (tx: Transaction) => {
          const persons = await rows.lockEnabled(tx, scope, ids)
          const moved = persons.filter((person) => person.groupId !== groupId)
          if (moved.length === 0) return 0
          const formerGroups = await groups.types(
            scope,
            moved.map((person) => person.groupId),
            tx,
          )
          const formerNames = new Map(formerGroups.map(({ id, name }) => [id, name]))
          const personIds = moved.map(({ id }) => id)
          await updateGroupOf(scope, tx, personIds, groupId, platform.clock.now())
          await rows.noteHistory(tx, scope, personIds)
          for (const person of moved)
            platform.audit.note({
              entity: 'person',
              id: person.id,
              label: person.name,
              labelMask: 'name',
              before: { groupName: formerNames.get(person.groupId) ?? null },
              after: { groupName: group.name },
            })
          await rows.announceChange(tx, scope, personIds)
          await platform.events.announce(tx, groupsChanged, scope.parkId, {})
          return moved.length
        })
        .catch(refuseDuplicate)
    },
  }
}
