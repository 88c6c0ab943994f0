/** A picture that a setting of a park names: kept while the setting names it, then released. */
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'

export interface ParkPicture {
  /** Return a temporary address; empty where there is no picture. */
  address(scope: Scope, fileId: string | null): string
  /**
   * Return the file that an address in a body names, null for none: the picture shown now, or one uploaded as `background`.
   * @throws InvalidRequest for any other
   */
  fileOf(scope: Scope, address: string, field: string): Promise<string | null>
  /** Run a change of the setting from one file to another. The old file is released once the change has succeeded. */
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
      // Keep, name, release: wherever this sequence is interrupted, no setting names a deleted picture.
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
