/** Access records: who passed, who was refused, and why (module M07). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { accessResult } from '../enums/access.ts'
import { passDirection } from '../enums/devices.ts'
import { masked, searches } from '../masking.ts'
import { created, findQuery, id, idParams, instant, pageData, pageQuery } from '../schema.ts'
import { timeRuleFields } from '../strategies/calls.ts'
import { REMEDY_CODES } from './remedies.ts'

const call = callsOf('records')

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
  /**
   * Until when its picture was kept, where the park keeps pictures for less long than records; null while there is one,
   * and where none came.
   */
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
const storedTimeRule = timeRuleFields.omit({ name: true }).extend({ effectiveDate: z.string().nullable() })

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
const recordedId = z.string()

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
  contact: z.object({ id: recordedId, name: masked('name', z.string()), relation: z.number().int().nullable() }).nullable(),
  /** The strategy and the rule that the checks name, as they are called now; `name` null: deleted since. */
  strategy: z.object({ id: recordedId, name: z.string().nullable() }).nullable(),
  /** `held` null: settings of that revision are not kept, or lacked the rule. */
  timeRule: z.object({ id: recordedId, name: z.string().nullable(), held: storedTimeRule.nullable() }).nullable(),
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

/**
 * A passage at a park that shares the person with this one. Of another park no picture is shown, neither of the passage
 * nor of the person.
 */
export const linkedRecord = accessRecord.extend({ parkId: id, parkName: z.string() })

export const recordCalls = {
  find: call({
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
  read: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/{id}',
    permission: 'access.record',
    summary: 'One record with the checks it was decided by.',
    params: idParams,
    data: recordDetail,
    origin: 'own',
  }),
  why: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/{id}/why',
    permission: 'access.record',
    summary: 'Why a passage was allowed or refused, and whether the terminal decided on the newest settings.',
    params: idParams,
    data: recordWhy,
    origin: 'own',
  }),
  delete: call({
    method: 'DELETE',
    service: 'biz',
    path: '/access/record/{id}',
    permission: 'access.record',
    besides: ['own:access.record.delete'],
    summary: 'Deletes a record and its picture.',
    params: idParams,
    data: created,
  }),
  ofPerson: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/findAccessListByPersonId',
    permission: 'person.list',
    summary: 'Latest records of one person.',
    query: pageQuery.extend({ personId: id }),
    data: pageData(accessRecord),
  }),
  linkedOfPerson: call({
    method: 'GET',
    service: 'biz',
    path: '/access/record/findAccessParkListByPersonId',
    permission: 'person',
    summary:
      'Latest records of a person that parks share: of a person of this park where linked parks let him pass, of an associated ' +
      'one those here.',
    query: pageQuery.extend({ personId: id }),
    data: pageData(linkedRecord),
  }),
}
