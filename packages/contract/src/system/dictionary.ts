/** The data dictionary: custom labels of the values of enums, per language (module M04). The values themselves are fixed. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { LANGUAGES } from '../envelope.ts'
import { DICTIONARY_LABEL_MAX, IMPORT_FILE_MAX } from '../limits.ts'

const call = callsOf('system')

export const languageValue = z.enum(LANGUAGES)

/** One label of a value of an enum, in one language. Empty: restores the built-in label. */
export const dictionaryLabel = z.object({
  /** Name of the enum in the specification. */
  enum: z.string().min(1).max(64),
  /** Value on the wire. */
  value: z.string().min(1).max(64),
  language: languageValue,
  label: z.string().trim().max(DICTIONARY_LABEL_MAX),
})
export type DictionaryLabel = z.output<typeof dictionaryLabel>

/** Only labels that differ from the built-in ones: language → enum → value → label. */
export const dictionary = z.object({
  labels: z.partialRecord(languageValue, z.record(z.string(), z.record(z.string(), z.string()))),
  version: z.number().int(),
})
export type Dictionary = z.output<typeof dictionary>

/** Header of the file that is exported and imported; one column for each language follows. */
export const DICTIONARY_COLUMNS = ['enum', 'value'] as const

export const dictionaryCalls = {
  read: call({
    method: 'GET',
    service: 'biz',
    path: '/system/dictionary',
    permission: 'self',
    summary: 'Own words for the values of enums.',
    data: dictionary,
    origin: 'own',
    quiet: true,
  }),
  change: call({
    method: 'PUT',
    service: 'biz',
    path: '/system/dictionary',
    permission: 'installation',
    besides: ['system.base'],
    summary: 'Sets or resets the words of some values.',
    body: z.object({ labels: z.array(dictionaryLabel).min(1).max(1000), version: z.number().int().optional() }),
    data: dictionary,
    origin: 'own',
  }),
  export: call({
    method: 'GET',
    service: 'biz',
    path: '/system/dictionary/export',
    permission: 'installation',
    besides: ['system.base'],
    summary: 'All values with the words that hold, as a CSV file.',
    produces: 'file',
    origin: 'own',
  }),
  import: call({
    method: 'POST',
    service: 'biz',
    path: '/system/dictionary/import',
    permission: 'installation',
    besides: ['system.base'],
    summary:
      'Takes the words of a file as `export` gives it: an empty cell, or the built-in word, resets a value; values the file ' +
      'leaves out stay.',
    consumes: 'multipart',
    bodyLimit: IMPORT_FILE_MAX,
    data: z.object({ changed: z.number().int() }),
    errors: [900107],
    statuses: [409],
    origin: 'own',
  }),
}
