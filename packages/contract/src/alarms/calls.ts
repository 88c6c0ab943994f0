/** Settings of alarms: the pop-ups that a user has switched on (the header's dialog), how long they stay, and their sounds. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { alarmSound } from '../enums/alarms.ts'
import { id } from '../schema.ts'
import { alarmConfig } from './config.ts'

const call = callsOf('alarms')

/** Events for which a user sees a pop-up in this park. */
export const accountAlert = z.object({
  /** A visit is waiting for review. */
  visitCheck: z.boolean(),
  /** A visitor has arrived. */
  visitArrive: z.boolean(),
  /** The notice of expired customers. */
  sendExpiredCustomers: z.boolean(),
  /** A device is short of processor time, memory or disk. */
  deviceSystemResourceAlert: z.boolean(),
  /** A person of the watch list is at a door; shown only to users who may see that list. */
  watchListHit: z.boolean(),
  /** A device went offline. */
  deviceOffline: z.boolean(),
  deviceEvent: z.boolean(),
  aiBoxEvent: z.boolean(),
  /** Monitoring tasks whose alarms are shown. */
  surveillances: z.array(id).max(1000),
})
export type AccountAlert = z.output<typeof accountAlert>

const storedConfig = alarmConfig.extend({ version: z.number().int() })

export const alarmsCalls = {
  config: call({
    method: 'GET',
    service: 'biz',
    path: '/alert/config',
    permission: 'self',
    summary: 'How long bubbles of alarms stay in the current park.',
    data: storedConfig,
  }),
  saveConfig: call({
    method: 'PUT',
    service: 'biz',
    path: '/alert/config',
    permission: 'alert',
    summary: 'Changes how long bubbles of alarms stay in the current park.',
    body: alarmConfig.partial().extend({ version: z.number().int().optional() }),
    data: storedConfig,
    statuses: [409],
  }),
  sounds: call({
    method: 'GET',
    service: 'biz',
    path: '/alert/sound/list',
    permission: 'self',
    summary: 'Sounds of alarms; the console plays them by their number.',
    data: z.array(z.object({ value: alarmSound.schema, name: z.string() })),
  }),
  surveillanceList: call({
    method: 'GET',
    service: 'biz',
    path: '/alert/surveillanceList',
    permission: 'self',
    summary: 'Monitoring tasks whose alarms the user can choose to be shown, by name; none for users who are shown no alarms of faces.',
    data: z.array(z.object({ id, name: z.string() })),
  }),
  saveAccountAlert: call({
    method: 'POST',
    service: 'biz',
    path: '/alert/saveAccountAlert',
    permission: 'self',
    summary: 'Saves which pop-ups the user wants in this park; a switch that is not sent stays as it is.',
    body: accountAlert.partial(),
    data: accountAlert,
  }),
  accountAlertList: call({
    method: 'GET',
    service: 'biz',
    path: '/alert/accountAlertList',
    permission: 'self',
    summary: 'Which pop-ups the user wants in this park; all of them until told otherwise.',
    data: accountAlert,
  }),
}
