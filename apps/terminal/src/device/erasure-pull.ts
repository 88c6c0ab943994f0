/** Pull of the erasures since the last one. Erased persons are dropped: those stored, and their names in the records. */
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import type { ChangedMessage } from '@gatehouse/contract/device/protocol-status'
import type { StoredPersons } from './stored-persons.ts'
import { isMissing, type ServerClient } from './server.ts'
import type { Erasures } from './store.ts'

export interface ErasurePullOptions {
  client: ServerClient
  stored: StoredPersons
  erasures: Erasures
}

export interface ErasurePull {
  /** Whether there are erasures the device has not taken. @param newest as the server announced it */
  differs(newest: ChangedMessage['erasure']): boolean
  /**
   * Take the missing erasures; pages already taken stay when the pull is interrupted.
   * @param message null if the server has announced nothing; it is asked then
   * @throws ServerAway, ServerRefused when the server cannot be asked
   */
  pull(message: ChangedMessage | null, signal: AbortSignal): Promise<void>
}

export function createErasurePull({ client, stored, erasures }: ErasurePullOptions): ErasurePull {
  // A server that announces no erasures does not support them.
  const differs = (newest: ChangedMessage['erasure']): boolean => newest !== undefined && newest !== erasures.newest()

  /** Fetch the next page. @returns null from a server that does not support the call */
  async function pageAfter(after: string | null, signal: AbortSignal) {
    try {
      return await client.request(deviceProtocolCalls.erasures, { query: after === null ? {} : { after } }, { signal })
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  return {
    differs,
    async pull(message, signal) {
      if (message !== null && !differs(message.erasure)) return
      for (;;) {
        const after = erasures.newest()
        const page = await pageAfter(after, signal)
        if (page === null) return
        const removedIds = page.persons.filter((id) => stored.holdings.version(id) !== undefined)
        if (removedIds.length > 0) stored.take({ persons: [], exceptions: [], removed: removedIds, position: null })
        erasures.take(page.persons, page.newest)
        // A page that makes no progress must not cause an endless loop.
        if (!page.more || page.newest === after) return
      }
    },
  }
}
