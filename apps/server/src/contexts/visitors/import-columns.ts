/** Columns of the spreadsheet by which visitors are invited: their headings, their example, and what their cells mean. */
import { LANGUAGES, type Language } from '@gatehouse/contract'
import en from '@gatehouse/contract/i18n/en/enums.json' with { type: 'json' }
import zhCN from '@gatehouse/contract/i18n/zh-CN/enums.json' with { type: 'json' }
import zhTW from '@gatehouse/contract/i18n/zh-TW/enums.json' with { type: 'json' }
import { visitReason } from '@gatehouse/contract/enums/visitors'
import { VISIT_IMPORT_FIELDS, type VisitImportField } from '@gatehouse/contract/visitors/imports'
import { fileTexts } from '../../platform/texts.ts'

/** Texts of the cells that are not empty, by column. */
export type ImportValues = Partial<Record<VisitImportField, string>>

/** Begins the name of the example, which no name does. */
const EXAMPLE_MARK = '*'

export const headingOf = (language: Language, field: VisitImportField): string => fileTexts(language).visitImport.columns[field]

/** Return a text as headings and words are compared: without an asterisk, a remark in brackets, blanks and capitals. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\([^()]*\)|\*/g, '')
    .replace(/[\s_-]+/g, '')
    .toLowerCase()

const MEANINGS: ReadonlyMap<string, VisitImportField> = new Map(
  VISIT_IMPORT_FIELDS.flatMap((field) =>
    [field, ...LANGUAGES.map((language) => headingOf(language, field))].map((heading) => [plain(heading), field] as const),
  ),
)

/** Return the columns that the cells of a first line mean; null for one that means nothing, or the same as an earlier one. */
export function columnsOf(cells: readonly string[]): (VisitImportField | null)[] {
  const meanings = cells.map((cell) => MEANINGS.get(plain(cell)) ?? null)
  return meanings.map((meaning, at) => (meanings.indexOf(meaning) === at ? meaning : null))
}

const words: Record<Language, Record<string, string>> = {
  en: en.visitReason,
  'zh-CN': zhCN.visitReason,
  'zh-TW': zhTW.visitReason,
}
const REASONS: ReadonlyMap<string, number> = new Map(
  visitReason.values.flatMap((value) =>
    [String(value), ...LANGUAGES.map((language) => words[language][value] ?? '')].map((word) => [plain(word), value] as const),
  ),
)

/** Return the reason that a cell names in any language; null for no reason. */
export const reasonOf = (text: string): number | null => REASONS.get(plain(text)) ?? null

/** Return the row of the template that is not imported. */
export const exampleOf = (language: Language): ImportValues => {
  const { name, host } = fileTexts(language).visitImport.example
  return {
    name: EXAMPLE_MARK + name,
    phone: '13800138000',
    email: 'visitor@example.org',
    host,
    reason: words[language][visitReason.meeting] ?? '',
    visitTime: '2026-12-01 09:00',
    visitEndTime: '2026-12-01 11:30',
    remark: fileTexts(language).visitImport.example.remark,
  }
}

export const isExample = ({ name = '' }: ImportValues): boolean => name.startsWith(EXAMPLE_MARK)
