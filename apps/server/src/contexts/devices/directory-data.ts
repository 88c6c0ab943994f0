/** Devices by their codes and secrets. */
import type { Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DeviceEntry } from './directory.ts'

const entries = (db: Database) =>
  db
    .selectFrom('device')
    .select((eb) => ['id', 'code', 'parkId', 'secretHash', eb('releasedAt', 'is not', null).$castTo<boolean>().as('released')])

/** Return all devices with their codes and secrets. Unscoped: the directory of the installation. */
export function allEntriesUnscoped(db: Database): Promise<DeviceEntry[]> {
  return entries(db).execute()
}

export function findEntries(scope: Scope, db: Database, ids: readonly string[]): Promise<DeviceEntry[]> {
  if (ids.length === 0) return Promise.resolve([])
  return entries(db).where('parkId', '=', scope.parkId).where('id', 'in', ids).execute()
}

/** Return the device of a code, in any case of letters. Unscoped: a device identifies itself by its code. */
export function findEntryUnscoped(db: Database, code: string): Promise<DeviceEntry | undefined> {
  return entries(db)
    .where((eb) => eb(eb.fn('lower', ['code']), '=', code.toLowerCase()))
    .executeTakeFirst()
}
