/** A person as calls answer it, and as the operation log shows it. */
import { personStatusAt } from '@gatehouse/access-rules'
import type { ConsentState } from '@gatehouse/contract/people/person-fields'
import type { Person } from '@gatehouse/contract/people/person'
import type { CustomField } from '@gatehouse/contract/people/form'
import { ofPlainFields } from '@gatehouse/contract/people/plain-fields'
import type { FacePhoto } from '@gatehouse/contract/faces/calls'
import type { Platform } from '../../platform/context.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { PersonRow, PersonValues } from './data.ts'
import type { PersonFields } from './fields.ts'
import type { FormService } from './form.ts'
import { ID_NUMBER } from './schema.ts'
import type { RowValues } from './values.ts'

export function createPresenter({ crypto, storage, clock }: Platform, form: FormService) {
  async function idNumberOf(scope: Scope, { id, idNumber }: Pick<PersonRow, 'id' | 'idNumber'>): Promise<string> {
    if (idNumber === null) return ''
    const read = await crypto.reader(scope.parkId)
    return read(placeOf(ID_NUMBER, id), idNumber)?.toString('utf8') ?? ''
  }

  const addressOf = (scope: Scope, fileId: string | null): string => (fileId === null ? '' : storage.address(scope, fileId, 'full'))

  return {
    idNumberOf,
    /** Persons as calls answer them, in the order of their rows. @param photos by person */
    async present(scope: Scope, rows: readonly PersonRow[], photos: ReadonlyMap<string, readonly FacePhoto[]>): Promise<Person[]> {
      const now = clock.now()
      const { fields } = form.read(scope)
      return Promise.all(
        rows.map(async (row) => {
          const { enabled, consent, personalPassword: _password, personalPasswordIndex, cardKey: _cardKey, ...rest } = row
          const validTo = row.validTo
          const faces = photos.get(row.id) ?? []
          return {
            ...rest,
            validFrom: row.validFrom,
            validTo,
            workNumber: row.workNumber ?? '',
            phone: row.phone ?? '',
            email: row.email ?? '',
            cardNumber: row.cardNumber ?? '',
            idType: row.idType ?? '',
            idNumber: row.idNumber === null ? '' : await idNumberOf(scope, row),
            ...ofPlainFields((field) => row[field] ?? ''),
            birthday: row.birthday ?? '',
            idPhoto: addressOf(scope, row.idPhoto),
            registrationPhoto: addressOf(scope, row.registrationPhoto),
            hasPersonalPassword: personalPasswordIndex !== null,
            faceConsent: consent as ConsentState,
            consentAt: row.consentAt,
            customFields: fields.map(({ id, title }) => ({ id, title, value: row.customFields[id] ?? '' })),
            facePhotos: faces.map(({ faceId }) => faceId),
            faces: [...faces],
            status: personStatusAt({ enabled, validTo }, now),
            createdAt: row.createdAt,
            updatedAt: row.updatedAt,
          }
        }),
      )
    },
  }
}

/**
 * Return a person as the operation log shows it: of a password and an ID number only whether there is one and whether it changed.
 * @param more `idNumber` in clear; the log never stores it
 */
export const loggedPerson = (
  values: Omit<PersonValues, 'groupId' | 'cardKey' | 'idNumber' | 'idNumberIndex' | 'personalPassword' | 'consentAt' | 'faceCount'>,
  more: { idNumber: string; groupName: string; facePhotos: readonly string[]; formFields: readonly CustomField[] },
) => ({
  name: values.name,
  workNumber: values.workNumber,
  phone: values.phone,
  email: values.email,
  gender: values.gender,
  groupName: more.groupName,
  cardType: values.cardType,
  cardNumberFormat: values.cardNumberFormat,
  cardNumber: values.cardNumber,
  idType: values.idType,
  idNumber: more.idNumber,
  ...ofPlainFields((field) => values[field]),
  birthday: values.birthday,
  validFrom: values.validFrom,
  validTo: values.validTo,
  idPhoto: values.idPhoto,
  registrationPhoto: values.registrationPhoto,
  personalPassword: values.personalPasswordIndex?.toString('base64') ?? null,
  faceConsent: values.consent,
  facePhotos: more.facePhotos,
  customFields: Object.fromEntries(more.formFields.map(({ id, title }) => [title, values.customFields[id] ?? null])),
  remark: values.remark,
  instruction: values.instruction,
  kind: values.kind,
})

/** Return the person that a form makes, as the operation log shows it. */
export const loggedForm = (form: FormService, scope: Scope, values: RowValues, fields: PersonFields, facePhotos: readonly string[]) =>
  loggedPerson(values, { idNumber: fields.idNumber ?? '', groupName: values.groupName, facePhotos, formFields: form.read(scope).fields })
