/** Alarms of faces: listed, read, dealt with, and as live screens show them. */
import type { DataOf, OutputOf } from '@gatehouse/contract'
import { pageOf } from '@gatehouse/contract'
import type { FaceAlarm, FaceAlarmBubble, faceAlarmCalls } from '@gatehouse/contract/alarms/face-alarms'
import { alarmMatchType } from '@gatehouse/contract/enums/alarms'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { inOrderOf } from '../../platform/database/in-order.ts'
import { momentsOf, newestFirst, placeOf } from '../../platform/http/newest-first.ts'
import { Conflict, refuse } from '../../platform/http/refusal.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import * as data from './face-alarms-data.ts'
import { isHandled, stepsTo } from './face-alarms-policy.ts'
import { bubbleOf, createPresenting, type FaceAlarmNeeds } from './face-alarms-presenting.ts'
import { announceFaceAlarms } from './face-alarms-raising.ts'
import type { LiveRows } from './live.ts'

type Calls = typeof faceAlarmCalls

export interface FaceAlarms {
  /**
   * Newest first.
   * @throws Refusal 900007 a window that ends before it begins or is too long; InvalidRequest a page beyond row 10,000, a cursor that is
   *   none
   */
  list(scope: Scope, query: OutputOf<Calls['list']['body']>): Promise<DataOf<Calls['list']>>
  /** @throws Refusal 500012 unknown */
  read(scope: Scope, id: string): Promise<DataOf<Calls['read']>>
  /** @throws Refusal 500012 unknown, 500013 handled already, 500014 not from its state; Conflict */
  handle(scope: Scope, actor: Actor, change: OutputOf<Calls['handle']['body']>): Promise<FaceAlarm>
  live: LiveRows<FaceAlarmBubble>
}

export function createFaceAlarms(platform: Platform, needs: FaceAlarmNeeds): FaceAlarms {
  const { db, clock } = platform
  const presentAll = createPresenting(platform, needs)

  async function inOrder(scope: Scope, ids: readonly string[]): Promise<data.FaceAlarmRow[]> {
    return inOrderOf(ids, await data.findFaceAlarms(scope, db, ids))
  }

  /** Return an alarm as it is shown. @throws Refusal 500012 unknown */
  async function one(scope: Scope, id: string): Promise<FaceAlarm> {
    const [alarm] = await presentAll(scope, await data.findFaceAlarms(scope, db, [id]))
    return alarm ?? refuse(500012)
  }

  async function deal(
    tx: Transaction,
    scope: Scope,
    actor: Actor,
    { id, status, dealingRecord = '', version }: Parameters<FaceAlarms['handle']>[2],
  ) {
    const row = await data.lockFaceAlarm(scope, tx, id)
    if (row === undefined) refuse(500012)
    // First of all: of two users who end an alarm, the second learns that somebody has.
    if (isHandled(row)) refuse(500013)
    if (version !== undefined && version !== row.version) throw new Conflict(['version'])
    const steps = stepsTo(row, status)
    if (steps.length === 0) refuse(500014, 'status')
    const { operator } = actor
    const now = clock.now()
    for (const step of steps) await data.insertStep(scope, tx, { alarmId: id, status: step, operator, record: dealingRecord }, now)
    await data.updateState(scope, tx, id, { status, operator, dealingRecord }, now)
    platform.audit.note({
      entity: 'faceAlarm',
      id,
      label: row.taskName,
      // Not what was written: it may name the person, and the log is kept longer than the alarm.
      before: { status: row.status },
      after: { status },
    })
    await announceFaceAlarms(platform, tx, scope, [id])
  }

  return {
    async list(scope, query) {
      const page = pageOf(query)
      const { tab, status, matchType, level, deviceId, taskId, personId, personName } = query
      const isMatched = matchType === undefined ? undefined : matchType === alarmMatchType.matched
      const filter = { ...momentsOf(query, clock.now()), tab, status, isMatched, level, deviceId, taskId, personId, personName }
      const [rows, total] = await Promise.all([
        data.listFaceAlarms(scope, db, filter, placeOf({ ...page, after: query.after })),
        data.countFaceAlarms(scope, db, filter),
      ])
      const content = await presentAll(scope, rows.slice(0, page.size))
      return newestFirst(
        page,
        total,
        rows.map(({ id, capturedAt: time }) => ({ id, time })),
        content,
      )
    },
    read: async (scope, id) => ({ ...(await one(scope, id)), steps: await data.findSteps(scope, db, id) }),
    async handle(scope, actor, change) {
      await platform.transaction((tx) => deal(tx, scope, actor, change))
      return one(scope, change.id)
    },
    live: {
      rows: async (scope, ids) => (await presentAll(scope, await inOrder(scope, ids))).map(bubbleOf),
      seen: async (scope, ids) => (await inOrder(scope, ids)).map(({ id }) => id),
    },
  }
}
