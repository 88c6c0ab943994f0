/** Which persons a group, a name or the watch list selects, and how many. */
import { sizesOf } from '../../platform/tree.ts'
import * as data from './facts-data.ts'
import { countByGroup } from './groups-data.ts'
import type { RegisterParts } from './parts.ts'
import type { PeopleService } from './service-types.ts'
import { findUnseen } from './unseen-data.ts'
import { findLookedOutFor, findWatchListed } from './watch-list-data.ts'

type Selecting = 'count' | 'describe' | 'idsInGroups' | 'idsNamed' | 'lookedOutFor' | 'namesAmong' | 'sizes' | 'unseen' | 'watchListed'

export function createSelection({ platform: { db }, groups, rows: { reading } }: RegisterParts): Pick<PeopleService, Selecting> {
  return {
    count: (scope) => data.countPersons(scope, db),
    describe: (scope, ids) => data.describePersons(scope, reading, ids),
    unseen: (scope) => findUnseen(scope, db),
    lookedOutFor: (scope) => findLookedOutFor(scope, db),
    watchListed: (scope, ids) => findWatchListed(scope, reading, ids),
    async idsInGroups(scope, groupIds, within, of = 'all') {
      return data.findPersonIdsInGroups(scope, within ?? db, await groups.withDescendants(scope, groupIds, within), of)
    },
    async sizes(scope, selections) {
      const ids = [...new Set(selections.flatMap((selection) => selection.ids))]
      const [rows, sizes, groupOf] = await Promise.all([groups.rows(scope), countByGroup(scope, db), data.findGroupOf(scope, db, ids)])
      return sizesOf(selections, rows, sizes, groupOf)
    },
    idsNamed: (scope, text) => data.findPersonIdsNamed(scope, db, text),
    namesAmong: (scope, names) => data.findNamesAmong(scope, db, names),
  }
}
