/** Contacts as calls answer them. */
import type { Contact } from '@gatehouse/contract/people/contacts'
import type { Platform } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { FacesService } from '../faces/index.ts'
import type { ContactRow } from './contacts-data.ts'
import type { Reading } from './data.ts'

export interface ContactRows {
  /** Outside of any transaction. */
  reading: Reading
  within(db: Database): Reading
  /** Return contacts with their photographs. @param tx read photographs through this transaction */
  present(scope: Scope, rows: readonly ContactRow[], tx?: Transaction): Promise<Contact[]>
}

export function createContactRows(platform: Platform, faces: FacesService): ContactRows {
  const within = (db: Database): Reading => ({ db, crypto: platform.crypto })
  return {
    reading: within(platform.db),
    within,
    async present(scope: Scope, rows: readonly ContactRow[], tx?: Transaction): Promise<Contact[]> {
      const photos = await faces.photosOfContacts(
        scope,
        rows.map(({ id }) => id),
        tx,
      )
      return rows.flatMap((row) => {
        const face = photos.get(row.id)
        // Deleted meanwhile.
        return face === undefined ? [] : [{ ...row, photo: face.faceId, face }]
      })
    },
  }
}
