/**
 * Passages that a park chooses not to record: faces of strangers, and a person's second passage soon after the first. They are
 * received and acknowledged like all others, but not stored.
 */
import { wasServerAsked } from './checks.ts'
import { sentRows } from '../../platform/database/sent-rows.ts'
import { accessResult, failReason } from '@gatehouse/contract/enums'
import { sql, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { RecordDependencies } from './dependencies.ts'
import type { NewRecord } from './ingest-data.ts'
import type { Arrival } from './ingest-rows.ts'

const isStranger = ({ personId, failReason: reason }: NewRecord): boolean => personId === null && reason === failReason.notRegistered
/** Such a record is always stored: who is inside an area is known from it. */
const wasVerified = ({ checks }: NewRecord): boolean => wasServerAsked(checks)
/** An allowed passage of a person, which may be a second one or have one after it. */
const isPassage = (row: NewRecord): boolean => row.personId !== null && row.result === accessResult.allowed && !wasVerified(row)

const pairOf = ({ deviceId, personId }: Pick<NewRecord, 'deviceId' | 'personId'>): string => `${deviceId}/${personId}`

/** Return the moments of the recorded passages of these persons at these devices, from `span` before the first row to the last. */
async function recordedAt(scope: Scope, db: Database, rows: readonly NewRecord[], span: number): Promise<Map<string, number[]>> {
  const moments = rows.map((row) => Date.parse(row.occurredAt))
  const pairs = [...new Map(rows.map((row) => [pairOf(row), { device: row.deviceId, person: row.personId }])).values()]
  const { rows: found } = await sql<{ deviceId: string; personId: string; moment: number }>`
    SELECT record.device_id, record.person_id, extract(epoch FROM record.occurred_at) * 1000 AS moment
    FROM access_record AS record
    JOIN ${sentRows(pairs, { device: 'uuid', person: 'uuid' })} AS pair ON record.person_id = pair.person AND record.device_id = pair.device
    WHERE record.park_id = ${scope.parkId} AND record.result = ${accessResult.allowed}
      AND record.occurred_at > ${new Date(Math.min(...moments) - span)}
      AND record.occurred_at <= ${new Date(Math.max(...moments))}`.execute(db)
  const momentsByPerson = new Map<string, number[]>()
  for (const row of found) momentsByPerson.set(pairOf(row), [...(momentsByPerson.get(pairOf(row)) ?? []), Number(row.moment)])
  return momentsByPerson
}

/**
 * Return the arrivals of a park that are to be recorded. Stored passages are read before the transaction that adds to them: where
 * a device's epoch advances meanwhile the attempt is repeated, so that of two nodes the later sees what the earlier stored.
 */
export async function arrivalsToRecord(
  scope: Scope,
  db: Database,
  { organisation }: Pick<RecordDependencies, 'organisation'>,
  arrivals: readonly Arrival[],
): Promise<Arrival[]> {
  const { strangerRecords, reentrySeconds } = organisation.accessSettings(scope)
  const recognised = strangerRecords ? [...arrivals] : arrivals.filter(({ row }) => row === null || !isStranger(row))
  const span = reentrySeconds * 1000
  const passages = span === 0 ? [] : recognised.flatMap(({ row }) => (row !== null && isPassage(row) ? [row] : []))
  if (passages.length === 0) return recognised
  const recorded = await recordedAt(scope, db, passages, span)
  return recognised.filter(({ row }) => {
    if (row === null || !isPassage(row)) return true
    const moment = Date.parse(row.occurredAt)
    const before = recorded.get(pairOf(row)) ?? []
    if (before.some((earlier) => earlier <= moment && moment < earlier + span)) return false
    recorded.set(pairOf(row), [...before, moment])
    return true
  })
}
