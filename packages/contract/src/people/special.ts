/** The watch list: a register of its own, with groups of its own (module M05, special attention). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { personGroupType } from '../enums/people.ts'
import { changeOf, created, id, idParams, idQuery, ids, pageData, queryList } from '../schema.ts'
import { person, personRecord } from './person.ts'
import { personGroupNode } from './groups.ts'
import { personQuery } from './calls.ts'
import { specialChange, specialCreate } from './person-fields.ts'
import { changedGroupName, groupName } from './fields.ts'

const call = callsOf('people')

const condition = 'notOther'
const permission = 'person.list'
const besides = ['own:person.edit'] as const
const writeErrors = [200005, 200201, 200202, 200203, 200207, 200214, 200215, 200225, 900114] as const

const read = call({
  method: 'GET',
  service: 'biz',
  path: '/person/special',
  permission,
  condition,
  summary: 'One of them.',
  query: idQuery,
  data: personRecord,
})

const groupTree = call({
  method: 'GET',
  service: 'biz',
  path: '/person/special/group/tree',
  permission,
  condition,
  summary: 'Their groups.',
  data: z.array(personGroupNode),
})
const groupFields = z.object({ name: groupName, parentId: id.nullish() })

export const specialCalls = {
  list: call({
    method: 'GET',
    service: 'biz',
    path: '/person/special/list',
    permission,
    condition,
    summary: 'Persons to look out for, of the current park.',
    query: personQuery,
    data: pageData(person),
  }),
  read,
  create: call({
    method: 'POST',
    service: 'biz',
    path: '/person/special',
    permission,
    besides,
    condition,
    summary: 'Adds one.',
    body: specialCreate,
    data: created,
    errors: [...writeErrors, 900000],
    statuses: [409],
  }),
  change: call({
    method: 'PUT',
    service: 'biz',
    path: '/person/special',
    permission,
    besides,
    condition,
    summary:
      'Changes one; a version that is no longer current answers 409. Whoever is disabled is enabled by `PUT /person/special/status` alone.',
    record: read,
    body: specialChange,
    data: created,
    errors: [...writeErrors, 200224, 900000],
  }),
  deleteBatch: call({
    method: 'DELETE',
    service: 'biz',
    path: '/person/special/batch/delete',
    permission,
    besides,
    condition,
    summary: 'Deletes several with their photographs; their records stay.',
    query: z.object({ ids: queryList(id) }),
    body: ids.partial().optional(),
    data: z.object({ deleted: z.number().int() }),
    errors: [200224],
  }),
  move: call({
    method: 'POST',
    service: 'biz',
    path: '/person/special/move',
    permission,
    besides,
    condition,
    summary: 'Moves several to another group.',
    body: ids.extend({ groupId: id }),
    data: z.object({ moved: z.number().int() }),
    errors: [200224, 900000],
    statuses: [409],
  }),
  status: call({
    method: 'PUT',
    service: 'biz',
    path: '/person/special/status',
    permission,
    besides,
    condition,
    summary: 'Enables (1) or disables (0) several.',
    body: ids.extend({ status: z.union([z.literal(0), z.literal(1)]) }),
    data: z.object({ changed: z.number().int() }),
    errors: [900000],
    statuses: [409],
  }),
  groupTree,
  pickerTree: call({
    method: 'GET',
    service: 'biz',
    path: '/person/special/group/treenoblacklevel',
    permission: 'self',
    condition,
    summary: 'Their groups for a picker, without the group at the top that holds the others.',
    data: z.array(personGroupNode),
  }),
  createGroup: call({
    method: 'POST',
    service: 'biz',
    path: '/person/special/group',
    permission,
    besides,
    condition,
    summary: 'Adds a group.',
    /** `type` is optional: all these groups have the same. */
    body: groupFields.extend({ type: z.literal(personGroupType.blacklist).optional() }),
    data: created,
    errors: [200107],
  }),
  changeGroup: call({
    method: 'PUT',
    service: 'biz',
    path: '/person/special/group',
    permission,
    besides,
    condition,
    summary: 'Renames a group, or moves it below another or to the top.',
    record: groupTree,
    body: changeOf(groupFields.extend({ name: changedGroupName })).extend({ id }),
    data: created,
    errors: [200107, 900000],
    statuses: [409],
  }),
  deleteGroup: call({
    method: 'DELETE',
    service: 'biz',
    path: '/person/special/group/{id}',
    permission,
    besides,
    condition,
    summary: 'Deletes an empty group without children.',
    params: idParams,
    data: created,
    errors: [200102, 200103, 900109],
  }),
  topGroup: call({
    method: 'PUT',
    service: 'biz',
    path: '/person/special/group/topping',
    permission,
    besides,
    condition,
    summary: 'Puts a group before its siblings.',
    body: z.object({ id }),
    data: created,
  }),
}
