/**
 * Whether a code is one of an account's second factor: a one-time password, or a recovery code. Each is taken once, whatever number
 * of tries comes at a time.
 */
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Attempts } from './login-attempts.ts'
import { readCode, stepOf } from './one-time-codes.ts'
import type { IdentityTables } from './schema.ts'
import * as data from './second-factor-data.ts'

/** One-time passwords that are compared within a day for one account, from wherever they come: of a million, three hold at a time. */
const STRANGERS_PER_DAY = 100
const DAY_MS = 86_400_000

export interface SecondFactorCheck {
  /** Whether the login of an account asks for a code. */
  isEnrolled(userId: string): Promise<boolean>
  /** Takes a code. @returns whether it was right, and not taken before */
  take(userId: string, code: string): Promise<boolean>
  /**
   * The same, from a browser nobody knows: the failures of each address are counted by themselves, and somebody may have many.
   *
   * @throws TooManyTries for a one-time password after too many wrong ones of a day; a recovery code cannot be guessed, and is still taken
   */
  takeFromStranger(userId: string, code: string): Promise<boolean>
  /** Keyed hash of a recovery code. */
  hashOf(userId: string, recoveryCode: string): Buffer
}

export function createSecondFactorCheck(platform: Platform, attempts: Attempts): SecondFactorCheck {
  const { clock, crypto } = platform
  const db = platform.db as unknown as Database<IdentityTables>
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
