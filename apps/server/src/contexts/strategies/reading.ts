/** Strategies, access groups and time rules as they are stored: what areas above read to work out who may pass where. */
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { findAccessGroups, findDoorsOf, listAccessGroups } from './access-groups-data.ts'
import { findAbout } from './associated-rules-data.ts'
import type { StrategyTables } from './schema.ts'
import {
  findDirectStrategies,
  findMembers,
  findRulesOf,
  findStrategies,
  findStrategyChoices,
  findStrategyIds,
  findTakenNames,
} from './strategies-data.ts'
import { membersOf } from './strategies.ts'
import { storedStrategy } from './strategy-changes.ts'
import { changedAccessGroup } from './access-groups.ts'
import { findTimeRules, nameTimeRules } from './time-rules-data.ts'

export type StrategyReading = ReturnType<typeof createStrategyReading>

/** Each function is one of the data layer, with the database in hand. */
export function createStrategyReading(platform: Pick<Platform, 'db'>) {
  const db = platform.db as unknown as Database<StrategyTables>
  const reading =
    <Args extends unknown[], Answer>(read: (scope: Scope, from: Database<StrategyTables>, ...args: Args) => Answer) =>
    (scope: Scope, ...args: Args): Answer =>
      read(scope, db, ...args)
  return {
    findStrategyIds: reading(findStrategyIds),
    findStrategies: reading(findStrategies),
    findStrategyChoices: reading(findStrategyChoices),
    findDirectStrategies: reading(findDirectStrategies),
    findTakenNames: reading(findTakenNames),
    findMembers: reading(findMembers),
    membersOf: reading(membersOf),
    findRulesOf: reading(findRulesOf),
    storedStrategy: reading(storedStrategy),
    findAbout: reading(findAbout),
    listAccessGroups: reading(listAccessGroups),
    findAccessGroups: reading(findAccessGroups),
    findDoorsOf: reading(findDoorsOf),
    changedAccessGroup: reading(changedAccessGroup),
    findTimeRules: reading(findTimeRules),
    nameTimeRules: reading(nameTimeRules),
  }
}
