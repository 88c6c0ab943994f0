/** Answers to errors. */
import type { Envelope, FieldIssue, Language } from '@gatehouse/contract'
import { BrokerUnavailable } from '../broker/channel.ts'
import { isPassingFault } from '../passing-fault.ts'
import { requestErrorOf } from '../database/database.ts'
import {
  BodyTooSlow,
  Conflict,
  Hindered,
  InvalidRequest,
  NotFound,
  PasswordNeeded,
  Refusal,
  SecondFactorNeeded,
  SpentCipherText,
  TooManyTries,
} from './refusal.ts'
import { businessText, httpText, loginText, ruleText } from '../texts.ts'

/** The form of every answer. */
export const envelope = (code: number, message: string, data?: unknown): Envelope =>
  data === undefined ? { code, message } : { code, message, data }

/** Return the answer to an error; null for a fault of the server, whose details are not revealed. */
export function answerOf(error: unknown, language: Language): { status: number; body: Envelope } | null {
  const fault = error instanceof Error ? (requestErrorOf(error) ?? error) : error
  if (fault instanceof Refusal) {
    const text = fault.status === 400 ? loginText(language, fault.code) : businessText(language, fault.code)
    const body = envelope(fault.code, text, fault.data)
    return { status: fault.status, body: fault.status === 400 ? ({ ...body, error: 'invalid_grant' } as Envelope) : body }
  }
  if (fault instanceof Hindered) {
    const [{ rule, params }] = fault.fields as [FieldIssue, ...FieldIssue[]]
    return { status: fault.status, body: envelope(fault.status, ruleText(language, rule, params), { fields: fault.fields, ...fault.data }) }
  }
  if (fault instanceof PasswordNeeded || fault instanceof SecondFactorNeeded)
    return { status: fault.status, body: envelope(fault.status, ruleText(language, fault.fields[0]!.rule), { fields: fault.fields }) }
  if (fault instanceof SpentCipherText) {
    // For a client of RFC 6749 this is a grant that is no longer valid.
    const body = envelope(400, ruleText(language, fault.fields[0]!.rule), { fields: fault.fields })
    return { status: 400, body: { ...body, error: 'invalid_grant' } as Envelope }
  }
  if (fault instanceof InvalidRequest) {
    const [first] = fault.fields
    // Where no field is at fault, none is marked: the message itself says what is wrong.
    const marksNone = first !== undefined && fault.fields.every(({ path }) => path === '')
    const text = marksNone ? ruleText(language, first.rule, first.params) : httpText(language, 400)
    return { status: fault.status, body: envelope(400, text, { fields: fault.fields }) }
  }
  if (fault instanceof Conflict) return { status: 409, body: envelope(409, httpText(language, 409), { fields: fault.fields }) }
  if (fault instanceof NotFound) return { status: 404, body: envelope(404, httpText(language, 404)) }
  if (fault instanceof BodyTooSlow) return { status: 408, body: envelope(408, httpText(language, 408)) }
  if (fault instanceof TooManyTries) return { status: 429, body: envelope(429, httpText(language, 429)) }
  // Worth trying again: that the broker or the database is away, or the broker not set up, is not the caller's fault.
  if (fault instanceof BrokerUnavailable || isPassingFault(fault)) return { status: 503, body: envelope(500, httpText(language, 500)) }
  const http = fault as { statusCode?: number; code?: string }
  if (http.statusCode === 413)
    return { status: 413, body: envelope(400, ruleText(language, 'tooLarge'), { fields: [{ path: '', rule: 'tooLarge' }] }) }
  if (http.statusCode !== undefined && http.statusCode >= 400 && http.statusCode < 500)
    return { status: 400, body: envelope(400, ruleText(language, 'malformed'), { fields: [{ path: '', rule: 'malformed' }] }) }
  return null
}
