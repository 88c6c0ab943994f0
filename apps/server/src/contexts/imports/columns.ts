/** Columns of an import's spreadsheet: how they are headed in each language, and which of them a heading means. */
import { LANGUAGES, type Language } from '@gatehouse/contract'
import { IMPORT_FIELDS } from '@gatehouse/contract/imports/calls'
import type { CustomField } from '@gatehouse/contract/people/form'
import { fileTexts } from '../../platform/texts.ts'

export type ImportField = (typeof IMPORT_FIELDS)[number]
type FormFields = readonly Pick<CustomField, 'id' | 'title'>[]

/** Key of a field of the park's own form. */
export const customKey = (id: string): string => `custom.${id}`
/** The id behind such a key; null for any other. */
export const customIdOf = (key: string): string | null => (key.startsWith('custom.') ? key.slice('custom.'.length) : null)

const CHARACTERS: Partial<Record<ImportField, number>> = {
  name: 20,
  phone: 18,
  groupName: 24,
  cardNumberFormat: 20,
  cardNumber: 18,
  idNumber: 24,
  faceConsent: 26,
  remark: 40,
}

/** The heading of a built-in column: as exported persons have it, so that such a file can be handed in. */
export function headingOf(language: Language, field: ImportField): string {
  const { columns } = fileTexts(language).persons
  return field === 'faceConsent' ? columns.consent : columns[field]
}

/** All columns by their keys, in the order of the template. */
export const columnsOf = (language: Language, form: FormFields): { key: string; heading: string; width: number }[] => [
  ...IMPORT_FIELDS.filter((field) => field !== 'remark').map((field) => ({
    key: field,
    heading: headingOf(language, field),
    width: CHARACTERS[field] ?? 16,
  })),
  ...form.map(({ id, title }) => ({ key: customKey(id), heading: title, width: 20 })),
  { key: 'remark', heading: headingOf(language, 'remark'), width: CHARACTERS.remark! },
]

/** Headings that templates and exports had before. */
const FORMER: Partial<Record<ImportField, readonly string[]>> = {
  faceConsent: ['Consent to face recognition', '人脸使用同意', '人臉使用同意'],
}

/** How a field is called in a sentence; empty for what is none. */
export const labelOf = (language: Language, form: FormFields, key: string): string =>
  key === 'photo'
    ? fileTexts(language).persons.columns.photo
    : (columnsOf(language, form).find((column) => column.key === key)?.heading ?? '')

/** Headings as people write them: an asterisk for what must be filled in, a remark in brackets, blanks, capitals. */
const plain = (heading: string): string =>
  heading
    .normalize('NFKC')
    .replace(/\([^()]*\)|\*/g, '')
    .replace(/[\s_]+/g, '')
    .toLowerCase()

export interface Head {
  /** Key by column; null for one that is passed over. */
  keys: (string | null)[]
  /** Headings nobody knows. */
  unknown: string[]
}

/** What the cells of a first line mean. A column that comes twice counts once. */
export function headOf(cells: readonly string[], form: FormFields): Head {
  const meanings = new Map<string, string>(form.map(({ id, title }) => [plain(title), customKey(id)]))
  for (const field of IMPORT_FIELDS)
    for (const text of [field, ...(FORMER[field] ?? []), ...LANGUAGES.map((language) => headingOf(language, field))])
      meanings.set(plain(text), field)
  // What else stands in files that are handed out: why a row was refused, and of exported persons what cannot be set by a file.
  const passedOver = new Set(
    LANGUAGES.flatMap((language) => {
      const { imports, persons } = fileTexts(language)
      return [imports.reasons, ...Object.values(persons.columns)].map(plain)
    }),
  )
  const head: Head = { keys: [], unknown: [] }
  for (const cell of cells) {
    const meaning = meanings.get(plain(cell)) ?? (form.some(({ id }) => customKey(id) === cell.trim()) ? cell.trim() : null)
    const taken = meaning !== null && head.keys.includes(meaning)
    head.keys.push(taken ? null : meaning)
    if ((taken || (meaning === null && !passedOver.has(plain(cell)))) && cell.trim() !== '') head.unknown.push(cell.trim().slice(0, 60))
  }
  return head
}
