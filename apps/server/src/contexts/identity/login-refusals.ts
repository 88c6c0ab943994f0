/** Refusals of logins. */
import type { BusinessCode } from '@gatehouse/contract'
import { Refusal } from '../../platform/http/refusal.ts'

export type LoginCode = 901 | 902 | 903 | 904 | 905 | 906 | 907

/** Return a refusal of the token call or a similar one: HTTP 400 with a login code, or a business code. */
export const refusedLogin = (code: LoginCode | 100401 | 100406 | 100412 | 100413, extra?: Record<string, unknown>): Refusal =>
  new Refusal(code as BusinessCode, extra, 400)
