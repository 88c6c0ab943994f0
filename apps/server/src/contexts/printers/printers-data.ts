/** Rows of printers; every function takes the scope first. */
import type { PrinterKind, PrintMedia } from '@gatehouse/contract/printers/calls'
import { containing, oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage, type Paging } from '../../platform/database/page.ts'
import { updateAtVersion } from '../../platform/database/versioned-rows.ts'
import type { Scope } from '../../platform/session/session.ts'

const columns = ['id', 'name', 'serialNumber', 'kind', 'address', 'media', 'version', 'updatedAt'] as const

export interface PrinterValues {
  name: string
  serialNumber: string
  kind: PrinterKind
  address: string | null
  media: PrintMedia
}

export function listPrinters(scope: Scope, db: Database, { name, ...page }: Paging & { name?: string | undefined }) {
  let rows = db.selectFrom('printer').where('parkId', '=', scope.parkId)
  if (name !== undefined && name !== '') rows = rows.where('name', 'ilike', containing(name))
  return readPage(rows.select(columns).orderBy('name').orderBy('id'), page)
}
export type PrinterRow = Awaited<ReturnType<typeof listPrinters>>['content'][number]

export const findPrinter = (scope: Scope, db: Database, id: string): Promise<PrinterRow | undefined> =>
  db
    .selectFrom('printer')
    .select(columns)
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf([id]))
    .executeTakeFirst()

/** Return the first network printer by name, one that prints badges before others; undefined where there is none. */
export const findNetworkPrinter = (scope: Scope, db: Database): Promise<PrinterRow | undefined> =>
  db
    .selectFrom('printer')
    .select(columns)
    .where('parkId', '=', scope.parkId)
    .where('kind', '=', 'ipp')
    .orderBy((eb) => eb('media', '=', 'badge'), 'desc')
    .orderBy('name')
    .limit(1)
    .executeTakeFirst()

export async function insertPrinter(scope: Scope, db: Database, id: string, values: PrinterValues, now: number): Promise<void> {
  await db
    .insertInto('printer')
    .values({ id, parkId: scope.parkId, ...values, createdAt: timestamp(now), updatedAt: timestamp(now), version: 1 })
    .execute()
}

/** Return false where the printer is not at this version any more. */
export const updatePrinter = (
  scope: Scope,
  db: Database,
  row: { id: string; version: number },
  values: PrinterValues,
  now: number,
): Promise<boolean> => updateAtVersion(scope, db, 'printer', row, values, now)

/** Delete a printer with its jobs. Return whether it was there. */
export async function deletePrinter(scope: Scope, db: Database, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('printer')
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf([id]))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Delete all printers of a park with their jobs. Return the number of rows by kind. */
export async function deleteOfPark(scope: Scope, db: Database): Promise<{ printJobs: number; printers: number }> {
  const jobs = await db.deleteFrom('printJob').where('parkId', '=', scope.parkId).executeTakeFirst()
  const printers = await db.deleteFrom('printer').where('parkId', '=', scope.parkId).executeTakeFirst()
  return { printJobs: Number(jobs.numDeletedRows), printers: Number(printers.numDeletedRows) }
}
