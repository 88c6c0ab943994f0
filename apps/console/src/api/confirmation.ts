/** Calls that require the password again: a dialog asks for it, and the call then continues automatically. */
import { create } from 'zustand'
import { CONFIRMED_FOR } from '@gatehouse/contract'
import { clientRefusal, Refusal } from './refusal.ts'

/** A minute less than at the server: a call that is on its way when the time ends there must not be refused. */
const COUNTS_FOR_MS = (CONFIRMED_FOR - 1) * 60_000

interface Asking {
  /** Called with true once the server has accepted the password, with false where the user cancels. */
  end: (confirmed: boolean) => void
  ended: Promise<boolean>
}
/** The question that the outlet shows. */
export const useAsking = create<{ asking: Asking | null }>(() => ({ asking: null }))

/** When the last typed password stops counting, in milliseconds of `performance.now()`. */
let until = 0

/** Note a login, whose typed password counts as well, or a logout, after which it counts no longer for the next user. */
export function noteLogin(isIn: boolean): void {
  until = isIn ? performance.now() + COUNTS_FOR_MS : 0
}

/** Ask for the password; several calls at once share one question. @throws Refusal, cancelled, where the user cancels */
async function ask(): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<boolean>()
  const asking = useAsking.getState().asking ?? { ended, end: resolve }
  useAsking.setState({ asking })
  const isTyped = await asking.ended
  if (useAsking.getState().asking === asking) useAsking.setState({ asking: null })
  if (!isTyped) throw clientRefusal('NAVIGATION_CANCELLED')
  until = performance.now() + COUNTS_FOR_MS
}

const isPasswordNeeded = (error: unknown): boolean => error instanceof Refusal && error.fields.some(({ rule }) => rule === 'passwordNeeded')

/**
 * Send a call that requires the password. Ask for it first where it was not typed recently, so that no large file is sent in vain, and
 * ask once more where the server still requires it.
 *
 * @throws Refusal of the call; a cancelled one where the user does not type the password
 */
export async function confirmed<T>(send: () => Promise<T>): Promise<T> {
  if (performance.now() >= until) await ask()
  try {
    return await send()
  } catch (error) {
    if (!isPasswordNeeded(error)) throw error
  }
  await ask()
  return send()
}

/**
 * Run an action once the password has been typed, at once where it was typed recently; do nothing where the user cancels. For actions
 * whose call requires the password, but is sent later: the user may have left by the end of the time for undoing, and a dialog of the
 * action must not be filled in for nothing.
 */
export function afterConfirmation(act: () => void): void {
  if (performance.now() < until) act()
  else ask().then(act, () => {})
}
