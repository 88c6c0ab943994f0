/** Changes persons by their form. */
import { personCreate, type ConsentState } from '@gatehouse/contract/people/person-fields'
import type { Transaction } from '../../platform/database/database.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { Conflict, refuse } from '../../platform/http/refusal.ts'
import { unmasked } from '../../platform/session/masking.ts'
import type { Scope } from '../../platform/session/session.ts'
import { assertConsent, noteFormConsent } from './consent.ts'
import * as data from './data.ts'
import { COMPARED_FIELDS, formOf } from './fields.ts'
import type { RegisterParts } from './parts.ts'
import { exchangePictures } from './pictures.ts'
import { createPresenter, loggedForm, loggedPerson } from './present.ts'
import type { PeopleService } from './service-types.ts'
import { refuseDuplicate } from './unique-values.ts'
import { createValues } from './values.ts'

export function createChanging({
  platform,
  faces,
  groups,
  form,
  contacts,
  needs,
  admission,
  rows,
}: RegisterParts): Pick<PeopleService, 'change'> {
  const { idNumberOf } = createPresenter(platform, form)
  const valuesOf = createValues(platform, groups, form)

  /** @throws Conflict with the fields that differ where the person is not at `version` any more */
  async function update(tx: Transaction, scope: Scope, id: string, values: data.PersonValues, version: number): Promise<void> {
    if (await data.updatePerson(scope, rows.within(tx), id, values, version, platform.clock.now())) return
    const current = (await data.findPersons(scope, rows.within(tx), [id]))[0]
    const differing = COMPARED_FIELDS.filter((key) => current?.[key] !== values[key])
    throw new Conflict(differing.length > 0 ? differing : ['version'])
  }

  return {
    async change(scope, id, version, sent, sender, alongside) {
      const person = (await rows.existing(scope, [id]))[0]!
      if (!person.enabled) refuse(200224)
      // A masked value can only be compared with the version it was masked from.
      if (sender.masking && version !== undefined && version !== person.version) throw new Conflict(['version'])
      const { contacts: sentContacts, ...change } = sent
      const [idNumber, photos] = await Promise.all([idNumberOf(scope, person), faces.photosOf(scope, [id])])
      const storedPhotoIds = (photos.get(id) ?? []).map(({ faceId }) => faceId)
      const current = formOf(person, idNumber, storedPhotoIds)
      const fields = leftAsItWas(current, unmasked(sender, personCreate, change, { ...current }))
      const values = await valuesOf(scope, id, fields, person)
      // A person who withdraws consent has no photographs, whatever the form still shows.
      const photoIds = values.consent === 'withdrawn' && person.consent === 'given' ? [] : [...new Set(fields.facePhotos)]
      assertConsent(needs, scope, values, photoIds, storedPhotoIds)
      const before = loggedPerson(
        { ...person, consent: person.consent as ConsentState },
        { idNumber, groupName: person.groupName, facePhotos: storedPhotoIds, formFields: form.read(scope).fields },
      )
      await admission
        .change(scope, [id], { groupId: sent.groupId, kind: sent.kind, validTo: sent.validTo }, 'groupId', async (tx: Transaction) => {
          await update(tx, scope, id, { ...values, faceCount: photoIds.length }, version ?? person.version)
          await faces.assign(tx, scope, id, photoIds)
          await exchangePictures(platform.storage, tx, scope, person, values)
          if (sentContacts !== undefined) await contacts.exchange(tx, scope, id, sentContacts ?? [], sender)
          await noteFormConsent(needs, tx, scope, id, { before: person.consent, after: values.consent, sender })
          await rows.noteHistory(tx, scope, [id])
          platform.audit.note({
            entity: 'person',
            id,
            label: fields.name,
            labelMask: 'name',
            before,
            after: loggedForm(form, scope, values, fields, photoIds),
          })
          await rows.announceChange(tx, scope, [id])
          await alongside?.(tx, id)
        })
        .catch(refuseDuplicate)
    },
  }
}
