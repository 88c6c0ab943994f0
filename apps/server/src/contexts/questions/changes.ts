/**
 * Conversion of what a dialog would save about groups, and about persons and devices in them, into the resulting state; nothing
 * is written.
 */
import { isDeepStrictEqual } from 'node:util'
import type { OutputOf } from '@gatehouse/contract'
import type {
  accessGroupDraft,
  deviceGroupDraft,
  deviceMoveDraft,
  personGroupDraft,
  personMoveDraft,
} from '@gatehouse/contract/questions/effects'
import type { Platform } from '../../platform/context.ts'
import { seeingAll, type Scope, type Session } from '../../platform/session/session.ts'
import { type AccessGroupService, type WorldChange } from '../strategies/index.ts'
import { type Drafted } from './drafts.ts'
import type { QuestionDependencies } from './dependencies.ts'
import { changedWorld, readWorld, resolved } from '../approvals/index.ts'
import type { Moved } from './effect.ts'
import type { Standing, StrategyFacts } from '../synchronisation/index.ts'

/** Drafts of changes; each is refused as the change itself would be. */
export interface ChangeDrafts {
  /** @throws InvalidRequest; Refusal 300101, 300102 */
  accessGroup(scope: Scope, draft: OutputOf<typeof accessGroupDraft>): Promise<WorldChange>
  /** @throws NotFound; InvalidRequest; Refusal 200224 */
  personMove(scope: Scope, draft: OutputOf<typeof personMoveDraft>): Promise<WorldChange>
  /** @throws NotFound; InvalidRequest */
  personGroup(scope: Scope, draft: OutputOf<typeof personGroupDraft>): Promise<WorldChange>
  /** @throws NotFound; InvalidRequest; Refusal 100510 (403) */
  deviceMove(session: Session, draft: OutputOf<typeof deviceMoveDraft>): Promise<WorldChange>
  /** @throws NotFound; InvalidRequest; Refusal 100510 (403), 200102, 900109 */
  deviceGroup(session: Session, draft: OutputOf<typeof deviceGroupDraft>): Promise<WorldChange>
}

export function createChangeDrafts(
  { people, groups, devices, placing }: Pick<QuestionDependencies, 'people' | 'groups' | 'devices' | 'placing'>,
  accessGroups: Pick<AccessGroupService, 'drafted'>,
): ChangeDrafts {
  return {
    accessGroup: async (scope, draft) => ({ of: 'accessGroup', id: draft.id, fields: await accessGroups.drafted(scope, draft) }),
    async personMove(scope, { ids, groupId }) {
      const moving = await people.moving(scope, ids, groupId)
      return { of: 'persons', persons: moving.map(({ id, kind, enabled, validTo }) => ({ id, groupId, kind, enabled, validTo })) }
    },
    async personGroup(scope, { id, parentId }) {
      return { of: 'personGroup', id, parentId: await groups.moving(scope, id, parentId) }
    },
    async deviceMove(session, { ids, groupId }) {
      await placing.demandDevices(session, ids, groupId, 'groupId')
      return { of: 'devices', devices: await devices.moving(session.scope, ids, groupId) }
    },
    async deviceGroup(session, { id, parentId, deleted }) {
      if (deleted) {
        await devices.groups.assertRemovable(session.scope, id)
        // A group that can be deleted contains no doors.
        return { of: 'devices', devices: [] }
      }
      await placing.demandGroup(session, id, parentId, 'parentId')
      return { of: 'deviceGroup', id, parentId: await devices.groups.moving(session.scope, id, parentId) }
    },
  }
}

/** A move from one group to another; null: none. */
interface Move {
  from: string | null
  to: string | null
}

/** Return the strategies and rules after a change, and the persons and doors that it would move. */
export async function changeDrafted(
  platform: Platform,
  scope: Scope,
  needs: Pick<QuestionDependencies, 'groups' | 'devices' | 'sharing' | 'reading'>,
  standing: Standing,
  change: WorldChange,
): Promise<Drafted & Moved> {
  const { strategies, timeRules } = standing
  /** Return the strategies whose groups include a person or door before the move but not after it, or the other way round. */
  function reaching(of: 'groupIds' | 'deviceGroupIds', moves: readonly Move[]): Set<string> {
    const ways = [...new Map(moves.map((move) => [`${move.from} ${move.to}`, move])).values()]
    const differs = (ids: ReadonlySet<string>): boolean => ways.some(({ from, to }) => ids.has(from ?? '') !== ids.has(to ?? ''))
    return new Set([...strategies.values()].flatMap((one) => (differs(one[of]) ? one.id : [])))
  }
  if (change.of === 'persons') {
    const persons = new Map(change.persons.map(({ id, groupId }) => [id, groupId]))
    const standingNow = await standing.persons({ ids: persons.keys(), groupIds: [] })
    const moves = standingNow.map(({ id, groupId }) => ({ from: groupId, to: persons.get(id)! }))
    return { after: { strategies, timeRules }, changed: reaching('groupIds', moves), persons }
  }
  if (change.of === 'devices') {
    const doors = new Map(change.devices.map(({ id, groupId }) => [id, groupId]))
    const moves = [...doors].flatMap(([id, to]) => (standing.doors.has(id) ? [{ from: standing.doors.get(id)!.groupId, to }] : []))
    return { after: { strategies, timeRules }, changed: reaching('deviceGroupIds', moves), doors }
  }
  const named = await readWorld(seeingAll(scope), needs)
  const [before, after] = [resolved(named), resolved(changedWorld(named, change))]
  const others = [...after.strategies].filter(([id, facts]) => {
    const was = before.strategies.get(id)
    return strategies.has(id) && (was === undefined || !isDeepStrictEqual(reachOf(was), reachOf(facts)))
  })
  return { after: { strategies: new Map([...strategies, ...others]), timeRules }, changed: new Set(others.map(([id]) => id)) }
}

/** Whom and what a strategy reaches; the order of devices does not count. */
const reachOf = ({ groupIds, deviceIds, deviceGroupIds }: StrategyFacts) => ({ groupIds, deviceIds: new Set(deviceIds), deviceGroupIds })
