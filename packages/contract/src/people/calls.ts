/** Persons and their groups (module M05). */
import { z } from 'zod'
import { call } from '../call.ts'
import { facePhoto } from '../faces/calls.ts'
import { created, date, id, ids, instant, pageData, pageQuery, queryList, queryNumber } from '../schema.ts'
import { FACES_PER_PERSON, PERSON_NAME_MAX, PHONE_MAX, PHONE_MIN } from '../limits.ts'
import { rule } from '../validation.ts'

/** The nine characters a name must not hold. */
export const FORBIDDEN_IN_NAME = /[\\/:*?"<>|]/
export const personName = z.string().trim().min(1).max(PERSON_NAME_MAX).refine((value) => !FORBIDDEN_IN_NAME.test(value), rule('name'))
/** Digits and + * #, 3 to 32 of them (AMBIGUITIES 36). */
export const phone = z.string().trim().min(PHONE_MIN).max(PHONE_MAX).refine((value) => /^[0-9+*#]+$/.test(value), rule('phone'))
/** A field that may be left empty. */
const optional = <S extends z.ZodType>(schema: S) => z.union([z.literal(''), schema]).nullish()
/** Chinese, English, digits, underscore; blanks inside are refused. */
export const groupName = z.string().trim().min(1).max(32).refine((value) => /^[\p{L}\p{N}_]+$/u.test(value), rule('groupName'))

/** What a form sends. `facePhotos` holds faceIds of `POST /face/cache`, at most three (200202). */
export const personFields = z.object({
  name: personName,
  workNumber: optional(z.string().trim().max(32)),
  phone: optional(phone),
  gender: z.union([z.literal(1), z.literal(2), z.literal(3)]).default(3),
  groupId: id,
  cardNumber: optional(z.string().trim().max(32)),
  idNumber: optional(z.string().trim().max(32)),
  birthday: optional(date),
  validFrom: instant.nullish(),
  validTo: instant.nullish(),
  facePhotos: z.array(id).max(20).default([]),
  remark: optional(z.string().trim().max(100)),
  kind: z.enum(['staff', 'customer']).default('staff'),
})
/** Validity must not end before it begins; shared by both write calls and the form. */
const validityOrder = (value: { validFrom?: number | null; validTo?: number | null }) =>
  value.validFrom == null || value.validTo == null || value.validFrom < value.validTo
export const personCreate = personFields.refine(validityOrder, { path: ['validTo'], ...rule('periodOrder') })
export const personChange = personFields
  .extend({ id, version: z.number().int().optional() })
  .refine(validityOrder, { path: ['validTo'], ...rule('periodOrder') })

export const person = z.object({
  id,
  name: z.string(),
  workNumber: z.string(),
  phone: z.string(),
  gender: z.number().int(),
  groupId: id,
  groupName: z.string(),
  cardNumber: z.string(),
  idNumber: z.string(),
  birthday: z.string(),
  validFrom: instant.nullable(),
  validTo: instant.nullable(),
  /** faceIds, as the write calls take them. */
  facePhotos: z.array(id),
  faces: z.array(facePhoto),
  status: z.number().int(),
  remark: z.string(),
  kind: z.string(),
  version: z.number().int(),
  createdAt: instant,
  updatedAt: instant,
})
export type Person = z.output<typeof person>

const personFilter = z.object({
  name: z.string().max(64).optional(),
  workNumber: z.string().max(64).optional(),
  phone: z.string().max(64).optional(),
  groupId: id.optional(),
  status: z.coerce.number().int().min(0).max(2).optional(),
  kind: z.enum(['staff', 'customer']).optional(),
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
export const personGroupNode: z.ZodType<PersonGroupNode> = z.lazy(() =>
  z.object({ id, name: z.string(), parentId: id.nullable(), type: z.number().int(), order: z.number().int(), personCount: z.number().int(), children: z.array(personGroupNode) }),
)
export const personGroupFields = z.object({ name: groupName, parentId: id.nullish(), type: z.union([z.literal(1), z.literal(2), z.literal(3)]).default(1) })

const writeErrors = [200005, 200202, 200203, 200207, 200214, 200215, 200225, 900004] as const

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
    permission: 'person.list',
    summary: 'Persons of the current park, the filter in the body.',
    body: personQuery,
    data: pageData(person),
  }),
  read: call({ method: 'GET', service: 'biz', path: '/person/base', permission: 'person.list', summary: 'One person.', query: z.object({ id }), data: person }),
  create: call({
    method: 'POST',
    service: 'biz',
    path: '/person/base',
    permission: 'person.list',
    summary: 'Registers a person.',
    body: personCreate,
    data: created,
    errors: writeErrors,
  }),
  change: call({
    method: 'PUT',
    service: 'biz',
    path: '/person/base',
    permission: 'person.list',
    summary: 'Changes a person; a version that is no longer current answers 409 with the fields that differ.',
    body: personChange,
    data: created,
    errors: [...writeErrors, 200224],
  }),
  status: call({
    method: 'PUT',
    service: 'biz',
    path: '/person/status',
    permission: 'person.list',
    summary: 'Enables (1) or disables (0) persons.',
    body: ids.extend({ status: z.union([z.literal(0), z.literal(1)]) }),
    data: z.object({ changed: z.number().int() }),
  }),
  delete: call({
    method: 'DELETE',
    service: 'biz',
    path: '/person/base/delete',
    permission: 'person.list',
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
    summary: 'What deleting these persons would lose; deletes nothing.',
    query: z.object({ ids: queryList(id) }),
    body: ids.partial().optional(),
    data: z.object({ persons: z.number().int(), faces: z.number().int(), disabled: z.number().int() }),
  }),
  summary: call({
    method: 'GET',
    service: 'biz',
    path: '/person/base/summary',
    permission: 'person.list',
    summary: 'Counts for the home page.',
    data: z.object({ total: z.number().int(), withoutFace: z.number().int(), expiring: z.number().int(), expired: z.number().int() }),
    origin: 'own',
  }),
  groupTree: call({
    method: 'GET',
    service: 'biz',
    path: '/person/group/tree',
    permission: 'self',
    summary: 'Person groups of the current park.',
    query: z.object({ type: queryNumber.int().min(1).max(3).optional() }),
    data: z.array(personGroupNode),
  }),
  createGroup: call({
    method: 'POST',
    service: 'biz',
    path: '/person/group',
    permission: 'person.list',
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
    summary: 'Renames or moves a group.',
    body: personGroupFields.partial().extend({ id }),
    data: created,
    errors: [200107, 900109],
  }),
  deleteGroup: call({
    method: 'DELETE',
    service: 'biz',
    path: '/person/group',
    permission: 'person.list',
    summary: 'Deletes an empty group without children.',
    query: z.object({ id }),
    data: created,
    errors: [200102, 200103, 900109],
  }),
}
