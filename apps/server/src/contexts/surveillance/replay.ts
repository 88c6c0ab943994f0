/**
 * What a task would have alarmed about: stored captures compared with the persons it would look out for, in parts that the caller asks for
 * one after another. Nothing is stored for it, and the threshold is left to the caller.
 */
import { isOpen } from '@gatehouse/access-rules'
import { REPLAY_DAYS, REPLAY_DAYS_MAX } from '@gatehouse/contract/surveillance/replay'
import { createSemaphore, SemaphoreFull } from '../../platform/async/semaphore.ts'
import type { Platform } from '../../platform/context.ts'
import { placeOf, type Cursor } from '../../platform/http/newest-first.ts'
import { refuse } from '../../platform/http/refusal.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'
import { alarmsByCompanions } from './captures-alarms.ts'
import { readWindow } from './replay-data.ts'
import { createNearestPersons, type NearestPerson, type NearestPersons } from './replay-nearest.ts'
import type { Replay, ReplayDependencies } from './replay-types.ts'
import * as search from './search-data.ts'
import type { CaptureTemplates, OpenTemplate } from './search-templates.ts'
import { distinct, type MembersOfTasks } from './task-members.ts'
import { refuseTaskIssues } from './task-validation.ts'

type Body = Parameters<Replay['compare']>[1]

/** Captures of one answer, and those that are read at a time. */
const CAPTURES_EACH = 5000
const CAPTURES_AT_ONCE = 500
/** Parts that may wait while one is computed. */
const WAITING_MAX = 4

interface Compared extends Pick<OpenTemplate, 'id' | 'capturedAt' | 'deviceId'> {
  nearest: NearestPerson | null
}

/** @throws Refusal 900007 */
function windowOf({ startTime, endTime }: Body, now: number): { from: number; to: number } {
  const to = endTime ?? now
  const from = startTime ?? Math.max(0, to - REPLAY_DAYS * search.DAY_MS)
  if (to <= from || to - from > REPLAY_DAYS_MAX * search.DAY_MS) refuse(900007, endTime === undefined ? 'startTime' : 'endTime')
  return { from, to }
}

export function createReplay(
  { db, clock, extensions }: Pick<Platform, 'db' | 'clock' | 'extensions'>,
  { faces, people, organisation }: ReplayDependencies,
  { members, templates }: { members: Pick<MembersOfTasks, 'assert'>; templates: Pick<CaptureTemplates, 'open'> },
): Replay {
  const { modelId } = faces
  const turns = createSemaphore(1, WAITING_MAX)

  /** Compare the next captures; those outside the periods are looked at only. */
  async function part(
    scope: Scope,
    { window, periods, after }: { window: Required<search.SearchWindow>; periods: Body['periods']; after: Cursor | null },
    nearest: NearestPersons,
    signal: AbortSignal,
  ): Promise<{ captures: Compared[]; looked: number; next: Cursor | null }> {
    const { zone } = organisation.park(scope)
    const hours = { id: '', periods, allowedExceptionDates: [], forbiddenExceptionDates: [] }
    const captures: Compared[] = []
    let last = after
    for (let looked = 0; ;) {
      if (signal.aborted) refuse(900000)
      const rows = await readWindow(scope, db, window, modelId, last, CAPTURES_AT_ONCE)
      const opened = await templates.open(
        scope,
        rows.filter(({ capturedAt }) => isOpen(hours, capturedAt, zone)),
      )
      const found = await nearest(
        scope,
        opened.map(({ embedding }) => embedding),
      )
      for (const [at, { id, capturedAt, deviceId }] of opened.entries()) captures.push({ id, capturedAt, deviceId, nearest: found[at]! })
      looked += rows.length
      const end = rows.at(-1)
      if (end === undefined || rows.length < CAPTURES_AT_ONCE) return { captures, looked, next: null }
      last = { time: end.capturedAt, id: end.id }
      if (looked >= CAPTURES_EACH) return { captures, looked, next: last }
    }
  }

  async function compare(scope: Scope, body: Body, alarmScope: Scope | null, signal: AbortSignal): ReturnType<Replay['compare']> {
    const { from, to } = windowOf(body, clock.now())
    const deviceIds = distinct(body.deviceIds)
    const window = search.withoutFuture({ from, to, deviceIds }, clock.now())
    const { after } = placeOf({ page: 1, size: CAPTURES_EACH, after: body.after })
    const [counted, unseen, personIds] = await Promise.all([
      search.countByDay(scope, db, window, modelId),
      search.countUnseen(scope, db, window, modelId),
      people.idsInGroups(scope, distinct(body.personGroupIds)),
    ])
    const sumOf = (of: 'captures' | 'comparable') => counted.reduce((sum, row) => sum + row[of], 0)
    const nearest = await createNearestPersons(scope, faces, personIds, body.compareRule === 'person')
    const { captures, looked, next } = await part(scope, { window, periods: body.periods, after }, nearest, signal)
    const foundIds = [...new Set(captures.flatMap(({ nearest: found }) => found?.personId ?? []))]
    const [described, statuses] = await Promise.all([
      people.describe(scope, foundIds),
      alarmsByCompanions(extensions, alarmScope, (companion, seen) =>
        companion.statusesOf?.(
          seen,
          captures.map(({ id }) => id),
        ),
      ),
    ])
    const stored = new Set(counted.map(({ deviceId }) => deviceId))
    return {
      startTime: from,
      endTime: to,
      total: sumOf('captures') - unseen,
      comparable: sumOf('comparable') - unseen,
      emptyDeviceIds: deviceIds.filter((id) => !stored.has(id)),
      looked,
      captures: captures.map(({ id, capturedAt, deviceId, nearest: found }) => ({
        id,
        time: capturedAt,
        deviceId,
        personId: found?.personId ?? null,
        score: found?.score ?? null,
        alarmStatus: (statuses.get(id) ?? null) as Awaited<ReturnType<Replay['compare']>>['captures'][number]['alarmStatus'],
      })),
      persons: described.map(({ id, name }) => ({ id, name })),
      promised: seesWatchList(scope) ? (await faces.thresholdsOf(scope)).watchList : null,
      ...(next !== null && { next: `${next.time}_${next.id}` }),
    }
  }

  return {
    async compare(scope, body, alarmScope, signal) {
      refuseTaskIssues({ periods: body.periods, deviceIds: body.deviceIds, personGroupIds: body.personGroupIds })
      await members.assert(scope, body)
      const leave = await turns.enter(1, scope.parkId, signal).catch((error: unknown) => {
        if (error instanceof SemaphoreFull) refuse(900000)
        throw error
      })
      try {
        return await compare(scope, body, alarmScope, signal)
      } finally {
        leave()
      }
    },
  }
}
