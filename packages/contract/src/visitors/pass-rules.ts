/** Pass rules: which access rules visitors get, by their host and their own group. The specification calls them access relations. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { changeOf, created, id, idParams, idQuery, instant, pageData, pageQuery } from '../schema.ts'
import { passMethods } from './fields.ts'

const call = callsOf('visitors')

const NAME_MAX = 32
const GROUPS_MAX = 200

const passRuleFields = z.object({
  name: z.string().trim().min(1).max(NAME_MAX),
  /** Groups of staff: for visitors of hosts in these groups and below; none: of every host, and without one. */
  hostGroupIds: z.array(id).max(GROUPS_MAX).default([]),
  /** Groups of visitors, with those below; none: every group. */
  visitorGroupIds: z.array(id).max(GROUPS_MAX).default([]),
  /** Access rules of the kind `visitor`. */
  accessGroupIds: z.array(id).min(1).max(100),
  passMethods: passMethods.min(1),
})
const named = z.object({ id, name: z.string() })
export const passRule = z.object({
  id,
  name: z.string(),
  hostGroupIds: z.array(id),
  hostGroups: z.array(named),
  visitorGroupIds: z.array(id),
  visitorGroups: z.array(named),
  accessGroupIds: z.array(id),
  accessGroups: z.array(named),
  passMethods: z.array(z.number().int()),
  version: z.number().int(),
  updatedAt: instant,
})
export type PassRule = z.output<typeof passRule>

const base = { service: 'visitor', path: '/visitor/access/relation', permission: 'visitor.access.rule' } as const

const read = call({ ...base, method: 'GET', summary: 'One pass rule.', query: idQuery, data: passRule })

export const passRuleCalls = {
  list: call({
    ...base,
    method: 'GET',
    path: '/visitor/access/relation/list',
    summary: 'Pass rules of the current park, by name.',
    query: pageQuery.extend({ name: z.string().max(64).optional() }),
    data: pageData(passRule),
  }),
  read,
  create: call({
    ...base,
    method: 'POST',
    summary: 'Adds a pass rule.',
    body: passRuleFields,
    data: created,
    errors: [900004],
  }),
  change: call({
    ...base,
    method: 'PUT',
    summary: 'Changes a pass rule; visits that were accepted before keep what they were given.',
    record: read,
    body: changeOf(passRuleFields).extend({ id, version: z.number().int().optional() }),
    data: created,
    errors: [900004],
  }),
  delete: call({
    ...base,
    method: 'DELETE',
    path: '/visitor/access/relation/{id}',
    summary: 'Deletes a pass rule; visits that were accepted before keep what they were given.',
    params: idParams,
    data: created,
  }),
  /** What a visit is given if its form names nothing. */
  match: call({
    ...base,
    method: 'GET',
    path: '/visitor/access/relation/match',
    permission: 'visitor.temporary.edit',
    summary: 'The access rules and methods that the pass rules give a visitor of this host and group.',
    query: z.object({ intervieweeId: id.optional(), visitorGroupId: id.optional() }),
    data: z.object({ accessGroups: z.array(named), passMethods: z.array(z.number().int()) }),
    origin: 'own',
  }),
}
