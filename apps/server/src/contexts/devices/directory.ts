/** Who the devices are, in memory: each message and each request of a terminal asks. */
import type { DevicePrincipal, Scope } from '../../platform/session/session.ts'

export interface DeviceEntry {
  id: string
  code: string
  parkId: string
  /** SHA-256 of the pairing secret. */
  secretHash: Buffer
  /** Read in one with the secret: whoever has a new one is never taken for a device that was released under the one before. */
  released: boolean
}

export interface DeviceDirectory {
  start(): Promise<void>
  /** Reads devices anew; those that are gone are forgotten. */
  refresh(scope: Scope, deviceIds: readonly string[]): Promise<void>
  byCode(code: string): Promise<DeviceEntry | null>
  /** The same, looked up each time: it takes as long for a code nobody has. */
  lookUp(code: string): Promise<DeviceEntry | null>
  /** The device of a code, if what is asked holds of the hash of its secret. */
  matching(code: string, holds: (secretHash: Buffer) => boolean): Promise<DevicePrincipal | null>
}

export interface DirectorySource {
  all(): Promise<DeviceEntry[]>
  some(scope: Scope, deviceIds: readonly string[]): Promise<DeviceEntry[]>
  byCode(code: string): Promise<DeviceEntry | undefined>
}

export const principalOf = ({ id, code, parkId, released }: DeviceEntry): DevicePrincipal => ({
  deviceId: id,
  code,
  parkId,
  released,
})

/** The directory; what it does not know, or knows otherwise, is looked up, since events follow a moment after the change. */
export function createDeviceDirectory(source: DirectorySource): DeviceDirectory {
  const byCode = new Map<string, DeviceEntry>()
  const codes = new Map<string, string>()

  function put(entry: DeviceEntry): DeviceEntry {
    byCode.set(entry.code.toLowerCase(), entry)
    codes.set(entry.id, entry.code.toLowerCase())
    return entry
  }

  async function find(code: string): Promise<DeviceEntry | null> {
    const entry = await source.byCode(code)
    return entry === undefined ? null : put(entry)
  }

  return {
    async start() {
      for (const entry of await source.all()) put(entry)
    },
    async refresh(scope, deviceIds) {
      const found = new Map((await source.some(scope, deviceIds)).map((entry) => [entry.id, entry]))
      for (const id of deviceIds) {
        const entry = found.get(id)
        if (entry !== undefined) put(entry)
        else {
          byCode.delete(codes.get(id) ?? '')
          codes.delete(id)
        }
      }
    },
    async byCode(code) {
      return byCode.get(code.toLowerCase()) ?? (await find(code))
    },
    lookUp: find,
    async matching(code, holds) {
      const known = byCode.get(code.toLowerCase())
      if (known !== undefined && holds(known.secretHash)) return principalOf(known)
      const entry = await find(code)
      return entry !== null && holds(entry.secretHash) ? principalOf(entry) : null
    },
  }
}
