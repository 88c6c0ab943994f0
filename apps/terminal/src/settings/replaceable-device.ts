/** A device that is replaced by one at another address of the server, while its users keep the same object. */
import type { Device } from '../device/device.ts'

export interface ReplaceableDeviceOptions {
  /** The address of the first device. */
  base: string
  /** Starts a device at an address; called again for each replacement, after the previous device has stopped. */
  start: (server: string) => Device
  /** When aborted, no further device is started. */
  stopping: AbortSignal
  onChange: () => void
}

export interface ReplaceableDevice {
  /** Passes all calls to the current device. */
  readonly device: Device
  /** Origin of the current device's server. */
  address(): string
  /** Stop the device and start one at another address. Records made meanwhile are stored, and sent by the next device. */
  replace(target: string): Promise<void>
  /** Return whether the device comes online within the given milliseconds; false after a stop. */
  comesOnline(withinMs: number): Promise<boolean>
  /** Note that the connection may have changed. */
  refresh(): void
}

/** Start the first device. @throws as `start` */
export function createReplaceableDevice({ base, start, stopping, onChange }: ReplaceableDeviceOptions): ReplaceableDevice {
  let address = new URL(base).origin
  let current = start(base)
  let onOnline: (() => void) | null = null

  return {
    device: {
      state: () => current.state(),
      isOnline: () => current.isOnline(),
      holdings: current.holdings,
      client: {
        get address() {
          return current.client.address
        },
        request: (call, request, options) => current.client.request(call, request, options),
        download: (call, request, options) => current.client.download(call, request, options),
      },
      appendRecord: (record) => current.appendRecord(record),
      addPicture: (recordId, image) => current.addPicture(recordId, image),
      appendNumbered: (kind, item, picture) => current.appendNumbered(kind, item, picture),
      factsChanged: () => current.factsChanged(),
      synchronise: () => current.synchronise(),
      stop: () => current.stop(),
    },
    address: () => address,
    async replace(target) {
      await current.stop()
      if (stopping.aborted) return
      address = target
      current = start(target)
      onChange()
    },
    async comesOnline(withinMs) {
      if (stopping.aborted) return false
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const tooLong = setTimeout(() => resolve(false), withinMs)
      const end = () => resolve(false)
      stopping.addEventListener('abort', end, { once: true })
      onOnline = () => resolve(true)
      if (current.isOnline()) resolve(true)
      const isOnline = await promise
      onOnline = null
      clearTimeout(tooLong)
      stopping.removeEventListener('abort', end)
      return isOnline
    },
    refresh() {
      if (current.isOnline()) onOnline?.()
    },
  }
}
