/** Notices to devices that something they store has changed. A lost notice is made up for when the device reconnects. */
import { deviceTopics } from '@gatehouse/contract/device/protocol'
import type { ChangedMessage } from '@gatehouse/contract/device/protocol-status'
import type { Clock } from '../platform/time/clock.ts'

export interface Notices {
  /** Send a device its present target state. */
  send(device: NotifiedDevice, message: ChangedMessage): void
  /** The same, unless it equals the last notice: a change elsewhere in the park does not concern the device. */
  sendNew(device: NotifiedDevice, message: ChangedMessage): void
  /** Return when a device was last sent any notice; null: never. */
  sentAt(deviceId: string): number | null
  /** Forget the last notices. */
  clear(): void
}

interface NotifiedDevice {
  deviceId: string
  code: string
}

/** Create the sender of notices. @param publish sends a message to the broker, if there is one */
export function createNotices(clock: Clock, publish: (topic: string, message: unknown) => void): Notices {
  /** Last notice to each device. */
  const lastSent = new Map<string, string>()
  const sentAt = new Map<string, number>()

  function send(device: NotifiedDevice, message: ChangedMessage): void {
    lastSent.set(device.deviceId, JSON.stringify(message))
    sentAt.set(device.deviceId, clock.now())
    publish(deviceTopics(device.code).changed, message)
  }

  return {
    send,
    sendNew(device, message) {
      if (lastSent.get(device.deviceId) !== JSON.stringify(message)) send(device, message)
    },
    sentAt: (deviceId) => sentAt.get(deviceId) ?? null,
    clear: () => lastSent.clear(),
  }
}
