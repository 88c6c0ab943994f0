/** Fetches persons by id: pages that fail are halved, until who makes them fail is alone and named as an exception. */
import { call } from '@gatehouse/contract'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol'
import { unreadPersons, type Deliveries } from './deliveries.ts'
import type { SealedCredentials } from './sealed-credentials.ts'
import { BULK_TIMEOUT, failsOnThis, isMissing, type ServerClient } from './server.ts'

/** Versions by person. */
export type Versions = ReadonlyMap<string, string>

export interface PersonsById {
  /**
   * Takes persons; who does not come is an exception in the version given.
   * @returns the lowest cursor of the answers, Infinity where nothing was asked
   * @throws ServerAway, ServerRefused when the server cannot be asked
   */
  take(audience: string, versions: Versions, signal: AbortSignal): Promise<number>
}

/** Persons asked for at once. */
const PAGE = 200

/** Read person by person: one that cannot be read must not hold up the rest of its page. */
const personsUnread = call({ ...deviceProtocolCalls.persons, data: unreadPersons })

export function createPersonsById({
  client,
  deliveries,
  modelId,
  sealedCredentials,
}: {
  client: ServerClient
  deliveries: Deliveries
  modelId: string
  sealedCredentials: Pick<SealedCredentials, 'asked'>
}): PersonsById {
  async function takePage(audience: string, asked: readonly (readonly [string, string])[], signal: AbortSignal): Promise<number> {
    try {
      const body = { ids: asked.map(([id]) => id), modelId, ...sealedCredentials.asked() }
      const page = await client.request(personsUnread, { params: { audience }, body }, { signal, timeout: BULK_TIMEOUT })
      await deliveries.take(page.persons, { awaited: new Map(asked) }, signal)
      return page.head
    } catch (error) {
      if (isMissing(error) || !failsOnThis(error)) throw error
      if (asked.length > 1) {
        const half = Math.ceil(asked.length / 2)
        return Math.min(await takePage(audience, asked.slice(0, half), signal), await takePage(audience, asked.slice(half), signal))
      }
      await deliveries.take([], { awaited: new Map(asked) }, signal)
      return Infinity
    }
  }

  return {
    async take(audience, versions, signal) {
      const all = [...versions]
      let head = Infinity
      for (let from = 0; from < all.length; from += PAGE)
        head = Math.min(head, await takePage(audience, all.slice(from, from + PAGE), signal))
      return head
    },
  }
}
