/** Registers new persons. */
import type { z } from 'zod'
import { personStatus } from '@gatehouse/contract/enums/people'
import { personCreate } from '@gatehouse/contract/people/person-fields'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { unmasked } from '../../platform/session/masking.ts'
import { assertConsent, noteFormConsent } from './consent.ts'
import { insertPerson } from './data.ts'
import type { RegisterParts } from './parts.ts'
import { exchangePictures } from './pictures.ts'
import { loggedForm } from './present.ts'
import type { PeopleService } from './service-types.ts'
import { refuseDuplicate } from './unique-values.ts'
import { createValues } from './values.ts'

export function createRegistering({
  platform,
  faces,
  groups,
  form,
  contacts,
  needs,
  admission,
  rows,
}: RegisterParts): Pick<PeopleService, 'create'> {
  const valuesOf = createValues(platform, groups, form)
  return {
    async create(scope, sent, sender, alongside) {
      const fields = unmasked(sender, personCreate, sent as z.output<typeof personCreate>)
      const id = newId()
      const values = await valuesOf(scope, id, fields, null)
      const photoIds = [...new Set(fields.facePhotos)]
      const enabled = sent.status !== personStatus.disabled
      assertConsent(needs, scope, values, photoIds, [])
      await admission
        .create(scope, fields, async (tx: Transaction) => {
          await insertPerson(scope, rows.within(tx), id, { ...values, faceCount: photoIds.length }, platform.clock.now(), { enabled })
          await faces.assign(tx, scope, id, photoIds)
          await exchangePictures(platform.storage, tx, scope, null, values)
          await contacts.addAll(tx, scope, id, sent.contacts ?? [], sender)
          await noteFormConsent(needs, tx, scope, id, { before: 'none', after: values.consent, sender })
          await rows.noteHistory(tx, scope, [id])
          platform.audit.note({
            entity: 'person',
            id,
            label: fields.name,
            labelMask: 'name',
            after: { ...loggedForm(form, scope, values, fields, photoIds), ...(!enabled && { enabled }) },
          })
          await rows.announceChange(tx, scope, [id])
          await alongside?.(tx, id)
        })
        .catch(refuseDuplicate)
      return id
    },
  }
}
