/** Asks devices for their logs. */
import { deviceOnlineStatus, doorControlErrorType } from '@gatehouse/contract/enums'
import type { Platform } from '../../platform/context.ts'
import type { DeviceCommands } from '../../platform/broker/device-commands.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import * as data from './log-data.ts'

/** Milliseconds a device has to send its log: a megabyte over a slow line. */
export const SENT_MS = 120_000

export interface LogRequests {
  /** Ask a device for a log, in the background. */
  send(scope: Scope, deviceId: string, id: string): void
  stop(): Promise<void>
}

export function createLogRequests(platform: Platform, devices: Pick<DevicesService, 'some'>, commands: () => DeviceCommands): LogRequests {
  const db = platform.db
  const stopping = new AbortController()
  const pending = new Set<Promise<void>>()

  async function ask(scope: Scope, deviceId: string, id: string): Promise<void> {
    const [device] = await devices.some(scope, [deviceId])
    if (device?.onlineStatus !== deviceOnlineStatus.online || !(await data.beginAsking(scope, db, id, platform.clock.now()))) return
    const { isSuccess, errorType } = await commands().send(
      device,
      'sendLog',
      { requestId: id },
      { timeoutMs: SENT_MS, signal: stopping.signal },
    )
    const [after] = await devices.some(scope, [deviceId])
    // The command was lost, or this server is stopping: the request waits for the device to come back.
    const waits = stopping.signal.aborted || (!isSuccess && after?.onlineStatus !== deviceOnlineStatus.online)
    await data.endAsking(scope, db, id, waits ? 'waits' : { errorType: errorType ?? doorControlErrorType.error }, platform.clock.now())
  }

  function send(scope: Scope, deviceId: string, id: string): void {
    if (stopping.signal.aborted) return
    const work: Promise<void> = platform.audit
      .apart(() => ask(scope, deviceId, id))
      .catch((error: unknown) => platform.log.error({ err: error, deviceId }, 'a log could not be asked for'))
      .finally(() => pending.delete(work))
    pending.add(work)
  }

  return {
    send,
    async stop() {
      stopping.abort()
      await Promise.all(pending)
    },
  }
}
