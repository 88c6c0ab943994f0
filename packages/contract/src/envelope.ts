/** The wire form of every answer. */

/** One refused field: `path` in dotted form, `rule` a key of `i18n/<lang>/validation.json`, `params` its numbers. */
export interface FieldIssue {
  path: string
  rule: string
  params?: Record<string, string | number>
}

export interface Envelope<Data = unknown> {
  code: number
  message: string
  data?: Data
}

/** `data` of a refusal that belongs to fields. */
export interface RefusalData {
  fields?: FieldIssue[]
  [key: string]: unknown
}

export const LANGUAGES = ['zh-CN', 'zh-TW', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/**
 * Return the language for the first entry of an Accept-Language header or of a browser: Traditional Chinese for zh-TW, zh-HK, zh-MO and
 * zh-Hant, Simplified Chinese for other Chinese, English for all else.
 */
export function languageOf(header: string | null | undefined): Language {
  const first = (header ?? '').split(',')[0]?.trim().split(';')[0] ?? ''
  if (/^zh\b/i.test(first)) return /^zh-(tw|hk|mo|hant)/i.test(first) ? 'zh-TW' : 'zh-CN'
  return 'en'
}
