/**
 * Tells devices that there is something to fetch, so many at a time: those that are online at once, the others when they
 * come back. All it knows stands in the rows, so another process goes on where this one ended.
 */
import { doorControlErrorType } from '@gatehouse/contract/enums/devices'
import type { UpgradeFailure } from '@gatehouse/contract/upgrades/states'
import type { Platform } from '../../platform/context.ts'
import { isDatabaseFault } from '../../platform/database/database-fault.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { DeviceCommands } from '../../platform/broker/device-commands.ts'
import { coalesce } from '../../platform/async/coalesce.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import { LEASE_MS } from './device-side.ts'
import type { UpgradesTables } from './schema.ts'
import { isOffered } from './signed.ts'
import * as data from './tasks-data.ts'

/** Devices that download at the same time: what they share is the line of the server. */
export const DOWNLOADS_AT_ONCE = 10
const LOOK_EVERY_MS = 1_000
/** Who did not answer is told again then. */
const AGAIN_MS = 5_000
/** Who is offline is looked at again when he comes back, and in case that was missed. */
const OFFLINE_MS = 15 * 60_000
const LOOKED_AT = 500

export interface Runner {
  /** There may be something to tell. */
  soon(): void
  start(): void
  stop(): Promise<void>
}

interface RunnerNeeds {
  devices: DevicesService
  commands: () => DeviceCommands
}

/** How a device refuses for good. */
const REFUSALS: Readonly<Record<number, UpgradeFailure>> = {
  [doorControlErrorType.business]: 'packageManager',
  [doorControlErrorType.error]: 'unsupported',
}

export function createRunner(platform: Platform, { devices, commands }: RunnerNeeds): Runner {
  const db = platform.db as unknown as Database<UpgradesTables>
  const telling = new Set<Promise<void>>()
  const leaving = new AbortController()
  let timer: NodeJS.Timeout | undefined

  async function fail(scope: Scope, { id, taskId }: data.DueRow, reason: UpgradeFailure): Promise<void> {
    await platform.transaction(async (tx: Tx<UpgradesTables>) => {
      await data.lockTask(scope, tx, taskId)
      const stillOpen = (await data.findRows(scope, tx, taskId, 'inProgress', id)).length > 0
      if (!stillOpen) return
      await data.endRows(scope, tx, [id], 'failed', reason, platform.clock.now())
      await data.settleTask(scope, tx, taskId)
    })
  }

  async function tell(row: data.DueRow): Promise<void> {
    const scope = { parkId: row.parkId }
    const now = platform.clock.now()
    if (!(await data.takeTurn(scope, db, row.id, now, now + LEASE_MS))) return
    const { isSuccess, errorType } = await commands().send(
      { id: row.deviceId!, code: row.code },
      'upgrade',
      { taskId: row.taskId },
      { signal: leaving.signal },
    )
    if (isSuccess) return
    const reason = REFUSALS[errorType]
    if (reason === undefined) await data.waitUntil(scope, db, [row.id], platform.clock.now() + AGAIN_MS)
    else await fail(scope, row, reason)
  }

  function begin(row: data.DueRow): void {
    const told: Promise<void> = tell(row)
      .catch((error: unknown) => {
        if (!isDatabaseFault(error)) platform.log.error({ err: error, device: row.code }, 'a device could not be told of its upgrade')
      })
      .finally(() => {
        telling.delete(told)
        looking.soon()
      })
    telling.add(told)
  }

  async function visit(): Promise<void> {
    if (!platform.events.leading() || leaving.signal.aborted) return
    const now = platform.clock.now()
    let room = DOWNLOADS_AT_ONCE - (await data.countBusyUnscoped(db, now))
    if (room <= 0) return
    for (const [parkId, rows] of Map.groupBy(await data.findDueUnscoped(db, now, LOOKED_AT), (row) => row.parkId)) {
      const scope = { parkId }
      const there = new Map(
        (
          await devices.some(
            scope,
            rows.flatMap(({ deviceId }) => deviceId ?? []),
          )
        ).map((device) => [device.id, device]),
      )
      const isOnline = ({ deviceId }: data.DueRow): boolean => there.get(deviceId ?? '')?.onlineStatus === 1
      await data.waitUntil(
        scope,
        db,
        rows.filter((row) => !isOnline(row)).map(({ id }) => id),
        now + OFFLINE_MS,
        now,
      )
      for (const row of rows.filter(isOnline)) {
        // What a device is it tells when it connects, which may be after the task was made.
        if (!isOffered(row, there.get(row.deviceId!)!)) {
          await fail(scope, row, 'unsigned')
          continue
        }
        if (room-- <= 0) return
        begin(row)
      }
    }
  }

  const looking = coalesce(async () => {
    try {
      await visit()
    } catch (error) {
      if (!isDatabaseFault(error)) platform.log.error({ err: error }, 'upgrades could not be looked after')
    }
  }, 100)

  return {
    soon: looking.soon,
    start() {
      timer = setInterval(looking.soon, LOOK_EVERY_MS)
    },
    async stop() {
      clearInterval(timer)
      leaving.abort()
      await looking.stop()
      await Promise.all(telling)
    },
  }
}
