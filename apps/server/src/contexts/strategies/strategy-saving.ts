/** Adds, changes and deletes strategies. */
import { isDeepStrictEqual } from 'node:util'
import { authorisedObject } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Transaction } from '../../platform/database/database.ts'
import { isUuid, newId } from '../../platform/database/ids.ts'
import { Conflict, InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { lockAccessGroups } from './access-groups-data.ts'
import { namedBy, NEW_ID, type Guarding } from './changes.ts'
import { assertRulesAgree } from './date-clashes.ts'
import type { StrategyDependencies } from './dependencies.ts'
import { strategiesChanged } from './events.ts'
import type { StrategyService } from './strategies-types.ts'
import * as data from './strategies-data.ts'
import { changedStrategy, decidingOf, FIELD_OF, storedStrategy, type RequestTime, type StoredStrategy } from './strategy-changes.ts'
import { KINDS, type Named, type StrategyMembers } from './strategy-members.ts'
import type { StrategyReach } from './strategy-reach.ts'
import { existingStrategy } from './strategy-queries.ts'
import { findTimeRules, lockTimeRules } from './time-rules-data.ts'
import { findVisitorMembers } from './visitor-strategies-data.ts'

type Logged = Record<string, unknown>

/**
 * Return the one door or access group at which a strategy lets persons pass for good; null where it names others, is limited,
 * or is for contacts alone.
 */
function soleTargetOf({
  deviceIds,
  deviceGroupIds,
  accessGroupIds,
  validFrom,
  validTo,
  authorizedObject: object,
}: StoredStrategy): string | null {
  const [target, ...others] = [...deviceIds, ...accessGroupIds, ...deviceGroupIds]
  const isOne = target !== undefined && others.length === 0 && deviceGroupIds.length === 0
  return isOne && validFrom === null && validTo === null && object !== authorisedObject.contact ? target : null
}

/** @throws Refusal 900004 where a strategy has the name already, the error itself otherwise */
export function refuseTakenName(error: unknown): never {
  if (violatedConstraint(error) === 'strategy_name') refuse(900004, 'name')
  throw error
}

/** Return what differs of lists, what was removed and what was added, and all else as it is: a list may have thousands of names. */
function difference(before: Logged, after: Logged): { before: Logged; after: Logged } {
  const without = (some: unknown, others: unknown): unknown => {
    if (!Array.isArray(some) || !Array.isArray(others)) return some
    const otherValues = new Set(others)
    return some.filter((one) => !otherValues.has(one))
  }
  const names = Object.keys(before)
  return {
    before: Object.fromEntries(names.map((name) => [name, without(before[name], after[name])])),
    after: Object.fromEntries(names.map((name) => [name, without(after[name], before[name])])),
  }
}

/** Write what a strategy names; its time rules are locked. */
async function saveLinks(scope: Scope, tx: Transaction, id: string, values: StoredStrategy): Promise<void> {
  const visitors = values.visitorIds.map((memberId) => ({ kind: 'person' as const, id: memberId }))
  const members = [...KINDS.flatMap((kind) => values[FIELD_OF[kind]].map((memberId) => ({ kind, id: memberId }))), ...visitors]
  await data.replaceMembers(scope, tx, id, members)
  await data.replaceRules(scope, tx, id, values.timeRuleIds)
}

/**
 * Lock the time rules and access groups a strategy names: nobody deletes or changes them while it is saved.
 * @throws Refusal 300001; InvalidRequest
 */
async function lockNamed(scope: Scope, tx: Transaction, { timeRuleIds, accessGroupIds }: StoredStrategy): Promise<void> {
  const rules = timeRuleIds.every(isUuid) ? await lockTimeRules(scope, tx, timeRuleIds, 'share') : []
  if (rules.length < timeRuleIds.length) refuse(300001, 'timeRuleIds')
  const accessGroups = await lockAccessGroups(scope, tx, accessGroupIds, 'share')
  if (accessGroups.length < accessGroupIds.length) throw new InvalidRequest([{ path: FIELD_OF.accessGroup, rule: 'unknown' }])
}

/** Return the conflict with what is stored now, naming the fields that differ. */
async function conflictOf(scope: Scope, tx: Transaction, id: string, values: StoredStrategy): Promise<Conflict> {
  const [row] = await data.findStrategies(scope, tx, [id])
  if (row === undefined) return new Conflict(['version'])
  const current = await storedStrategy(scope, tx, row)
  const differing = (Object.keys(values) as (keyof StoredStrategy)[]).filter(
    (key) => JSON.stringify(current[key]) !== JSON.stringify(values[key]),
  )
  return new Conflict(differing.length > 0 ? differing : ['version'])
}

interface Parts {
  members: StrategyMembers
  reach: Pick<StrategyReach, 'note'>
  guard: Guarding
}

export function createStrategySaving(
  platform: Platform,
  { groups, devices, organisation }: Pick<StrategyDependencies, 'groups' | 'devices' | 'organisation'>,
  { members, reach, guard }: Parts,
): Pick<StrategyService, 'create' | 'change' | 'delete'> {
  const db = platform.db

  const requestTime = (scope: Scope): RequestTime => ({ now: platform.clock.now(), zone: organisation.park(scope).zone })

  /** Return a strategy for the operation log: persons by their ids, so that no erased name remains. */
  async function logged(scope: Scope, values: StoredStrategy): Promise<Logged> {
    const namesOf = async (names: Promise<readonly Named[]>): Promise<string[]> => (await names).map(({ name }) => name).toSorted()
    const [personGroups, deviceNames, deviceGroups, accessGroups, timeRules] = await Promise.all([
      namesOf(groups.names(scope, values.personGroupIds)),
      namesOf(devices.names(scope, values.deviceIds)),
      namesOf(devices.groupNames(scope, values.deviceGroupIds)),
      namesOf(members.accessGroupNames(scope, values.accessGroupIds)),
      namesOf(values.timeRuleIds.every(isUuid) ? findTimeRules(scope, db, values.timeRuleIds) : Promise.resolve([])),
    ])
    const { name, kind, authorizedObject: object, methods, validFrom, validTo, personIds } = values
    return {
      name,
      kind,
      authorisedObject: object,
      methods,
      validFrom,
      validTo,
      personIds,
      personGroups,
      devices: deviceNames,
      deviceGroups,
      accessGroups,
      timeRules,
    }
  }

  return {
    async create(scope, fields, { approved, alongside, directAt = null } = {}) {
      const values = changedStrategy(fields, null, requestTime(scope))
      await members.assertMembers(scope, fields)
      await assertRulesAgree(scope, db, fields.timeRuleIds)
      const after = await logged(scope, values)
      const id = newId()
      const isDefault = fields.isDefault === true
      const save = async (tx: Transaction): Promise<void> => {
        await assertRulesAgree(scope, tx, fields.timeRuleIds)
        await lockNamed(scope, tx, values)
        if (isDefault) await data.clearDefault(scope, tx, { id, kind: values.kind }, platform.clock.now())
        await data.insertStrategy(scope, tx, { id, directAt }, { ...values, isDefault }, platform.clock.now())
        platform.audit.note({ entity: 'strategy', id, label: values.name, after: { ...after, ...(isDefault && { isDefault }) } })
        await saveLinks(scope, tx, id, values)
        await reach.note(scope, tx, [id])
        await platform.events.announce(tx, strategiesChanged, scope.parkId, { strategyIds: [id] })
        await alongside?.(tx)
      }
      await guard
        .during(scope, async () => ({ of: 'strategy', id: NEW_ID, fields: namedBy(decidingOf(values)) }), save, { approved })
        .catch(refuseTakenName)
      return id
    },
    async change(scope, givenId, version, fields, { approved, alongside } = {}) {
      const row = await existingStrategy(scope, db, givenId)
      const { id } = row
      const stored = await storedStrategy(scope, db, row)
      const values = changedStrategy(fields, stored, requestTime(scope))
      await members.assertMembers(scope, fields)
      await assertRulesAgree(scope, db, fields.timeRuleIds, stored.timeRuleIds)
      const isDefault = fields.isDefault ?? row.isDefault
      const changes = difference(
        { ...(await logged(scope, stored)), isDefault: row.isDefault },
        { ...(await logged(scope, values)), isDefault },
      )
      const save = async (tx: Transaction): Promise<void> => {
        await assertRulesAgree(scope, tx, fields.timeRuleIds, stored.timeRuleIds)
        await lockNamed(scope, tx, values)
        const now = platform.clock.now()
        if (isDefault) await data.clearDefault(scope, tx, { id, kind: values.kind }, now)
        const updated = await data.updateStrategy(scope, tx, id, { ...values, isDefault }, version ?? row.version, now)
        if (!updated) throw await conflictOf(scope, tx, id, values)
        // A visitor who was admitted meanwhile was not checked, and one whose visit ended must not be named again.
        if (!isDeepStrictEqual(await findVisitorMembers(scope, tx, id), values.visitorIds)) throw new Conflict(['version'])
        await data.keepDirectAt(scope, tx, id, soleTargetOf(values))
        platform.audit.note({ entity: 'strategy', id, label: values.name, ...changes })
        await saveLinks(scope, tx, id, values)
        await reach.note(scope, tx, [id])
        await platform.events.announce(tx, strategiesChanged, scope.parkId, { strategyIds: [id] })
        await alongside?.(tx)
      }
      await guard
        .during(scope, async () => ({ of: 'strategy', id, fields: namedBy(decidingOf(values)) }), save, { approved })
        .catch(refuseTakenName)
    },
    async delete(scope, givenId, version) {
      const row = await existingStrategy(scope, db, givenId)
      const { id } = row
      if (row.isDefault) refuse(300103)
      const before = await logged(scope, await storedStrategy(scope, db, row))
      await platform.transaction(async (tx) => {
        if (!(await data.deleteStrategy(scope, tx, id, version))) throw new Conflict(['version'])
        platform.audit.note({ entity: 'strategy', id, label: row.name, before })
        await reach.note(scope, tx, [id])
        await platform.events.announce(tx, strategiesChanged, scope.parkId, { strategyIds: [id] })
      })
    },
  }
}
