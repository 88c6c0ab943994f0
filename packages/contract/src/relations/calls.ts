/**
 * Linked parks: one applies to another by its verification code and says whom of its people it would like to let pass
 * there; once the other has agreed, these are its associated persons (module M07).
 */
import { z } from 'zod'
import { call } from '../call.ts'
import { parkSyncApplicationStatus } from '../enums/access.ts'
import { TEXT_MAX } from '../limits.ts'
import { masked } from '../masking.ts'
import { verificationCode } from '../organisation/areas.ts'
import { created, id, idParams, instant, pageData, pageQuery } from '../schema.ts'
import { rule } from '../validation.ts'

const status = z.enum(['applied', 'agreed', 'refused', 'dismissed'])

/** Persons and groups one application may name. */
const MEMBERS_MAX = 1000
const members = z
  .array(id)
  .max(MEMBERS_MAX)
  .refine((ids) => new Set(ids).size === ids.length, rule('duplicate'))

export const parkRelation = z.object({
  id,
  /** `sent`: this park applied; `received`: the other did. */
  direction: z.enum(['sent', 'received']),
  parkName: z.string(),
  areaCode: z.string(),
  status,
  remark: z.string(),
  /** How many of the applying park's people it is about, groups counted out. */
  personCount: z.number().int(),
  /** Only for the park that applied, whose people they are. */
  persons: z.array(z.object({ id, name: masked('name', z.string()) })),
  personGroups: z.array(z.object({ id, name: z.string() })),
  createdAt: instant,
  decidedAt: instant.nullable(),
  version: z.number().int(),
})
export type ParkRelation = z.output<typeof parkRelation>

const base = { service: 'biz', permission: 'park.related' } as const
const MEMBER_FIELDS = { personIds: members.default([]), personGroupIds: members.default([]) }

export const relationCalls = {
  parks: call({
    ...base,
    method: 'GET',
    path: '/relation/config/parks',
    summary:
      'Parks of the caller’s own part of the tree that this one is neither linked nor applied to; others are applied to by their verification code.',
    data: z.array(z.object({ id, parkName: z.string(), areaCode: z.string() })),
  }),
  list: call({
    ...base,
    method: 'GET',
    path: '/relation/config/list',
    summary: 'Applications and links of the current park, the newest first.',
    query: pageQuery.extend({ direction: z.enum(['sent', 'received']).optional(), status: status.optional() }),
    data: pageData(parkRelation),
  }),
  apply: call({
    ...base,
    method: 'POST',
    path: '/relation/config',
    summary: 'Applies to another park, by its verification code or by its id where the caller manages both.',
    body: z.object({
      code: verificationCode.nullish(),
      parkId: id.nullish(),
      remark: z.string().trim().max(TEXT_MAX).default(''),
      ...MEMBER_FIELDS,
    }),
    data: created,
    errors: [1100001, 1100002, 1100003],
  }),
  change: call({
    ...base,
    method: 'PUT',
    path: '/relation/config',
    summary: 'The park that was asked agrees or refuses, either park dismisses a link; the park that applied changes whom it is about.',
    body: z.object({
      id,
      status: z.enum([parkSyncApplicationStatus.agreed, parkSyncApplicationStatus.refused, parkSyncApplicationStatus.dismissed]).nullish(),
      personIds: members.nullish(),
      personGroupIds: members.nullish(),
      version: z.number().int().optional(),
    }),
    data: created,
    errors: [1100004],
  }),
  delete: call({
    ...base,
    method: 'DELETE',
    path: '/relation/config/{id}',
    summary: 'Takes an application back, or removes one that has ended; a link is dismissed first: 1100004.',
    params: idParams,
    data: created,
    errors: [1100004],
  }),
}
