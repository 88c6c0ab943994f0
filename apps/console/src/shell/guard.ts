/** Decides before a page loads whether it may be opened, and gets the session ready for it. */
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

/** Where the person wanted to go when login stood in between; once. */
export const takeReturnAddress = (): string | null => returnAddress.take()

/**
 * To an error page. An address that was typed already stands in the history and is replaced, else the way back from
 * the error would lead to the error again; a link that was followed does not stand there yet.
 */
export const instead = (address: string, of: string): Response =>
  window.location.hash.slice(1) === of ? replace(address) : redirect(address)

/**
 * The loader of every screen.
 *
 * @param address path with query
 * @returns null to let it open
 * @throws a redirect to /login or /403
 */
export async function guard(screen: Screen, address: string): Promise<null> {
  if (screen.dataScreen) {
    const bare = await takeFromAddress(address)
    if (bare !== undefined) throw replace(bare)
    // The screen says so itself.
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
    // No answer, or the server fails: the error page offers to try again, the session stays.
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
  // Setting it up stands in place of the page, whose address stays for afterwards.
  if (useSession.getState().profile?.secondFactorMissing) return null
  if (!mayOpen(screen)) throw instead(path('forbidden'), address)
  return null
}
