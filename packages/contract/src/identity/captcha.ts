/**
 * The answer to a slide captcha, and the proof of work that goes with it. A program finds the gap at once; the work makes each answer cost
 * an amount that a person does not notice and that adds up over many attempts.
 */
import { z } from 'zod'

export const captchaWork = z.object({
  /** Different for each captcha: work cannot be done in advance or used twice. */
  salt: z.string(),
  /** N of scrypt. */
  cost: z.number().int(),
  /** Number of zero bits with which the result must begin; one in 2^bits numbers has such a result. */
  bits: z.number().int(),
})
export type CaptchaWork = z.output<typeof captchaWork>

/** Parameters of scrypt (RFC 7914) besides password, salt and N. */
export const CAPTCHA_SCRYPT = { r: 8, p: 1, length: 32 } as const

export interface CaptchaAnswer {
  id: string
  /** Distance from the left edge to which the piece was moved, in pixels. */
  x: number
  /** The number whose scrypt result begins with enough zero bits. */
  counter: number
}

/** Return an answer as it is sent in the token call. */
export const captchaAnswerText = ({ id, x, counter }: CaptchaAnswer): string => [id, x, counter].join(':')

/** Return the parsed answer; null for anything else. */
export function readCaptchaAnswer(text: string): CaptchaAnswer | null {
  const [, id, x, counter] = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):(-?\d{1,4}(?:\.\d{1,20})?):(\d{1,15})$/i.exec(text) ?? []
  return id === undefined ? null : { id, x: Number(x), counter: Number(counter) }
}

/** Return the scrypt password for a number. */
export const captchaWorkText = (counter: number): string => String(counter)

/** Return whether a result of scrypt begins with enough zero bits. */
export function isCaptchaWorkDone(result: Uint8Array, bits: number): boolean {
  const whole = Math.floor(bits / 8)
  const rest = bits % 8
  return result.subarray(0, whole).every((byte) => byte === 0) && (rest === 0 || result[whole]! >> (8 - rest) === 0)
}
