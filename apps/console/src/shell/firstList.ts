/**
 * Reads the list of a screen while the code of its page is loading: the page finds it by the same key in the cache, or already requested.
 */
import type { Call } from '@gatehouse/contract'
import { queryClient, readOptions } from '../api/query.ts'
import { request } from '../api/request.ts'
import { mayCallNow, useSession } from '../api/session.ts'
import { listRequest } from '../kit/list/listRequest.ts'
import type { FirstList } from '../screenDeclaration.ts'

/** Load the call of a list. A failure is ignored here: the page needs the call too, and reports it. */
export const loadCall = (list: FirstList | undefined): Promise<Call | undefined> =>
  list === undefined ? Promise.resolve(undefined) : list.call().catch(() => undefined)

/**
 * Start to read a list at an address, where the session may. A refusal is left to the page, which requests it again.
 * @param address path with query
 */
export async function readFirstList(loading: Promise<Call | undefined>, list: FirstList | undefined, address: string): Promise<void> {
  const call = await loading
  if (call === undefined || useSession.getState().profile?.secondFactorMissing || !mayCallNow(call)) return
  const { parts } = listRequest(call, new URL(address, window.location.origin).searchParams, list?.fixed)
  await queryClient.prefetchQuery({
    ...readOptions<Call>(call, parts),
    // Not cancelled when the previous page is left.
    queryFn: ({ signal }) => request<Call>(call, parts, { errors: 'inline', signal }),
  })
}
