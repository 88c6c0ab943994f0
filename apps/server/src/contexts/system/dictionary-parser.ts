/** Parser of files with an installation's own words for the values of enums. */
import { DICTIONARY_LABEL_MAX, LANGUAGES } from '@gatehouse/contract'
import { csvRows, csvTextOf } from '@gatehouse/contract/files'
import { DICTIONARY_COLUMNS, type DictionaryLabel } from '@gatehouse/contract/system/dictionary'
import { Unreadable, type Steps } from '../../platform/documents/parser.ts'
import type { ReadableFile } from '../../platform/http/received-file.ts'
import { isKnown } from './dictionary-words.ts'

const COLUMNS: readonly string[] = [...DICTIONARY_COLUMNS, ...LANGUAGES]
const CELL_CHARACTERS = 1000

/** Yield the words of the file at once. Where a value has several words in a language, the last one counts, which bounds their number. */
export async function* parse(file: ReadableFile, _options: object, steps: Steps): AsyncGenerator<DictionaryLabel[]> {
  const text = csvTextOf(await file.read(0, file.size))
  if (text === null) throw new Unreadable(900107)
  steps.spend(text.length)
  const rows = csvRows(text, { columns: COLUMNS.length, characters: CELL_CHARACTERS })
  const head: string[] = rows.next().value ?? []
  if (COLUMNS.some((column, at) => head[at]?.trim() !== column)) throw new Unreadable('csvHead', { columns: COLUMNS.join(', ') })
  const labels = new Map<string, DictionaryLabel>()
  let line = 1
  for (const [name = '', value = '', ...words] of rows) {
    line++
    if (!isKnown(name.trim(), value.trim())) throw new Unreadable('csvValue', { line, value: `${name} ${value}`.slice(0, 80) })
    for (const [column, language] of LANGUAGES.entries()) {
      const label = (words[column] ?? '').trim()
      if (label.length > DICTIONARY_LABEL_MAX) throw new Unreadable('csvLong', { line, limit: DICTIONARY_LABEL_MAX })
      const one: DictionaryLabel = { enum: name.trim(), value: value.trim(), language, label }
      labels.set(`${one.enum} ${one.value} ${language}`, one)
    }
  }
  yield [...labels.values()]
}
