/** Rule alarms and temperature alarms: lists, and their handling. */
import type { z } from 'zod'
import type { DataOf } from '@gatehouse/contract'
import { EVENT_ALARM_STATES, FACE_ALARM_STATES } from '@gatehouse/contract/alarms/handling'
import type { RuleAlarm, ruleAlarmCalls } from '@gatehouse/contract/alarms/rule-alarms'
import type { TemperatureAlarm, temperatureAlarmCalls } from '@gatehouse/contract/alarms/temperature-alarms'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { pageOf } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import { inOrderOf } from '../../platform/database/in-order.ts'
import { momentsOf, newestFirst, placeOf } from '../../platform/http/newest-first.ts'
import { Conflict, refuse } from '../../platform/http/refusal.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import type { RecordService } from '../records/index.ts'
import { ruleAlarmsChanged } from './events.ts'
import * as data from './passage-alarms-data.ts'
import { faceAlarmAbilities, isHandled, stepsTo } from './face-alarms-policy.ts'
import type { LiveRows } from './live.ts'
import { canDispose } from './policy.ts'

type Body<Call extends { body: z.ZodType }> = z.output<Call['body']>

export interface PassageAlarms {
  /** Rule alarms. */
  live: LiveRows<RuleAlarm>
  /** @throws Refusal 900007 a window that ends before it begins or is too long */
  rules(scope: Scope, query: Body<typeof ruleAlarmCalls.list>): Promise<DataOf<typeof ruleAlarmCalls.list>>
  /** @throws Refusal 500012 no such alarm, 500013 handled already */
  dispose(scope: Scope, actor: Actor, change: Body<typeof ruleAlarmCalls.dispose>): Promise<RuleAlarm>
  /** @throws Refusal 900007 a window that ends before it begins or is too long */
  temperatures(scope: Scope, query: Body<typeof temperatureAlarmCalls.list>): Promise<DataOf<typeof temperatureAlarmCalls.list>>
  /** @throws Refusal 500012 no such alarm */
  temperature(scope: Scope, id: string): Promise<DataOf<typeof temperatureAlarmCalls.read>>
  /** @throws Refusal 500012 no such alarm, 500013 handled already, 500014 a state that cannot follow; Conflict */
  handleTemperature(scope: Scope, actor: Actor, change: Body<typeof temperatureAlarmCalls.handle>): Promise<TemperatureAlarm>
}

/** What a record adds to an alarm. */
interface Pictures {
  captureImage: string
  captureThumbnail: string
  registeredImage: string
  instruction: string
}
const WITHOUT_PICTURES: Pictures = { captureImage: '', captureThumbnail: '', registeredImage: '', instruction: '' }

const picturesOf = ({ captureImage, captureThumbnail, registeredImage, watchList }: AccessRecord): Pictures => ({
  captureImage,
  captureThumbnail,
  registeredImage: watchList?.registeredImage ?? registeredImage,
  instruction: watchList?.instruction ?? '',
})

/** Return the fields that rows of both kinds have. */
const sharedFields = (row: data.PassageAlarmRow) => ({
  id: row.id,
  level: row.level,
  time: row.time,
  lastTime: row.lastTime,
  count: row.count,
  deviceId: row.deviceId,
  deviceName: row.deviceName,
  recordId: row.recordId,
  personId: row.personId,
  personName: row.personName,
  status: row.status,
  operator: row.operator,
  dealingRecord: row.dealingRecord,
  dealtAt: row.dealtAt,
  escalatedAt: row.escalatedAt,
})

function ruleAlarmOf(row: data.PassageAlarmRow, pictures: Pictures): RuleAlarm {
  const { status, level, ...fields } = sharedFields(row)
  return {
    ...fields,
    ...pictures,
    kind: row.kind as RuleAlarm['kind'],
    level: level as RuleAlarm['level'],
    status: status as RuleAlarm['status'],
    can: { dispose: canDispose(row) },
  }
}

function temperatureAlarmOf(row: data.PassageAlarmRow, { instruction: _, ...pictures }: Pictures): TemperatureAlarm {
  const { status, level, ...fields } = sharedFields(row)
  return {
    ...fields,
    ...pictures,
    level: level as TemperatureAlarm['level'],
    status: status as TemperatureAlarm['status'],
    temperature: row.temperature,
    temperatureStatus: row.temperatureStatus as TemperatureAlarm['temperatureStatus'],
    can: faceAlarmAbilities(row),
    version: row.version,
  }
}

/** Return the states that a tab and a filter leave; null for all. */
function statesOf(
  states: Readonly<Record<'unhandled' | 'handled', readonly number[]>>,
  { tab, status }: { tab?: 'unhandled' | 'handled' | undefined; status?: number | undefined },
): readonly number[] | null {
  const ofTab = tab === undefined ? null : states[tab]
  if (status === undefined) return ofTab
  return ofTab === null ? [status] : ofTab.filter((one) => one === status)
}

export function createPassageAlarms(platform: Platform, records: Pick<RecordService, 'rows'>): PassageAlarms {
  const db = platform.db

  /** Return the pictures of alarms by record, as far as the caller may see the records. */
  async function picturesFor(scope: Scope, rows: readonly data.PassageAlarmRow[]): Promise<Map<string, Pictures>> {
    if (rows.length === 0) return new Map()
    const moments = rows.map(({ recordAt }) => recordAt)
    const span = { from: Math.min(...moments), to: Math.max(...moments) }
    const found = await records.rows(scope, [...new Set(rows.map(({ recordId }) => recordId))], span)
    return new Map(found.map((record) => [record.id, picturesOf(record)]))
  }

  async function present<Alarm>(
    scope: Scope,
    rows: readonly data.PassageAlarmRow[],
    alarmOf: (row: data.PassageAlarmRow, pictures: Pictures) => Alarm,
  ): Promise<Alarm[]> {
    const pictures = await picturesFor(scope, rows)
    return rows.map((row) => alarmOf(row, pictures.get(row.recordId) ?? WITHOUT_PICTURES))
  }

  type Query = Body<typeof ruleAlarmCalls.list> | Body<typeof temperatureAlarmCalls.list>
  async function list<Alarm>(
    scope: Scope,
    query: Query,
    filter: Pick<data.PassageAlarmFilter, 'about' | 'statuses' | 'kind' | 'level' | 'temperatureStatus'>,
    alarmOf: (row: data.PassageAlarmRow, pictures: Pictures) => Alarm,
  ) {
    const page = pageOf(query)
    const { deviceId, personName } = query
    const where = { ...momentsOf(query, platform.clock.now()), ...filter, deviceId, personName }
    const [rows, total] = await Promise.all([
      data.listAlarms(scope, db, where, placeOf({ ...page, after: query.after })),
      data.countAlarms(scope, db, where),
    ])
    return newestFirst(page, total, rows, await present(scope, rows.slice(0, page.size), alarmOf))
  }

  async function one(scope: Scope, id: string, about: data.PassageAlarmFilter['about']): Promise<data.PassageAlarmRow> {
    const [row] = await data.findAlarms(scope, db, [id])
    if (row === undefined || (row.kind === 'temperature') !== (about === 'temperatures')) refuse(500012, 'id')
    return row
  }

  async function visible(scope: Scope, ids: readonly string[]): Promise<data.PassageAlarmRow[]> {
    return inOrderOf(ids, await data.findAlarms(scope, db, ids))
  }

  return {
    live: {
      rows: async (scope, ids) => present(scope, await visible(scope, ids), ruleAlarmOf),
      seen: async (scope, ids) => (await visible(scope, ids)).map(({ id }) => id),
    },
    rules(scope, query) {
      const { kind, level } = query
      return list(scope, query, { about: 'rules', statuses: statesOf(EVENT_ALARM_STATES, query), kind, level }, ruleAlarmOf)
    },
    async dispose(scope, { operator }, { id, status, dealingRecord: record = '' }) {
      await platform.transaction(async (tx) => {
        const row = await data.lockAlarm(scope, tx, 'rules', id)
        if (row === undefined) refuse(500012, 'id')
        if (!canDispose(row)) refuse(500013, 'id')
        await data.dealWith(scope, tx, id, [{ status, operator, record }], platform.clock.now())
        platform.audit.note({ entity: 'ruleAlarm', id, label: row.deviceName, before: { status: row.status }, after: { status } })
        await platform.events.announce(tx, ruleAlarmsChanged, scope.parkId, { ids: [id] })
      })
      return (await present(scope, [await one(scope, id, 'rules')], ruleAlarmOf))[0]!
    },
    temperatures(scope, query) {
      const { temperatureStatus } = query
      return list(
        scope,
        query,
        { about: 'temperatures', statuses: statesOf(FACE_ALARM_STATES, query), temperatureStatus },
        temperatureAlarmOf,
      )
    },
    async temperature(scope, id) {
      const row = await one(scope, id, 'temperatures')
      const [[alarm], steps] = await Promise.all([present(scope, [row], temperatureAlarmOf), data.findSteps(scope, db, [id])])
      return { ...alarm!, steps: steps.map(({ alarmId: _, ...step }) => step) }
    },
    async handleTemperature(scope, { operator }, { id, status, dealingRecord: record = '', version }) {
      await platform.transaction(async (tx) => {
        const row = await data.lockAlarm(scope, tx, 'temperatures', id)
        if (row === undefined) refuse(500012, 'id')
        // First of all: of two users who end an alarm, the second learns that somebody has.
        if (isHandled(row)) refuse(500013, 'id')
        if (version !== undefined && version !== row.version) throw new Conflict(['version'])
        const states = stepsTo(row, status)
        if (states.length === 0) refuse(500014, 'status')
        const steps = states.map((state) => ({ status: state, operator, record }))
        await data.dealWith(scope, tx, id, steps, platform.clock.now())
        platform.audit.note({ entity: 'temperatureAlarm', id, label: row.deviceName, before: { status: row.status }, after: { status } })
      })
      return (await present(scope, [await one(scope, id, 'temperatures')], temperatureAlarmOf))[0]!
    },
  }
}
