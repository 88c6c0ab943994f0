/** Parks that can be linked, and links. */
import type { ParkRelation } from '@gatehouse/contract/relations/calls'
import * as data from './data.ts'
import { relationAbilities } from './policy.ts'
import type { RelationService, RelationParts } from './service-types.ts'

export function createListing({
  platform: { db },
  people,
  groups,
  organisation,
  members,
  rows: { otherOf, parkOf },
}: RelationParts): Pick<RelationService, 'parks' | 'list'> {
  return {
    async parks({ scope, organisationId }) {
      const linkedIds = new Set((await data.findOpenRelations(scope, db)).map((row) => otherOf(scope, row)))
      return organisation
        .parksBelow(organisationId)
        .filter(({ id }) => id !== scope.parkId && !linkedIds.has(id))
        .map(({ id, name, areaCode }) => ({ id, parkName: name, areaCode }))
    },
    async list({ scope, organisationId }, { page, size, ...filter }) {
      const managed = new Set([scope.parkId, ...organisation.parksBelow(organisationId).map(({ id }) => id)])
      const { content, total } = await data.listRelations(scope, db, filter, { page, size })
      const membersOf = await members.personsOf(scope, content)
      const rows = content.map(async (row): Promise<ParkRelation> => {
        const { personIds, groupIds, all } = membersOf.get(row.id)!
        const isOwn = row.applicantPark === scope.parkId
        const other = parkOf(otherOf(scope, row))
        const [persons, personGroups] = isOwn
          ? await Promise.all([people.describe(scope, personIds), groups.names(scope, groupIds)])
          : [[], []]
        return {
          id: row.id,
          direction: isOwn ? 'sent' : 'received',
          applicationPark: parkOf(row.applicantPark)?.name ?? '',
          receivingPark: parkOf(row.receiverPark)?.name ?? '',
          authorisationCode: (managed.has(row.receiverPark) && parkOf(row.receiverPark)?.verificationCode) || null,
          parkName: other?.name ?? '',
          areaCode: other?.areaCode ?? '',
          status: row.status as ParkRelation['status'],
          remark: row.remark,
          personCount: all.length,
          persons: persons.map(({ id, name }) => ({ id, name })),
          personGroups,
          personIds: persons.map(({ id }) => id),
          personGroupIds: personGroups.map(({ id }) => id),
          createdAt: row.createdAt,
          decidedAt: row.decidedAt,
          version: row.version,
          can: relationAbilities(scope, row),
        }
      })
      return { content: await Promise.all(rows), total, page, size }
    },
  }
}
