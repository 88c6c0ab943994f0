/** A call that did not succeed, whatever the reason: refused, unreachable, cancelled. */
import i18next from 'i18next'
import type { FieldIssue } from '@gatehouse/contract'

export type RefusalFamily = 'business' | 'login' | 'http' | 'client'

export interface RefusalParts {
  family: RefusalFamily
  /** Number of the catalogue; a name such as `NAVIGATION_CANCELLED` for what the console itself found. */
  code: number | string
  /** HTTP status, 0 where no answer came. */
  status: number
  /** The server's own sentence. */
  message: string
  data: Record<string, unknown>
}

export class Refusal extends Error {
  readonly family: RefusalFamily
  readonly code: number | string
  readonly status: number
  readonly data: Record<string, unknown>

  constructor(parts: RefusalParts) {
    super(parts.message)
    this.name = 'Refusal'
    this.family = parts.family
    this.code = parts.code
    this.status = parts.status
    this.data = parts.data
  }

  /** Refused fields, empty where the refusal belongs to none. */
  get fields(): FieldIssue[] {
    return Array.isArray(this.data['fields']) ? (this.data['fields'] as FieldIssue[]) : []
  }

  get cancelled(): boolean {
    return this.code === 'NAVIGATION_CANCELLED'
  }
}

/** A failure that the console itself finds, such as one cancelled by leaving the page. */
export const clientRefusal = (code: string, message = ''): Refusal => new Refusal({ family: 'client', code, status: 0, message, data: {} })

/** Rules that say no more than that a request as a whole was not right. */
const IN_GENERAL = ['malformed', 'invalid', 'tooLarge']

/** The sentence for a refusal: the catalogue's in the shown language, else the server's own; HTTP errors name their status. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Refusal)) return i18next.t('common:error.unexpected')
  const { family, code, status, message, data } = error
  // Of no field in particular: what is wrong says itself.
  const [only] = error.fields
  if (family === 'http' && only?.path === '' && !IN_GENERAL.includes(only.rule)) return sentenceOfIssue(only)
  if (family === 'client') return i18next.t([`common:error.${code}`, `errors:client.${code}`], { defaultValue: message || String(code) })
  const text = i18next.t(`errors:${family}.${code}`, { ...data, defaultValue: message || i18next.t('common:error.unexpected') })
  return family === 'http' ? `${status} · ${text}` : text
}

/**
 * The words of one refused field: `validation.<rule>`, with its numbers; those of the catalogue where its refusal is
 * one of business, `code.<number>`.
 */
export const sentenceOfIssue = (issue: FieldIssue): string =>
  i18next.t(
    [
      issue.rule.startsWith('code.') ? `errors:business.${issue.rule.slice('code.'.length)}` : `validation:${issue.rule}`,
      'validation:invalid',
    ],
    { ...issue.params, defaultValue: i18next.t('common:error.invalidField') },
  )
