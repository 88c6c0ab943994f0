/** Events that this area announces. */
import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** Alarms of AI boxes were received, or handled. */
export const aiBoxAlarmsChanged = defineEvent('alarms.aiBoxChanged', z.object({ ids: z.array(z.string()) }))
/** An alarm was noted that e-mails may be due for. */
export const alarmNoted = defineEvent('alarms.noted', z.object({}))
/** Rule alarms were raised, counted once more, escalated or handled. */
export const ruleAlarmsChanged = defineEvent('alarms.rulesChanged', z.object({ ids: z.array(z.string()) }))
/** Events at doors are new, have ended, have a picture now, or were handled. */
export const deviceEventsChanged = defineEvent('deviceEvents.changed', z.object({ eventIds: z.array(z.string()) }))
