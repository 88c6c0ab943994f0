/** Statuses of devices: stored where they change what people see, one at a time for each device. */
import { setTimeout as delay } from 'node:timers/promises'
import type { StatusMessage } from '@gatehouse/contract/device/protocol-status'
import { createTurns } from '../platform/async/turns.ts'
import type { Platform } from '../platform/context.ts'
import { isPassingFault } from '../platform/passing-fault.ts'
import type { DevicePrincipal } from '../platform/session/session.ts'
import type { Commands } from './commands.ts'
import type { GatewayNeeds } from './gateway-types.ts'
import type { Notices } from './notices.ts'

/** Milliseconds before a status is stored again when the database was away. */
const STATUS_AGAIN_MS = 500

/** The reported properties of a device that are shown to people. */
type Shown = Pick<StatusMessage, 'online' | 'version' | 'ip' | 'modelId' | 'facts'>

export interface Statuses {
  /** Store a status after the earlier ones of its device, so that the last one wins. */
  take(device: DevicePrincipal, status: StatusMessage): void
  /** Forget the last status of a device, so that its next one is stored in any case. */
  forget(deviceId: string): void
  /** The same for all devices. */
  clear(): void
  /** Resolve when all statuses taken so far are stored. */
  settled(): Promise<void>
  /** Give up statuses that fail because the database is away. */
  stop(): void
}

export interface StatusParts extends Pick<GatewayNeeds, 'synchronisation' | 'devices' | 'noteDoorState'> {
  platform: Platform
  notices: Notices
  commands: Commands
}

export function createStatuses({ platform, synchronisation, devices, noteDoorState, notices, commands }: StatusParts): Statuses {
  const shown = new Map<string, string>()
  /** Last reported state of each device's door; empty while the device is offline, since it reports the state again. */
  const doors = new Map<string, string>()
  const turns = createTurns()
  const pending = new Set<Promise<void>>()
  let isStopped = false

  async function note(device: DevicePrincipal, status: StatusMessage): Promise<void> {
    const { online, version, ip, modelId, held } = status
    // A door moves with each access event, so its state alone causes no update of the device.
    const { door, ...facts } = status.facts ?? {}
    if (online && door !== undefined && doors.get(device.deviceId) !== door) noteDoorState(device, door)
    doors.set(device.deviceId, online ? (door ?? '') : '')
    const seen = JSON.stringify({ online, version, ip, modelId, facts } satisfies Shown)
    if (shown.get(device.deviceId) !== seen) {
      await devices.noteStatus({ parkId: device.parkId }, device.deviceId, {
        online,
        lastSeenAt: platform.clock.now(),
        ...(ip !== undefined && { ip }),
        ...(version !== undefined && { firmwareVersion: version }),
        ...(modelId !== undefined && { modelId }),
        ...(status.facts !== undefined && { facts }),
      })
      shown.set(device.deviceId, seen)
    }
    if (!online) return commands.lost(device.deviceId)
    if (held !== undefined) synchronisation.noteHoldings(device, held)
    const current = synchronisation.current(device)
    if (current !== null) notices.send(device, current)
  }

  /** Retry while the database is away: the device does not repeat its status. */
  async function noteUntilDone(device: DevicePrincipal, status: StatusMessage): Promise<void> {
    for (;;) {
      try {
        return await note(device, status)
      } catch (error) {
        if (isStopped || !isPassingFault(error)) throw error
        await delay(STATUS_AGAIN_MS)
      }
    }
  }

  return {
    take(device, status) {
      const noting: Promise<void> = turns
        .during(device.code, () => noteUntilDone(device, status))
        .catch((error: unknown) => platform.log.error({ err: error, device: device.code }, 'a status was not noted'))
        .finally(() => pending.delete(noting))
      pending.add(noting)
    },
    forget: (deviceId) => void shown.delete(deviceId),
    clear: () => shown.clear(),
    settled: async () => void (await Promise.all(pending)),
    stop() {
      isStopped = true
    },
  }
}
