/** Asks who was erased since, and lets go of them: in what is held, and in the records that are kept. */
import { deviceProtocolCalls, type ChangedMessage } from '@gatehouse/contract/device/protocol'
import type { HeldPersons } from './held-persons.ts'
import { isMissing, type ServerClient } from './server.ts'
import type { Erasures } from './store.ts'

export interface ErasurePullOptions {
  client: ServerClient
  held: HeldPersons
  erasures: Erasures
}

export interface ErasurePull {
  /** Whether there are erasures the device has not taken. @param newest as the server told it */
  differs(newest: ChangedMessage['erasure']): boolean
  /**
   * Takes the erasures that are missing; those of a page stay when it is broken off.
   * @param told null where the server has told nothing: then it is asked
   * @throws ServerAway, ServerRefused when the server cannot be asked
   */
  pull(told: ChangedMessage | null, signal: AbortSignal): Promise<void>
}

export function createErasurePull({ client, held, erasures }: ErasurePullOptions): ErasurePull {
  // A server that does not tell of erasures knows of none.
  const differs = (newest: ChangedMessage['erasure']): boolean => newest !== undefined && newest !== erasures.newest()

  /** The next page. Null from a server that does not know the call. */
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
    async pull(told, signal) {
      if (told !== null && !differs(told.erasure)) return
      for (;;) {
        const after = erasures.newest()
        const page = await pageAfter(after, signal)
        if (page === null) return
        const gone = page.persons.filter((id) => held.holdings.version(id) !== undefined)
        if (gone.length > 0) held.take({ persons: [], exceptions: [], gone, position: null })
        erasures.take(page.persons, page.newest)
        // A page that leads nowhere is no reason to ask for ever.
        if (!page.more || page.newest === after) return
      }
    },
  }
}
