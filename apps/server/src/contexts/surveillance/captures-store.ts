/** Storing of captures with what tasks made of them, in one transaction, and what areas above make of that. */
import { uuidV5 } from '../../platform/database/ids.ts'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './captures-data.ts'
import type { Keeping } from './captures-keeping.ts'
import type { MatchedRow, PreparedCapture, TaskOutcome } from './captures-types.ts'
import { captureCompanions, type MatchedCapture } from './extension-points.ts'
import { announceTemplates } from './search-events.ts'

export interface CaptureStore {
  /**
   * Return those of these captures that may be stored, with until when. Of a camera that keeps nobody who matches no task they are those
   * of persons whom a task identified, without what other tasks made of them.
   */
  kept(tx: Transaction, scope: Scope, keeping: Keeping, captures: readonly PreparedCapture[]): Promise<PreparedCapture<data.KeptCapture>[]>
  /** Store new captures; those that exist already are left as they are. Return how many were new. */
  add(tx: Transaction, scope: Scope, captures: readonly PreparedCapture<data.KeptCapture>[]): Promise<number>
  /** Store what tasks made of captures that are stored already. */
  match(tx: Transaction, scope: Scope, captures: readonly PreparedCapture<MatchedRow>[]): Promise<void>
}

/** Return the id of what a task made of a capture: the same each time. */
const matchId = (captureId: string, taskId: string): string => uuidV5(captureId, taskId)

/** Whether a task identified the person of a capture. */
export const isIdentified = (outcomes: readonly TaskOutcome[] | null): boolean => outcomes?.some(({ person }) => person !== null) ?? false

/** Milliseconds. */
const HOUR = 3_600_000

export function createCaptureStore({ extensions, events }: Pick<Platform, 'extensions' | 'events'>): CaptureStore {
  /** Return captures with their outcomes; a person who was deleted meanwhile counts as not found. */
  async function matchedOf(tx: Transaction, scope: Scope, captures: readonly PreparedCapture<MatchedRow>[]): Promise<MatchedCapture[]> {
    const personIds = new Set(captures.flatMap(({ outcomes }) => (outcomes ?? []).flatMap(({ person }) => person?.id ?? [])))
    const existing = await data.holdPersons(scope, tx, [...personIds])
    return captures.flatMap(({ row, outcomes }) => {
      if (outcomes === null || outcomes.length === 0) return []
      const { id, deviceId, deviceName, deviceType, capturedAt, receivedAt } = row
      const matches = outcomes.map(({ task, person }) => ({
        id: matchId(id, task.id),
        task,
        person: person !== null && existing.has(person.id) ? person : null,
      }))
      return [{ id, deviceId, deviceName, deviceType, capturedAt, receivedAt, matches }]
    })
  }

  async function match(tx: Transaction, scope: Scope, captures: readonly PreparedCapture<MatchedRow>[]): Promise<void> {
    await data.lockCameras(
      scope,
      tx,
      captures.map(({ row }) => row.deviceId),
    )
    const matched = await matchedOf(tx, scope, captures)
    if (matched.length === 0) return
    const rows = matched.flatMap(({ id, deviceId, capturedAt, matches }) =>
      matches.map(({ id: matchRowId, task, person }) => ({
        id: matchRowId,
        captureId: id,
        capturedAt,
        deviceId,
        taskId: task.id,
        taskName: task.name,
        personId: person?.id ?? null,
        personName: person?.name ?? '',
        groupId: person?.groupId ?? null,
        groupName: person?.groupName ?? '',
        score: person?.score ?? null,
      })),
    )
    await data.insertMatches(scope, tx, rows)
    for (const companion of extensions.all(captureCompanions)) await companion.matched?.(tx, scope, matched)
  }

  return {
    match,
    async kept(tx, scope, { keeping, hours }, captures) {
      if (keeping !== 'matchedOnly')
        return captures.map(({ row, outcomes }) => ({
          outcomes,
          row: { ...row, keptUntil: keeping === 'hours' ? row.receivedAt + hours * HOUR : null, matchedOnly: false },
        }))
      const personIds = new Set(captures.flatMap(({ outcomes }) => (outcomes ?? []).flatMap(({ person }) => person?.id ?? [])))
      const existing = await data.holdPersons(scope, tx, [...personIds])
      return captures.flatMap(({ row, outcomes }) => {
        const found = (outcomes ?? []).filter(({ person }) => person !== null && existing.has(person.id))
        return found.length === 0 ? [] : [{ row: { ...row, keptUntil: null, matchedOnly: true }, outcomes: found }]
      })
    },
    async add(tx, scope, captures) {
      const inserted = await data.insertCaptures(
        scope,
        tx,
        captures.map(({ row }) => row),
      )
      const comparable = captures.filter(({ row }) => row.template !== null && inserted.has(row.id))
      await announceTemplates(
        events,
        tx,
        scope,
        comparable.map(({ row }) => row),
      )
      await match(
        tx,
        scope,
        captures.filter(({ row }) => inserted.has(row.id)),
      )
      return inserted.size
    },
  }
}
