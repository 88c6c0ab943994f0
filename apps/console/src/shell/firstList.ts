/** Reads the list of a screen while the code of its page is on its way: the page finds it in the cache, or under way, by the same key. */
import type { Call } from '@gatehouse/contract'
import { queryClient, readOptions } from '../api/query.ts'
import { request } from '../api/request.ts'
import { mayCallNow, useSession } from '../api/session.ts'
import { listRequest } from '../kit/list/listRequest.ts'
import type { FirstList } from '../screenDeclaration.ts'

/** A call that does not load is nothing to speak of here: the page needs it too, and says so. */
export const loadCall = (list: FirstList | undefined): Promise<Call | undefined> =>
  list === undefined ? Promise.resolve(undefined) : list.call().catch(() => undefined)

/**
 * Begin to read what the list asks at an address, where the session may. A refusal is left to the page, which asks again.
 * @param address path with query
 */
export async function readFirstList(loading: Promise<Call | undefined>, list: FirstList | undefined, address: string): Promise<void> {
  const call = await loading
  if (call === undefined || useSession.getState().profile?.secondFactorMissing || !mayCallNow(call)) return
  const { parts } = listRequest(call, new URL(address, window.location.origin).searchParams, list?.fixed)
  await queryClient.prefetchQuery({
    ...readOptions<Call>(call, parts),
    // Leaving the page before does not cancel it.
    queryFn: ({ signal }) => request<Call>(call, parts, { errors: 'inline', signal }),
  })
}
