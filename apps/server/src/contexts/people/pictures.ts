/** The picture of a person's ID and the one of the registration. */
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { RowValues } from './values.ts'

type Pictures = Pick<RowValues, 'idPhoto' | 'registrationPhoto'>

const fileIdsOf = (pictures: Pictures | null): string[] =>
  [pictures?.idPhoto, pictures?.registrationPhoto].filter((id): id is string => id != null)

/** Keep the new pictures and release those they replace, in the transaction. @param before null for a new person */
export async function exchangePictures(
  storage: Platform['storage'],
  tx: Transaction,
  scope: Scope,
  before: Pictures | null,
  after: Pictures,
): Promise<void> {
  const [old, current] = [fileIdsOf(before), fileIdsOf(after)]
  await storage.keep(
    tx,
    scope,
    current.filter((id) => !old.includes(id)),
  )
  await storage.release(
    tx,
    scope,
    old.filter((id) => !current.includes(id)),
  )
}
