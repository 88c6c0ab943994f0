/** Facts of passages that may break a rule of the park, for the area that raises alarms. */
import { accessResult, temperatureStatus } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { findRecords, type Span } from './records-data.ts'

const columns = columnList([
  'id',
  'deviceId',
  'deviceName',
  'personId',
  'personName',
  'occurredAt',
  'receivedAt',
  'clockOffsetMs',
  'result',
  'failReason',
  'restriction',
  'temperature',
  'temperatureStatus',
  'watched',
])

/** Temperatures that are alarms; a failed measurement says nothing about the person. */
const ABNORMAL = [temperatureStatus.fever, temperatureStatus.low] as const

/** Return the query for these records of a park. */
function named({ parkId }: Scope, db: Database, recordIds: readonly string[], span: Span | undefined) {
  const rows = db.selectFrom('accessRecord').select(columns).where('parkId', '=', parkId).where('id', '=', oneOf(recordIds))
  return span === undefined ? rows : rows.where('occurredAt', '>=', timestamp(span.from)).where('occurredAt', '<=', timestamp(span.to))
}
export type RulePassage = Awaited<ReturnType<ReturnType<typeof named>['execute']>>[number]

export interface RulePassages {
  /** Refused passages and those with an abnormal temperature among these records, earliest first, whoever calls. */
  notable(scope: Scope, recordIds: readonly string[], span?: Span): Promise<RulePassage[]>
  /** One passage, whatever it was and whoever calls; undefined where there is none. */
  one(scope: Scope, recordId: string, span?: Span): Promise<RulePassage | undefined>
  /**
   * Ids of the refused passages at a device in a period by its clock, both ends included, earliest first, whoever calls; without those of
   * persons of the watch list. At most `limit`, the latest.
   */
  refusedAt(scope: Scope, deviceId: string, period: Span, limit: number): Promise<string[]>
  /** File ids of the pictures of these records that the caller may see, by record. */
  pictures(scope: Scope, recordIds: readonly string[], span: Span): Promise<Map<string, string>>
}

export function createRulePassages({ db }: Pick<Platform, 'db'>): RulePassages {
  return {
    notable: (scope, recordIds, span) =>
      named(scope, db, recordIds, span)
        .where((eb) => eb.or([eb('result', '=', accessResult.rejected), eb('temperatureStatus', 'in', ABNORMAL)]))
        .orderBy('occurredAt')
        .orderBy('id')
        .execute(),
    one: (scope, recordId, span) => named(scope, db, [recordId], span).executeTakeFirst(),
    async refusedAt({ parkId }, deviceId, { from, to }, limit) {
      const rows = await db
        .selectFrom('accessRecord')
        .select('id')
        .where('parkId', '=', parkId)
        .where('deviceId', '=', deviceId)
        .where('occurredAt', '>=', timestamp(from))
        .where('occurredAt', '<=', timestamp(to))
        .where('result', '=', accessResult.rejected)
        .where('watched', '=', false)
        .orderBy('occurredAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(({ id }) => id).toReversed()
    },
    async pictures(scope, recordIds, span) {
      const rows = await findRecords(scope, db, recordIds, span)
      return new Map(rows.flatMap(({ id, captureFileId }) => (captureFileId === null ? [] : [[id, captureFileId]])))
    },
  }
}
