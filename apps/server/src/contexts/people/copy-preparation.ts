/** Prepares copies of persons: what is sealed for another park and copied in storage cannot wait for a transaction. */
import { ofPlainFields } from '@gatehouse/contract/people/plain-fields'
import { newId } from '../../platform/database/ids.ts'
import { placeOf, type SealedColumn } from '../../platform/encryption/sealed-column.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { PersonRow, PersonValues } from './data.ts'
import type { RegisterParts } from './parts.ts'
import { ID_NUMBER, PERSONAL_PASSWORD } from './schema.ts'
import { idNumberIndexOf, passwordIndexOf } from './values.ts'
import type { CopyRequest, PreparedCopy } from './copying-types.ts'

export function createCopyPreparation({ platform, faces, form, needs }: Pick<RegisterParts, 'platform' | 'faces' | 'form' | 'needs'>) {
  const { crypto, storage } = platform

  /** Return the values that only one person of a park may have, sealed for the other park; within a park none: the original has them. */
  async function uniqueValuesOf(scope: Scope, row: PersonRow, to: Scope, id: string) {
    if (to.parkId === scope.parkId)
      return {
        workNumber: null,
        phone: null,
        cardNumber: null,
        cardKey: null,
        idNumber: null,
        idNumberIndex: null,
        personalPassword: null,
        personalPasswordIndex: null,
      }
    const open = async (column: SealedColumn, sealed: Buffer | null): Promise<string | null> =>
      sealed === null ? null : (await crypto.open(scope.parkId, placeOf(column, row.id), sealed)).toString('utf8')
    const seal = async (column: SealedColumn, text: string | null): Promise<Buffer | null> =>
      text === null ? null : crypto.seal(to.parkId, placeOf(column, id), Buffer.from(text))
    const [idNumber, password] = [await open(ID_NUMBER, row.idNumber), await open(PERSONAL_PASSWORD, row.personalPassword)]
    return {
      workNumber: row.workNumber,
      phone: row.phone,
      cardNumber: row.cardNumber,
      cardKey: row.cardKey,
      idNumber: await seal(ID_NUMBER, idNumber),
      idNumberIndex: idNumberIndexOf(platform, idNumber),
      personalPassword: await seal(PERSONAL_PASSWORD, password),
      personalPasswordIndex: passwordIndexOf(platform, to, password),
    }
  }

  /** Return the values of custom fields, by the other park's fields of the same titles. */
  function customFieldsOf(scope: Scope, values: Readonly<Record<string, string>>, to: Scope): Record<string, string> {
    if (to.parkId === scope.parkId) return { ...values }
    const byTitle = new Map(form.read(scope).fields.map(({ id, title }) => [title.toLowerCase(), values[id]]))
    return Object.fromEntries(
      form.read(to).fields.flatMap(({ id, title }) => {
        const value = byTitle.get(title.toLowerCase())
        return value === undefined ? [] : [[id, value] as const]
      }),
    )
  }

  /** Prepare the copy of a person. @throws InvalidRequest for photographs that the other park takes only with consent */
  return async function prepare(scope: Scope, row: PersonRow, { groupId, kind }: CopyRequest, to: Scope): Promise<PreparedCopy> {
    const photos = row.consent === 'withdrawn' ? [] : await faces.copyPhotos(scope, row.id, to)
    if (photos.length > 0 && row.consent !== 'given' && row.kind !== 'special' && needs.consentRequired(to))
      throw new InvalidRequest([{ path: 'ids', rule: 'consent' }])
    const picture = async (fileId: string | null): Promise<string | null> => (fileId === null ? null : storage.copy(scope, fileId, to))
    const id = newId()
    const uniqueValues = await uniqueValuesOf(scope, row, to, id)
    const kindOfCopy = kind ?? row.kind
    const values: PersonValues = {
      groupId,
      kind: kindOfCopy,
      name: row.name,
      email: row.email,
      gender: row.gender,
      cardType: row.cardType,
      cardNumberFormat: row.cardNumberFormat,
      idType: row.idType,
      ...ofPlainFields((field) => row[field]),
      birthday: row.birthday,
      validFrom: row.validFrom,
      validTo: row.validTo,
      idPhoto: await picture(row.idPhoto),
      registrationPhoto: await picture(row.registrationPhoto),
      consent: row.consent as PersonValues['consent'],
      consentAt: row.consentAt,
      customFields: customFieldsOf(scope, row.customFields, to),
      remark: row.remark,
      instruction: kindOfCopy === 'special' ? row.instruction : '',
      faceCount: photos.length,
      ...uniqueValues,
    }
    return { from: row.id, id, values, photos, idNumber: uniqueValues.idNumber === null ? '' : 'copied' }
  }
}
