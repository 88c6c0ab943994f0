/** What other screens ask of access control: who is concerned by it, what holds at a door, where somebody passed, whether a password is free. */
import { z } from 'zod'
import { call } from '../call.ts'
import { masked, searches } from '../masking.ts'
import { personalPassword } from '../people/calls.ts'
import { findQuery, id, pageData, pageQuery } from '../schema.ts'
import { formerly } from '../wire-names.ts'
import { accessRecord } from './calls.ts'

const named = z.object({ id, name: z.string() })

/** A passage at a park that shares the person with this one. Of another park no picture is shown, neither of the passage nor of the person. */
export const linkedRecord = accessRecord.extend({ parkId: id, parkName: z.string() })

export const accessLookupCalls = {
  linkedRecordsOfPerson: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/findAccessParkListByPersonId',
    permission: 'person',
    summary:
      'Latest records of a person that parks share: of a person of this park where linked parks let him pass, of an associated one those here.',
    query: pageQuery.extend({ personId: id }),
    data: pageData(linkedRecord),
  }),
  relatedPersons: call({
    method: 'POST',
    service: 'biz',
    path: '/access/record/getAccessRelationUser',
    effect: 'read',
    permission: 'access.record',
    summary: 'Persons that strategies cover, groups resolved, by name: of the park, of one strategy, or of those that hold at a device.',
    body: findQuery
      .omit({ after: true })
      .extend({ name: searches('name', z.string().max(64)).optional(), strategyId: id.optional(), deviceId: id.optional() }),
    data: pageData(z.object({ id, name: masked('name', z.string()), workNumber: z.string() })),
    errors: [300101],
  }),
  checkPassword: call({
    method: 'POST',
    service: 'biz',
    path: '/access/record/checkPin',
    effect: 'read',
    permission: 'access.rule',
    summary:
      'Whether a pass password is free in the park; of whoever may change the person, that person’s own is. Says of nobody whose it is.',
    body: z.object({ personalPassword: formerly('password', personalPassword), personId: id.optional() }),
    data: z.object({ free: z.boolean() }),
  }),
  strategiesOfDevice: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/findAccessListByDeviceId',
    permission: 'device.list',
    summary: 'Strategies that hold at a device, groups resolved, with the names of their time rules.',
    query: z.object({ deviceId: id }),
    data: z.array(named.extend({ kind: z.string(), timeRules: z.array(named) })),
  }),
}
