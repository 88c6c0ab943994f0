/** E-mails about alarms (module M09): grouped, so that they stay worth reading. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { LANGUAGES } from '../envelope.ts'
import { alarmLevel } from '../enums/alarms.ts'
import { masked } from '../masking.ts'
import { id, instant, pageData, pageQuery } from '../schema.ts'

const call = callsOf('alarms')

/** What an alarm is of; each kind has a list of its own in the console. */
export const ALARM_KINDS = ['person', 'stranger', 'deviceEvent', 'aiBox'] as const
export type AlarmKind = (typeof ALARM_KINDS)[number]

/** Why an alarm was sent in no e-mail of its own. */
export const UNSENT_REASONS = ['repeated', 'budget', 'level'] as const

export const emailAlarmFields = z.object({
  enabled: z.boolean(),
  /** Checked by codes 1200001 and 1200002. */
  emails: z.array(masked('email', z.string().trim().max(254))).max(1000),
  /** Language of the e-mails. */
  language: z.enum(LANGUAGES),
  /** Alarms below this level send none. */
  minLevel: alarmLevel.schema,
  /** Minutes in which alarms of one person at one device are one message; a new fact is sent at once all the same. */
  groupMinutes: z.number().int().min(0).max(1440),
  /** E-mails an hour; what goes beyond it is in one digest at the end of the hour. 0: without limit. */
  budgetPerHour: z.number().int().min(0).max(1000),
})
export const emailAlarm = emailAlarmFields.extend({
  /** A mail server is set up; without one no alarm is sent. */
  delivers: z.boolean(),
  version: z.number().int(),
})
export type EmailAlarm = z.output<typeof emailAlarm>

/** An alarm that was sent in no e-mail of its own, and why. */
export const unsentAlarm = z.object({
  id,
  alarmId: id,
  kind: z.enum(ALARM_KINDS),
  time: instant,
  deviceName: z.string(),
  surveillanceName: z.string(),
  reason: z.enum(UNSENT_REASONS),
  /** When it was in a digest, or counted in a message; null: not yet, or never (`level`). */
  includedAt: instant.nullable(),
})

export const emailAlarmCalls = {
  read: call({
    method: 'GET',
    service: 'biz',
    path: '/alert/email/config',
    permission: 'alert',
    summary: 'To whom alarms are sent by e-mail in the current park, and how often.',
    data: emailAlarm,
  }),
  save: call({
    method: 'PUT',
    service: 'biz',
    path: '/alert/email/config',
    permission: 'alert',
    // The e-mails tell of the watch list too.
    condition: 'notOther',
    summary: 'Changes that; up to 20 addresses.',
    body: emailAlarmFields.partial().extend({ version: z.number().int().optional() }),
    data: emailAlarm,
    errors: [1200001, 1200002],
    statuses: [409],
  }),
  unsent: call({
    method: 'GET',
    service: 'biz',
    path: '/alert/email/unsent/list',
    permission: 'alert',
    summary: 'Alarms that were sent in no e-mail of their own, and why; newest first.',
    query: pageQuery.extend({ reason: z.enum(UNSENT_REASONS).optional() }),
    data: pageData(unsentAlarm),
    origin: 'own',
  }),
}
