/** A claimed identity, and the reasons to refuse it. */
import type * as data from './data.ts'
import type { Refusal } from '../../platform/http/refusal.ts'
import type { LoginCode } from './login-refusals.ts'

/** Why an account may not log in, and the refusal that is answered. */

export interface Closed {
  code: LoginCode | 100413
  refusal: Error
}
export interface Claim {
  account: string
  /**
   * The password, or a function that opens it once the address was counted; null: unreadable. An error it throws is not counted as a
   * failure.
   */
  password: string | (() => Promise<string | null>)
  captcha?: string | undefined
  /** Token that the browser received at an earlier login. */
  knownDevice?: string | undefined
  /** One-time password or recovery code, once one was requested. */
  otp?: string | undefined
  ip: string
  /**
   * Return why an account may not log in although its password is right. Called before a code is demanded; the reason is noted in the log.
   */
  closed?: (account: data.Account) => Closed | null
  /** Return the refusal of a wrong password: that of a login, or that of a change. */
  wrong: (data: { failures: number; limit: number; captcha: boolean }) => Refusal
  /** Session of a logged-in user: the operation log shows who acts, and the login has demanded the second factor already. */
  loggedIn?: string
}
