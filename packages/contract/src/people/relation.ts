/** Associated persons: people of other parks who are admitted here, because both parks agreed. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { masked, searches } from '../masking.ts'
import { id, idQuery, instant, pageData, pageQuery } from '../schema.ts'

const call = callsOf('people')

export const associatedPerson = z.object({
  id,
  name: masked('name', z.string()),
  workNumber: z.string(),
  phone: masked('phone', z.string()),
  gender: z.number().int(),
  groupName: z.string(),
  status: z.number().int(),
  validFrom: instant.nullable(),
  validTo: instant.nullable(),
  /** Park in which the person is registered. */
  parkId: id,
  parkName: z.string(),
  /** Time since when the person is admitted here. */
  since: instant,
  url: z.string(),
  thumbnail: z.string(),
})
export type AssociatedPerson = z.output<typeof associatedPerson>

export const associatedPersonCalls = {
  list: call({
    method: 'GET',
    service: 'biz',
    path: '/person/relation/list',
    permission: 'person',
    condition: 'notLite',
    summary: 'Persons of linked parks who are associated with this one.',
    query: pageQuery.extend({
      name: searches('name', z.string().max(64)).optional(),
      workNumber: z.string().max(64).optional(),
      parkId: id.optional(),
    }),
    data: pageData(associatedPerson),
  }),
  read: call({
    method: 'GET',
    service: 'biz',
    path: '/person/relation',
    permission: 'person',
    condition: 'notLite',
    summary: 'One associated person.',
    query: idQuery,
    data: associatedPerson,
  }),
}
