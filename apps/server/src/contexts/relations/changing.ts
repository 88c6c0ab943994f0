/** Decides on links, changes what they are about, and ends them. */
import { Conflict, refuse } from '../../platform/http/refusal.ts'
import * as data from './data.ts'
import { distinct } from './members.ts'
import { relationAbilities } from './policy.ts'
import type { RelationService, RelationParts } from './service-types.ts'

const areSame = (one: readonly string[] | undefined, other: readonly string[]): boolean =>
  one !== undefined && one.length === other.length && one.every((id) => other.includes(id))

export function createChanging({
  platform,
  people,
  members,
  rows: { existing, otherOf, parkOf, noteChange },
}: RelationParts): Pick<RelationService, 'change' | 'delete'> {
  return {
    async change(scope, { id, version, ...sent }) {
      const row = await existing(scope, id)
      if (version !== undefined && version !== row.version) throw new Conflict(['version'])
      const isApplicant = row.applicantPark === scope.parkId
      // Members that are sent back as they were read are no change.
      const shown = isApplicant ? (await members.personsOf(scope, [row])).get(id)! : { personIds: [], groupIds: [] }
      const status = sent.status === row.status ? undefined : sent.status
      const personIds = areSame(sent.personIds, shown.personIds) ? undefined : sent.personIds
      const personGroupIds = areSame(sent.personGroupIds, shown.groupIds) ? undefined : sent.personGroupIds
      const can = relationAbilities(scope, row)
      const mayBecome = { agreed: can.agree, refused: can.refuse, dismissed: can.dismiss, applied: false }
      if (status !== undefined && !mayBecome[status]) refuse(1100004)
      const changesMembers = personIds !== undefined || personGroupIds !== undefined
      if (changesMembers) {
        if (!can.change) refuse(1100004)
        await members.assertExist(scope, personIds ?? [], personGroupIds ?? [])
      }
      // Members that do not exist for the scope are in no list that its caller sends, so they stay.
      const { ids: unseen } = await people.unseen(scope)
      await platform.transaction(async (tx) => {
        const hiddenMembers = async (kind: data.MemberKind): Promise<string[]> =>
          (await data.findMembers(scope, tx, [id])).flatMap((member) =>
            member.kind === kind && unseen.has(member.memberId) ? [member.memberId] : [],
          )
        if (!(await data.updateRelation(scope, tx, row, status ?? null, platform.clock.now()))) throw new Conflict(['version'])
        if (personIds !== undefined)
          await data.replaceMembers(scope, tx, id, 'person', distinct([...personIds, ...(await hiddenMembers('person'))]))
        if (personGroupIds !== undefined)
          await data.replaceMembers(scope, tx, id, 'personGroup', distinct([...personGroupIds, ...(await hiddenMembers('personGroup'))]))
        await noteChange(tx, row)
        platform.audit.note({
          entity: 'parkRelation',
          id,
          label: parkOf(otherOf(scope, row))?.name ?? '',
          before: { status: row.status },
          after: {
            status: status ?? row.status,
            ...(changesMembers && { persons: personIds?.length ?? null, personGroups: personGroupIds?.length ?? null }),
          },
        })
      })
    },
    async delete(scope, id) {
      const row = await existing(scope, id)
      if (!relationAbilities(scope, row).delete) refuse(1100004)
      await platform.transaction(async (tx) => {
        await data.deleteRelation(scope, tx, id)
        await noteChange(tx, row)
        platform.audit.note({ entity: 'parkRelation', id, label: parkOf(otherOf(scope, row))?.name ?? '', before: { status: row.status } })
      })
    },
  }
}
