/** Logs of devices: asked for, sent by the device when it can, kept a week. */
import { DEVICE_LOG_KEPT, type DataOf } from '@gatehouse/contract'
import { DEVICE_LOG_WAITS, maintenanceCalls, type DeviceLog } from '@gatehouse/contract/maintenance/calls'
import { deviceOnlineStatus, doorControlErrorType, exportStatus } from '@gatehouse/contract/enums'
import type { FileAnswer, Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import type { DeviceCommands } from '../../platform/broker/device-commands.ts'
import { newId } from '../../platform/database/ids.ts'
import { Conflict, InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { DevicePrincipal, Scope, Session } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import * as data from './log-data.ts'
import { oneDevice } from './one-device.ts'
import type { MaintenanceTables } from './schema.ts'

/** A device has so long to send its log: a megabyte over a slow line. */
const SENT_MS = 120_000
/** Whoever asked longer ago than this has ended. */
const FORGOTTEN_MS = 2 * SENT_MS
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** What every gzip stream begins with. */
const GZIP = Buffer.from([0x1f, 0x8b])

export interface Logs {
  /** @returns id of the request, or of the one that is under way. @throws NotFound */
  request(session: Session, deviceId: string): Promise<string>
  /** @throws NotFound; Conflict where it has not failed */
  retry(scope: Scope, id: string): Promise<void>
  list(scope: Scope, query: data.LogQuery): Promise<DataOf<typeof maintenanceCalls.logs>>
  /** @throws NotFound until it has arrived, and once it is removed */
  file(scope: Scope, id: string): Promise<FileAnswer>
  /** A device sends what it was asked for. @throws NotFound where it was not; InvalidRequest for what is no gzip */
  take(device: DevicePrincipal, id: string, bytes: Buffer): Promise<void>
  /** Devices are there: what waits for them is asked for. */
  online(scope: Scope, deviceIds: readonly string[]): Promise<void>
  /** Fails what waited too long, asks again what was left, removes what is old. @returns how many were removed */
  upkeep(): Promise<number>
  forget(scope: Scope, deviceIds: readonly string[]): Promise<void>
  erasePark(tx: OpenTransaction, scope: Scope): Promise<number>
  stop(): Promise<void>
}

export function createLogs(platform: Platform, devices: Pick<DevicesService, 'some' | 'facts'>, commands: () => DeviceCommands): Logs {
  const db = platform.db as unknown as Database<MaintenanceTables>
  const ending = new AbortController()
  const asking = new Set<Promise<void>>()

  async function ask(scope: Scope, deviceId: string, id: string): Promise<void> {
    const [device] = await devices.some(scope, [deviceId])
    if (device?.onlineStatus !== deviceOnlineStatus.online || !(await data.beginAsking(scope, db, id, platform.clock.now()))) return
    const { isSuccess, errorType } = await commands().send(
      device,
      'sendLog',
      { requestId: id },
      { timeoutMs: SENT_MS, signal: ending.signal },
    )
    const [after] = await devices.some(scope, [deviceId])
    // Lost on the way, or this server ends: it waits for the device to come back.
    const waits = ending.signal.aborted || (!isSuccess && after?.onlineStatus !== deviceOnlineStatus.online)
    await data.endAsking(scope, db, id, waits ? 'waits' : { errorType: errorType ?? doorControlErrorType.error }, platform.clock.now())
  }

  /** Goes on by itself; nobody waits for the device. */
  function askSoon(scope: Scope, deviceId: string, id: string): void {
    if (ending.signal.aborted) return
    const work: Promise<void> = platform.audit
      .apart(() => ask(scope, deviceId, id))
      .catch((error: unknown) => platform.log.error({ err: error, deviceId }, 'a log could not be asked for'))
      .finally(() => asking.delete(work))
    asking.add(work)
  }

  async function remove(tx: Tx<MaintenanceTables>, scope: Scope, of: Parameters<typeof data.deleteLogs>[2]): Promise<number> {
    const { count, fileIds } = await data.deleteLogs(scope, tx, of)
    await platform.storage.release(tx as OpenTransaction, scope, fileIds)
    return count
  }

  function present(row: Awaited<ReturnType<typeof data.listLogs>>['content'][number]): DeviceLog {
    const { id, deviceId, deviceName, operator, status, errorType, size, fileId } = row
    const finishedAt = row.finishedAt as number | null
    const isThere = fileId !== null
    return {
      id,
      deviceId,
      deviceName,
      operator,
      status,
      errorType,
      size,
      time: row.requestedAt as number,
      fileUrl: isThere ? maintenanceCalls.logFile.url.replace('{id}', id) : '',
      keptUntil: isThere && finishedAt !== null ? finishedAt + DEVICE_LOG_KEPT * DAY : null,
    }
  }

  return {
    async request({ scope, operator }, deviceId) {
      const device = await oneDevice(devices, scope, deviceId)
      const { id, isNew } = await platform.transaction(async (tx: Tx<MaintenanceTables>) => {
        const pending = await data.findPending(scope, tx, deviceId)
        if (pending !== null) return { id: pending, isNew: false }
        const made = newId()
        await data.insertLog(scope, tx, { id: made, deviceId, deviceName: device.name, operator }, platform.clock.now())
        platform.audit.note({ entity: 'device', id: deviceId, label: device.name, before: {}, after: { log: 'requested' } })
        return { id: made, isNew: true }
      })
      if (isNew) askSoon(scope, deviceId, id)
      return id
    },
    async retry(scope, id) {
      const row = await data.findLog(scope, db, id)
      if (row === undefined) throw new NotFound()
      const renewed = await platform.transaction(async (tx: Tx<MaintenanceTables>) => {
        // Another one of the device may be under way by now.
        if ((await data.findPending(scope, tx, row.deviceId)) !== null || !(await data.renewLog(scope, tx, id, platform.clock.now())))
          return false
        platform.audit.note({ entity: 'device', id: row.deviceId, label: row.deviceName, before: {}, after: { log: 'requested' } })
        return true
      })
      if (!renewed) throw new Conflict(['status'])
      askSoon(scope, row.deviceId, id)
    },
    async list(scope, query) {
      const { content, total } = await data.listLogs(scope, db, query)
      return { total, content: content.map(present), page: query.page, size: query.size }
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
      const isTaken = await platform.transaction(async (tx: Tx<MaintenanceTables>) => {
        if (!(await data.finishLog(scope, tx, id, { fileId, size: bytes.length }, platform.clock.now()))) return false
        await platform.storage.keepCapture(tx as OpenTransaction, scope, fileId)
        return true
      })
      if (!isTaken) await platform.storage.discardCapture(fileId)
    },
    async online(scope, deviceIds) {
      for (const { id, deviceId } of await data.findWaiting(scope, db, deviceIds)) askSoon(scope, deviceId, id)
    },
    async upkeep() {
      const now = platform.clock.now()
      await data.releaseAskedUnscoped(db, now - FORGOTTEN_MS)
      await data.failWaitingUnscoped(db, now - DEVICE_LOG_WAITS * HOUR, doorControlErrorType.offline, now)
      for (const { id, deviceId, parkId } of await data.findWaitingUnscoped(db)) askSoon({ parkId }, deviceId, id)
      const old = await data.findFinishedBeforeUnscoped(db, now - DEVICE_LOG_KEPT * DAY)
      for (const [parkId, rows] of Map.groupBy(old, (row) => row.parkId)) {
        await platform.transaction((tx: Tx<MaintenanceTables>) => remove(tx, { parkId }, { ids: rows.map(({ id }) => id) }))
        await platform.storage.erase(rows.flatMap(({ fileId }) => fileId ?? []))
      }
      return old.length
    },
    async forget(scope, deviceIds) {
      await platform.transaction((tx: Tx<MaintenanceTables>) => remove(tx, scope, { deviceIds }))
    },
    erasePark: (tx, scope) => remove(tx as unknown as Tx<MaintenanceTables>, scope, 'all'),
    async stop() {
      ending.abort()
      await Promise.all(asking)
    },
  }
}
