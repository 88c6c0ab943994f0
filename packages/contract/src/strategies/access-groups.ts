/** Door groups: doors under one name, which access rules can refer to as one. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { changeOf, created, id, idParams, idQuery, instant } from '../schema.ts'
import { changesByItself } from '../wire-names.ts'

const call = callsOf('strategies')

export const accessGroupFields = z.object({
  name: z.string().trim().min(1).max(32),
  deviceIds: z.array(id).max(5000).default([]),
  /** Device groups with all groups below them, including those created later. */
  deviceGroupIds: z.array(id).max(1000).default([]),
})

export const accessGroupChangeFields = changeOf(accessGroupFields)

const named = z.object({ id, name: z.string() })
export const accessGroup = z.object({
  id,
  name: z.string(),
  devices: z.array(named),
  deviceGroups: z.array(named),
  deviceIds: z.array(id),
  deviceGroupIds: z.array(id),
  /** Number of doors now, device groups resolved. */
  deviceCount: changesByItself(z.number().int()),
  /** Number of access rules that refer to it. */
  strategyCount: changesByItself(z.number().int()),
  version: z.number().int(),
  updatedAt: instant,
})
export type AccessGroup = z.output<typeof accessGroup>

const base = { service: 'biz', permission: 'access.rule' } as const

const read = call({
  ...base,
  method: 'GET',
  path: '/access/group',
  summary: 'One access group.',
  query: idQuery,
  data: accessGroup,
  errors: [300101],
})

export const accessGroupCalls = {
  all: call({
    ...base,
    method: 'GET',
    path: '/access/group/list/all',
    summary: 'Access groups of the current park, by name.',
    data: z.array(accessGroup),
  }),
  read,
  create: call({
    ...base,
    method: 'POST',
    path: '/access/group',
    summary: 'Adds an access group.',
    body: accessGroupFields,
    data: created,
    errors: [900004],
  }),
  change: call({
    ...base,
    method: 'PUT',
    path: '/access/group',
    summary: 'Changes an access group; the terminals of every strategy that names it follow. What is left out stays as it was.',
    record: read,
    body: accessGroupChangeFields.extend({ id, version: z.number().int().optional() }),
    data: created,
    errors: [300101, 900004, 900000],
  }),
  delete: call({
    ...base,
    method: 'DELETE',
    path: '/access/group/{id}',
    summary: 'Deletes an access group that no strategy names.',
    params: idParams,
    data: created,
    errors: [300101, 300102],
    statuses: [409],
  }),
}
