/** Logs of devices: requested, sent by the device when it can, stored for a week. */
import { DEVICE_LOG_KEPT, type DataOf } from '@gatehouse/contract'
import { DEVICE_LOG_WAITS, maintenanceCalls, type DeviceLog } from '@gatehouse/contract/maintenance/calls'
import { doorControlErrorType, exportStatus } from '@gatehouse/contract/enums'
import type { FileAnswer, Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { DeviceCommands } from '../../platform/broker/device-commands.ts'
import { newId } from '../../platform/database/ids.ts'
import { Conflict, InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Actor, DevicePrincipal, Scope } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import * as data from './log-data.ts'
import { createLogRequests, SENT_MS } from './log-requests.ts'
import { oneDevice } from './one-device.ts'
import { logAbilities } from './policy.ts'

/** A server that asked longer ago than this has stopped. */
const FORGOTTEN_MS = 2 * SENT_MS
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** First bytes of every gzip stream. */
const GZIP = Buffer.from([0x1f, 0x8b])

export interface Logs {
  /** @returns id of the request, or of the pending one. @throws NotFound */
  request(scope: Scope, actor: Actor, deviceId: string): Promise<string>
  /** @throws NotFound; Conflict if it has not failed */
  retry(scope: Scope, id: string): Promise<void>
  list(scope: Scope, query: data.LogQuery): Promise<DataOf<typeof maintenanceCalls.logs>>
  /** @throws NotFound before it has arrived, and once it is deleted */
  file(scope: Scope, id: string): Promise<FileAnswer>
  /** Take the log a device sends. @throws NotFound if it was not requested; InvalidRequest if it is not gzip */
  take(device: DevicePrincipal, id: string, bytes: Buffer): Promise<void>
  /** Ask devices that are online for the logs requested of them. */
  online(scope: Scope, deviceIds: readonly string[]): Promise<void>
  /** Fail requests that waited too long, resend interrupted ones, delete old logs. @returns how many were deleted */
  upkeep(): Promise<number>
  forget(scope: Scope, deviceIds: readonly string[]): Promise<void>
  erasePark(tx: Transaction, scope: Scope): Promise<number>
  stop(): Promise<void>
}

export function createLogs(platform: Platform, devices: Pick<DevicesService, 'some' | 'facts'>, commands: () => DeviceCommands): Logs {
  const db = platform.db
  const requests = createLogRequests(platform, devices, commands)

  async function remove(tx: Transaction, scope: Scope, of: Parameters<typeof data.deleteLogs>[2]): Promise<number> {
    const { count, fileIds } = await data.deleteLogs(scope, tx, of)
    await platform.storage.release(tx, scope, fileIds)
    return count
  }

  /** @param isAsked whether a log of the device is pending */
  function present(row: Awaited<ReturnType<typeof data.listLogs>>['content'][number], isAsked: boolean): DeviceLog {
    const { id, deviceId, deviceName, operator, status, errorType, size, fileId } = row
    const finishedAt = row.finishedAt
    const isThere = fileId !== null
    return {
      id,
      deviceId,
      deviceName,
      operator,
      status,
      errorType,
      size,
      time: row.requestedAt,
      fileUrl: isThere ? maintenanceCalls.logFile.url.replace('{id}', id) : '',
      keptUntil: isThere && finishedAt !== null ? finishedAt + DEVICE_LOG_KEPT * DAY : null,
      can: logAbilities(row, isAsked),
    }
  }

  return {
    async request(scope, { operator }, deviceId) {
      const device = await oneDevice(devices, scope, deviceId)
      const { id, isNew } = await platform.transaction(async (tx) => {
        const pending = await data.findPending(scope, tx, deviceId)
        if (pending !== null) return { id: pending, isNew: false }
        const made = newId()
        await data.insertLog(scope, tx, { id: made, deviceId, deviceName: device.name, operator }, platform.clock.now())
        platform.audit.note({ entity: 'device', id: deviceId, label: device.name, before: {}, after: { log: 'requested' } })
        return { id: made, isNew: true }
      })
      if (isNew) requests.send(scope, deviceId, id)
      return id
    },
    async retry(scope, id) {
      const row = await data.findLog(scope, db, id)
      if (row === undefined) throw new NotFound()
      const renewed = await platform.transaction(async (tx) => {
        // Another request for the device may be pending by now.
        if ((await data.findPending(scope, tx, row.deviceId)) !== null || !(await data.renewLog(scope, tx, id, platform.clock.now())))
          return false
        platform.audit.note({ entity: 'device', id: row.deviceId, label: row.deviceName, before: {}, after: { log: 'requested' } })
        return true
      })
      if (!renewed) throw new Conflict(['status'])
      requests.send(scope, row.deviceId, id)
    },
    async list(scope, query) {
      const { content, total } = await data.listLogs(scope, db, query)
      const deviceIds = [...new Set(content.map(({ deviceId }) => deviceId))]
      const pending = await Promise.all(deviceIds.map(async (id) => ((await data.findPending(scope, db, id)) === null ? [] : [id])))
      const underWay = new Set(pending.flat())
      return { total, content: content.map((row) => present(row, underWay.has(row.deviceId))), page: query.page, size: query.size }
    },
    async file(scope, id) {
      const row = await data.findLog(scope, db, id)
      const bytes = row?.fileId === null || row === undefined ? null : await platform.storage.load(scope, row.fileId, 'full')
      if (bytes === null) throw new NotFound()
      const [device] = await devices.facts(scope, [row!.deviceId])
      const day = new Date(row!.finishedAt as number).toISOString().slice(0, 10)
      return { bytes, contentType: 'application/gzip', filename: `${device?.code ?? 'device'}-${day}.log.gz` }
    },
    async take({ parkId, deviceId }, id, bytes) {
      const scope = { parkId }
      const row = await data.findLog(scope, db, id)
      if (row === undefined || row.deviceId !== deviceId) throw new NotFound()
      if (!bytes.subarray(0, GZIP.length).equals(GZIP)) throw new InvalidRequest([{ path: 'file', rule: 'invalid' }])
      if (row.status === exportStatus.exported) return
      // On disk before anything refers to it, sealed with the park's key like pictures are.
      const fileId = await platform.storage.writeOriginal(scope, bytes)
      const isTaken = await platform.transaction(async (tx) => {
        if (!(await data.finishLog(scope, tx, id, { fileId, size: bytes.length }, platform.clock.now()))) return false
        await platform.storage.keepCapture(tx, scope, fileId)
        return true
      })
      if (!isTaken) await platform.storage.discardCapture(fileId)
    },
    async online(scope, deviceIds) {
      for (const { id, deviceId } of await data.findWaiting(scope, db, deviceIds)) requests.send(scope, deviceId, id)
    },
    async upkeep() {
      const now = platform.clock.now()
      await data.releaseRequestedUnscoped(db, now - FORGOTTEN_MS)
      await data.failWaitingUnscoped(db, now - DEVICE_LOG_WAITS * HOUR, doorControlErrorType.offline, now)
      for (const { id, deviceId, parkId } of await data.findWaitingUnscoped(db)) requests.send({ parkId }, deviceId, id)
      const old = await data.findFinishedBeforeUnscoped(db, now - DEVICE_LOG_KEPT * DAY)
      for (const [parkId, rows] of Map.groupBy(old, (row) => row.parkId)) {
        await platform.transaction((tx) => remove(tx, { parkId }, { ids: rows.map(({ id }) => id) }))
        await platform.storage.erase(rows.flatMap(({ fileId }) => fileId ?? []))
      }
      return old.length
    },
    async forget(scope, deviceIds) {
      await platform.transaction((tx) => remove(tx, scope, { deviceIds }))
    },
    erasePark: (tx, scope) => remove(tx, scope, 'all'),
    async stop() {
      await requests.stop()
    },
  }
}
