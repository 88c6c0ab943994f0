/** The offline log: periods in which devices were away. */
import type { DataOf } from '@gatehouse/contract'
import type { maintenanceCalls } from '@gatehouse/contract/maintenance/calls'
import { deviceAuthorisationStatus, deviceOnlineStatus } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import * as data from './absence-data.ts'

/** After a start all devices reconnect by themselves; a device that is back within this time was not away. */
const COMING_BACK_MS = 60_000

export interface Absences {
  /** Start the time in which devices may reconnect. */
  start(): void
  /** Handle a device that came online or was lost. */
  switched(scope: Scope, change: { deviceId: string; online: boolean; at: number }): Promise<void>
  /** Record devices of these parks that have not come back after the start. @returns how many */
  noteMissing(parkIds: readonly string[]): Promise<number>
  list(scope: Scope, query: data.AbsenceQuery): Promise<DataOf<typeof maintenanceCalls.offline>>
  forget(scope: Scope, deviceIds: readonly string[]): Promise<void>
  erasePark(tx: Transaction, scope: Scope): Promise<number>
}

export function createAbsences(platform: Platform, devices: Pick<DevicesService, 'all' | 'some' | 'names'>): Absences {
  const db = platform.db
  let startedAt = 0
  /** Whether the devices missing since the start were recorded; from then on `switched` alone records absences. */
  let isNoted = false

  return {
    start() {
      startedAt = platform.clock.now()
      isNoted = false
    },
    async switched(scope, { deviceId, online, at }) {
      if (!online) return data.openAbsence(scope, db, deviceId, at)
      if (at < startedAt + COMING_BACK_MS) await data.dropAbsence(scope, db, deviceId, startedAt)
      await data.closeAbsence(scope, db, deviceId, at)
    },
    async noteMissing(parkIds) {
      if (isNoted || platform.clock.now() < startedAt + COMING_BACK_MS) return 0
      let noted = 0
      for (const parkId of parkIds) {
        const scope = { parkId }
        const offline = (await devices.all(scope))
          .filter(
            ({ onlineStatus, authorisationStatus }) =>
              onlineStatus === deviceOnlineStatus.offline && authorisationStatus === deviceAuthorisationStatus.authorised,
          )
          .map(({ id }) => id)
        const absent = new Set(await data.findAway(scope, db, offline))
        const missing = offline.filter((id) => !absent.has(id))
        for (const id of missing) await data.openAbsence(scope, db, id, startedAt)
        // A device that came back meanwhile found no absence to end.
        const back = (await devices.some(scope, missing)).filter(({ onlineStatus }) => onlineStatus === deviceOnlineStatus.online)
        for (const { id } of back) await data.dropAbsence(scope, db, id, startedAt)
        noted += missing.length - back.length
      }
      isNoted = true
      return noted
    },
    async list(scope, query) {
      const { content, total } = await data.listAbsences(scope, db, query)
      const names = new Map(
        (await devices.names(scope, [...new Set(content.map(({ deviceId }) => deviceId))])).map(({ id, name }) => [id, name]),
      )
      const rows = content.map(({ id, deviceId, since, until }) => ({
        id,
        deviceId,
        deviceName: names.get(deviceId) ?? '',
        since,
        until,
      }))
      return { total, content: rows, page: query.page, size: query.size }
    },
    forget: (scope, deviceIds) => data.deleteAbsences(scope, db, deviceIds),
    erasePark: (tx, scope) => data.deleteAbsencesOfPark(scope, tx),
  }
}
