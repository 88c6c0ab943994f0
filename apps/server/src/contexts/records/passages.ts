/** Facts of passages, for the areas that count who is where. */
import type { Platform } from '../../platform/context.ts'
import { oneOf, timestamp } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { checksOf } from './checks.ts'
import type { Span } from './records-data.ts'

export interface PassageFacts {
  deviceId: string
  personId: string | null
  direction: number
  result: number
  /** Epoch milliseconds of the device's clock, never corrected. */
  occurredAt: number
  receivedAt: number
  /** What has to be added to the device's clock to get the server's; null where it is not known. */
  clockOffsetMs: number | null
  /** Whether a QR code was shown and matched. */
  byCode: boolean
}

/** Return the named records of this park, earliest first; unknown ids are left out. */
export type Passages = (scope: Scope, recordIds: readonly string[], span?: Span) => Promise<PassageFacts[]>

export function createPassages(platform: Platform): Passages {
  const db = platform.db
  return async (scope, recordIds, span) => {
    const all = db
      .selectFrom('accessRecord')
      .select(['deviceId', 'personId', 'direction', 'result', 'occurredAt', 'receivedAt', 'clockOffsetMs', 'checks'])
      .where('parkId', '=', scope.parkId)
      .where('id', '=', oneOf(recordIds))
      .orderBy('occurredAt')
      .orderBy('id')
    const within =
      span === undefined ? all : all.where('occurredAt', '>=', timestamp(span.from)).where('occurredAt', '<=', timestamp(span.to))
    return (await within.execute()).map(({ checks, ...facts }) => ({
      ...facts,
      byCode: checksOf(checks).some(({ code, ok }) => code === 'qrCode' && ok),
    }))
  }
}
