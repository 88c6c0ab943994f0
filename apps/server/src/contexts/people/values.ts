/** What a form sent as the row of a person: checked, encrypted, with its pictures. */
import { personGroupType } from '@gatehouse/contract/enums/people'
import type { ConsentState } from '@gatehouse/contract/people/person-fields'
import { FORBIDDEN_IN_NAME } from '@gatehouse/contract/people/fields'
import { ofPlainFields } from '@gatehouse/contract/people/plain-fields'
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { placeOf, type Place } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import { cardKeyOf } from './card.ts'
import type { PersonRow, PersonValues } from './data.ts'
import type { PersonFields } from './fields.ts'
import type { FormService } from './form.ts'
import type { GroupService } from './groups.ts'
import { assertKindVisible } from './policy.ts'
import { ID_NUMBER, PERSONAL_PASSWORD } from './schema.ts'

export type RowValues = Omit<PersonValues, 'faceCount'> & { groupName: string }

export const orNull = (text: string | null | undefined): string | null => (text == null || text === '' ? null : text)

/** ID numbers are compared by it: the last character of one may be written small. */
export const idNumberIndexOf = ({ crypto }: Pick<Platform, 'crypto'>, idNumber: string | null): Buffer | null =>
  idNumber === null ? null : crypto.blindIndex(idNumber.toUpperCase())

/** Passwords are few: the park stands in it so that nobody sees who has the same one elsewhere. */
export const passwordIndexOf = ({ crypto }: Pick<Platform, 'crypto'>, { parkId }: Scope, password: string | null): Buffer | null =>
  password === null ? null : crypto.blindIndex(`personal-password|${parkId}|${password}`)

/** What becomes of a consent. False withdraws what was given and is nothing where there was none. */
function consentOf(
  present: Pick<PersonRow, 'consent' | 'consentAt'> | null,
  sent: boolean | null | undefined,
  now: number,
): { consent: ConsentState; consentAt: number | null } {
  const [consent, consentAt] = [(present?.consent ?? 'none') as ConsentState, present?.consentAt ?? null]
  if (sent === true && consent !== 'given') return { consent: 'given', consentAt: now }
  if (sent === false && consent === 'given') return { consent: 'withdrawn', consentAt: now }
  return { consent, consentAt }
}

/** Of a change the schema sees only one end. @throws InvalidRequest for a validity that ends before it begins */
export function validityOf({
  validFrom = null,
  validTo = null,
}: Pick<PersonFields, 'validFrom' | 'validTo'>): Pick<RowValues, 'validFrom' | 'validTo'> {
  if (validFrom !== null && validTo !== null && validFrom >= validTo) throw new InvalidRequest([{ path: 'validTo', rule: 'periodOrder' }])
  return { validFrom, validTo }
}

/**
 * The group persons of these kinds are to be in.
 * @throws InvalidRequest where there is none or one of the other register, or a kind does not exist for the scope
 */
export async function groupFor(
  groups: Pick<GroupService, 'types'>,
  scope: Scope,
  groupId: string,
  kinds: readonly string[],
): Promise<{ id: string; name: string }> {
  for (const kind of kinds) assertKindVisible(scope, kind)
  const [group] = await groups.types(scope, [groupId])
  if (group === undefined) throw new InvalidRequest([{ path: 'groupId', rule: 'unknown' }])
  // The watch list is a register of its own, in groups of its own.
  if (kinds.some((kind) => (kind === 'special') !== (group.type === personGroupType.blacklist)))
    throw new InvalidRequest([{ path: 'groupId', rule: 'kindOfGroup' }])
  return group
}

/** An address without its signature. */
const pathOf = (address: string): string => address.split('?', 1)[0]!

const CARD_DIGITS: Readonly<Record<string, RegExp>> = { decimal: /^[0-9]+$/, hex: /^[0-9a-f]+$/i }

/**
 * The schema lets masked card numbers pass: what still is one was typed, and a stored one may not fit another format.
 * @throws InvalidRequest
 */
export function assertCard(
  { cardNumber, cardNumberFormat: format }: Pick<PersonFields, 'cardNumber' | 'cardNumberFormat'>,
  present: Pick<PersonRow, 'cardNumber' | 'cardNumberFormat'> | null,
): void {
  if (cardNumber == null || cardNumber === '') return
  if (cardNumber === present?.cardNumber && format === present.cardNumberFormat) return
  if (CARD_DIGITS[format]?.test(cardNumber) === false)
    throw new InvalidRequest([{ path: 'cardNumber', rule: format === 'hex' ? 'hexDigits' : 'decimalDigits' }])
}

/** Return what is to be done when a person of the watch list appears. @throws InvalidRequest for a person of another kind */
function instructionOf({ kind, instruction }: PersonFields, present: Pick<PersonRow, 'instruction'> | null): string {
  if (kind === 'special') return instruction === undefined ? (present?.instruction ?? '') : (instruction ?? '')
  if (orNull(instruction) !== null) throw new InvalidRequest([{ path: 'instruction', rule: 'watchListOnly' }])
  return ''
}

export function createValues(platform: Platform, groups: Pick<GroupService, 'types'>, form: FormService) {
  const { crypto, storage } = platform

  const sealed = async (scope: Scope, place: Place, text: string | null): Promise<Buffer | null> =>
    text === null ? null : crypto.seal(scope.parkId, place, Buffer.from(text))

  /** A copy of its own: the picture sent may be shown elsewhere too, and would go with it. */
  async function pictureOf(scope: Scope, sent: string | null | undefined, present: string | null, field: string): Promise<string | null> {
    if (sent === undefined) return present
    if (sent === null || sent === '') return null
    // Sent back as it was read, however long ago.
    if (present !== null && pathOf(sent) === pathOf(storage.address(scope, present, 'full'))) return present
    const fileId = await storage.fileOf(scope, sent, 'face')
    if (fileId === null) throw new InvalidRequest([{ path: field, rule: 'picture' }])
    return fileId === present ? present : storage.copy(scope, fileId, scope)
  }

  /**
   * @param id of the person the values are sealed for
   * @param present the person as it stands, which keeps pictures, password, consent, instruction and fields of the park that are undefined;
   * null for a new one
   */
  return async function valuesOf(scope: Scope, id: string, fields: PersonFields, present: PersonRow | null): Promise<RowValues> {
    // The schema lets masked names pass; what still is one here was typed.
    if (FORBIDDEN_IN_NAME.test(fields.name)) throw new InvalidRequest([{ path: 'name', rule: 'name' }])
    const group = await groupFor(groups, scope, fields.groupId, [fields.kind])
    // The watch list does not require what a park requires of its own people.
    const demanding = fields.kind !== 'special'
    const there = fields.customFields === null ? {} : (present?.customFields ?? {})
    const customFields = form.valuesOf(scope, there, fields.customFields ?? [], demanding)
    const [idPhoto, registrationPhoto] = await Promise.all([
      pictureOf(scope, fields.idPhoto, present?.idPhoto ?? null, 'idPhoto'),
      pictureOf(scope, fields.registrationPhoto, present?.registrationPhoto ?? null, 'registrationPhoto'),
    ])
    if (demanding && idPhoto === null && form.read(scope).idPhotoRequired) throw new InvalidRequest([{ path: 'idPhoto', rule: 'required' }])
    assertCard(fields, present)
    const [idNumber, cardNumber] = [orNull(fields.idNumber), orNull(fields.cardNumber)]
    const password =
      fields.personalPassword === undefined
        ? { personalPassword: present?.personalPassword ?? null, personalPasswordIndex: present?.personalPasswordIndex ?? null }
        : {
            personalPassword: await sealed(scope, placeOf(PERSONAL_PASSWORD, id), orNull(fields.personalPassword)),
            personalPasswordIndex: passwordIndexOf(platform, scope, orNull(fields.personalPassword)),
          }
    const { consent, consentAt } = consentOf(present, fields.faceConsent, platform.clock.now())
    return {
      groupName: group.name,
      groupId: fields.groupId,
      kind: fields.kind,
      name: fields.name,
      workNumber: orNull(fields.workNumber),
      phone: orNull(fields.phone),
      email: orNull(fields.email),
      gender: fields.gender,
      cardType: fields.cardType,
      cardNumberFormat: fields.cardNumberFormat,
      cardNumber,
      cardKey: cardKeyOf(cardNumber, fields.cardNumberFormat),
      idType: orNull(fields.idType),
      idNumber: await sealed(scope, placeOf(ID_NUMBER, id), idNumber),
      idNumberIndex: idNumberIndexOf(platform, idNumber),
      ...ofPlainFields((field) => orNull(fields[field])),
      birthday: orNull(fields.birthday),
      ...validityOf(fields),
      idPhoto,
      registrationPhoto,
      ...password,
      consent,
      consentAt,
      customFields,
      remark: fields.remark ?? '',
      instruction: instructionOf(fields, present),
    }
  }
}
