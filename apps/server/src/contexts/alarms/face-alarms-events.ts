import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** Alarms of faces were raised, counted another capture, got their picture, or were dealt with. */
export const faceAlarmsChanged = defineEvent('faceAlarms.changed', z.object({ alarmIds: z.array(z.string()) }))
