/** Escalation: alarms that nobody handles in time are reported again (module M09). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { LANGUAGES } from '../envelope.ts'
import { alarmLevel } from '../enums/alarms.ts'
import { masked } from '../masking.ts'

const call = callsOf('alarms')

/** Longest time after which an alarm can be escalated. */
const ESCALATION_MINUTES_MAX = 1_440
/** Longest address; its form is checked by code 1200001, so that the refusal names the field. */
const ADDRESS_MAX = 254

export const escalationFields = z.object({
  enabled: z.boolean(),
  /** Minutes for which an alarm may stay unhandled. */
  minutes: z.number().int().min(1).max(ESCALATION_MINUTES_MAX),
  /** Alarms below this level are not escalated. */
  minLevel: alarmLevel.schema,
  /** Who is sent an e-mail; none: alarms are only marked and shown again. */
  emails: z.array(masked('email', z.string().trim().max(ADDRESS_MAX))).max(1000),
  /** Language of the e-mails. */
  language: z.enum(LANGUAGES),
})
export const escalation = escalationFields.extend({ version: z.number().int() })
export type Escalation = z.output<typeof escalation>

/** Until it is set up nothing is escalated. */
export const ESCALATION_DEFAULT: z.output<typeof escalationFields> = {
  enabled: false,
  minutes: 10,
  minLevel: alarmLevel.medium,
  emails: [],
  language: 'zh-CN',
}

export const escalationCalls = {
  read: call({
    method: 'GET',
    service: 'biz',
    path: '/alert/escalation',
    permission: 'alert',
    summary: 'After how many minutes unhandled alarms of the current park are reported again, and to whom.',
    data: escalation,
    origin: 'own',
  }),
  save: call({
    method: 'PUT',
    service: 'biz',
    path: '/alert/escalation',
    permission: 'alert',
    // The e-mails list alarms of the watch list too.
    condition: 'notOther',
    summary: 'Changes that; up to 20 addresses.',
    body: escalationFields.partial().extend({ version: z.number().int().optional() }),
    data: escalation,
    errors: [1200001, 1200002],
    statuses: [409],
    origin: 'own',
  }),
}
