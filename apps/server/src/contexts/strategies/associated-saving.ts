/** Adds and changes associated rules. */
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { isUuid, newId } from '../../platform/database/ids.ts'
import { Conflict, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { ParkLink } from '../relations/index.ts'
import type { AssociatedMembers } from './associated-members.ts'
import { saveAbout } from './associated-rules-data.ts'
import type { AssociatedRules } from './associated-rules-types.ts'
import { existingRule, wholeRule } from './associated-stored.ts'
import { changed, FIELDS, NOTHING_YET, OF_PERSONS, strategyIn, valuesOf, type Chosen, type Values } from './associated-values.ts'
import { NEW_ID, type Guarding, type NamedStrategy, type WorldChange } from './changes.ts'
import { assertRulesAgree } from './date-clashes.ts'
import type { StrategyDependencies } from './dependencies.ts'
import { guestsOf } from './guests.ts'
import type { MemberKind } from './schema.ts'
import type { SharedPersons } from './shared-persons.ts'
import type { StrategyService } from './strategies-types.ts'
import { insertStrategy, replaceMembers, replaceRules, updateStrategy } from './strategies-data.ts'
import { refuseTakenName } from './strategy-saving.ts'
import { lockTimeRules } from './time-rules-data.ts'

/** Lock time rules, so that they cannot be deleted while a rule that names them is saved. @throws Refusal 300001 */
async function lockRules(scope: Scope, tx: Transaction, ids: readonly string[]): Promise<void> {
  const rules = ids.every(isUuid) ? await lockTimeRules(scope, tx, ids, 'share') : []
  if (rules.length < ids.length) refuse(300001, 'timeRuleIds')
}

export function createAssociatedSaving(
  platform: Platform,
  { sharing }: Pick<StrategyDependencies, 'sharing'>,
  { shared, members }: { shared: SharedPersons; members: AssociatedMembers },
  strategies: Pick<StrategyService, 'reachChanged'>,
  guard: Guarding,
): Pick<AssociatedRules, 'create' | 'change' | 'drafted'> {
  const db = platform.db

  /** Return what of a rule decides: the persons it lets pass now, and where. */
  async function namedBy(
    scope: Scope,
    { relationId, parkId }: ParkLink,
    { strategy: { kind, methods, validFrom, validTo }, everybody, timeRuleIds, deviceIds, deviceGroupIds, ...chosen }: Values,
    within?: Transaction,
  ): Promise<NamedStrategy> {
    const guests = await guestsOf(scope, { sharing }, { relationId, linkedPark: parkId, everybody, kind }, chosen, within)
    return { ...guests, timeRuleIds, methods, validFrom, validTo, deviceIds, deviceGroupIds, accessGroupIds: [] }
  }

  /** Write the persons a rule is about and what it names, note it in history and notify terminals. */
  async function save(tx: Transaction, scope: Scope, id: string, link: ParkLink, values: Values): Promise<void> {
    const { everybody, everybodyConfirmed = true } = values
    await saveAbout(scope, tx, { id, relationId: link.relationId, linkedPark: link.parkId, everybody, everybodyConfirmed })
    const memberRows = (Object.entries(FIELDS) as [keyof Chosen, MemberKind][]).flatMap(([field, kind]) =>
      values[field].map((memberId) => ({ kind, id: memberId })),
    )
    await replaceMembers(scope, tx, id, memberRows)
    await replaceRules(scope, tx, id, values.timeRuleIds)
    await strategies.reachChanged(tx, scope, [id])
  }

  return {
    async create(scope, fields, { approved, alongside } = {}) {
      const values = valuesOf({ ...NOTHING_YET, ...fields, validFrom: fields.validFrom ?? null, validTo: fields.validTo ?? null })
      const link = await shared.linkWith(scope, fields.parkId)
      await members.assertNamed(scope, link, fields)
      await assertRulesAgree(scope, db, fields.timeRuleIds)
      const after = await members.logged(scope, link.parkId, values)
      const id = newId()
      const make = async (tx: Transaction): Promise<void> => {
        await assertRulesAgree(scope, tx, fields.timeRuleIds)
        await lockRules(scope, tx, values.timeRuleIds)
        await insertStrategy(scope, tx, { id, directAt: null }, { ...values.strategy, ...OF_PERSONS }, platform.clock.now())
        platform.audit.note({ entity: 'associatedRule', id, label: values.strategy.name, after })
        await save(tx, scope, id, link, values)
        await alongside?.(tx)
      }
      const change = async (within: Transaction): Promise<WorldChange> => ({
        of: 'strategy',
        id: NEW_ID,
        fields: await namedBy(scope, link, values, within),
      })
      await guard.during(scope, change, make, { approved }).catch(refuseTakenName)
      return id
    },
    async change(scope, id, version, fields, { approved, alongside } = {}) {
      const { about, row } = await existingRule(scope, db, id)
      const was = await wholeRule(scope, db, { about, row })
      const whole = changed(fields, was)
      const isDecided = fields.everybody !== undefined || !whole.everybody
      const values: Values = { ...valuesOf(whole), everybodyConfirmed: isDecided || about.everybodyConfirmed }
      const link = await shared.linkWith(scope, whole.parkId)
      await members.assertNamed(scope, link, fields)
      await assertRulesAgree(scope, db, fields.timeRuleIds, was.timeRuleIds)
      const before = await members.logged(scope, about.linkedPark, { ...was, strategy: strategyIn(was) })
      const after = await members.logged(scope, link.parkId, values)
      const make = async (tx: Transaction): Promise<void> => {
        await assertRulesAgree(scope, tx, fields.timeRuleIds, was.timeRuleIds)
        await lockRules(scope, tx, values.timeRuleIds)
        if (!(await updateStrategy(scope, tx, id, { ...values.strategy, ...OF_PERSONS }, version ?? row.version, platform.clock.now())))
          throw new Conflict(['version'])
        platform.audit.note({
          entity: 'associatedRule',
          id,
          label: values.strategy.name,
          before: { ...before, everybodyConfirmed: about.everybodyConfirmed },
          after: { ...after, everybodyConfirmed: values.everybodyConfirmed },
        })
        await save(tx, scope, id, link, values)
        await alongside?.(tx)
      }
      const change = async (within: Transaction): Promise<WorldChange> => ({
        of: 'strategy',
        id,
        fields: await namedBy(scope, link, values, within),
      })
      await guard.during(scope, change, make, { approved }).catch(refuseTakenName)
    },
    async drafted(scope, id, fields) {
      const was = id === undefined ? { ...NOTHING_YET, parkId: '' } : await wholeRule(scope, db, await existingRule(scope, db, id))
      const whole = changed(fields, was)
      return namedBy(scope, await shared.linkWith(scope, whole.parkId), valuesOf(whole))
    },
  }
}
