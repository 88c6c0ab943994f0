/** What records tell of passages, for those who count who is where. */
import type { Platform } from '../../platform/context.ts'
import { oneOf, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { RecordTables } from './schema.ts'

export interface PassageFacts {
  deviceId: string
  personId: string | null
  direction: number
  result: number
  /** Epoch milliseconds of the device's clock, never corrected. */
  occurredAt: number
  receivedAt: number
  /** What has to be added to the device's clock for the server's; null where it is not known. */
  clockOffsetMs: number | null
}

/** The named records of this park, the earliest first; unknown ids are left out. */
export type Passages = (scope: Scope, recordIds: readonly string[]) => Promise<PassageFacts[]>

export function createPassages(platform: Platform): Passages {
  const db = platform.db as unknown as Database<RecordTables>
  return async (scope, recordIds) => {
    const rows = await db
      .selectFrom('access_record')
      .select([
        'device_id as deviceId',
        'person_id as personId',
        'direction',
        'result',
        'occurred_at as occurredAt',
        'received_at as receivedAt',
        'clock_offset_ms as clockOffsetMs',
      ])
      .where('park_id', '=', scope.parkId)
      .where('id', '=', oneOf(recordIds))
      .orderBy('occurred_at')
      .orderBy('id')
      .execute()
    return rows.map((row) => ({ ...row, occurredAt: row.occurredAt as number, receivedAt: row.receivedAt as number }))
  }
}
