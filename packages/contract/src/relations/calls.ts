/**
 * Linked parks: a park applies to another by its park code and names the people who should be admitted there; once the other park has
 * agreed, these are its associated persons (module M07).
 */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { TEXT_MAX } from '../limits.ts'
import { masked } from '../masking.ts'
import { verificationCode } from '../organisation/areas.ts'
import { abilities, changeOf, created, id, idParams, instant, pageData, pageQuery } from '../schema.ts'
import { rule } from '../validation.ts'
import { changesByItself, formerly } from '../wire-names.ts'

const call = callsOf('relations')

const status = z.enum(['applied', 'agreed', 'refused', 'dismissed'])

/** Maximum number of persons, and of groups, in one application. */
const MEMBERS_MAX = 1000
const members = z
  .array(id)
  .max(MEMBERS_MAX)
  .refine((ids) => new Set(ids).size === ids.length, rule('duplicate'))

export const parkRelation = z.object({
  id,
  /** `sent`: this park applied; `received`: the other park applied. */
  direction: z.enum(['sent', 'received']),
  /** Names of the two parks; empty if the park does not exist any more. */
  applicationPark: changesByItself(z.string()),
  receivingPark: changesByItself(z.string()),
  /** Park code of the receiving park, for users who may know it: those of that park, and those who manage it. */
  authorisationCode: changesByItself(z.string().nullable()),
  /** Name and code of the other park. */
  parkName: changesByItself(z.string()),
  areaCode: changesByItself(z.string()),
  status,
  remark: z.string(),
  /** Number of the applying park's people that are included, groups resolved. */
  personCount: changesByItself(z.number().int()),
  /** Filled only for the park that applied, to which these people belong. */
  persons: z.array(z.object({ id, name: masked('name', z.string()) })),
  personGroups: z.array(z.object({ id, name: z.string() })),
  personIds: z.array(id),
  personGroupIds: z.array(id),
  createdAt: instant,
  decidedAt: instant.nullable(),
  version: z.number().int(),
  /** `change`: change which of its people are included. */
  can: abilities('change', 'agree', 'refuse', 'dismiss', 'delete'),
})
export type ParkRelation = z.output<typeof parkRelation>

const base = { service: 'biz', permission: 'park.related' } as const
const MEMBER_FIELDS = { personIds: members.default([]), personGroupIds: members.default([]) }

const list = call({
  ...base,
  method: 'GET',
  path: '/relation/config/list',
  summary: 'Applications and links of the current park, the newest first.',
  query: pageQuery.extend({ id: id.optional(), direction: z.enum(['sent', 'received']).optional(), status: status.optional() }),
  data: pageData(parkRelation),
})

export const relationCalls = {
  parks: call({
    ...base,
    method: 'GET',
    path: '/relation/config/parks',
    summary:
      'Parks of the caller’s own part of the tree that this one is neither linked nor applied to; others are applied to by ' +
      'their verification code.',
    data: z.array(z.object({ id, parkName: z.string(), areaCode: z.string() })),
  }),
  list,
  apply: call({
    ...base,
    method: 'POST',
    path: '/relation/config',
    summary: 'Applies to another park, by its verification code or by its id where the caller manages both.',
    body: z.object({
      /** Park code of the other park. */
      authorisationCode: formerly('code', verificationCode.nullish()),
      parkId: id.nullish(),
      /** The same as `parkId`. */
      receivingPark: id.nullish(),
      /** The park that applies: only the caller's current park is accepted. */
      applicationPark: id.nullish(),
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
    summary:
      'The park that was asked agrees or refuses, either park dismisses a link; the park that applied changes whom it is about. ' +
      'What is left out stays as it was.',
    record: list,
    body: changeOf(z.object({ status, ...MEMBER_FIELDS })).extend({ id, version: z.number().int().optional() }),
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
