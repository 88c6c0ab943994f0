/** Calls for persons and their groups (module M05). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { changeOf, created, id, idToDelete, ids, pageData, pageQuery, queryList, queryNumber } from '../schema.ts'
import { FACES_PER_PERSON, PERSON_NUMBER_MAX, TEXT_MAX } from '../limits.ts'
import { personGroupType, personStatus } from '../enums/people.ts'
import { changedGroupName } from './fields.ts'
import { masked, searches } from '../masking.ts'
import { PERSON_KINDS, CONSENT_STATES, personCreate, personChange } from './person-fields.ts'
import { person, personRecord } from './person.ts'
import { personGroupNode, personGroupFields } from './groups.ts'

const call = callsOf('people')

/** Identifier that a caller chooses for an export, to request its progress. */
const chosenKey = z.string().min(1).max(64)

const personFilter = z.object({
  /**
   * Part of the name or the work number, a phone as `phone` accepts it, or the beginning of the name in pinyin or its initials. A masked
   * user finds only by the whole name, the whole phone or part of the work number.
   */
  keyword: searches('name', z.string().trim().max(64)).optional(),
  name: searches('name', z.string().max(64)).optional(),
  workNumber: z.string().max(64).optional(),
  /** The whole number, or its last four characters: it is stored encrypted. */
  phone: searches('phone', z.string().max(64)).optional(),
  groupId: id.optional(),
  status: z.coerce.number().pipe(personStatus.schema).optional(),
  kind: z.enum(PERSON_KINDS).optional(),
  /** The whole number in any format, or its last four characters as it was entered. */
  cardNumber: searches('cardNumber', z.string().max(64)).optional(),
  consent: z.enum(CONSENT_STATES).optional(),
  /** 1: only people with a photo; 0: only people without. */
  hasFace: z.coerce.number().int().min(0).max(1).optional(),
  /** Only people with fewer photos than this. */
  facesBelow: z.coerce.number().int().min(1).max(FACES_PER_PERSON).optional(),
  /** Only people whose validity ends within this number of days. */
  expiringDays: z.coerce.number().int().min(1).max(366).optional(),
  sort: z.enum(['createdAt', 'name', 'workNumber', 'validTo']).optional(),
  order: z.enum(['asc', 'desc']).optional(),
})
export const personQuery = pageQuery.extend(personFilter.shape)

const writeErrors = [200005, 200201, 200202, 200203, 200207, 200214, 200215, 200225, 900114] as const

/** Number of persons that the confirmation of a deletion names. */
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
    /** Kind of persons who are counted; absent: all. */ kind: z.enum(PERSON_KINDS).optional(),
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
      'Changes a person; a version that is no longer current answers 409 with the fields that differ. What is disabled is ' +
      'enabled by `PUT /person/status` alone.',
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
      /** Names of the first persons, in the order of the request. */
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
      'Copies persons with their photographs into a group, of this park or of another the caller may manage persons of. Within ' +
      'a park numbers, cards and passwords stay with the original; in another park they are taken along. A person whose copy ' +
      'is in the group already is passed over.',
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
    /** `agrees` null: unknown. `checker`: `form` checks only the format of the number. */
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
