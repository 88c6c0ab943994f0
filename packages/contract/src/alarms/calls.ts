/** Pop-ups that a user has switched on (the header's dialog); the alarms themselves come with module M09. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { id } from '../schema.ts'

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

export const alarmsCalls = {
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
