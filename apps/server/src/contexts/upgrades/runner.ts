/**
 * Notifies devices that there is a package to fetch, a limited number at a time: those that are online at once, the others when they come
 * back. Its whole state is in the rows, so another process continues where this one ended.
 */
import { doorControlErrorType } from '@gatehouse/contract/enums/devices'
import type { UpgradeFailure } from '@gatehouse/contract/upgrades/states'
import type { Platform } from '../../platform/context.ts'
import { isPassingFault } from '../../platform/passing-fault.ts'
import type { DeviceCommands } from '../../platform/broker/device-commands.ts'
import { coalesce } from '../../platform/async/coalesce.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import { LEASE_MS } from './device-side.ts'
import { isOffered } from './signed.ts'
import { endRows, findRows } from './task-devices-data.ts'
import { lockTask, settleTask } from './tasks-data.ts'
import * as turns from './turns-data.ts'

/** Devices that download at the same time: they share the bandwidth of the server. */
export const DOWNLOADS_AT_ONCE = 10
const LOOK_EVERY_MS = 1_000
/** A device that did not answer is notified again after this time. */
const AGAIN_MS = 5_000
/** A device that is offline is checked again when it comes back, and after this time, in case that was missed. */
const OFFLINE_MS = 15 * 60_000
const ROWS_PER_LOOK = 500

export interface Runner {
  /** Check soon whether a device is to be notified. */
  soon(): void
  start(): void
  stop(): Promise<void>
}

interface RunnerNeeds {
  devices: DevicesService
  commands: () => DeviceCommands
}

/** Answers with which a device refuses for good. */
const REFUSALS: Readonly<Record<number, UpgradeFailure>> = {
  [doorControlErrorType.business]: 'packageManager',
  [doorControlErrorType.error]: 'unsupported',
}

export function createRunner(platform: Platform, { devices, commands }: RunnerNeeds): Runner {
  const db = platform.db
  const notifications = new Set<Promise<void>>()
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined

  async function fail(scope: Scope, { id, taskId }: turns.DueRow, reason: UpgradeFailure): Promise<void> {
    await platform.transaction(async (tx) => {
      await lockTask(scope, tx, taskId)
      const stillOpen = (await findRows(scope, tx, taskId, 'inProgress', id)).length > 0
      if (!stillOpen) return
      await endRows(scope, tx, [id], 'failed', reason, platform.clock.now())
      await settleTask(scope, tx, taskId)
    })
  }

  async function notify(row: turns.DueRow): Promise<void> {
    const scope = { parkId: row.parkId }
    const now = platform.clock.now()
    if (!(await turns.takeTurn(scope, db, row.id, now, now + LEASE_MS))) return
    const { isSuccess, errorType } = await commands().send(
      { id: row.deviceId!, code: row.code },
      'upgrade',
      { taskId: row.taskId },
      { signal: stopping.signal },
    )
    if (isSuccess) return
    const reason = REFUSALS[errorType]
    if (reason === undefined) await turns.waitUntil(scope, db, [row.id], platform.clock.now() + AGAIN_MS)
    else await fail(scope, row, reason)
  }

  function start(row: turns.DueRow): void {
    const notification: Promise<void> = notify(row)
      .catch((error: unknown) => {
        if (!isPassingFault(error)) platform.log.error({ err: error, device: row.code }, 'a device could not be told of its upgrade')
      })
      .finally(() => {
        notifications.delete(notification)
        looking.soon()
      })
    notifications.add(notification)
  }

  async function visit(): Promise<void> {
    if (!platform.events.leading() || stopping.signal.aborted) return
    const now = platform.clock.now()
    let room = DOWNLOADS_AT_ONCE - (await turns.countBusyUnscoped(db, now))
    if (room <= 0) return
    for (const [parkId, rows] of Map.groupBy(await turns.findDueUnscoped(db, now, ROWS_PER_LOOK), (row) => row.parkId)) {
      const scope = { parkId }
      const existing = new Map(
        (
          await devices.some(
            scope,
            rows.flatMap(({ deviceId }) => deviceId ?? []),
          )
        ).map((device) => [device.id, device]),
      )
      const isOnline = ({ deviceId }: turns.DueRow): boolean => existing.get(deviceId ?? '')?.onlineStatus === 1
      await turns.waitUntil(
        scope,
        db,
        rows.filter((row) => !isOnline(row)).map(({ id }) => id),
        now + OFFLINE_MS,
        now,
      )
      for (const row of rows.filter(isOnline)) {
        // A device reports its program when it connects, which may be after the task was created.
        if (!isOffered(row, existing.get(row.deviceId!)!)) {
          await fail(scope, row, 'unsigned')
          continue
        }
        if (room-- <= 0) return
        start(row)
      }
    }
  }

  const looking = coalesce(async () => {
    try {
      await visit()
    } catch (error) {
      if (!isPassingFault(error)) platform.log.error({ err: error }, 'upgrades could not be looked after')
    }
  }, 100)

  return {
    soon: looking.soon,
    start() {
      timer = setInterval(looking.soon, LOOK_EVERY_MS)
    },
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await looking.stop()
      await Promise.all(notifications)
    },
  }
}
