/** Device limits of organisations (module M04). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { deviceType } from '../enums/devices.ts'
import { changeOf, created, findQuery, id, idQuery, pageData } from '../schema.ts'
import { changesByItself } from '../wire-names.ts'

const call = callsOf('organisation')

const limit = z.number().int().min(0).max(100_000)
export const deviceLimit = z.object({
  id,
  organisationId: id,
  organisationName: z.string(),
  organisationType: z.number().int(),
  /** Null: devices of every type together. */
  deviceType: z.number().int().nullable(),
  limit,
  /** Number of counted devices at and below the organisation. */
  used: changesByItself(z.number().int()),
  version: z.number().int(),
})
export type DeviceLimit = z.output<typeof deviceLimit>
export const deviceLimitAdd = z.object({ organisationId: id, deviceType: deviceType.schema.nullable().default(null), limit })
export const deviceLimitChange = changeOf(z.object({ limit })).extend({ id, version: z.number().int().optional() })

const listLimits = call({
  method: 'POST',
  service: 'biz',
  path: '/device/limit/list',
  permission: 'installation',
  besides: ['system.area'],
  effect: 'read',
  summary: 'Limits of institutions with what is used of them.',
  body: findQuery.extend({
    id: id.optional(),
    name: z.string().max(100).optional(),
    organisationId: id.optional(),
    deviceType: deviceType.schema.optional(),
    /** Only limits that are reached. */
    full: z.boolean().optional(),
  }),
  data: pageData(deviceLimit),
})

export const deviceLimitCalls = {
  list: listLimits,
  add: call({
    method: 'POST',
    service: 'biz',
    path: '/device/limit/add',
    permission: 'installation',
    besides: ['system.area'],
    summary: 'Limits the devices of an institution, its sub-organisations included; devices that are there stay.',
    body: deviceLimitAdd,
    data: created,
    errors: [900004],
  }),
  update: call({
    method: 'POST',
    service: 'biz',
    path: '/device/limit/update',
    permission: 'installation',
    besides: ['system.area'],
    summary: 'Changes a limit; devices that are there stay.',
    record: listLimits,
    body: deviceLimitChange,
    data: created,
  }),
  remove: call({
    method: 'GET',
    service: 'biz',
    path: '/device/limit/remove',
    permission: 'installation',
    besides: ['system.area'],
    effect: 'write',
    summary: 'Removes a limit.',
    query: idQuery,
    data: created,
  }),
}
