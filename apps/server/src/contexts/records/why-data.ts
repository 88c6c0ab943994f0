/** Rows that explain the decision on a passage; every function takes the scope first. */
import type { Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen, personIsSeen } from '../../platform/session/sight.ts'

/** Return what a record keeps about its decision; undefined where this park has no such record. */
export function findDecision(scope: Scope, db: Database, id: string) {
  return db
    .selectFrom('accessRecord')
    .select([
      'occurredAt as time',
      'clockOffsetMs',
      'zone',
      'deviceId',
      'personId',
      'contactId',
      'contactName',
      'contactRelation',
      'checks',
      'failReason',
    ])
    .select(['settingsRevision'])
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where(personIsSeen(scope, 'accessRecord.personId'))
    .where(deviceIsSeen(scope, 'accessRecord.deviceId'))
    .executeTakeFirst()
}
