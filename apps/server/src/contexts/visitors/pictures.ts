/** Pictures that forms of visits name by their addresses. */
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Storage } from '../../platform/storage/storage-types.ts'

export interface Pictures {
  /**
   * Return the file of an address: the stored one where it is that, else a copy, which is dropped after a day unless kept.
   * @param present file that the visit has now
   * @throws InvalidRequest at `field` for any other text
   */
  take(scope: Scope, address: string, present: string | null, field: string): Promise<string>
  /** The same for an address that may be left out; `undefined` keeps the present file, empty and null remove it. */
  takeOptional(scope: Scope, address: string | null | undefined, present: string | null, field: string): Promise<string | null>
}

export function createPictures(storage: Pick<Storage, 'fileOf' | 'copy'>): Pictures {
  async function take(scope: Scope, address: string, present: string | null, field: string): Promise<string> {
    const fileId = await storage.fileOf(scope, address)
    if (fileId === null) throw new InvalidRequest([{ path: field, rule: 'picture' }])
    return fileId === present ? fileId : storage.copy(scope, fileId, scope)
  }
  return {
    take,
    async takeOptional(scope, address, present, field) {
      if (address === undefined) return present
      return address === null || address === '' ? null : take(scope, address, present, field)
    },
  }
}
