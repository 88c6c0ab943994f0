/**
 * Restriction areas (module M07): several terminals that are the doors of one place, the rules that apply to all of them together, and who
 * is inside.
 */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { restrictionLimitType } from '../enums/access.ts'
import { masked, searches } from '../masking.ts'
import { changeOf, created, id, idParams, instant, pageData, pageQuery } from '../schema.ts'
import { rule } from '../validation.ts'
import { changesByItself } from '../wire-names.ts'

const call = callsOf('restrictions')

/** Highest limit of persons inside an area. */
const LIMIT_COUNT_MAX = 100_000
const NAME_MAX = 32
const DEVICES_MAX = 200
/** Maximum number of persons whose state is set in one call. */
const PERSONS_MAX = 1000

/** What a terminal of the area does when it cannot reach the server. */
export const offlinePolicy = z.enum(['refuse', 'allow'])
export type OfflinePolicy = z.output<typeof offlinePolicy>

const name = z.string().trim().min(1).max(NAME_MAX)
const limitCount = z.number().int().min(1).max(LIMIT_COUNT_MAX)

const fields = z.object({
  name,
  /** Main purpose of the area. Both rules can be active regardless of it. */
  limitType: restrictionLimitType.schema,
  /** Doors of the area, in and out; a device is a door of one area only. */
  deviceIds: z.array(id).min(1).max(DEVICES_MAX),
  /**
   * Doors elsewhere, such as the gate of the site: a person who is admitted outward by one is no longer inside the area. Several areas can
   * name the same door.
   */
  exitDeviceIds: z.array(id).max(DEVICES_MAX).default([]),
  /** A person who is inside is not admitted in again, and one who is outside is not admitted out. */
  antiSneakBack: z.boolean(),
  /** No person is admitted while `limitCount` persons are inside. */
  flowLimit: z.boolean(),
  limitCount: limitCount.nullable().default(null),
  offlinePolicy: offlinePolicy.default('refuse'),
})

export interface FlowLimit {
  flowLimit?: boolean | undefined
  limitCount?: number | null | undefined
}
/** Return whether a flow limit, if switched on, has a number. */
export const hasLimit = ({ flowLimit, limitCount: count }: FlowLimit): boolean => flowLimit !== true || typeof count === 'number'
const LIMIT_REQUIRED = { ...rule('required'), path: ['limitCount'] }

/** Return the fields with both rules set: a rule that is absent is on if it is the purpose of the area. */
export const rulesOf = <Fields extends Pick<z.output<typeof fields>, 'limitType'> & { antiSneakBack?: boolean; flowLimit?: boolean }>(
  given: Fields,
): Fields & { antiSneakBack: boolean; flowLimit: boolean } => ({
  ...given,
  antiSneakBack: given.antiSneakBack ?? given.limitType === restrictionLimitType.antiSneakBack,
  flowLimit: given.flowLimit ?? given.limitType === restrictionLimitType.flowLimit,
})

export const restrictionFields = fields
  .partial({ antiSneakBack: true, flowLimit: true })
  .refine((given) => hasLimit(rulesOf(given)), LIMIT_REQUIRED)
export const restrictionChangeFields = changeOf(fields)

const namedDevice = z.object({ id, name: z.string(), /** 1: in, 2: out. */ direction: z.number().int() })

export const restrictionArea = z.object({
  id,
  name: z.string(),
  limitType: restrictionLimitType.schema,
  antiSneakBack: z.boolean(),
  flowLimit: z.boolean(),
  limitCount: z.number().int().nullable(),
  offlinePolicy,
  deviceIds: z.array(id),
  exitDeviceIds: z.array(id),
  devices: z.array(namedDevice),
  exitDevices: z.array(namedDevice),
  /** Number of persons who are inside now. */
  count: changesByItself(z.number().int()),
  version: z.number().int(),
  updatedAt: instant,
})
export type RestrictionArea = z.output<typeof restrictionArea>

/** Whether a person is in an area. The specification has the field but defines no values. */
export const PERSON_STATE = { outside: 0, inside: 1 } as const
export const personState = z.union([z.literal(PERSON_STATE.outside), z.literal(PERSON_STATE.inside)])
export type PersonState = z.output<typeof personState>

/** Source of a person's state. */
export const stateSource = z.enum(['asked', 'record', 'hand'])

export const restrictionPerson = z.object({
  /** Id of the person. */
  id,
  restrictionId: id,
  personId: id,
  personName: masked('name', z.string()),
  workNumber: z.string(),
  status: personState,
  /** When the state was last determined. */
  since: instant,
  source: stateSource,
  /** Door at which the state was determined; null if it was set by hand. */
  deviceId: id.nullable(),
  deviceName: z.string(),
})
export type RestrictionPerson = z.output<typeof restrictionPerson>

export const musterPerson = z.object({
  /** Id of the person. */
  id,
  personId: id,
  personName: masked('name', z.string()),
  workNumber: z.string(),
  /** Outside: the person has left since the muster was started. */
  status: personState,
  since: instant,
  deviceName: z.string(),
  met: z.boolean(),
  metAt: instant.nullable(),
  metBy: z.string(),
  /** Of a visitor and of those who came along; null for any other person, and for a user who may not see visits. */
  visit: z.object({ id, /** Empty: no host. */ hostName: masked('name', z.string()), groupName: z.string() }).nullable(),
})
export type MusterPerson = z.output<typeof musterPerson>

export const muster = z.object({ id, beganAt: instant, beganBy: z.string() })
export const musterFilter = z.enum(['missing', 'met', 'left'])

const base = { service: 'biz', permission: 'access.restriction' } as const
const own = { ...base, origin: 'own' } as const

const read = call({
  ...base,
  method: 'GET',
  path: '/access/restriction/config/detail/{id}',
  summary: 'One restriction area.',
  params: idParams,
  data: restrictionArea,
})

export const restrictionCalls = {
  list: call({
    ...base,
    method: 'POST',
    effect: 'read',
    path: '/access/restriction/config/list',
    summary: 'Restriction areas of the current park, by name, with how many persons are inside.',
    body: pageQuery.extend({
      name: z.string().max(NAME_MAX).optional(),
      limitType: restrictionLimitType.schema.optional(),
      deviceId: id.optional(),
    }),
    data: pageData(restrictionArea),
  }),
  create: call({
    ...base,
    method: 'POST',
    path: '/access/restriction/config',
    summary: 'Adds a restriction area; its terminals ask the server before they open from then on.',
    body: restrictionFields,
    data: created,
    errors: [510012, 900004],
  }),
  change: call({
    ...base,
    method: 'PUT',
    path: '/access/restriction/config',
    summary: 'Changes a restriction area; what is left out stays as it was, and so does what is known of persons inside.',
    record: read,
    body: restrictionChangeFields.extend({ id, version: z.number().int().optional() }),
    data: created,
    errors: [510012, 900004],
  }),
  delete: call({
    ...base,
    method: 'DELETE',
    path: '/access/restriction/config/{id}',
    summary: 'Deletes a restriction area with what is known of persons inside.',
    params: idParams,
    data: created,
  }),
  read,
  persons: call({
    ...base,
    method: 'POST',
    effect: 'read',
    path: '/access/restriction/antiSneakBack/person/status/list',
    summary: 'Persons of a restriction area with their state, the newest first.',
    body: pageQuery.extend({
      /** Required: there is no list of all areas. */
      restrictionId: id.optional(),
      /** Part of a name or a work number. */
      personName: searches('name', z.string().max(64)).optional(),
      status: personState.optional(),
    }),
    data: pageData(restrictionPerson),
  }),
  setStatus: call({
    ...base,
    method: 'PUT',
    path: '/access/restriction/antiSneakBack/person/status',
    summary: 'Sets by hand whether persons are inside; null: nothing is known of them, and the next passage may be either way.',
    body: z.object({
      restrictionId: id,
      /** One person, or several by `personIds`. */
      personId: id.optional(),
      personIds: z.array(id).min(1).max(PERSONS_MAX).optional(),
      status: personState.nullable(),
    }),
    data: z.object({ changed: z.number().int() }),
  }),
  setFlowLimit: call({
    ...base,
    method: 'PUT',
    path: '/access/restriction/flowLimit/status/{id}',
    summary:
      'Switches the flow limit of an area on or off, by `status` or `flowLimit`; `limitCount` sets the limit too, and null removes it.',
    params: idParams,
    body: z.object({
      status: z.union([z.literal(0), z.literal(1)]).optional(),
      flowLimit: z.boolean().optional(),
      limitCount: limitCount.nullish(),
    }),
    data: created,
  }),
  occupancy: call({
    ...own,
    method: 'GET',
    path: '/access/restriction/occupancy/{id}',
    summary: 'How many persons are inside an area now, and how many may be.',
    params: idParams,
    data: z.object({
      count: z.number().int(),
      limitCount: z.number().int().nullable(),
      /** Admitted in or out by the server; the record has not arrived yet. */ asked: z.number().int(),
    }),
  }),
  muster: call({
    ...own,
    method: 'GET',
    path: '/access/restriction/muster/list',
    summary: 'Everybody inside an area; while a muster goes on, also who was met and who has left since it began.',
    query: pageQuery.extend({ /** Required. */ restrictionId: id.optional(), filter: musterFilter.optional() }),
    data: pageData(musterPerson).extend({
      muster: muster.nullable(),
      missing: z.number().int(),
      met: z.number().int(),
      left: z.number().int(),
    }),
  }),
  beginMuster: call({
    ...own,
    method: 'POST',
    path: '/access/restriction/muster',
    summary: 'Begins a muster at an area; the one that goes on is answered where there is one.',
    body: z.object({ restrictionId: id }),
    data: created,
  }),
  endMuster: call({
    ...own,
    method: 'PUT',
    path: '/access/restriction/muster/end',
    summary: 'Ends the muster of an area.',
    body: z.object({ restrictionId: id }),
    data: created,
  }),
  meet: call({
    ...own,
    method: 'PUT',
    path: '/access/restriction/muster/person',
    summary: 'Notes that persons were met at the muster that goes on, or takes that back.',
    body: z.object({ restrictionId: id, personIds: z.array(id).min(1).max(PERSONS_MAX), met: z.boolean() }),
    data: z.object({ changed: z.number().int() }),
  }),
}
