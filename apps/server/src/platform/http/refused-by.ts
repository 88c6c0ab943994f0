/** Refusals of single things among many that one call is about, in words. */
import type { FieldIssue, Language } from '@gatehouse/contract'
import en from '@gatehouse/contract/i18n/en/validation.json' with { type: 'json' }
import zhCN from '@gatehouse/contract/i18n/zh-CN/validation.json' with { type: 'json' }
import zhTW from '@gatehouse/contract/i18n/zh-TW/validation.json' with { type: 'json' }
import { businessText } from '../texts.ts'
import { Conflict, InvalidRequest, NotFound, Refusal } from './refusal.ts'

export interface Refused {
  id: string
  /** Null where the refusal has no business code. */
  code: number | null
  field: string
  rule: string
  words: string
}

type Texts = { [key: string]: string | Texts }
const catalogues: Record<Language, Texts> = { en, 'zh-CN': zhCN, 'zh-TW': zhTW }

function wordsOf(language: Language, { rule, params = {} }: Pick<FieldIssue, 'rule' | 'params'>): string {
  const found = rule
    .split('.')
    .reduce<string | Texts | undefined>((texts, key) => (typeof texts === 'object' ? texts[key] : undefined), catalogues[language])
  const text = typeof found === 'string' ? found : (catalogues[language]['invalid'] as string)
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ''))
}

const byRule = (id: string, language: Language, { path, ...issue }: FieldIssue): Refused => ({
  id,
  code: null,
  field: path,
  rule: issue.rule,
  words: wordsOf(language, issue),
})

/**
 * Return an error as the refusal of one of several things.
 * @param goneField the field of a thing that does not exist any more
 * @throws any other error unchanged
 */
export function refusedBy(id: string, language: Language, error: unknown, goneField: string): Refused {
  if (error instanceof Refusal)
    return {
      id,
      code: error.code,
      field: error.data?.fields?.[0]?.path ?? '',
      rule: `code.${error.code}`,
      words: businessText(language, error.code),
    }
  if (error instanceof InvalidRequest) return byRule(id, language, error.fields[0] ?? { path: '', rule: 'invalid' })
  if (error instanceof Conflict) return byRule(id, language, { path: '', rule: 'conflict' })
  if (error instanceof NotFound) return byRule(id, language, { path: goneField, rule: 'unknown' })
  throw error
}
