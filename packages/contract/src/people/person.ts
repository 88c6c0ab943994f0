/** A person as calls return it. */
import { z } from 'zod'
import { facePhoto } from '../faces/calls.ts'
import { id, instant } from '../schema.ts'
import { CONTACTS_PER_PERSON } from '../limits.ts'
import { contact } from './contacts.ts'
import { customFieldValueRow } from './form.ts'
import { ofPlainFields } from './plain-fields.ts'
import { masked } from '../masking.ts'
import { CONSENT_STATES } from './person-fields.ts'

export const person = z.object({
  id,
  name: masked('name', z.string()),
  workNumber: z.string(),
  phone: masked('phone', z.string()),
  email: masked('email', z.string()),
  gender: z.number().int(),
  groupId: id,
  groupName: z.string(),
  cardType: z.number().int(),
  cardNumberFormat: z.string(),
  cardNumber: masked('cardNumber', z.string()),
  idType: z.string(),
  idNumber: masked('idNumber', z.string()),
  ...ofPlainFields(() => z.string()),
  birthday: z.string(),
  validFrom: instant.nullable(),
  validTo: instant.nullable(),
  /** Signed addresses of the pictures; empty if there is none. */
  idPhoto: z.string(),
  registrationPhoto: z.string(),
  hasPersonalPassword: z.boolean(),
  faceConsent: z.enum(CONSENT_STATES),
  consentAt: instant.nullable(),
  /** All custom fields of the park's form, including empty ones, in the form's order. */
  customFields: z.array(customFieldValueRow),
  /** `faceId`s, as the write calls accept them. */
  facePhotos: z.array(id),
  faces: z.array(facePhoto),
  status: z.number().int(),
  remark: z.string(),
  /** Empty except for a person of the watch list. */
  instruction: z.string(),
  kind: z.string(),
  version: z.number().int(),
  createdAt: instant,
  updatedAt: instant,
})
export type Person = z.output<typeof person>
/** A single person, with contacts. */
export const personRecord = person.extend({ contacts: z.array(contact).max(CONTACTS_PER_PERSON) })
export type PersonRecord = z.output<typeof personRecord>
