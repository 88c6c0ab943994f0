/**
 * Passages a park does not want recorded: of faces nobody knows, and a person's second one soon after the first. They are
 * taken and acknowledged like all others; no row is made of them.
 */
import { accessResult, failReason } from '@gatehouse/contract/enums'
import { sql, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { RecordDependencies } from './dependencies.ts'
import type { NewRecord } from './ingest-data.ts'
import type { Arrival } from './ingest-rows.ts'
import type { RecordTables } from './schema.ts'

const isStranger = ({ person_id: personId, fail_reason: reason }: NewRecord): boolean =>
  personId === null && reason === failReason.notRegistered
/** The server was asked about it: who is inside an area is known from its record. */
const wasAsked = ({ checks }: NewRecord): boolean => checks.includes('[19,')
/** Let in, as somebody: what a second passage is compared with, and may be itself. */
const isPassage = (row: NewRecord): boolean => row.person_id !== null && row.result === accessResult.allowed && !wasAsked(row)

const pairOf = ({ device_id: deviceId, person_id: personId }: Pick<NewRecord, 'device_id' | 'person_id'>): string =>
  `${deviceId}/${personId}`

/** Moments of the recorded passages of these persons at these devices, from the first less the span to the last. */
async function recordedAt(
  scope: Scope,
  db: Database<RecordTables>,
  rows: readonly NewRecord[],
  span: number,
): Promise<Map<string, number[]>> {
  const moments = rows.map((row) => Date.parse(row.occurred_at))
  const pairs = [...new Map(rows.map((row) => [pairOf(row), { device: row.device_id, person: row.person_id }])).values()]
  const { rows: found } = await sql<{ device_id: string; person_id: string; moment: number }>`
    SELECT record.device_id, record.person_id, extract(epoch FROM record.occurred_at) * 1000 AS moment
    FROM access_record AS record
    JOIN json_to_recordset(${JSON.stringify(pairs)}::json) AS pair (device uuid, person uuid) ON record.person_id = pair.person AND record.device_id = pair.device
    WHERE record.park_id = ${scope.parkId} AND record.result = ${accessResult.allowed}
      AND record.occurred_at > ${new Date(Math.min(...moments) - span)} AND record.occurred_at <= ${new Date(Math.max(...moments))}`.execute(
    db,
  )
  const known = new Map<string, number[]>()
  for (const row of found) known.set(pairOf(row), [...(known.get(pairOf(row)) ?? []), Number(row.moment)])
  return known
}

/**
 * The arrivals of a park that are to be recorded. What is stored is read before the transaction that adds to it: a device's
 * epoch that moves meanwhile is tried anew, so that of two nodes the later knows what the earlier stored.
 */
export async function wanted(
  scope: Scope,
  db: Database<RecordTables>,
  { organisation }: Pick<RecordDependencies, 'organisation'>,
  arrivals: readonly Arrival[],
): Promise<Arrival[]> {
  const { strangerRecords, reentrySeconds } = organisation.accessSettings(scope)
  const known = strangerRecords ? [...arrivals] : arrivals.filter(({ row }) => row === null || !isStranger(row))
  const span = reentrySeconds * 1000
  const passages = span === 0 ? [] : known.flatMap(({ row }) => (row !== null && isPassage(row) ? [row] : []))
  if (passages.length === 0) return known
  const recorded = await recordedAt(scope, db, passages, span)
  return known.filter(({ row }) => {
    if (row === null || !isPassage(row)) return true
    const moment = Date.parse(row.occurred_at)
    const before = recorded.get(pairOf(row)) ?? []
    if (before.some((earlier) => earlier <= moment && moment < earlier + span)) return false
    recorded.set(pairOf(row), [...before, moment])
    return true
  })
}
