/** Decides before a page loads whether it may be opened, and gets the session ready for it. */
import { redirect } from 'react-router'
import { Refusal, sentenceOf } from '../kit/refusal.ts'
import { endSession, loadSession, may } from '../kit/session.ts'
import { freshToken, hasTokens } from '../kit/tokens.ts'
import { toast } from '../kit/feedback.tsx'
import { path } from '../paths.ts'
import type { Screen } from '../screens.ts'

/** Where the person wanted to go when login stood in between; kept for this tab only. */
const WANTED = 'wantedAddress'
export const takeWantedAddress = (): string | null => {
  const address = sessionStorage.getItem(WANTED)
  sessionStorage.removeItem(WANTED)
  return address
}

/**
 * The loader of every screen.
 *
 * @returns null to let it open
 * @throws a redirect to /login or /403
 */
export async function guard(screen: Screen, wanted: string): Promise<null> {
  if (screen.auth === 'none') return null
  if (!hasTokens()) {
    sessionStorage.setItem(WANTED, wanted)
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
    toast('error', sentenceOf(error))
    sessionStorage.setItem(WANTED, wanted)
    endSession(path('login'))
    throw redirect(path('login'))
  }
  if (!may(screen.permission)) throw redirect(path('forbidden'))
  return null
}
