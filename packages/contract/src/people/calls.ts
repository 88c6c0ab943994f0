/** Persons and their groups (module M05). */
import { z } from 'zod'
import { call } from '../call.ts'
import { facePhoto } from '../faces/calls.ts'
import { changeOf, created, date, id, idToDelete, ids, instant, pageData, pageQuery, queryList, queryNumber } from '../schema.ts'
import { CONTACTS_PER_PERSON, FACES_PER_PERSON, PASSCODE_MAX, PASSCODE_MIN, PERSON_NUMBER_MAX, TEXT_MAX } from '../limits.ts'
import { cardNumberFormat, personCardType, personGroupType, personStatus } from '../enums/people.ts'
import { contact, contactFields, contactsChange } from './contacts.ts'
import { changedGroupName, groupName, personName, phone } from './fields.ts'
import { customFieldValue, customFieldValueRow } from './form.ts'
import { ofPlainFields } from './plain-fields.ts'
import { masked, searches } from '../masking.ts'
import { secret } from '../unkept.ts'
import { refusedAs, rule } from '../validation.ts'
import { changesByItself } from '../wire-names.ts'

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

/** What a caller names an export by, to ask how far it is. */
const chosenKey = z.string().min(1).max(64)

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
  /** Left out, or `none`: as before. True notes that the person has agreed to be known by the face, false that he withdrew; an answer's words mean the same. */
  faceConsent: z
    .union([z.boolean(), z.enum(CONSENT_STATES)])
    .nullish()
    .transform((said) => (typeof said === 'string' ? CONSENT_SAID[said] : said)),
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

export const person = z.object({
  id,
  name: masked('name', z.string()),
  workNumber: z.string(),
  phone: masked('phone', z.string()),
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
  /** Signed addresses; empty where there is none. */
  idPhoto: z.string(),
  registrationPhoto: z.string(),
  hasPersonalPassword: z.boolean(),
  faceConsent: z.enum(CONSENT_STATES),
  consentAt: instant.nullable(),
  /** Every field of the park's form, empty values too, in the form's order. */
  customFields: z.array(customFieldValueRow),
  /** faceIds, as the write calls take them. */
  facePhotos: z.array(id),
  faces: z.array(facePhoto),
  status: z.number().int(),
  remark: z.string(),
  /** Empty but for somebody of the watch list. */
  instruction: z.string(),
  kind: z.string(),
  version: z.number().int(),
  createdAt: instant,
  updatedAt: instant,
})
export type Person = z.output<typeof person>
/** One person by itself. */
export const personRecord = person.extend({ contacts: z.array(contact).max(CONTACTS_PER_PERSON) })
export type PersonRecord = z.output<typeof personRecord>

const personFilter = z.object({
  /**
   * Part of the name or the work number, the phone as `phone` takes it, or the beginning of the name in pinyin or its initials. A masked
   * user finds by the whole name, the whole phone and part of the work number.
   */
  keyword: searches('name', z.string().trim().max(64)).optional(),
  name: searches('name', z.string().max(64)).optional(),
  workNumber: z.string().max(64).optional(),
  /** The whole number, or its last four characters: it is stored sealed. */
  phone: searches('phone', z.string().max(64)).optional(),
  groupId: id.optional(),
  status: z.coerce.number().pipe(personStatus.schema).optional(),
  kind: z.enum(PERSON_KINDS).optional(),
  /** The whole number in any format, or the last four characters as it was written. */
  cardNumber: searches('cardNumber', z.string().max(64)).optional(),
  consent: z.enum(CONSENT_STATES).optional(),
  /** 1 with, 0 without a photograph. */
  hasFace: z.coerce.number().int().min(0).max(1).optional(),
  /** Fewer photographs than this. */
  facesBelow: z.coerce.number().int().min(1).max(FACES_PER_PERSON).optional(),
  /** Validity ends within so many days. */
  expiringDays: z.coerce.number().int().min(1).max(366).optional(),
  sort: z.enum(['createdAt', 'name', 'workNumber', 'validTo']).optional(),
  order: z.enum(['asc', 'desc']).optional(),
})
export const personQuery = pageQuery.extend(personFilter.shape)

/** A group with its children; counts include those below. */
export interface PersonGroupNode {
  id: string
  name: string
  parentId: string | null
  type: number
  order: number
  personCount: number
  children: PersonGroupNode[]
}
export const personGroupNode: z.ZodType<PersonGroupNode> = z
  .lazy(() =>
    z.object({
      id,
      name: z.string(),
      parentId: id.nullable(),
      type: z.number().int(),
      order: z.number().int(),
      personCount: changesByItself(z.number().int()),
      children: z.array(personGroupNode),
    }),
  )
  .meta({ id: 'PersonGroupNode' })
export const personGroupFields = z.object({
  name: groupName,
  parentId: id.nullish(),
  type: z.union([z.literal(1), z.literal(2), z.literal(3)]).default(1),
})

const writeErrors = [200005, 200201, 200202, 200203, 200207, 200214, 200215, 200225, 900114] as const

/** Persons a question before a deletion names. */
export const PERSONS_NAMED = 3

const readPerson = call({
  method: 'GET',
  service: 'biz',
  path: '/person/base',
  permission: 'person.list',
  summary: 'One person.',
  query: z.object({ id }),
  data: personRecord,
})
const groupTree = call({
  method: 'GET',
  service: 'biz',
  path: '/person/group/tree',
  permission: 'self',
  summary: 'Person groups of the current park, or of another the caller may manage persons of.',
  query: z.object({
    type: queryNumber.pipe(personGroupType.schema).optional(),
    parkId: id.optional(),
    /** Whom the counts count; left out: everybody. */ kind: z.enum(PERSON_KINDS).optional(),
  }),
  data: z.array(personGroupNode),
})

export const peopleCalls = {
  list: call({
    method: 'GET',
    service: 'biz',
    path: '/person/base/list',
    permission: 'person.list',
    summary: 'Persons of the current park.',
    query: personQuery,
    data: pageData(person),
  }),
  find: call({
    method: 'POST',
    service: 'biz',
    path: '/person/base/list',
    effect: 'read',
    permission: 'person.list',
    summary: 'Persons of the current park, the filter in the body.',
    body: personQuery,
    data: pageData(person),
  }),
  read: readPerson,
  standing: call({
    method: 'GET',
    service: 'biz',
    path: '/person/base/standing',
    permission: 'person.list',
    summary: 'Whether one person is enabled, without any personal data.',
    query: z.object({ id }),
    data: z.object({ kind: z.enum(PERSON_KINDS), enabled: z.boolean() }),
    origin: 'own',
  }),
  create: call({
    method: 'POST',
    service: 'biz',
    path: '/person/base',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary: 'Registers a person.',
    body: personCreate,
    data: created,
    errors: [...writeErrors, 900000],
    statuses: [409],
  }),
  change: call({
    method: 'PUT',
    service: 'biz',
    path: '/person/base',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary:
      'Changes a person; a version that is no longer current answers 409 with the fields that differ. What is disabled is enabled by `PUT /person/status` alone.',
    record: readPerson,
    body: personChange,
    data: created,
    errors: [...writeErrors, 200224, 900000],
  }),
  status: call({
    method: 'PUT',
    service: 'biz',
    path: '/person/status',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary: 'Enables (1) or disables (0) persons. A reason is kept in the operation log.',
    body: ids.extend({ status: z.union([z.literal(0), z.literal(1)]), reason: z.string().trim().max(TEXT_MAX).optional() }),
    data: z.object({ changed: z.number().int() }),
    errors: [900000],
    statuses: [409],
  }),
  delete: call({
    method: 'DELETE',
    service: 'biz',
    path: '/person/base/delete',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary: 'Deletes persons with their photographs and templates; their records stay.',
    query: z.object({ ids: queryList(id) }),
    body: ids.partial().optional(),
    data: z.object({ deleted: z.number().int() }),
    errors: [200224],
  }),
  confirm: call({
    method: 'DELETE',
    service: 'biz',
    path: '/person/base/confirm',
    permission: 'person.list',
    effect: 'read',
    summary: 'What deleting these persons would lose; deletes nothing.',
    query: z.object({ ids: queryList(id) }),
    body: ids.partial().optional(),
    data: z.object({
      persons: z.number().int(),
      faces: z.number().int(),
      disabled: z.number().int(),
      /** The first of them, in the order asked. */
      names: z.array(masked('name', z.string())).max(PERSONS_NAMED),
    }),
  }),
  summary: call({
    method: 'GET',
    service: 'biz',
    path: '/person/base/summary',
    permission: 'person.list',
    dataScreen: true,
    summary: 'Counts for the home page.',
    data: z.object({ total: z.number().int(), withoutFace: z.number().int(), expiring: z.number().int(), expired: z.number().int() }),
    origin: 'own',
  }),
  move: call({
    method: 'POST',
    service: 'biz',
    path: '/person/base/move',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary: 'Moves persons to another group of their kind; those already there stay as they are.',
    body: ids.extend({ groupId: id }),
    data: z.object({ moved: z.number().int() }),
    errors: [200224, 900000],
    statuses: [409],
  }),
  copy: call({
    method: 'POST',
    service: 'biz',
    path: '/person/base/copy',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary:
      'Copies persons with their photographs into a group, of this park or of another the caller may manage persons of. Within a park numbers, cards and passwords stay with the original; in another park they are taken along. A person whose copy is in the group already is passed over.',
    body: ids.extend({ groupId: id, parkId: id.nullish(), kind: z.enum(PERSON_KINDS).nullish() }),
    data: z.object({ copied: z.number().int() }),
    errors: [...writeErrors, 200224, 900000],
    statuses: [409],
  }),
  retrySend: call({
    method: 'PUT',
    service: 'biz',
    path: '/person/base/retrySend',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary: 'Sends persons once more to every device that is to hold them.',
    body: ids,
    data: z.object({ devices: z.number().int() }),
  }),
  realidIdentity: call({
    method: 'GET',
    service: 'biz',
    path: '/person/base/realidIdentity',
    permission: 'person.list',
    summary: 'Whether a name and an ID number agree, as far as the checker of this installation can tell.',
    query: z.object({ name: z.string().trim().min(1).max(64), idNumber: z.string().trim().min(1).max(PERSON_NUMBER_MAX) }),
    /** `agrees` null: it cannot be told. `checker`: `form` only checks how the number is made. */
    data: z.object({ agrees: z.boolean().nullable(), checker: z.string() }),
  }),
  export: call({
    method: 'GET',
    service: 'biz',
    path: '/person/base/export',
    permission: 'person.list',
    besides: ['own:person.export'],
    summary: 'Persons as a file, those of the filter or those named; at least one, at most 50,000.',
    query: z.object({
      ...personFilter.shape,
      ids: queryList(id),
      format: z.enum(['xlsx', 'csv']).default('xlsx'),
      progress: chosenKey.optional(),
    }),
    produces: 'file',
    readsPersonal: true,
  }),
  exportProgress: call({
    method: 'GET',
    service: 'biz',
    path: '/person/base/export/progress',
    permission: 'person.list',
    summary: 'How many rows of an export under way have been written; null where none runs under this id.',
    query: z.object({ id: chosenKey }),
    data: z.object({ written: z.number().int(), total: z.number().int() }).nullable(),
    origin: 'own',
  }),
  groupTree,
  createGroup: call({
    method: 'POST',
    service: 'biz',
    path: '/person/group',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary: 'Adds a group.',
    body: personGroupFields,
    data: created,
    errors: [200107],
  }),
  changeGroup: call({
    method: 'PUT',
    service: 'biz',
    path: '/person/group',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary: 'Renames a group, or moves it below another of its tree or to the top of it.',
    record: groupTree,
    body: changeOf(personGroupFields.omit({ type: true }).extend({ name: changedGroupName })).extend({ id }),
    data: created,
    errors: [200107, 900000],
    statuses: [409],
  }),
  topGroup: call({
    method: 'PUT',
    service: 'biz',
    path: '/person/group/topping',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary: 'Puts a group before its siblings.',
    body: z.object({ id }),
    data: created,
  }),
  deleteGroup: call({
    method: 'DELETE',
    service: 'biz',
    path: '/person/group',
    permission: 'person.list',
    besides: ['own:person.edit'],
    summary: 'Deletes an empty group without children.',
    ...idToDelete,
    data: created,
    errors: [200102, 200103, 900109],
  }),
}
