/** Time rules: when passing is permitted. */
import type { z } from 'zod'
import { validateTimeRule } from '@gatehouse/access-rules'
import type { TimeRule, timeRuleFields } from '@gatehouse/contract/access/calls'
import { weekday } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Database, type Tx } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { Conflict, refuse } from '../../platform/refusal.ts'
import type { Scope } from '../../platform/session.ts'
import { eventBatches, timeRulesChanged } from './events.ts'
import { isUuid, refuseIssues } from './issues.ts'
import type { AccessTables } from './schema.ts'
import * as data from './time-rules-data.ts'

export type TimeRuleFields = z.output<typeof timeRuleFields>

export interface TimeRuleQuery {
  name?: string | undefined
  page: number
  size: number
}

export interface TimeRuleService {
  /** Gives a park its default rule, open always, where it has none yet. */
  ensureDefaults(scope: Scope): Promise<void>
  list(scope: Scope, query: TimeRuleQuery): Promise<{ total: number; content: TimeRule[]; page: number; size: number }>
  names(scope: Scope): Promise<{ id: string; name: string }[]>
  /** @throws Refusal 300001 */
  read(scope: Scope, id: string): Promise<TimeRule>
  /** @throws Refusal 300203, 300204, 900004, 900007; InvalidRequest */
  create(scope: Scope, fields: TimeRuleFields): Promise<string>
  /** @throws as create; Refusal 300001; Conflict where it is not at `version` any more */
  change(scope: Scope, id: string, version: number | undefined, fields: TimeRuleFields): Promise<void>
  /** All or none. @throws Refusal 300001, 300002 used by a strategy, 300003 the default rule */
  delete(scope: Scope, ids: readonly string[]): Promise<number>
}

const ALWAYS: data.TimeRuleValues = {
  name: '24/7',
  periods: weekday.values.map((day) => ({ weekday: day, start: '00:00', end: '24:00' })),
  allowedExceptionDates: [],
  forbiddenExceptionDates: [],
  effectiveDate: null,
}

const present = (row: data.TimeRuleRow): TimeRule => ({
  ...row,
  periods: row.periods as TimeRule['periods'],
  updatedAt: row.updatedAt as number,
})

function valuesOf(fields: TimeRuleFields): data.TimeRuleValues {
  refuseIssues(validateTimeRule(fields))
  return { ...fields, effectiveDate: fields.effectiveDate ?? null }
}

/** What decides: all but the name. Periods keep their order and no more than their times. */
const settingsOf = ({ periods, allowedExceptionDates, forbiddenExceptionDates, effectiveDate }: data.TimeRuleValues) => ({
  periods: periods.map(({ weekday: day, start, end }) => ({ weekday: day, start, end })),
  allowedExceptionDates,
  forbiddenExceptionDates,
  effectiveDate,
})

function taken(error: unknown): never {
  if (violatedConstraint(error) === 'time_rule_name') refuse(900004, 'name')
  throw error
}

const COMPARED = ['name', 'periods', 'allowedExceptionDates', 'forbiddenExceptionDates', 'effectiveDate'] as const
/** Key order aside, so that what jsonb hands back compares equal to what a form sent. */
const comparable = (value: data.TimeRuleValues[(typeof COMPARED)[number]]) =>
  JSON.stringify(value, typeof value === 'object' ? ['weekday', 'start', 'end'] : null)

export function createTimeRuleService(platform: Platform): TimeRuleService {
  const db = platform.db as unknown as Database<AccessTables>

  async function ensureDefaults(scope: Scope): Promise<void> {
    if (await data.hasDefaultTimeRule(scope, db)) return
    const id = newId()
    await platform.transaction(async (tx: Tx<AccessTables>) => {
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
    async list(scope, query) {
      await ensureDefaults(scope)
      const { content, total } = await data.listTimeRules(scope, db, query)
      return { total, content: content.map(present), page: query.page, size: query.size }
    },
    async names(scope) {
      await ensureDefaults(scope)
      return data.nameTimeRules(scope, db)
    },
    read: async (scope, id) => present(await existing(scope, id)),
    async create(scope, fields) {
      const values = valuesOf(fields)
      await ensureDefaults(scope)
      const id = newId()
      await platform
        .transaction(async (tx: Tx<AccessTables>) => {
          await data.insertTimeRule(scope, tx, id, values, platform.clock.now())
          await platform.history.note(tx, scope, 'timeRule', id, settingsOf(values))
          await platform.events.announce(tx, timeRulesChanged, scope.parkId, { timeRuleIds: [id] })
        })
        .catch(taken)
      return id
    },
    async change(scope, id, version, fields) {
      const values = valuesOf(fields)
      const row = await existing(scope, id)
      await platform
        .transaction(async (tx: Tx<AccessTables>) => {
          if (!(await data.updateTimeRule(scope, tx, id, values, version ?? row.version, platform.clock.now()))) {
            const [current] = await data.findTimeRules(scope, tx, [id])
            const differing = COMPARED.filter((key) => current !== undefined && comparable(present(current)[key]) !== comparable(values[key]))
            throw new Conflict(differing.length > 0 ? differing : ['version'])
          }
          await platform.history.note(tx, scope, 'timeRule', id, settingsOf(values))
          await platform.events.announce(tx, timeRulesChanged, scope.parkId, { timeRuleIds: [id] })
        })
        .catch(taken)
    },
    async delete(scope, ids) {
      const wanted = [...new Set(ids)]
      if (!wanted.every(isUuid)) refuse(300001)
      await platform.transaction(async (tx: Tx<AccessTables>) => {
        const rows = await data.lockTimeRules(scope, tx, wanted, 'update')
        if (rows.length < wanted.length) refuse(300001)
        if (rows.some((row) => row.isDefault)) refuse(300003)
        if ((await data.countTimeRuleUses(scope, tx, wanted)) > 0) refuse(300002)
        await data.deleteTimeRules(scope, tx, wanted)
        await platform.history.noteAll(tx, scope, 'timeRule', wanted, async () => new Map())
        for (const timeRuleIds of eventBatches(wanted)) await platform.events.announce(tx, timeRulesChanged, scope.parkId, { timeRuleIds })
      })
      return wanted.length
    },
  }
}
