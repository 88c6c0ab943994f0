/** A call that did not succeed, whatever the reason: refused, unreachable, cancelled. */
import i18next from 'i18next'
import type { FieldIssue } from '@gatehouse/contract'

export type RefusalFamily = 'business' | 'login' | 'http' | 'client'

export interface RefusalParts {
  family: RefusalFamily
  /** Number in the catalogue; a name such as `NAVIGATION_CANCELLED` for a failure that the console itself finds. */
  code: number | string
  /** HTTP status, 0 where no answer came. */
  status: number
  /** Message of the server. */
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

  /** Refused fields; empty where the refusal belongs to none. */
  get fields(): FieldIssue[] {
    return Array.isArray(this.data['fields']) ? (this.data['fields'] as FieldIssue[]) : []
  }

  get cancelled(): boolean {
    return this.code === 'NAVIGATION_CANCELLED'
  }
}

/** A failure that the console itself finds, such as one cancelled by leaving the page. */
export const clientRefusal = (code: string, message = ''): Refusal => new Refusal({ family: 'client', code, status: 0, message, data: {} })

/** Rules that only state that the request as a whole was invalid. */
const IN_GENERAL = ['malformed', 'invalid', 'tooLarge']

/** Return the sentence for a refusal: that of the catalogue in the shown language, else the server's; HTTP errors begin with the status. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Refusal)) return i18next.t('common:error.unexpected')
  const { family, code, status, message, data } = error
  // An issue that belongs to no field has a sentence of its own.
  const [only] = error.fields
  if (family === 'http' && only?.path === '' && !IN_GENERAL.includes(only.rule)) return sentenceOfIssue(only)
  if (family === 'client') return i18next.t([`common:error.${code}`, `errors:client.${code}`], { defaultValue: message || String(code) })
  const text = i18next.t(`errors:${family}.${code}`, { ...data, defaultValue: message || i18next.t('common:error.unexpected') })
  return family === 'http' ? `${status} · ${text}` : text
}

/**
 * Return the sentence for one refused field: `validation:<rule>` with its parameters, or that of the catalogue for a business error
 * (`code.<number>`).
 */
export const sentenceOfIssue = (issue: FieldIssue): string =>
  i18next.t(
    [
      issue.rule.startsWith('code.') ? `errors:business.${issue.rule.slice('code.'.length)}` : `validation:${issue.rule}`,
      'validation:invalid',
    ],
    { ...issue.params, defaultValue: i18next.t('common:error.invalidField') },
  )
