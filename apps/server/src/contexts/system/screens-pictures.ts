/** A picture that belongs to a setting of a park: kept while the setting names it, let go after. */
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'

export interface ParkPicture {
  /** Address for now; empty where there is none. */
  address(scope: Scope, fileId: string | null): string
  /**
   * The file an address sent in a body names, null for none: what is shown now, or one uploaded as `background`.
   * @throws InvalidRequest for any other
   */
  fileOf(scope: Scope, address: string, field: string): Promise<string | null>
  /** Runs a change of the setting from one file to another; the old one goes once it has succeeded. */
  exchange<T>(scope: Scope, from: string | null, to: string | null, change: () => Promise<T>): Promise<T>
}

export function createParkPicture(platform: Platform): ParkPicture {
  const { storage } = platform
  return {
    address: (scope, fileId) => (fileId === null ? '' : storage.address(scope, fileId, 'full')),
    async fileOf(scope, address, field) {
      if (address === '') return null
      const fileId = await storage.fileOf(scope, address, 'background')
      if (fileId === null) throw new InvalidRequest([{ path: field, rule: 'picture' }])
      return fileId
    },
    async exchange(scope, from, to, change) {
      if (from === to) return change()
      // First kept, then named, then let go: stopped anywhere, no setting names a picture that is gone.
      if (to !== null) await platform.transaction((tx) => storage.keep(tx, scope, [to]))
      try {
        const result = await change()
        if (from !== null) await platform.transaction((tx) => storage.release(tx, scope, [from]))
        return result
      } catch (error) {
        if (to !== null) await platform.transaction((tx) => storage.release(tx, scope, [to]))
        throw error
      }
    },
  }
}
