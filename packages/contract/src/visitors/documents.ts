/** Documents that visitors agree to or sign before they come, such as site rules: their texts with versions, and what was signed. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { LANGUAGES } from '../envelope.ts'
import { id, instant } from '../schema.ts'
import { rule } from '../validation.ts'
import { DOCUMENT_ACCEPTANCES, DOCUMENT_AGREEMENTS, DOCUMENTS_MAX } from './signing.ts'

const call = callsOf('visitors')

export const DOCUMENT_TITLE_MAX = 64
/** Characters of a document in one language. */
export const DOCUMENT_TEXT_MAX = 10_000

const documentText = z.object({
  title: z.string().trim().max(DOCUMENT_TITLE_MAX).default(''),
  text: z.string().trim().max(DOCUMENT_TEXT_MAX).default(''),
})
type SentTexts = Partial<Record<(typeof LANGUAGES)[number], z.output<typeof documentText>>>

/**
 * Texts by language. A language without title and text is left out; one of both alone is refused, and so is a document without any, at the
 * first title.
 */
const texts = z.partialRecord(z.enum(LANGUAGES), documentText).superRefine((byLanguage: SentTexts, context) => {
  const languages = LANGUAGES.filter((language) => (byLanguage[language]?.title || byLanguage[language]?.text || '') !== '')
  if (languages.length === 0) context.addIssue({ code: 'custom', path: [LANGUAGES[0], 'title'], ...rule('required') })
  for (const language of languages)
    for (const part of ['title', 'text'] as const)
      if (byLanguage[language]![part] === '') context.addIssue({ code: 'custom', path: [language, part], ...rule('required') })
})
export type DocumentTexts = z.output<typeof texts>

const documentFields = z.object({
  /** Absent: a new document. */
  id: id.nullish(),
  agreement: z.enum(DOCUMENT_AGREEMENTS),
  /** False: it is shown to nobody. */
  enabled: z.boolean(),
  texts,
})

const documentRow = z.object({
  id,
  agreement: z.enum(DOCUMENT_AGREEMENTS),
  enabled: z.boolean(),
  /** Number of the version of its texts, from 1. */
  textVersion: z.number().int(),
  texts: z.partialRecord(z.enum(LANGUAGES), z.object({ title: z.string(), text: z.string() })),
})
export type VisitorDocument = z.output<typeof documentRow>

const documents = z.object({ documents: z.array(documentRow), version: z.number().int() })
export type VisitorDocuments = z.output<typeof documents>

/** A document that the visitor of a visit accepted. */
const signedDocument = z.object({
  id,
  title: z.string(),
  textVersion: z.number().int(),
  language: z.enum(LANGUAGES),
  /** SHA-256 of title and text, in hexadecimal digits. */
  textHash: z.string(),
  acceptance: z.enum(DOCUMENT_ACCEPTANCES),
  signedAt: instant,
})
export type SignedDocument = z.output<typeof signedDocument>

const base = { service: 'visitor', origin: 'own' } as const

const list = call({
  ...base,
  method: 'GET',
  path: '/visitor/document/list',
  permission: 'visitor.mp.setting',
  summary: 'Documents that visitors agree to or sign, in their order, with their current texts.',
  data: documents,
})

export const visitorDocumentCalls = {
  list,
  change: call({
    ...base,
    method: 'PUT',
    path: '/visitor/document/list',
    permission: 'visitor.mp.setting',
    summary:
      'Replaces the documents that visitors agree to or sign; one without id is new. Changed texts are a new version; what visitors ' +
      'accepted before stays as it was.',
    record: list,
    body: z.object({
      /** Absent: unchanged. */ documents: z.array(documentFields).max(DOCUMENTS_MAX).optional(),
      version: z.number().int().optional(),
    }),
    data: documents,
  }),
  versions: call({
    ...base,
    method: 'GET',
    path: '/visitor/document/version/list',
    permission: 'visitor.mp.setting',
    summary: 'Versions of the texts of a document, the newest first; former ones are kept while visits refer to them.',
    query: z.object({ id }),
    data: z.array(documentRow.pick({ textVersion: true, texts: true }).extend({ createdAt: instant })),
  }),
  signed: call({
    ...base,
    method: 'GET',
    path: '/visitor/document/signed/list',
    permission: 'visitor.report',
    summary: 'Documents that the visitor of a visit agreed to or signed.',
    query: z.object({ id }),
    data: z.array(signedDocument),
    errors: [200401],
  }),
  file: call({
    ...base,
    method: 'GET',
    path: '/visitor/document/signed/file',
    permission: 'visitor.report',
    condition: 'unmasked',
    summary:
      'A document that a visitor agreed to or signed, as PDF: its text, the name, the moment, the signature and the hash of the text.',
    query: z.object({
      /** Of the visit. */ id,
      documentId: id,
    }),
    produces: 'file',
    readsPersonal: true,
  }),
}
