/** Fields of a person as forms send them, and the rules between them. */
import { z } from 'zod'
import { changeOf, date, id, instant } from '../schema.ts'
import { CONTACTS_PER_PERSON, PASSCODE_MAX, PASSCODE_MIN, PERSON_NUMBER_MAX, TEXT_MAX } from '../limits.ts'
import { cardNumberFormat, personCardType, personStatus } from '../enums/people.ts'
import { contactFields, contactsChange } from './contacts.ts'
import { personName, phone } from './fields.ts'
import { customFieldValue } from './form.ts'
import { ofPlainFields } from './plain-fields.ts'
import { masked } from '../masking.ts'
import { secret } from '../unkept.ts'
import { refusedAs, rule } from '../validation.ts'

/** A field that may be left empty. */
const optional = <S extends z.ZodType>(schema: S) => z.union([z.literal(''), schema]).nullish()
/** Papers an ID number may be of; words: `people:idType.<type>`. */
export const ID_TYPES = ['idCard', 'passport', 'residencePermit', 'driverLicence', 'other'] as const
/** Whom the register holds: who works here, who is let in for a time, whom to look out for. */
export const PERSON_KINDS = ['staff', 'customer', 'special'] as const
export type PersonKind = (typeof PERSON_KINDS)[number]
/** Whether somebody agreed to be known by the face; words: `people:consent.<state>`. */
export const CONSENT_STATES = ['none', 'given', 'withdrawn'] as const
export type ConsentState = (typeof CONSENT_STATES)[number]

const text = (most: number) => z.string().trim().max(most, refusedAs(200225))
const CONSENT_SAID: Record<ConsentState, boolean | null> = { none: null, given: true, withdrawn: false }

/** A picture of this park, as `POST /upload/image` or an answer gave its address. */
const picture = z.string().max(500)
/** 4 to 10 digits, typed at a door. */
export const personalPassword = secret(
  z
    .string()
    .trim()
    .refine(
      (value) => new RegExp(`^\\d{${PASSCODE_MIN},${PASSCODE_MAX}}$`).test(value),
      rule('digits', { min: PASSCODE_MIN, max: PASSCODE_MAX }),
    ),
)

/** What a form sends. `facePhotos` holds faceIds of `POST /face/cache`, at most three (200202). */
export const personFields = z.object({
  name: personName,
  workNumber: optional(text(PERSON_NUMBER_MAX)),
  phone: optional(phone),
  gender: z.union([z.literal(1), z.literal(2), z.literal(3)]).default(3),
  groupId: id,
  cardType: personCardType.schema.default(personCardType.other),
  cardNumberFormat: cardNumberFormat.schema.default(cardNumberFormat.decimal),
  cardNumber: optional(masked('cardNumber', text(PERSON_NUMBER_MAX))),
  idType: optional(z.enum(ID_TYPES)),
  idNumber: optional(masked('idNumber', text(PERSON_NUMBER_MAX))),
  ...ofPlainFields(() => optional(text(TEXT_MAX))),
  birthday: optional(date),
  validFrom: instant.nullish(),
  validTo: instant.nullish(),
  facePhotos: z.array(id).max(20).default([]),
  idPhoto: picture.nullish(),
  registrationPhoto: picture.nullish(),
  /** Never answered. */
  personalPassword: optional(personalPassword),
  /**
   * Left out, or `none`: as before. True notes that the person has agreed to be known by the face, false that he
   * withdrew; an answer's words mean the same.
   */
  faceConsent: z
    .union([z.boolean(), z.enum(CONSENT_STATES)])
    .nullish()
    .transform((consent) => (typeof consent === 'string' ? CONSENT_SAID[consent] : consent)),
  /** Fields that are left out of the list stay as they were; an empty value is removed, and null in place of the list removes all. */
  customFields: z.array(customFieldValue).max(100).nullish(),
  remark: optional(text(TEXT_MAX)),
  /** What is to be done when somebody of the watch list appears. For that kind only. */
  instruction: optional(text(TEXT_MAX)),
  kind: z.enum(PERSON_KINDS).default('staff'),
})
/** Validity must not end before it begins. */
const validityOrder = (value: { validFrom?: number | null; validTo?: number | null }) =>
  value.validFrom == null || value.validTo == null || value.validFrom < value.validTo
/** A form that showed a masked card number sends it back: the server puts the stored one in its place, and refuses any other. */
const MASKED_CARD = /^\*{1,8}[0-9a-z]{0,4}$/i
/** A card number is written in the digits of its format. */
const cardDigits =
  (format: 'decimal' | 'hex') =>
  (value: { cardNumber?: string | null; cardNumberFormat?: string }): boolean =>
    value.cardNumber == null ||
    value.cardNumber === '' ||
    value.cardNumberFormat !== format ||
    MASKED_CARD.test(value.cardNumber) ||
    (format === 'hex' ? /^[0-9a-f]+$/i : /^[0-9]+$/).test(value.cardNumber)
/** What must hold between fields; shared by the write calls and the form. Of a change the server looks at what it leaves as well. */
const consistent = <
  S extends z.ZodType<{ validFrom?: number | null; validTo?: number | null; cardNumber?: string | null; cardNumberFormat?: string }>,
>(
  fields: S,
) =>
  fields
    .refine(validityOrder, { path: ['validTo'], ...rule('periodOrder') })
    .refine(cardDigits('decimal'), { path: ['cardNumber'], ...rule('decimalDigits') })
    .refine(cardDigits('hex'), { path: ['cardNumber'], ...rule('hexDigits') })
/** What a new person can be given besides; a change of one that is there takes contacts otherwise, and no status. */
const ofNewPerson = {
  contacts: z.array(contactFields).max(CONTACTS_PER_PERSON).default([]),
  /** Left out: enabled (1). */
  status: z.union([z.literal(personStatus.disabled), z.literal(personStatus.enabled)]).optional(),
}
export const personCreate = consistent(personFields.extend(ofNewPerson))
const changedFields = changeOf(personFields).extend({
  id,
  version: z.number().int().optional(),
  /** Takes the place of all the person's contacts: with `id` one that stays, without one that is new; whoever is missing is removed. */
  contacts: contactsChange.nullish(),
})
export const personChange = consistent(changedFields)
/** The same of the register of those to look out for, which holds nobody else. */
const watchListed = { kind: z.literal('special').default('special') }
export const specialCreate = consistent(personFields.extend({ ...ofNewPerson, ...watchListed }))
export const specialChange = consistent(changedFields.extend(changeOf(z.object(watchListed)).shape))
