/** Checks before a page loads whether it may be opened, and prepares the session for it. */
import { redirect, replace } from 'react-router'
import { toast } from '../kit/feedback.tsx'
import { Refusal, sentenceOf } from '../api/refusal.ts'
import { screenLink, useScreenLink } from '../api/screenLink.ts'
import { endSession, loadSession, mayOpen, useSession } from '../api/session.ts'
import { freshToken, hasTokens } from '../api/tokens.ts'
import { returnAddress } from '../api/returnAddress.ts'
import { path } from '../paths.ts'
import type { Screen } from '../screens.ts'
import { leaveScreenLink, takeFromAddress } from './session/screenSession.ts'

/** Return the address that the user wanted before the login, once. */
export const takeReturnAddress = (): string | null => returnAddress.take()

/**
 * Return a redirect to an error page. A typed address is in the history already and is replaced, otherwise the way back from
 * the error would lead to the error again; an address that was reached by a link is not there yet.
 */
export const instead = (address: string, of: string): Response =>
  window.location.hash.slice(1) === of ? replace(address) : redirect(address)

/**
 * Load a screen: the loader of every route.
 * @param address path with query
 * @returns null where it may open
 * @throws a redirect to /login or /403, or to the address of a data screen without its link; a Refusal where the server failed or did not
 * answer
 */
export async function guard(screen: Screen, address: string): Promise<null> {
  if (screen.dataScreen) {
    const bare = await takeFromAddress(address)
    if (bare !== undefined) throw replace(bare)
    // The screen itself shows that.
    if (useScreenLink.getState().refused) return null
  } else leaveScreenLink()
  if (screen.auth === 'none') return null
  if (!hasTokens() && screenLink.token() === undefined) {
    returnAddress.remember(address)
    throw redirect(path('login'))
  }
  try {
    await freshToken()
    await loadSession()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // The server failed or did not answer: the error page offers to try again, and the session stays.
    if (error.status === 0 && error.code === 'UNREACHABLE') throw error
    if (error.status >= 500) throw error
    if (screenLink.token() !== undefined) {
      screenLink.refuse()
      return null
    }
    toast('error', sentenceOf(error))
    returnAddress.remember(address)
    endSession(path('login'))
    throw redirect(path('login'))
  }
  // Its set-up is shown in place of the page, whose address is kept for afterwards.
  if (useSession.getState().profile?.secondFactorMissing) return null
  if (!mayOpen(screen)) throw instead(path('forbidden'), address)
  return null
}
