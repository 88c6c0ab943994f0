/** Persons to look out for: a register of their own, in groups of their own (module M05, special attention). */
import { z } from 'zod'
import { call } from '../call.ts'
import { created, id, idParams, idQuery, ids, pageData, queryList } from '../schema.ts'
import { person, personChange, personCreate, personGroupNode, personQuery } from './calls.ts'
import { groupName } from './fields.ts'

const condition = 'notOther'
const permission = 'person.list'
const writeErrors = [200005, 200201, 200202, 200203, 200207, 200214, 200215, 200225, 900114] as const

export const specialCalls = {
  list: call({ method: 'GET', service: 'biz', path: '/person/special/list', permission, condition, summary: 'Persons to look out for, of the current park.', query: personQuery, data: pageData(person) }),
  read: call({ method: 'GET', service: 'biz', path: '/person/special', permission, condition, summary: 'One of them.', query: idQuery, data: person }),
  create: call({ method: 'POST', service: 'biz', path: '/person/special', permission, condition, summary: 'Adds one; the kind sent is passed over.', body: personCreate, data: created, errors: writeErrors }),
  change: call({ method: 'PUT', service: 'biz', path: '/person/special', permission, condition, summary: 'Changes one; a version that is no longer current answers 409.', body: personChange, data: created, errors: [...writeErrors, 200224] }),
  deleteBatch: call({ method: 'DELETE', service: 'biz', path: '/person/special/batch/delete', permission, condition, summary: 'Deletes several with their photographs; their records stay.', query: z.object({ ids: queryList(id) }), body: ids.partial().optional(), data: z.object({ deleted: z.number().int() }), errors: [200224] }),
  move: call({ method: 'POST', service: 'biz', path: '/person/special/move', permission, condition, summary: 'Moves several to another group.', body: ids.extend({ groupId: id }), data: z.object({ moved: z.number().int() }), errors: [200224] }),
  status: call({ method: 'PUT', service: 'biz', path: '/person/special/status', permission, condition, summary: 'Enables (1) or disables (0) several.', body: ids.extend({ status: z.union([z.literal(0), z.literal(1)]) }), data: z.object({ changed: z.number().int() }) }),
  groupTree: call({ method: 'GET', service: 'biz', path: '/person/special/group/tree', permission, condition, summary: 'Their groups.', data: z.array(personGroupNode) }),
  pickerTree: call({ method: 'GET', service: 'biz', path: '/person/special/group/treenoblacklevel', permission: 'self', condition, summary: 'Their groups for a picker, without the group at the top that holds the others.', data: z.array(personGroupNode) }),
  createGroup: call({ method: 'POST', service: 'biz', path: '/person/special/group', permission, condition, summary: 'Adds a group.', body: z.object({ name: groupName, parentId: id.nullish() }), data: created, errors: [200107] }),
  changeGroup: call({ method: 'PUT', service: 'biz', path: '/person/special/group', permission, condition, summary: 'Renames or moves a group.', body: z.object({ id, name: groupName.optional(), parentId: id.nullish() }), data: created, errors: [200107] }),
  deleteGroup: call({ method: 'DELETE', service: 'biz', path: '/person/special/group/{id}', permission, condition, summary: 'Deletes an empty group without children.', params: idParams, data: created, errors: [200102, 200103, 900109] }),
  topGroup: call({ method: 'PUT', service: 'biz', path: '/person/special/group/topping', permission, condition, summary: 'Puts a group before its siblings.', body: z.object({ id }), data: created }),
}
