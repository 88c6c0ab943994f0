/** Rows that answer why a passage was decided as it was; every function takes the scope first. */
import type { Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen, personIsSeen } from '../../platform/session/sight.ts'
import type { RecordTables } from './schema.ts'

/** What a record keeps of how it was decided; undefined where this park has no such record. */
export function findDecision(scope: Scope, db: Database<RecordTables>, id: string) {
  return db
    .selectFrom('access_record')
    .select([
      'occurred_at as time',
      'clock_offset_ms as clockOffsetMs',
      'zone',
      'device_id as deviceId',
      'person_id as personId',
      'contact_id as contactId',
      'contact_name as contactName',
      'contact_relation as contactRelation',
      'checks',
      'fail_reason as failReason',
    ])
    .select(['settings_revision as settingsRevision'])
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where(personIsSeen(scope, 'access_record.person_id'))
    .where(deviceIsSeen(scope, 'access_record.device_id'))
    .executeTakeFirst()
}
