/** Calls that want the password once more: it is asked for in a dialog, and the call goes on by itself. */
import { create } from 'zustand'
import { CONFIRMED_FOR } from '@gatehouse/contract'
import { clientRefusal, Refusal } from './refusal.ts'

/** What is under way when the server's minutes end must not be refused for the seconds it took to get there. */
const COUNTS_FOR_MS = (CONFIRMED_FOR - 1) * 60_000

interface Asking {
  /** Told true once the server has taken the password, false where the person leaves it. */
  end: (confirmed: boolean) => void
  ended: Promise<boolean>
}
/** What the outlet shows. */
export const useAsking = create<{ asking: Asking | null }>(() => ({ asking: null }))

/** Until when an answer counts, by this page's own clock. */
let until = 0

/** Somebody has logged in by typing it, which counts as well; or has left, and what they typed counts for nobody after them. */
export function noteLogin(isIn: boolean): void {
  until = isIn ? performance.now() + COUNTS_FOR_MS : 0
}

/** Asks for the password; several calls at once ask together. @throws Refusal, cancelled, where the person leaves it */
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
 * Sends a call that asks for the password: before it where nobody has typed it lately, so that no large file is sent in vain, and
 * once more where the server wants it nonetheless.
 *
 * @throws Refusal of the call; a cancelled one where the person does not type it
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
 * Does something once the password was typed, if that is not long ago: for what ends in a call that asks for it, but not at once. What
 * waits to be taken back may find nobody there any more, and what opens a dialog of its own must not open it in vain. Where the person
 * leaves the question, nothing is done.
 */
export function afterConfirmation(act: () => void): void {
  if (performance.now() < until) act()
  else ask().then(act, () => {})
}
