/** What strategies reach: the persons and doors they name, and how it is noted and announced that this has changed. */
import { authorisedObject } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { eventBatches } from '../../platform/events/batches.ts'
import type { Scope } from '../../platform/session/session.ts'
import { findDoorsOf, removeDoors } from './access-groups-data.ts'
import { findAbout } from './associated-rules-data.ts'
import { strategiesChanged } from './events.ts'
import type { MemberKind } from './schema.ts'
import type { StrategyService } from './strategies-types.ts'
import { findRulesOf, findStrategies, findStrategyIdsNaming, removeMembers } from './strategies-data.ts'
import { distinct, namedMembersOf, type Members } from './strategy-changes.ts'

/** The persons and doors a strategy names, its access groups resolved. */
export type Reach = Omit<Members, 'accessGroupIds'>

/** Return the members of each strategy, the doors of its access groups among them. */
export async function membersOf(scope: Scope, db: Database, strategyIds: readonly string[]): Promise<Map<string, Reach>> {
  return withDoors(scope, db, await namedMembersOf(scope, db, strategyIds))
}

/** Return members with the doors of their access groups. */
export async function withDoors(scope: Scope, db: Database, members: ReadonlyMap<string, Members>): Promise<Map<string, Reach>> {
  const doors = await findDoorsOf(scope, db, distinct([...members.values()].flatMap((one) => one.accessGroupIds)))
  return new Map(
    [...members].map(([id, { accessGroupIds, ...reach }]) => {
      const doorsOf = (kind: 'device' | 'deviceGroup', own: string[]): string[] => {
        const through = doors
          .filter((row) => row.kind === kind && accessGroupIds.includes(row.groupId))
          .flatMap(({ memberIds }) => memberIds)
        return through.length === 0 ? own : distinct([...own, ...through])
      }
      return [id, { ...reach, deviceIds: doorsOf('device', reach.deviceIds), deviceGroupIds: doorsOf('deviceGroup', reach.deviceGroupIds) }]
    }),
  )
}

/** What history keeps of a strategy: all but name and kind; `members` are the persons. */
async function settingsOf(scope: Scope, db: Database, id: string) {
  const [row] = await findStrategies(scope, db, [id])
  if (row === undefined) return new Map()
  const { personIds, ...others } = (await membersOf(scope, db, [id])).get(id)!
  const timeRuleIds = (await findRulesOf(scope, db, [id])).map((rule) => rule.id).toSorted()
  const { methods, validFrom, validTo, authorizedObject: object } = row
  // Of an associated rule `members` are persons of the linked park; the persons the link shares are in the history of that park.
  const about = (await findAbout(scope, db, [id])).map(({ relationId, linkedPark, everybody, kind }) => ({
    relationId,
    linkedPark,
    everybody: everybody && kind !== 'visitor',
  }))[0]
  // A strategy for persons has no `authorisedObject`: history was written without it before contacts could pass.
  return new Map([
    [
      id,
      {
        methods,
        validFrom,
        validTo,
        timeRuleIds,
        members: personIds,
        ...others,
        ...about,
        ...(object !== authorisedObject.person && { authorisedObject: object }),
      },
    ],
  ])
}

export interface StrategyReach extends Pick<StrategyService, 'forget' | 'forgetIn' | 'reachChanged'> {
  /** Note in history what decides of each strategy, as this transaction leaves it. */
  note(scope: Scope, tx: Transaction, strategyIds: readonly string[]): Promise<void>
}

export function createStrategyReach(platform: Platform): StrategyReach {
  /** One by one, since each strategy may name thousands. */
  async function note(scope: Scope, tx: Transaction, strategyIds: readonly string[]): Promise<void> {
    for (const strategyId of strategyIds.toSorted())
      await platform.history.noteAll(tx, scope, 'strategy', [strategyId], () => settingsOf(scope, tx, strategyId))
  }

  async function forgetIn(tx: Transaction, scope: Scope, kind: MemberKind, memberIds: readonly string[]): Promise<void> {
    const naming = await removeMembers(scope, tx, kind, memberIds)
    const accessGroupIds = kind === 'device' || kind === 'deviceGroup' ? await removeDoors(scope, tx, kind, memberIds) : []
    const through = await findStrategyIdsNaming(scope, tx, [{ kind: 'accessGroup', ids: accessGroupIds }])
    await reachChanged(tx, scope, distinct([...naming, ...through]))
  }

  async function reachChanged(tx: Transaction, scope: Scope, strategyIds: readonly string[]): Promise<void> {
    await note(scope, tx, strategyIds)
    await platform.events.announceAll(
      tx,
      strategiesChanged,
      scope.parkId,
      eventBatches(strategyIds).map((batch) => ({ strategyIds: batch })),
    )
  }

  return {
    note,
    forget: (scope, kind, memberIds) => platform.transaction((tx) => forgetIn(tx, scope, kind, memberIds)),
    forgetIn,
    reachChanged,
  }
}
