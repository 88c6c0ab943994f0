/**
 * The answer to a slide captcha, and the work that goes with it. Finding the gap takes a program no time; the work makes each
 * answer cost what a person does not notice and many tries add up to.
 */
import { z } from 'zod'

export const captchaWork = z.object({
  /** Another for each captcha: no work is done in advance or used twice. */
  salt: z.string(),
  /** N of scrypt. */
  cost: z.number().int(),
  /** Zero bits the result begins with; one in 2^bits numbers has them. */
  bits: z.number().int(),
})
export type CaptchaWork = z.output<typeof captchaWork>

/** What scrypt (RFC 7914) is called with besides password, salt and N. */
export const CAPTCHA_SCRYPT = { r: 8, p: 1, length: 32 } as const

export interface CaptchaAnswer {
  id: string
  /** Pixels from the left to which the piece was moved. */
  x: number
  /** The number that was found. */
  counter: number
}

/** Write an answer as it goes along with the token call. */
export const captchaAnswerText = ({ id, x, counter }: CaptchaAnswer): string => [id, x, counter].join(':')

/** Read an answer; null for anything else. */
export function readCaptchaAnswer(text: string): CaptchaAnswer | null {
  const [, id, x, counter] = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):(-?\d{1,4}(?:\.\d{1,20})?):(\d{1,15})$/i.exec(text) ?? []
  return id === undefined ? null : { id, x: Number(x), counter: Number(counter) }
}

/** Return the password scrypt is called with for a number. */
export const captchaWorkText = (counter: number): string => String(counter)

/** Whether a result of scrypt is one that was asked for. */
export function isCaptchaWorkDone(result: Uint8Array, bits: number): boolean {
  const whole = Math.floor(bits / 8)
  const rest = bits % 8
  return result.subarray(0, whole).every((byte) => byte === 0) && (rest === 0 || result[whole]! >> (8 - rest) === 0)
}
