/** Visitors as other areas list persons: whom they visit. */
import type { Platform } from '../../platform/context.ts'
import type { VisitsOfPersons } from '../restrictions/index.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import { findVisited } from './visited-data.ts'

export const createVisited = (
  { db }: Pick<Platform, 'db'>,
  { groups }: { groups: Pick<VisitorsDependencies['groups'], 'names'> },
): VisitsOfPersons => ({
  async of(scope, personIds) {
    const rows = await findVisited(scope, db, personIds)
    const named = await groups.names(scope, [...new Set(rows.map(({ visitorGroupId }) => visitorGroupId))])
    const nameById = new Map(named.map(({ id, name }) => [id, name]))
    return new Map(
      rows.map(({ personId, id, hostName, visitorGroupId }) => [personId, { id, hostName, groupName: nameById.get(visitorGroupId) ?? '' }]),
    )
  },
})
