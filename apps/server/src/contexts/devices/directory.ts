/** Identities of devices, kept in memory: each message and each request of a terminal looks one up. */
import type { DevicePrincipal, Scope } from '../../platform/session/session.ts'

export interface DeviceEntry {
  id: string
  code: string
  parkId: string
  /** SHA-256 of the pairing secret. */
  secretHash: Buffer
  /** Read together with the secret: a device with a new secret never passes as released under the previous one. */
  released: boolean
}

export interface DeviceDirectory {
  start(): Promise<void>
  /** Read devices again; deleted ones are removed. */
  refresh(scope: Scope, deviceIds: readonly string[]): Promise<void>
  byCode(code: string): Promise<DeviceEntry | null>
  /** The same, looked up each time, so that a code without a device takes as long as any other. */
  lookUp(code: string): Promise<DeviceEntry | null>
  /** Return the device of a code, if the hash of its secret meets a condition; null otherwise. */
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

/** Create the directory. A missing or non-matching entry is looked up in the source, since events arrive a moment after the change. */
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
      const cached = byCode.get(code.toLowerCase())
      if (cached !== undefined && holds(cached.secretHash)) return principalOf(cached)
      const entry = await find(code)
      return entry !== null && holds(entry.secretHash) ? principalOf(entry) : null
    },
  }
}
