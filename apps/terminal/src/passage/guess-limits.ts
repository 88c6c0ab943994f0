/** Limits to guessing: after too many wrong passwords or unknown numbers, further ones are not checked for a while. */
import type { Decider } from './decision.ts'
import type { Input, Shown } from './inputs.ts'
import { createNumberThrottle } from './number-throttle.ts'
import { createThrottle } from './throttle.ts'

/** Too many wrong passwords or unknown numbers: further ones are not checked before `wait` milliseconds have passed. */
export class Paused extends Error {
  override readonly name = 'Paused'
  readonly wait: number
  constructor(wait: number) {
    super(`Nothing of this kind is looked at for another ${wait} ms.`)
    this.wait = wait
  }
}

export interface GuessLimits {
  /**
   * Count an input that is unknown here.
   * @param before inputs shown before it
   * @throws Paused if inputs of this kind are not checked at present
   */
  admit(input: Exclude<Input, { kind: 'face' }>, before: readonly Shown[], source: string, moment: number): void
}

/** Wrong passwords within a minute, and the milliseconds for which none is checked then. */
const WRONG_PASSWORDS = { most: 5, within: 60_000, pause: 30_000 }

export function createGuessLimits(decider: Pick<Decider, 'knowsPassword' | 'isRegistered'>, log: (sentence: string) => void): GuessLimits {
  const passwords = createThrottle(WRONG_PASSWORDS)
  const numbers = createNumberThrottle(log)
  return {
    admit(input, before, source, moment) {
      if (input.kind === 'password') {
        const wait = passwords.wait(moment)
        if (wait > 0) throw new Paused(wait)
        if (!decider.knowsPassword(input.password, before)) passwords.failed(moment)
      } else {
        const wait = numbers.wait(source, input, moment)
        if (wait > 0) throw new Paused(wait)
        if (!decider.isRegistered(input)) numbers.unknown(source, input, moment)
      }
    },
  }
}
