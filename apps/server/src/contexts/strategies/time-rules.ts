/** Time rules: when passing is permitted. */
import type { z } from 'zod'
import { validateTimeRule, type TimeRule as Rule } from '@gatehouse/access-rules'
import type { TimeRule, timeRuleChangeFields, timeRuleFields } from '@gatehouse/contract/strategies/calls'
import { ALWAYS_RULE_NAME } from '@gatehouse/contract/built-in-names'
import { weekday } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Database, type Transaction } from '../../platform/database/database.ts'
import { isUuid, newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { Conflict, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Admission, Guarding } from './changes.ts'
import { assertDatesAgree } from './date-clashes.ts'
import { eventBatches } from '../../platform/events/batches.ts'
import { timeRulesChanged } from './events.ts'
import { refuseIssues } from './issues.ts'
import * as data from './time-rules-data.ts'
import type { RuleStates } from './time-rules-effect.ts'

export type TimeRuleFields = z.output<typeof timeRuleFields>
export type TimeRuleChange = z.output<typeof timeRuleChangeFields>

export interface TimeRuleQuery {
  name?: string | undefined
  page: number
  size: number
}

export interface TimeRuleService {
  /** Gives a park its default rule, open always, where it has none yet. */
  ensureDefaults(scope: Scope): Promise<void>
  /** Id of the default rule, made where there is none. @throws Refusal 300001 where another rule has its name */
  defaultId(scope: Scope): Promise<string>
  list(scope: Scope, query: TimeRuleQuery): Promise<{ total: number; content: TimeRule[]; page: number; size: number }>
  names(scope: Scope): Promise<{ id: string; name: string }[]>
  /** @throws Refusal 300001 */
  read(scope: Scope, id: string): Promise<TimeRule>
  /** @throws Refusal 300203, 300204, 900004, 900007; InvalidRequest */
  create(scope: Scope, fields: TimeRuleFields): Promise<string>
  /**
   * @throws as create; InvalidRequest for dates that another rule of a strategy contradicts; Refusal 300001; Conflict
   * where it is not at `version` any more; AgainstWrittenRules
   */
  change(scope: Scope, id: string, version: number | undefined, fields: TimeRuleChange, admission?: Admission): Promise<void>
  /** All or none. @throws Refusal 300001, 300002 used by a strategy, 300003 the default rule */
  delete(scope: Scope, ids: readonly string[]): Promise<number>
}

const ALWAYS: data.TimeRuleValues = {
  name: ALWAYS_RULE_NAME,
  periods: weekday.values.map((day) => ({ weekday: day, start: '00:00', end: '24:00' })),
  allowedExceptionDates: [],
  forbiddenExceptionDates: [],
  effectiveDate: null,
}

export const valuesIn = (row: data.TimeRuleRow): data.TimeRuleValues => ({ ...row, periods: row.periods as TimeRule['periods'] })

function valuesOf(fields: TimeRuleFields): data.TimeRuleValues {
  refuseIssues(validateTimeRule(fields))
  return { ...fields, effectiveDate: fields.effectiveDate ?? null }
}

/** What decides of a rule as a change would save it. @throws InvalidRequest; Refusal 300203, 300204, 900007 */
export function changedTimeRule(change: Partial<TimeRuleChange>, before: Omit<Rule, 'id'>): Omit<data.TimeRuleValues, 'name'> {
  const { periods, allowedExceptionDates, forbiddenExceptionDates, effectiveDate = null } = before
  const after = leftAsItWas({ periods, allowedExceptionDates, forbiddenExceptionDates, effectiveDate }, change)
  refuseIssues(validateTimeRule(after))
  return {
    periods: [...after.periods],
    allowedExceptionDates: [...after.allowedExceptionDates],
    forbiddenExceptionDates: [...after.forbiddenExceptionDates],
    effectiveDate: after.effectiveDate,
  }
}

/** What decides: all but the name. Periods keep their order and no more than their times. */
const settingsOf = ({ periods, allowedExceptionDates, forbiddenExceptionDates, effectiveDate }: data.TimeRuleValues) => ({
  periods: periods.map(({ weekday: day, start, end }) => ({ weekday: day, start, end })),
  allowedExceptionDates,
  forbiddenExceptionDates,
  effectiveDate,
})

/** What the operation log tells of a rule. */
const logged = (values: data.TimeRuleValues) => ({ name: values.name, ...settingsOf(values) })

function taken(error: unknown): never {
  if (violatedConstraint(error) === 'time_rule_name') refuse(900004, 'name')
  throw error
}

const COMPARED = ['name', 'periods', 'allowedExceptionDates', 'forbiddenExceptionDates', 'effectiveDate'] as const
/** Key order aside, so that what jsonb hands back compares equal to what a form sent. */
const comparable = (value: data.TimeRuleValues[(typeof COMPARED)[number]]) =>
  JSON.stringify(value, typeof value === 'object' ? ['weekday', 'start', 'end'] : null)

export function createTimeRuleService(platform: Platform, guard: Guarding, states: RuleStates): TimeRuleService {
  const db = platform.db

  async function present(scope: Scope, rows: readonly data.TimeRuleRow[]): Promise<TimeRule[]> {
    const effects = await states(scope, rows)
    return rows.map((row, place) => ({
      ...row,
      periods: row.periods as TimeRule['periods'],
      effect: effects[place]!,
    }))
  }

  async function ensureDefaults(scope: Scope): Promise<void> {
    if ((await data.findDefaultTimeRule(scope, db)) !== undefined) return
    const id = newId()
    await platform.transaction(async (tx) => {
      await data.insertDefaultTimeRule(scope, tx, id, ALWAYS, platform.clock.now())
      if ((await data.findTimeRules(scope, tx, [id])).length > 0) await platform.history.note(tx, scope, 'timeRule', id, settingsOf(ALWAYS))
    })
  }

  async function existing(scope: Scope, id: string): Promise<data.TimeRuleRow> {
    const [row] = isUuid(id) ? await data.findTimeRules(scope, db, [id]) : []
    return row ?? refuse(300001)
  }

  return {
    ensureDefaults,
    async defaultId(scope) {
      await ensureDefaults(scope)
      return (await data.findDefaultTimeRule(scope, db)) ?? refuse(300001)
    },
    async list(scope, query) {
      await ensureDefaults(scope)
      const { content, total } = await data.listTimeRules(scope, db, query)
      return { total, content: await present(scope, content), page: query.page, size: query.size }
    },
    async names(scope) {
      await ensureDefaults(scope)
      return data.nameTimeRules(scope, db)
    },
    read: async (scope, id) => (await present(scope, [await existing(scope, id)]))[0]!,
    async create(scope, fields) {
      const values = valuesOf(fields)
      await ensureDefaults(scope)
      const id = newId()
      await platform
        .transaction(async (tx) => {
          await data.insertTimeRule(scope, tx, id, values, platform.clock.now())
          platform.audit.note({ entity: 'timeRule', id, label: values.name, after: logged(values) })
          await platform.history.note(tx, scope, 'timeRule', id, settingsOf(values))
          await platform.events.announce(tx, timeRulesChanged, scope.parkId, { timeRuleIds: [id] })
        })
        .catch(taken)
      return id
    },
    async change(scope, id, version, fields, { approved, alongside } = {}) {
      const row = await existing(scope, id)
      const values = { name: fields.name ?? row.name, ...changedTimeRule(fields, valuesIn(row)) }
      const assertAgreed = (on: Database) => assertDatesAgree(scope, on, { id, ...values }, row)
      await assertAgreed(db)
      const save = async (tx: Transaction): Promise<void> => {
        await assertAgreed(tx)
        if (!(await data.updateTimeRule(scope, tx, id, values, version ?? row.version, platform.clock.now()))) {
          const [current] = await data.findTimeRules(scope, tx, [id])
          const differing = COMPARED.filter(
            (key) => current !== undefined && comparable(valuesIn(current)[key]) !== comparable(values[key]),
          )
          throw new Conflict(differing.length > 0 ? differing : ['version'])
        }
        platform.audit.note({ entity: 'timeRule', id, label: values.name, before: logged(valuesIn(row)), after: logged(values) })
        await platform.history.note(tx, scope, 'timeRule', id, settingsOf(values))
        await platform.events.announce(tx, timeRulesChanged, scope.parkId, { timeRuleIds: [id] })
        await alongside?.(tx)
      }
      await guard.during(scope, async () => ({ of: 'timeRule', id, fields: settingsOf(values) }), save, { approved }).catch(taken)
    },
    async delete(scope, ids) {
      const ruleIds = [...new Set(ids)]
      if (!ruleIds.every(isUuid)) refuse(300001)
      const names = new Map((await data.findTimeRules(scope, db, ruleIds)).map(({ id, name }) => [id, name]))
      await platform.transaction(async (tx) => {
        const rows = await data.lockTimeRules(scope, tx, ruleIds, 'update')
        if (rows.length < ruleIds.length) refuse(300001)
        if (rows.some((row) => row.isDefault)) refuse(300003)
        if ((await data.countTimeRuleUses(scope, tx, ruleIds)) > 0) refuse(300002)
        await data.deleteTimeRules(scope, tx, ruleIds)
        for (const row of rows) platform.audit.note({ entity: 'timeRule', id: row.id, label: names.get(row.id) ?? '', before: {} })
        await platform.history.noteAll(tx, scope, 'timeRule', ruleIds, async () => new Map())
        for (const timeRuleIds of eventBatches(ruleIds)) await platform.events.announce(tx, timeRulesChanged, scope.parkId, { timeRuleIds })
      })
      return ruleIds.length
    },
  }
}
