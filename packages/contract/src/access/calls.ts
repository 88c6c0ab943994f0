/** Strategies, time rules and access records (module M07). */
import { z } from 'zod'
import { call } from '../call.ts'
import { passDirection } from '../enums/devices.ts'
import { accessMethod, accessResult, accessType, authorisedObject, ruleEffective } from '../enums/access.ts'
import { CALENDAR_FILE_MAX, EXCEPTION_DATES } from '../limits.ts'
import { masked, searches } from '../masking.ts'
import { created, date, findQuery, id, idParams, idQuery, ids, instant, changeOf, pageData, pageQuery } from '../schema.ts'
import { rule } from '../validation.ts'
import { changesByItself, formerly } from '../wire-names.ts'
import { REMEDY_CODES } from './remedies.ts'

/** `HH:mm`, `24:00` allowed as an end. */
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
 * From when a time rule works: set, but not yet held by all terminals concerned; from the next day or a later one; working. Terminals
 * that are connected hold it within seconds, at the latest after about `EFFECT_MINUTES`.
 */
export const RULE_STATES = ['today', 'tomorrow', 'later', 'inEffect'] as const
export const EFFECT_MINUTES = 10
const ruleState = z.object({
  state: z.enum(RULE_STATES),
  /** Terminals at doors whose strategies follow it, and those of them that hold what they should. */
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

/** Methods a new strategy starts with: face and card, so that a person without a photo can pass as well (300206). */
export const USUAL_METHODS: readonly number[] = [accessMethod.face, accessMethod.card]

/** Access methods by which somebody may pass. */
export const methodList = z.array(z.number().int().min(1).max(15)).min(1).max(15)

export const strategyFields = z.object({
  name: z.string().trim().min(1).max(32),
  personIds: z.array(id).max(10_000).default([]),
  personGroupIds: z.array(id).max(1000).default([]),
  deviceIds: z.array(id).max(5000).default([]),
  deviceGroupIds: z.array(id).max(1000).default([]),
  accessGroupIds: z.array(id).max(1000).default([]),
  timeRuleIds: z.array(id).min(1).max(100),
  /** Can be left out where `accessType` chooses them. */
  methods: methodList.optional(),
  /** By face or by card, where nobody chooses `methods` one by one; beside them it must say the same as they do. */
  accessType: accessType.schema.nullish(),
  kind: z.enum(['staff', 'visitor']).default('staff'),
  /** Who passes by it: the persons, their contacts in their place, or both. */
  authorizedObject: formerly('authorisedObject', authorisedObject.schema.default(authorisedObject.person)),
  /** From when on, where `validFrom` does not say: at once, or from the next 00:00 of the park on. */
  effective: ruleEffective.schema.nullish(),
  validFrom: instant.nullish(),
  validTo: instant.nullish(),
  /** The one of its kind that the park always keeps: it takes this from another, and cannot be deleted (300103). */
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
  /** Face where it is among the methods, else card where that is; null where neither is. */
  accessType: accessType.schema.nullable(),
  kind: z.string(),
  authorizedObject: formerly('authorisedObject', authorisedObject.schema),
  isDefault: z.boolean(),
  /** Tomorrow while `validFrom` lies ahead. */
  effective: changesByItself(ruleEffective.schema),
  validFrom: instant.nullable(),
  validTo: instant.nullable(),
  /** Persons and devices it reaches now, groups and access groups resolved. */
  personCount: changesByItself(z.number().int()),
  deviceCount: changesByItself(z.number().int()),
  version: z.number().int(),
  updatedAt: instant,
})
export type Strategy = z.output<typeof strategy>
/** A strategy as a list row: counts instead of members. */
export const strategyRow = strategy.omit({ persons: true, personIds: true })

/** Somebody of the watch list whom a record shows, as found by the face on its picture. */
export const watchListHit = z.object({
  personId: id,
  personName: masked('name', z.string()),
  groupName: z.string(),
  /** 0..100, raw; screens show `shownScore` of it. */
  score: z.number(),
  registeredImage: z.string(),
  /** Why they are on the list. */
  reason: z.string(),
  /** What is to be done when they appear. */
  instruction: z.string(),
})
export type WatchListHit = z.output<typeof watchListHit>

export const accessRecord = z.object({
  id,
  personId: id.nullable(),
  personName: masked('name', z.string()),
  workNumber: z.string(),
  /** Of a person of a linked park: how that park was called. */
  personParkName: z.string().optional(),
  /** The contact who came in the person's place, as he was called then; absent where the person came himself. */
  contactId: id.optional(),
  contactName: masked('name', z.string()).optional(),
  /** Value of `contactRelation`; absent also where it was not known any more. */
  contactRelation: z.number().int().optional(),
  deviceId: id,
  deviceName: z.string(),
  time: instant,
  receivedAt: instant,
  direction: z.number().int(),
  verifyType: z.number().int(),
  result: z.number().int(),
  failReason: z.number().int().nullable(),
  failText: z.string(),
  /** The rule of a restriction area that refused; null where none did. */
  restriction: z.enum(['alreadyInside', 'alreadyOutside', 'full']).nullish(),
  /** 0..100, raw; screens show `shownScore` of it. Null where no face was compared. */
  score: z.number().nullable(),
  temperature: z.number().nullable(),
  temperatureStatus: z.number().int().nullable(),
  mask: z.number().int().nullable(),
  helmet: z.number().int().nullable(),
  /** Face in front of the terminal and face on file, the same crop and size; empty while none has arrived. */
  captureImage: z.string(),
  captureThumbnail: z.string(),
  registeredImage: z.string(),
  /** Until when its picture was kept, where the park keeps pictures for less long than records; null while there is one, and where none came. */
  pictureKeptUntil: instant.nullable(),
  /** Somebody has said that it was not this person. */
  corrected: z.boolean(),
  /** Absent where nobody of the watch list was found, and always for whoever does not see that list: to them it is an ordinary refusal. */
  watchList: watchListHit.optional(),
})
export type AccessRecord = z.output<typeof accessRecord>

export const accessRecordFilter = findQuery.extend({
  startTime: instant.optional(),
  endTime: instant.optional(),
  personId: id.optional(),
  personName: searches('name', z.string().max(64)).optional(),
  deviceId: id.optional(),
  direction: passDirection.schema.optional(),
  result: accessResult.schema.optional(),
  failReason: z.number().int().optional(),
  /** Records of nobody known. */
  stranger: z.boolean().optional(),
  /** Records on which somebody of the watch list was found; none of them for whoever does not see that list. */
  watchList: z.literal(true).optional(),
})

/** One entry of the checks a terminal decided by, see `access-rules`. */
export const recordDetail = accessRecord.extend({
  checks: z.array(z.record(z.string(), z.unknown())),
  /** Revision of the settings the terminal held. */
  settingsRevision: z.string(),
  clockOffsetMs: z.number().nullable(),
})

/** A time rule as a terminal held it: names are not kept. */
const heldTimeRule = timeRuleFields.omit({ name: true }).extend({ effectiveDate: z.string().nullable() })

/** What had changed before a passage and was not at the terminal yet. */
const missedChange = z.object({
  of: z.enum(['device', 'zone', 'facePolicy', 'person', 'strategy', 'timeRule']),
  id,
  /** As it is called now; null: deleted since, or nothing that has a name. */
  name: z.string().nullable(),
  /** `added`: concerns the device since; `removed`: no longer does, or was deleted. */
  kind: z.enum(['changed', 'added', 'removed']),
  since: instant,
})

/** Who may make a change in the park, as far as the caller may know of others. */
const whoMay = z.object({
  /** The caller himself. */
  you: z.boolean(),
  /** Others, at most three, of the caller's part of the tree; none where he may list no users. */
  users: z.array(masked('name', z.string())),
  /** In place of users: the roles that others have it by, at most three. */
  roles: z.array(z.string()),
  /** How many users, or roles, there are besides. */
  more: z.number().int(),
  /** Where nobody may, the organisation above the park, whose administrators can give it to somebody; else null. */
  company: z.string().nullable(),
})

/** An id as a terminal said it, whatever that is. */
const saidId = z.string()

/** What the server may say of somebody it recognised for a terminal that does not hold them. */
export const RECOGNISED = ['noStrategy', 'disabled', 'validity', 'inactive'] as const

/** Why a terminal decided as it did: what it said itself and what it held, never computed again. */
export const recordWhy = z.object({
  /** In the order they were made; empty where the record came without, or with what cannot be read. */
  checks: z.array(z.object({ code: z.string(), ok: z.boolean(), data: z.record(z.string(), z.unknown()) })),
  settingsRevision: z.string(),
  clockOffsetMs: z.number().nullable(),
  /** What the clocks at the door showed, in the zone the terminal held, else in the park's at arrival. */
  local: z.object({ date: z.string(), time: z.string(), weekday: z.number().int(), zone: z.string(), offset: z.number().int() }),
  /** Who came in the person's place, as the record names him; null: the person came. */
  contact: z.object({ id: saidId, name: masked('name', z.string()), relation: z.number().int().nullable() }).nullable(),
  /** The strategy and the rule that the checks name, as they are called now; `name` null: deleted since. */
  strategy: z.object({ id: saidId, name: z.string().nullable() }).nullable(),
  /** `held` null: settings of that revision are not kept, or lacked the rule. */
  timeRule: z.object({ id: saidId, name: z.string().nullable(), held: heldTimeRule.nullable() }).nullable(),
  /** First moment after a passage refused by its rule at which that rule, as held, opened. */
  nextOpening: instant.nullable(),
  /** Whether the terminal decided on what held at that moment, by history; null: not known. */
  currency: z
    .object({
      current: z.boolean(),
      /** Since when something newer existed. */
      since: instant.nullable(),
      changes: z.array(missedChange),
    })
    .nullable(),
  /**
   * What the server said of somebody the terminal did not know and asked it about: no strategy admits them there, they were disabled,
   * or outside their validity; `inactive`: one of the latter two, and which one cannot be told any more. Null: the terminal decided.
   */
  recognised: z.enum(RECOGNISED).nullable(),
  /** Raw score the door asked of others, where a face was refused by a threshold of the person's own that asks for more. */
  usualThreshold: z.number().nullable(),
  /** What would have to change for the person to pass, what is most likely first; empty where the passage was allowed. */
  remedy: z.array(
    z.object({
      code: z.enum(REMEDY_CODES),
      /** What somebody needs to do it; null: nothing. */
      permission: z.string().nullable(),
      /** Where in the console it is done; null: nowhere. */
      path: z.string().nullable(),
      /** What it is about, as far as it is still there. */
      ids: z.object({ personId: id.nullable(), deviceId: id.nullable(), strategyId: id.nullable(), timeRuleId: id.nullable() }),
      /** Null: nothing is written for it in the console, or what it is about is gone. */
      who: whoMay.nullable(),
    }),
  ),
  historyCompleteSince: instant,
})

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

export const accessCalls = {
  findRecords: call({
    method: 'POST',
    service: 'biz',
    path: '/access/record/findAccessRecordList',
    effect: 'read',
    permission: 'access.record',
    summary: 'Access records of the current park, newest first; window of 7 days unless told, at most 366.',
    body: accessRecordFilter,
    data: pageData(accessRecord),
    errors: [900007],
  }),
  readRecord: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/{id}',
    permission: 'access.record',
    summary: 'One record with the checks it was decided by.',
    params: idParams,
    data: recordDetail,
    origin: 'own',
  }),
  whyRecord: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/{id}/why',
    permission: 'access.record',
    summary: 'Why a passage was allowed or refused, and whether the terminal decided on the newest settings.',
    params: idParams,
    data: recordWhy,
    origin: 'own',
  }),
  deleteRecord: call({
    method: 'DELETE',
    service: 'biz',
    path: '/access/record/{id}',
    permission: 'access.record',
    besides: ['own:access.record.delete'],
    summary: 'Deletes a record and its picture.',
    params: idParams,
    data: created,
  }),
  recordsOfPerson: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/findAccessListByPersonId',
    permission: 'person.list',
    summary: 'Latest records of one person.',
    query: pageQuery.extend({ personId: id }),
    data: pageData(accessRecord),
  }),
  today: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/today',
    permission: 'access.record',
    dataScreen: true,
    summary: "Now, today's curve against an ordinary day, and the day before, for the home page. Days and hours are of the park's zone.",
    data: z.object({
      inside: z.number().int(),
      allowed: z.number().int(),
      rejected: z.number().int(),
      strangers: z.number().int(),
      hours: z.array(z.object({ hour: z.number().int(), in: z.number().int(), out: z.number().int(), ordinary: z.number() })),
      /** The whole day before. */
      previous: z.object({
        allowed: z.number().int(),
        rejected: z.number().int(),
        hours: z.array(z.object({ hour: z.number().int(), in: z.number().int(), out: z.number().int() })),
      }),
    }),
    origin: 'own',
  }),
  findStrategies: call({
    method: 'POST',
    service: 'biz',
    path: '/access/record/findAccessStrategyList',
    effect: 'read',
    permission: 'access.rule',
    summary: 'Strategies of the current park.',
    body: findQuery.extend({ name: z.string().max(64).optional(), kind: z.enum(['staff', 'visitor']).optional() }),
    data: pageData(strategyRow),
  }),
  readStrategy,
  createStrategy: call({
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
  changeStrategy: call({
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
  deleteStrategy: call({
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
  allStrategies: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/findAllAccessStrategys',
    permission: 'self',
    summary: 'Names of all strategies.',
    data: z.array(named),
  }),
  allTimeRules: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/findAllTimeRules',
    permission: 'self',
    summary: 'Names of all time rules.',
    data: z.array(named),
  }),
  strategiesOfPerson: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/findDeviceDataByPerson',
    permission: 'person.list',
    summary: 'Where a person may pass: each device with the strategies that open it.',
    query: z.object({ personId: id }),
    data: z.array(z.object({ deviceId: id, deviceName: z.string(), strategies: z.array(named) })),
  }),
  listTimeRules: call({
    method: 'GET',
    service: 'biz',
    path: '/access/rule/info/list',
    permission: 'access.rule',
    summary: 'Time rules of the current park.',
    query: pageQuery.extend({ name: z.string().max(64).optional() }),
    data: pageData(timeRule),
  }),
  readTimeRule,
  readCalendar: call({
    method: 'POST',
    service: 'biz',
    path: '/access/rule/calendar',
    effect: 'read',
    permission: 'access.rule',
    summary:
      'Days that a calendar file (iCalendar) names from today on, to choose other days of a time rule from: the part `file`, or its text. Nothing is stored.',
    consumes: 'multipart',
    bodyLimit: CALENDAR_FILE_MAX,
    body: z.object({ text: z.string().max(CALENDAR_FILE_MAX).optional() }),
    data: z.object({
      /** In order, at most a thousand. */
      days: z.array(z.object({ date: z.string(), summaries: z.array(z.string()) })),
      total: z.number().int(),
      /** Names of events whose days cannot be told. */
      unread: z.array(z.string()),
    }),
    origin: 'own',
  }),
  createTimeRule: call({
    method: 'POST',
    service: 'biz',
    path: '/access/rule/info',
    permission: 'access.rule',
    summary: 'Adds a time rule.',
    body: timeRuleFields,
    data: created,
    errors: [300203, 300204, 900004, 900007],
  }),
  changeTimeRule: call({
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
  deleteTimeRules: call({
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
