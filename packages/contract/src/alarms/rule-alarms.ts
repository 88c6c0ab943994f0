/** Rule alarms: passages that broke a rule of the park (module M09). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { alarmHandlingStatusAlt, alarmLevel } from '../enums/alarms.ts'
import { masked, searches } from '../masking.ts'
import { abilities, findQuery, id, instant, pageData } from '../schema.ts'
import { ALARM_TABS, DEALING_RECORD_MAX, handledFields } from './handling.ts'

const call = callsOf('alarms')

/**
 * Rules of the park that a passage may break: a person of the watch list at a door, a person who is already on that side of a restriction
 * area or who finds it full, many refusals at one door, a person who is disabled or no longer valid.
 */
export const RULE_ALARM_KINDS = ['watchList', 'alreadyInside', 'alreadyOutside', 'areaFull', 'repeatedRefusals', 'leftPerson'] as const
export type RuleAlarmKind = (typeof RULE_ALARM_KINDS)[number]

/** Minutes within which passages of one person that break one rule at one door are one alarm, counted. */
export const RULE_ALARM_MINUTES = 5
/** Number of refused passages at one door, within as many minutes, that is an alarm. */
export const REPEATED_REFUSALS = 5

export const ruleAlarm = z.object({
  id,
  kind: z.enum(RULE_ALARM_KINDS),
  level: alarmLevel.schema,
  /** First passage, by the clock of the device set right; `lastTime` is the last passage that was counted with it. */
  time: instant,
  lastTime: instant,
  /** Number of passages. */
  count: z.number().int(),
  deviceId: id,
  deviceName: z.string(),
  /** First passage. */
  recordId: id,
  /** Null for `repeatedRefusals`, which are about a door, and for a person who is no longer registered. */
  personId: id.nullable(),
  personName: masked('name', z.string()),
  /** Pictures of the first passage; empty where there is none. */
  captureImage: z.string(),
  captureThumbnail: z.string(),
  registeredImage: z.string(),
  /** What to do when the person appears, for a person of the watch list. */
  instruction: z.string(),
  status: alarmHandlingStatusAlt.schema,
  ...handledFields,
  can: abilities('dispose'),
})
export type RuleAlarm = z.output<typeof ruleAlarm>

export const ruleAlarmFilter = findQuery.extend({
  tab: z.enum(ALARM_TABS).optional(),
  status: alarmHandlingStatusAlt.schema.optional(),
  kind: z.enum(RULE_ALARM_KINDS).optional(),
  level: alarmLevel.schema.optional(),
  deviceId: id.optional(),
  personName: searches('name', z.string().max(64)).optional(),
  /** Default: the last 7 days; at most 366. */
  startTime: instant.optional(),
  endTime: instant.optional(),
})

export const ruleAlarmCalls = {
  list: call({
    method: 'POST',
    service: 'biz',
    path: '/defence/alert/list',
    effect: 'read',
    permission: 'surveillance.alert',
    summary: 'Passages of the current park that broke a rule, newest first; the watch list only for who may see it.',
    body: ruleAlarmFilter,
    data: pageData(ruleAlarm),
    errors: [900007],
  }),
  dispose: call({
    method: 'POST',
    service: 'biz',
    path: '/defence/alert/dispose',
    permission: 'surveillance.alert.handle',
    besides: ['surveillance.alert'],
    summary: 'Handles a rule alarm: false alarm (1), ignored (2) or followed up (3).',
    body: z.object({
      id,
      status: z.literal([alarmHandlingStatusAlt.falseAlarm, alarmHandlingStatusAlt.ignored, alarmHandlingStatusAlt.handling]),
      dealingRecord: z.string().trim().max(DEALING_RECORD_MAX).optional(),
    }),
    data: ruleAlarm,
    errors: [500012, 500013],
    origin: 'own',
  }),
}
