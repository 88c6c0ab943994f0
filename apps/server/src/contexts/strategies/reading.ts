/** Strategies, access groups and time rules as they are stored: what areas above read to work out who may pass where. */
import type { Platform } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { findAccessGroups, findDoorsOf, listAccessGroups } from './access-groups-data.ts'
import { findAbout } from './associated-rules-data.ts'
import {
  findDirectStrategies,
  findMembers,
  findRulesOf,
  findStrategies,
  findStrategyChoices,
  findStrategyIds,
  findTakenNames,
} from './strategies-data.ts'
import { membersOf } from './strategy-reach.ts'
import { storedStrategy } from './strategy-changes.ts'
import { changedAccessGroup } from './access-group-doors.ts'
import { findTimeRules, nameTimeRules } from './time-rules-data.ts'

type Readers = ReturnType<typeof readersOf>

export interface StrategyReading extends Readers {
  /** The same through a transaction. */
  within(tx: Transaction): Readers
}

export const createStrategyReading = (platform: Pick<Platform, 'db'>): StrategyReading => ({
  ...readersOf(platform.db),
  within: (tx) => readersOf(tx),
})

/** Each function is one of the data layer, with the database in hand. */
function readersOf(db: Database) {
  const reading =
    <Args extends unknown[], Answer>(read: (scope: Scope, from: Database, ...args: Args) => Answer) =>
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
