/** Access rules (`strategy`) and time rules: who is admitted where and when (module M07). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { accessMethod, accessType, authorisedObject, ruleEffective } from '../enums/access.ts'
import { CALENDAR_FILE_MAX, EXCEPTION_DATES } from '../limits.ts'
import { masked, searches } from '../masking.ts'
import { created, date, findQuery, id, idParams, idQuery, ids, instant, changeOf, pageData, pageQuery } from '../schema.ts'
import { personalPassword } from '../people/person-fields.ts'
import { rule } from '../validation.ts'
import { changesByItself, formerly } from '../wire-names.ts'

const call = callsOf('strategies')

/** `HH:mm`; `24:00` is allowed too, as the end of a day. */
export const timeOfDay = z.string().refine((value) => /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/.test(value), rule('time'))
export const period = z.object({ weekday: z.number().int().min(1).max(7), start: timeOfDay, end: timeOfDay })

export const timeRuleFields = z.object({
  name: z.string().trim().min(1).max(32),
  periods: z.array(period).max(200),
  allowedExceptionDates: z.array(date).max(EXCEPTION_DATES).default([]),
  forbiddenExceptionDates: z.array(date).max(EXCEPTION_DATES).default([]),
  effectiveDate: date.nullish(),
})
export const timeRuleChangeFields = changeOf(timeRuleFields)
/**
 * State of a time rule: set, but not yet on all terminals concerned; effective from the next day; effective from a later day; in effect.
 * Connected terminals receive it within seconds, at the latest after about `EFFECT_MINUTES` minutes.
 */
export const RULE_STATES = ['today', 'tomorrow', 'later', 'inEffect'] as const
export const EFFECT_MINUTES = 10
const ruleState = z.object({
  state: z.enum(RULE_STATES),
  /** Number of terminals whose access rules use it, and of those that hold the current version. */
  terminals: z.number().int(),
  holding: z.number().int(),
})
export type RuleState = z.output<typeof ruleState>
export const timeRule = timeRuleFields.extend({
  id,
  effectiveDate: z.string().nullable(),
  effect: changesByItself(ruleState),
  isDefault: z.boolean(),
  strategyCount: changesByItself(z.number().int()),
  version: z.number().int(),
  updatedAt: instant,
})
export type TimeRule = z.output<typeof timeRule>

/** Methods of a new access rule: face and card, so that a person without a photo can pass as well (300206). */
export const USUAL_METHODS: readonly number[] = [accessMethod.face, accessMethod.card]

/** Access methods by which a person may pass. */
export const methodList = z.array(z.number().int().min(1).max(15)).min(1).max(15)

export const strategyFields = z.object({
  name: z.string().trim().min(1).max(32),
  personIds: z.array(id).max(10_000).default([]),
  personGroupIds: z.array(id).max(1000).default([]),
  deviceIds: z.array(id).max(5000).default([]),
  deviceGroupIds: z.array(id).max(1000).default([]),
  accessGroupIds: z.array(id).max(1000).default([]),
  timeRuleIds: z.array(id).min(1).max(100),
  /** Can be left out if `accessType` is given. */
  methods: methodList.optional(),
  /** Face or card, instead of single `methods`; if both are given they must agree. */
  accessType: accessType.schema.nullish(),
  kind: z.enum(['staff', 'visitor']).default('staff'),
  /** Who is admitted: the persons, their contacts in their place, or both. */
  authorizedObject: formerly('authorisedObject', authorisedObject.schema.default(authorisedObject.person)),
  /** Start if `validFrom` is absent: at once, or at the next 00:00 of the park. */
  effective: ruleEffective.schema.nullish(),
  validFrom: instant.nullish(),
  validTo: instant.nullish(),
  /**
   * The default access rule of its kind, which a park always has: setting it takes the mark from the former one; the default cannot be
   * deleted (300103).
   */
  isDefault: z.boolean().default(false),
})
export const strategyChangeFields = changeOf(strategyFields)
const named = z.object({ id, name: z.string() })
export const strategy = z.object({
  id,
  name: z.string(),
  persons: z.array(z.object({ id, name: masked('name', z.string()), workNumber: z.string() })),
  personGroups: z.array(named),
  devices: z.array(named),
  deviceGroups: z.array(named),
  accessGroups: z.array(named),
  timeRules: z.array(named),
  personIds: z.array(id),
  personGroupIds: z.array(id),
  deviceIds: z.array(id),
  deviceGroupIds: z.array(id),
  accessGroupIds: z.array(id),
  timeRuleIds: z.array(id),
  methods: z.array(z.number().int()),
  /** Face if it is among the methods, else card if that is; null if neither is. */
  accessType: accessType.schema.nullable(),
  kind: z.string(),
  authorizedObject: formerly('authorisedObject', authorisedObject.schema),
  isDefault: z.boolean(),
  /** Tomorrow while `validFrom` is in the future. */
  effective: changesByItself(ruleEffective.schema),
  validFrom: instant.nullable(),
  validTo: instant.nullable(),
  /** Number of persons and of devices it applies to now, groups and door groups resolved. */
  personCount: changesByItself(z.number().int()),
  deviceCount: changesByItself(z.number().int()),
  version: z.number().int(),
  updatedAt: instant,
})
export type Strategy = z.output<typeof strategy>
/** Row of a list: counts instead of members. */
export const strategyRow = strategy.omit({ persons: true, personIds: true })

const readStrategy = call({
  method: 'GET',
  service: 'biz',
  path: '/access/record/findAccessStrategyById',
  permission: 'access.rule',
  summary: 'One strategy.',
  query: idQuery,
  data: strategy,
  errors: [300101],
})

const readTimeRule = call({
  method: 'GET',
  service: 'biz',
  path: '/access/rule/info/{id}',
  permission: 'access.rule',
  summary: 'One time rule.',
  params: idParams,
  data: timeRule,
  errors: [300001],
})

export const strategyCalls = {
  find: call({
    method: 'POST',
    service: 'biz',
    path: '/access/record/findAccessStrategyList',
    effect: 'read',
    permission: 'access.rule',
    summary: 'Strategies of the current park.',
    body: findQuery.extend({ name: z.string().max(64).optional(), kind: z.enum(['staff', 'visitor']).optional() }),
    data: pageData(strategyRow),
  }),
  read: readStrategy,
  create: call({
    method: 'POST',
    service: 'biz',
    path: '/access/record/addAccessStrategy',
    permission: 'access.rule',
    summary: 'Adds a strategy: persons and groups × devices, their groups and access groups × time rules × methods.',
    body: strategyFields,
    data: created,
    errors: [300001, 300206, 900004, 900007, 900000],
    statuses: [409],
  }),
  change: call({
    method: 'POST',
    service: 'biz',
    path: '/access/record/updateAccessStrategy',
    permission: 'access.rule',
    summary: 'Changes a strategy; what is left out stays as it was.',
    record: readStrategy,
    body: strategyChangeFields.extend({ id, version: z.number().int().optional() }),
    data: created,
    errors: [300001, 300101, 300206, 900004, 900007, 900000],
  }),
  delete: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/deleteAccessStrategyById',
    effect: 'write',
    permission: 'access.rule',
    summary: 'Deletes a strategy.',
    query: idQuery,
    data: created,
    errors: [300101, 300103],
    statuses: [409],
  }),
  all: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/findAllAccessStrategys',
    permission: 'self',
    summary: 'Names of all strategies.',
    query: z.object({ /** Absent: both kinds. */ kind: z.enum(['staff', 'visitor']).optional() }),
    data: z.array(named),
  }),
  ofPerson: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/findDeviceDataByPerson',
    permission: 'person.list',
    summary: 'Where a person may pass: each device with the strategies that open it.',
    query: z.object({ personId: id }),
    data: z.array(z.object({ deviceId: id, deviceName: z.string(), strategies: z.array(named) })),
  }),
  ofDevice: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/findAccessListByDeviceId',
    permission: 'device.list',
    summary: 'Strategies that hold at a device, groups resolved, with the names of their time rules.',
    query: z.object({ deviceId: id }),
    data: z.array(named.extend({ kind: z.string(), timeRules: z.array(named) })),
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
}

export const timeRuleCalls = {
  all: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/findAllTimeRules',
    permission: 'self',
    summary: 'Names of all time rules.',
    data: z.array(named),
  }),
  list: call({
    method: 'GET',
    service: 'biz',
    path: '/access/rule/info/list',
    permission: 'access.rule',
    summary: 'Time rules of the current park.',
    query: pageQuery.extend({ name: z.string().max(64).optional() }),
    data: pageData(timeRule),
  }),
  read: readTimeRule,
  readCalendar: call({
    method: 'POST',
    service: 'biz',
    path: '/access/rule/calendar',
    effect: 'read',
    permission: 'access.rule',
    summary:
      'Days that a calendar file (iCalendar) names from today on, to choose other days of a time rule from: the part `file`, or ' +
      'its text. Nothing is stored.',
    consumes: 'multipart',
    bodyLimit: CALENDAR_FILE_MAX,
    body: z.object({ text: z.string().max(CALENDAR_FILE_MAX).optional() }),
    data: z.object({
      /** Days in ascending order, at most 1,000. */
      days: z.array(z.object({ date: z.string(), summaries: z.array(z.string()) })),
      total: z.number().int(),
      /** Names of events whose days cannot be determined. */
      unread: z.array(z.string()),
    }),
    origin: 'own',
  }),
  create: call({
    method: 'POST',
    service: 'biz',
    path: '/access/rule/info',
    permission: 'access.rule',
    summary: 'Adds a time rule.',
    body: timeRuleFields,
    data: created,
    errors: [300203, 300204, 900004, 900007],
  }),
  change: call({
    method: 'PUT',
    service: 'biz',
    path: '/access/rule/info',
    permission: 'access.rule',
    summary: 'Changes a time rule; every terminal that holds it follows. What is left out stays as it was.',
    record: readTimeRule,
    body: timeRuleChangeFields.extend({ id, version: z.number().int().optional() }),
    data: created,
    errors: [300001, 300203, 300204, 900004, 900007, 900000],
  }),
  delete: call({
    method: 'POST',
    service: 'biz',
    path: '/access/rule/batch/delete',
    permission: 'access.rule',
    summary: 'Deletes time rules that no strategy uses.',
    body: ids,
    data: z.object({ deleted: z.number().int() }),
    errors: [300001, 300002, 300003],
  }),
}
