/** Fields of a person as forms send them, and the rules between them. */
import { z } from 'zod'
import { email } from '../account.ts'
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

/** Return a field that can be empty. */
const optional = <S extends z.ZodType>(schema: S) => z.union([z.literal(''), schema]).nullish()
/** Documents of an ID number; texts: `people:idType.<type>`. */
export const ID_TYPES = ['idCard', 'passport', 'residencePermit', 'driverLicence', 'other'] as const
/** Kinds of registered persons: staff, customers with temporary access, the watch list. */
export const PERSON_KINDS = ['staff', 'customer', 'special'] as const
export type PersonKind = (typeof PERSON_KINDS)[number]
/** Whether a person has given face recognition consent; texts: `people:consent.<state>`. */
export const CONSENT_STATES = ['none', 'given', 'withdrawn'] as const
export type ConsentState = (typeof CONSENT_STATES)[number]

const text = (most: number) => z.string().trim().max(most, refusedAs(200225))
const CONSENT_SAID: Record<ConsentState, boolean | null> = { none: null, given: true, withdrawn: false }

/** Address of a picture of this park, as `POST /upload/image` or another answer returned it. */
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

/** Fields of a person. `facePhotos`: `faceId`s that `POST /face/cache` returned, at most three (200202). */
export const personFields = z.object({
  name: personName,
  workNumber: optional(text(PERSON_NUMBER_MAX)),
  phone: optional(phone),
  /** Members of staff are told by it of those who visit them. */
  email: email.nullish(),
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
  /** Never returned. */
  personalPassword: optional(personalPassword),
  /**
   * Absent or `none`: unchanged. True records that the person has given face recognition consent, false that they withdrew it; the words of
   * answers, `given` and `withdrawn`, mean the same.
   */
  faceConsent: z
    .union([z.boolean(), z.enum(CONSENT_STATES)])
    .nullish()
    .transform((consent) => (typeof consent === 'string' ? CONSENT_SAID[consent] : consent)),
  /** Fields that are not in the list are unchanged; an empty value removes one, and null instead of the list removes all. */
  customFields: z.array(customFieldValue).max(100).nullish(),
  remark: optional(text(TEXT_MAX)),
  /** What to do when this person of the watch list appears. For the kind `special` only. */
  instruction: optional(text(TEXT_MAX)),
  kind: z.enum(PERSON_KINDS).default('staff'),
})
/** Validity must not end before it begins. */
const validityOrder = (value: { validFrom?: number | null; validTo?: number | null }) =>
  value.validFrom == null || value.validTo == null || value.validFrom < value.validTo
/**
 * A form that shows a masked card number sends it back: the server replaces it with the stored number, and refuses any other masked one.
 */
const MASKED_CARD = /^\*{1,8}[0-9a-z]{0,4}$/i
/** Return a check that a card number has only digits of its format. */
const cardDigits =
  (format: 'decimal' | 'hex') =>
  (value: { cardNumber?: string | null; cardNumberFormat?: string }): boolean =>
    value.cardNumber == null ||
    value.cardNumber === '' ||
    value.cardNumberFormat !== format ||
    MASKED_CARD.test(value.cardNumber) ||
    (format === 'hex' ? /^[0-9a-f]+$/i : /^[0-9]+$/).test(value.cardNumber)
/**
 * Add the rules between fields, which the write calls and the form share. For a change, the server also checks them with the unchanged
 * fields.
 */
const consistent = <
  S extends z.ZodType<{ validFrom?: number | null; validTo?: number | null; cardNumber?: string | null; cardNumberFormat?: string }>,
>(
  fields: S,
) =>
  fields
    .refine(validityOrder, { path: ['validTo'], ...rule('periodOrder') })
    .refine(cardDigits('decimal'), { path: ['cardNumber'], ...rule('decimalDigits') })
    .refine(cardDigits('hex'), { path: ['cardNumber'], ...rule('hexDigits') })
/** Further fields of a new person; a change has contacts in another form, and no status. */
const ofNewPerson = {
  contacts: z.array(contactFields).max(CONTACTS_PER_PERSON).default([]),
  /** Absent: enabled (1). */
  status: z.union([z.literal(personStatus.disabled), z.literal(personStatus.enabled)]).optional(),
}
export const personCreate = consistent(personFields.extend(ofNewPerson))
const changedFields = changeOf(personFields).extend({
  id,
  version: z.number().int().optional(),
  /** Replaces all contacts of the person: with `id` an existing one, without `id` a new one; missing ones are removed. */
  contacts: contactsChange.nullish(),
})
export const personChange = consistent(changedFields)
/** The same for the watch list, which accepts no other kind. */
const watchListed = { kind: z.literal('special').default('special') }
export const specialCreate = consistent(personFields.extend({ ...ofNewPerson, ...watchListed }))
export const specialChange = consistent(changedFields.extend(changeOf(z.object(watchListed)).shape))
