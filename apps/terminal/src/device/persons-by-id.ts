/** Fetches persons by id. A page that fails is halved, until the person who makes it fail is alone and named as an exception. */
import { callsOf } from '@gatehouse/contract'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { unreadPersons, type Deliveries } from './deliveries.ts'
import type { SealedCredentials } from './sealed-credentials.ts'
import { BULK_TIMEOUT, failsOnThis, isMissing, type ServerClient } from './server.ts'

/** Versions by person. */
export type Versions = ReadonlyMap<string, string>

export interface PersonsById {
  /**
   * Take persons; a person who does not arrive is an exception in the version given.
   * @returns the lowest cursor of the answers, Infinity if nothing was requested
   * @throws ServerAway, ServerRefused when the server cannot be asked
   */
  take(audience: string, versions: Versions, signal: AbortSignal): Promise<number>
}

/** Number of persons requested at once. */
const PAGE = 200

/** Read person by person, so that one that cannot be read does not block the rest of its page. */
const personsUnread = callsOf('device')({ ...deviceProtocolCalls.persons, data: unreadPersons })

export function createPersonsById({
  client,
  deliveries,
  modelId,
  sealedCredentials,
}: {
  client: ServerClient
  deliveries: Deliveries
  modelId: string
  sealedCredentials: Pick<SealedCredentials, 'queryParameters'>
}): PersonsById {
  async function takePage(audience: string, requested: readonly (readonly [string, string])[], signal: AbortSignal): Promise<number> {
    try {
      const body = { ids: requested.map(([id]) => id), modelId, ...sealedCredentials.queryParameters() }
      const page = await client.request(personsUnread, { params: { audience }, body }, { signal, timeout: BULK_TIMEOUT })
      await deliveries.take(page.persons, { awaited: new Map(requested) }, signal)
      return page.head
    } catch (error) {
      if (isMissing(error) || !failsOnThis(error)) throw error
      if (requested.length > 1) {
        const half = Math.ceil(requested.length / 2)
        return Math.min(await takePage(audience, requested.slice(0, half), signal), await takePage(audience, requested.slice(half), signal))
      }
      await deliveries.take([], { awaited: new Map(requested) }, signal)
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
