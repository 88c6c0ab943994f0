/**
 * Checks whether a code belongs to an account's second factor: a one-time password or a recovery code. Each code is accepted once, however
 * many tries come at the same time.
 */
import type { Platform } from '../../platform/context.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Attempts } from './login-attempts.ts'
import { readCode, stepOf } from './one-time-codes.ts'
import * as data from './second-factor-data.ts'

/**
 * Most one-time passwords compared within a day for one account, from all unknown browsers together. Of a million, three are valid at a
 * time.
 */
const STRANGERS_PER_DAY = 100
const DAY_MS = 86_400_000

export interface SecondFactorCheck {
  /** Return whether the login of an account asks for a code. */
  isEnrolled(userId: string): Promise<boolean>
  /** Use up a code. @returns whether it was right and not used before */
  take(userId: string, code: string): Promise<boolean>
  /**
   * The same, from an unknown browser: the failures of each address are counted separately, and an attacker may have many addresses.
   *
   * @throws TooManyTries for a one-time password after too many wrong ones in a day; a recovery code cannot be guessed, and is still
   * accepted
   */
  takeFromStranger(userId: string, code: string): Promise<boolean>
  /** Keyed hash of a recovery code. */
  hashOf(userId: string, recoveryCode: string): Buffer
}

export function createSecondFactorCheck(platform: Platform, attempts: Attempts): SecondFactorCheck {
  const { clock, crypto } = platform
  const db = platform.db
  const hashOf = (userId: string, text: string): Buffer => crypto.blindIndex(`recovery code ${readCode(text).text} of ${userId}`)

  async function takeOneTime(userId: string, password: string): Promise<boolean> {
    const { secret } = await data.findFactorUnscoped(db, userId)
    if (secret === null) return false
    const opened = (await crypto.reader(INSTALLATION_ID))(placeOf(data.FACTOR_SECRET, userId), secret)
    if (opened === null) return false
    const step = stepOf(opened, password, clock.now())
    return step !== null && data.takeStepUnscoped(db, userId, step)
  }

  function take(userId: string, code: string): Promise<boolean> {
    const { text, isOneTime } = readCode(code)
    return isOneTime ? takeOneTime(userId, text) : data.takeRecoveryCodeUnscoped(db, userId, hashOf(userId, text))
  }

  return {
    hashOf,
    take,
    isEnrolled: (userId) => data.isEnrolledUnscoped(db, userId),
    async takeFromStranger(userId, code) {
      if (!readCode(code).isOneTime) return take(userId, code)
      const subject = `one-time passwords for ${userId}`
      await attempts.demandRoom(subject, DAY_MS, STRANGERS_PER_DAY)
      const isRight = await take(userId, code)
      if (isRight) await attempts.giveBack(subject)
      return isRight
    },
  }
}
