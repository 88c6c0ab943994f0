/** Access records: who was admitted, who was refused, and why (module M07). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { accessResult } from '../enums/access.ts'
import { passDirection } from '../enums/devices.ts'
import { masked, searches } from '../masking.ts'
import { created, findQuery, id, idParams, instant, pageData, pageQuery } from '../schema.ts'
import { timeRuleFields } from '../strategies/calls.ts'
import { REMEDY_CODES } from './remedies.ts'

const call = callsOf('records')

/** Person of the watch list who is on the picture of a record, found by the face. */
export const watchListHit = z.object({
  personId: id,
  personName: masked('name', z.string()),
  groupName: z.string(),
  /** Raw similarity score, 0 to 100; screens show `shownScore` of it. */
  score: z.number(),
  registeredImage: z.string(),
  /** Why the person is on the list. */
  reason: z.string(),
  /** What to do when the person appears. */
  instruction: z.string(),
})
export type WatchListHit = z.output<typeof watchListHit>

export const accessRecord = z.object({
  id,
  personId: id.nullable(),
  personName: masked('name', z.string()),
  workNumber: z.string(),
  /** Name of the linked park at that time, for a person of a linked park. */
  personParkName: z.string().optional(),
  /** Contact who came in the person's place, with the name at that time; absent if the person came. */
  contactId: id.optional(),
  contactName: masked('name', z.string()).optional(),
  /** Value of `contactRelation`; also absent if it was not stored any more. */
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
  /** Rule of a restriction area that refused the person; null if none did. */
  restriction: z.enum(['alreadyInside', 'alreadyOutside', 'full']).nullish(),
  /** Raw similarity score, 0 to 100; screens show `shownScore` of it. Null if no face was compared. */
  score: z.number().nullable(),
  temperature: z.number().nullable(),
  temperatureStatus: z.number().int().nullable(),
  mask: z.number().int().nullable(),
  helmet: z.number().int().nullable(),
  /** Face in front of the terminal and registered face, with the same crop and size; empty until the picture has arrived. */
  captureImage: z.string(),
  captureThumbnail: z.string(),
  registeredImage: z.string(),
  /**
   * When the picture was deleted, if the park keeps pictures for less time than records; null while the picture is kept, and if none
   * arrived.
   */
  pictureKeptUntil: instant.nullable(),
  /** A user has marked the record as a wrong match. */
  corrected: z.boolean(),
  /**
   * Absent if no person of the watch list was found, and always for a user who may not see that list: for them the record is an ordinary
   * refusal.
   */
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
  /** Only records without a recognised person. */
  stranger: z.boolean().optional(),
  /** Only records on which a person of the watch list was found; none for a user who may not see that list. */
  watchList: z.literal(true).optional(),
})

/** Record with the checks by which the terminal decided, see `access-rules`. */
export const recordDetail = accessRecord.extend({
  checks: z.array(z.record(z.string(), z.unknown())),
  /** Revision of the settings on the terminal. */
  settingsRevision: z.string(),
  clockOffsetMs: z.number().nullable(),
})

/** Time rule as it was stored on a terminal: names are not stored. */
const storedTimeRule = timeRuleFields.omit({ name: true }).extend({ effectiveDate: z.string().nullable() })

/** Change that was made before an access event and had not reached the terminal yet. */
const missedChange = z.object({
  of: z.enum(['device', 'zone', 'facePolicy', 'person', 'strategy', 'timeRule']),
  id,
  /** Current name; null: deleted since, or a record without a name. */
  name: z.string().nullable(),
  /** `added`: the record now concerns the device; `removed`: it no longer does, or was deleted. */
  kind: z.enum(['changed', 'added', 'removed']),
  since: instant,
})

/** Users who may make a change in the park, as far as the caller may see other users. */
const whoMay = z.object({
  /** Whether the caller may. */
  you: z.boolean(),
  /** Names of other users of the caller's part of the tree, at most three; empty if the caller may not list users. */
  users: z.array(masked('name', z.string())),
  /** Instead of users: roles by which other users may, at most three. */
  roles: z.array(z.string()),
  /** Number of further users or roles. */
  more: z.number().int(),
  /** If no user may: the organisation above the park, whose administrators can grant the permission; else null. */
  company: z.string().nullable(),
})

/** An id as a terminal reported it, in any form. */
const recordedId = z.string()

/** Reasons why the server refused a person whom it recognised for a terminal that does not store that person. */
export const RECOGNISED = ['noStrategy', 'disabled', 'validity', 'inactive'] as const

/** Why a terminal decided as it did: from its own report and the data it had, never computed again. */
export const recordWhy = z.object({
  /** Checks in the order in which they were made; empty if the record has none, or none that can be read. */
  checks: z.array(z.object({ code: z.string(), ok: z.boolean(), data: z.record(z.string(), z.unknown()) })),
  settingsRevision: z.string(),
  clockOffsetMs: z.number().nullable(),
  /**
   * Local time at the door, in the time zone of the terminal's settings; if these are not kept, in the park's time zone when the record
   * arrived.
   */
  local: z.object({ date: z.string(), time: z.string(), weekday: z.number().int(), zone: z.string(), offset: z.number().int() }),
  /** Contact who came in the person's place, as the record names them; null: the person came. */
  contact: z.object({ id: recordedId, name: masked('name', z.string()), relation: z.number().int().nullable() }).nullable(),
  /** Access rule and time rule that the checks name, with their current names; `name` null: deleted since. */
  strategy: z.object({ id: recordedId, name: z.string().nullable() }).nullable(),
  /** `held`: the time rule on the terminal; null: settings of that revision are not kept, or did not contain the rule. */
  timeRule: z.object({ id: recordedId, name: z.string().nullable(), held: storedTimeRule.nullable() }).nullable(),
  /** First time after a refusal by the time rule at which that rule, as stored on the terminal, opened. */
  nextOpening: instant.nullable(),
  /** Whether the terminal decided by the settings that were valid at that time, according to the history; null: unknown. */
  currency: z
    .object({
      current: z.boolean(),
      /** Time from which newer settings existed. */
      since: instant.nullable(),
      changes: z.array(missedChange),
    })
    .nullable(),
  /**
   * Answer of the server about a person whom the terminal did not store and asked it about: no access rule admits them there, they were
   * disabled, or outside their validity; `inactive`: one of the latter two, and which one cannot be determined any more. Null: the terminal
   * decided.
   */
  recognised: z.enum(RECOGNISED).nullable(),
  /** Raw threshold of the door for other people, if the face was refused by the person's own higher threshold. */
  usualThreshold: z.number().nullable(),
  /** What would have to change for the person to be admitted, the most likely first; empty if the person was admitted. */
  remedy: z.array(
    z.object({
      code: z.enum(REMEDY_CODES),
      /** Permission code that a user needs for it; null: none. */
      permission: z.string().nullable(),
      /** Address in the console where it is done; null: none. */
      path: z.string().nullable(),
      /** Ids of the records concerned, as far as they still exist. */
      ids: z.object({ personId: id.nullable(), deviceId: id.nullable(), strategyId: id.nullable(), timeRuleId: id.nullable() }),
      /** Who may do it; null: no change in the console belongs to it, or the record concerned does not exist any more. */
      who: whoMay.nullable(),
    }),
  ),
  historyCompleteSince: instant,
})

/**
 * An access event at a park that shares the person with this one. Pictures of another park are not shown, neither of the event nor of the
 * person.
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
