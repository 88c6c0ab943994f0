/** What an error answers. */
import type { Envelope, FieldIssue, Language } from '@gatehouse/contract'
import { BrokerUnavailable } from '../broker/channel.ts'
import { isDatabaseFault } from '../database/database-fault.ts'
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

/** What an error answers; everything unknown is a fault of ours and says nothing about itself. */
export function answerOf(error: unknown, language: Language): { status: number; body: Envelope } | null {
  const known = error instanceof Error ? (requestErrorOf(error) ?? error) : error
  if (known instanceof Refusal) {
    const text = known.status === 400 ? loginText(language, known.code) : businessText(language, known.code)
    const body = envelope(known.code, text, known.data)
    return { status: known.status, body: known.status === 400 ? ({ ...body, error: 'invalid_grant' } as Envelope) : body }
  }
  if (known instanceof Hindered) {
    const [{ rule, params }] = known.fields as [FieldIssue, ...FieldIssue[]]
    return { status: known.status, body: envelope(known.status, ruleText(language, rule, params), { fields: known.fields, ...known.data }) }
  }
  if (known instanceof PasswordNeeded || known instanceof SecondFactorNeeded)
    return { status: known.status, body: envelope(known.status, ruleText(language, known.fields[0]!.rule), { fields: known.fields }) }
  if (known instanceof SpentCipherText) {
    // To a client of RFC 6749 it is a grant that holds no more.
    const body = envelope(400, ruleText(language, known.fields[0]!.rule), { fields: known.fields })
    return { status: 400, body: { ...body, error: 'invalid_grant' } as Envelope }
  }
  if (known instanceof InvalidRequest) {
    const [first] = known.fields
    // Where no field is to blame none is marked: the sentence says itself what is wrong.
    const marksNone = first !== undefined && known.fields.every(({ path }) => path === '')
    const text = marksNone ? ruleText(language, first.rule, first.params) : httpText(language, 400)
    return { status: known.status, body: envelope(400, text, { fields: known.fields }) }
  }
  if (known instanceof Conflict) return { status: 409, body: envelope(409, httpText(language, 409), { fields: known.fields }) }
  if (known instanceof NotFound) return { status: 404, body: envelope(404, httpText(language, 404)) }
  if (known instanceof BodyTooSlow) return { status: 408, body: envelope(408, httpText(language, 408)) }
  if (known instanceof TooManyTries) return { status: 429, body: envelope(429, httpText(language, 429)) }
  // Whoever asks tries again: a broker that is away, or not set up, or a database that is away, is not the caller's fault.
  if (known instanceof BrokerUnavailable || isDatabaseFault(known)) return { status: 503, body: envelope(500, httpText(language, 500)) }
  const http = known as { statusCode?: number; code?: string }
  if (http.statusCode === 413)
    return { status: 413, body: envelope(400, ruleText(language, 'tooLarge'), { fields: [{ path: '', rule: 'tooLarge' }] }) }
  if (http.statusCode !== undefined && http.statusCode >= 400 && http.statusCode < 500)
    return { status: 400, body: envelope(400, ruleText(language, 'malformed'), { fields: [{ path: '', rule: 'malformed' }] }) }
  return null
}
