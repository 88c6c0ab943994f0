/** The data dictionary: an installation's own words for the values of enums. The built-in ones stay in the contract's catalogues. */
import { z } from 'zod'
import { LANGUAGES, type FieldIssue } from '@gatehouse/contract'
import { csvOf, fileSizeIssue } from '@gatehouse/contract/files'
import { DICTIONARY_COLUMNS, dictionary, type Dictionary, type DictionaryLabel } from '@gatehouse/contract/system/dictionary'
import type { FileAnswer, Upload } from '../../platform/context.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { defineParser } from '../../platform/documents/parser.ts'
import type { Parsing } from '../../platform/documents/parsing.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { defineSetting, type Settings } from '../organisation/index.ts'
import type { parse } from './dictionary-parser.ts'
import { builtIn, isKnown } from './dictionary-words.ts'

const setting = defineSetting('system.dictionary', z.object({ labels: dictionary.shape.labels }), { labels: {} })
type Labels = Dictionary['labels']

const dictionaryParser = defineParser<typeof parse>('dictionary', new URL('./dictionary-parser.ts', import.meta.url))

export interface DictionaryService {
  read(): Dictionary
  /** @throws InvalidRequest for a value that no enum has; Conflict */
  change(labels: readonly DictionaryLabel[], version?: number): Promise<Dictionary>
  exported(): FileAnswer
  /** Import a file. @returns the number of words that changed @throws Refusal 900107; InvalidRequest with the line that cannot be read */
  imported(file: Upload): Promise<number>
}

export function createDictionary(settings: Settings, parsing: Parsing): DictionaryService {
  const read = (): Dictionary => {
    const { labels, version } = settings.show(INSTALLATION_ID, setting)
    return { labels, version }
  }

  /** Return the words with some of them set. The built-in word counts as none. */
  function withLabels(labels: Labels, changes: readonly DictionaryLabel[]): Labels {
    const next: Labels = structuredClone(labels)
    for (const { language, enum: name, value, label } of changes) {
      const words = ((next[language] ??= {})[name] ??= {})
      if (label === '' || label === builtIn[language][name]?.[value]) delete words[value]
      else words[value] = label
      if (Object.keys(words).length === 0) delete next[language]![name]
      if (Object.keys(next[language]!).length === 0) delete next[language]
    }
    return next
  }

  async function write(changes: readonly DictionaryLabel[], version: number | undefined): Promise<Dictionary> {
    await settings.write(INSTALLATION_ID, setting, { labels: withLabels(read().labels, changes) }, version)
    return read()
  }

  return {
    read,
    async change(labels, version) {
      const issues = labels.flatMap((one, at): FieldIssue[] =>
        isKnown(one.enum, one.value) ? [] : [{ path: `labels.${at}.value`, rule: 'unknown' }],
      )
      if (issues.length > 0) throw new InvalidRequest(issues)
      return write(labels, version)
    },
    exported() {
      const { labels } = read()
      const rows = Object.entries(builtIn.en).flatMap(([name, values]) =>
        Object.keys(values).map((value) => [
          name,
          value,
          ...LANGUAGES.map((language) => labels[language]?.[name]?.[value] ?? builtIn[language][name]?.[value] ?? ''),
        ]),
      )
      return {
        bytes: Buffer.from(csvOf([[...DICTIONARY_COLUMNS, ...LANGUAGES], ...rows])),
        contentType: 'text/csv; charset=utf-8',
        filename: 'dictionary.csv',
      }
    },
    async imported(file) {
      const issue = fileSizeIssue('import', file.bytes.length)
      if (issue !== null) throw new InvalidRequest([issue])
      const changes = await parsing.whole({ parkId: INSTALLATION_ID }, dictionaryParser, file, {})
      const { labels, version } = read()
      const changed = differences(labels, withLabels(labels, changes))
      if (changed > 0) await write(changes, version)
      return changed
    },
  }
}

/** Return the number of words that differ. */
function differences(before: Labels, after: Labels): number {
  const flat = (labels: Labels): Map<string, string> =>
    new Map(
      Object.entries(labels).flatMap(([language, names]) =>
        Object.entries(names ?? {}).flatMap(([name, values]) =>
          Object.entries(values).map(([value, label]) => [`${language} ${name} ${value}`, label] as const),
        ),
      ),
    )
  const [old, now] = [flat(before), flat(after)]
  return [...new Set([...old.keys(), ...now.keys()])].filter((key) => old.get(key) !== now.get(key)).length
}
