/** Linked parks and the persons they share: the operations, each made in the file that is named after it. */
import type { Platform } from '../../platform/context.ts'
import { createApplying } from './applying.ts'
import { createChanging } from './changing.ts'
import * as data from './data.ts'
import { createLinkRows } from './link-rows.ts'
import { createListing } from './listing.ts'
import { createMembers } from './members.ts'
import { createSharedPersons } from './shared-persons.ts'
import type { RelationDependencies, RelationParts, RelationService } from './service-types.ts'

export function createRelationService(platform: Platform, dependencies: RelationDependencies): RelationService {
  const rows = createLinkRows(platform, dependencies)
  const members = createMembers(platform, dependencies)
  const parts: RelationParts = { platform, ...dependencies, rows, members }
  return {
    ...createListing(parts),
    ...createApplying(parts),
    ...createChanging(parts),
    ...createSharedPersons(parts),
    forget: (scope, kind, ids) =>
      platform.transaction(async (tx) => {
        for (const row of await data.deleteMembers(scope, tx, kind, ids)) await rows.noteChange(tx, row)
      }),
    async erasePark(tx, scope) {
      const deleted = await data.deleteRelationsOfPark(scope, tx)
      for (const row of deleted) await rows.noteChange(tx, row)
      await platform.history.erase(tx, scope, ['parkRelation'])
      return { relations: deleted.length }
    },
  }
}
