/** The documents of a park that visitors agree to or sign: which there are, in memory, and their texts in versions. */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { LANGUAGES, type Language, type OutputOf } from '@gatehouse/contract'
import { type VisitorDocuments, type visitorDocumentCalls } from '@gatehouse/contract/visitors/documents'
import { DOCUMENT_AGREEMENTS, type AcceptedDocument, type OpenDocument } from '@gatehouse/contract/visitors/signing'
import type { Platform } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import { Conflict, InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { defineSetting, type Settings } from '../organisation/index.ts'
import * as data from './documents-data.ts'

type Change = OutputOf<(typeof visitorDocumentCalls)['change']['body']>

const stored = z.object({
  documents: z.array(
    z.object({
      id: z.uuid(),
      agreement: z.enum(DOCUMENT_AGREEMENTS),
      enabled: z.boolean(),
      /** Number of the current version of its texts. */
      textVersion: z.number().int(),
      versionId: z.uuid(),
    }),
  ),
})
const setting = defineSetting<z.output<typeof stored>>('visitors.documents', stored, { documents: [] })

/** A document with its current text in one language. */
export interface DocumentText extends OpenDocument {
  versionId: string
}

export interface Documents {
  list(scope: Scope): Promise<VisitorDocuments>
  /** @throws Conflict; InvalidRequest for a document that is not there */
  change(scope: Scope, change: Change): Promise<VisitorDocuments>
  /** @throws NotFound */
  versions(scope: Scope, id: string): Promise<{ textVersion: number; texts: data.VersionRow['texts']; createdAt: number }[]>
  /** Return what is shown to visitors, in a language or else in one there is. */
  shown(scope: Scope, language: Language): Promise<DocumentText[]>
  /**
   * Return the documents that a form accepts, in their order.
   * @throws InvalidRequest where one is not accepted, is not there, or has other texts by now
   */
  accepted(scope: Scope, sent: readonly AcceptedDocument[]): Promise<(DocumentText & { sent: AcceptedDocument })[]>
  /** Delete former texts that no visit refers to. */
  deleteUnused(scope: Scope): Promise<number>
}

const DAY = 86_400_000

/** Return texts without the languages that have none. */
const filledTexts = (texts: data.VersionRow['texts']): data.VersionRow['texts'] =>
  Object.fromEntries(LANGUAGES.flatMap((language) => ((texts[language]?.text ?? '') === '' ? [] : [[language, texts[language]!]])))

/** Return the language in which a text is shown to somebody who reads another one. */
const languageIn = (texts: data.VersionRow['texts'], language: Language): Language | undefined =>
  [language, ...LANGUAGES].find((one) => texts[one] !== undefined)

export function createDocuments(platform: Pick<Platform, 'db' | 'clock'>, settings: Settings): Documents {
  const { db, clock } = platform
  const current = ({ parkId }: Scope) => settings.show(parkId, setting)

  /** Return current documents with their texts. */
  async function withTexts(scope: Scope) {
    const { documents } = current(scope)
    const rows = await data.findVersions(
      scope,
      db,
      documents.map(({ versionId }) => versionId),
    )
    const textsOf = new Map(rows.map(({ id, texts }) => [id, texts]))
    return documents.map((document) => ({ ...document, texts: textsOf.get(document.versionId) ?? {} }))
  }

  async function list(scope: Scope): Promise<VisitorDocuments> {
    const documents = await withTexts(scope)
    return { documents: documents.map(({ versionId: _, ...document }) => document), version: current(scope).version }
  }

  async function shown(scope: Scope, language: Language): Promise<DocumentText[]> {
    if (!current(scope).documents.some(({ enabled }) => enabled)) return []
    return (await withTexts(scope)).flatMap(({ id, enabled, agreement, textVersion, versionId, texts }) => {
      const used = languageIn(texts, language)
      if (!enabled || used === undefined) return []
      return [{ documentId: id, documentVersion: textVersion, versionId, language: used, ...texts[used]!, agreement }]
    })
  }

  return {
    list,
    async change(scope, { documents, version }) {
      if (version !== undefined && version !== current(scope).version) throw new Conflict(['documents'])
      if (documents === undefined) return list(scope)
      const before = new Map((await withTexts(scope)).map((document) => [document.id, document]))
      const ids = documents.map(({ id }) => id ?? null)
      const issues = ids.flatMap((id, at) => {
        if (id === null) return []
        if (!before.has(id)) return [{ path: `documents.${at}.id`, rule: 'unknown' }]
        return ids.indexOf(id) < at ? [{ path: `documents.${at}.id`, rule: 'duplicate' }] : []
      })
      if (issues.length > 0) throw new InvalidRequest(issues)
      const versions: data.NewVersion[] = []
      const after = documents.map(({ id, agreement, enabled, texts: sent }) => {
        const texts = filledTexts(sent)
        const own = before.get(id ?? '')
        if (own !== undefined && isDeepStrictEqual(filledTexts(own.texts), texts))
          return { id: own.id, agreement, enabled, textVersion: own.textVersion, versionId: own.versionId }
        const next = { id: newId(), documentId: own?.id ?? newId(), number: (own?.textVersion ?? 0) + 1, texts }
        versions.push(next)
        return { id: next.documentId, agreement, enabled, textVersion: next.number, versionId: next.id }
      })
      // Texts come first: nobody refers to them before the setting does.
      await data.insertVersions(scope, db, versions, clock.now())
      await settings.write(scope.parkId, setting, { documents: after }, version)
      return list(scope)
    },
    async versions(scope, id) {
      const rows = await data.findVersionsOf(scope, db, id)
      if (rows.length === 0) throw new NotFound()
      return rows.map(({ number, texts, createdAt }) => ({ textVersion: number, texts, createdAt }))
    },
    shown,
    async accepted(scope, sent) {
      const documents = await withTexts(scope)
      const at = new Map(sent.map(({ documentId }) => [documentId, sent.findIndex((one) => one.documentId === documentId)]))
      const issues = sent.flatMap(({ documentId }, place) =>
        at.get(documentId) !== place ? [{ path: `documents.${place}.documentId`, rule: 'duplicate' }] : [],
      )
      const accepted = documents.flatMap(({ id, enabled, agreement, textVersion, versionId, texts }) => {
        const place = at.get(id)
        at.delete(id)
        const one = place === undefined ? undefined : sent[place]
        if (!enabled && one === undefined) return []
        if (one === undefined) {
          if (!issues.some(({ path }) => path === 'documents')) issues.push({ path: 'documents', rule: 'required' })
          return []
        }
        const text = texts[one.language]
        if (!enabled || one.documentVersion !== textVersion || text === undefined)
          issues.push({ path: `documents.${place}.documentVersion`, rule: 'textChanged' })
        else if (agreement === 'sign' && one.strokes == null && one.typedName == null)
          issues.push({ path: `documents.${place}.strokes`, rule: 'required' })
        else return [{ documentId: id, documentVersion: textVersion, versionId, language: one.language, ...text, agreement, sent: one }]
        return []
      })
      // What is left was removed meanwhile.
      for (const place of at.values()) issues.push({ path: `documents.${place}.documentId`, rule: 'textChanged' })
      if (issues.length > 0) throw new InvalidRequest(issues)
      return accepted
    },
    deleteUnused(scope) {
      const versionIds = current(scope).documents.map(({ versionId }) => versionId)
      return data.deleteUnusedVersions(scope, db, versionIds, clock.now() - DAY)
    },
  }
}
