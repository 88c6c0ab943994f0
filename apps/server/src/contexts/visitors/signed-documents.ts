/**
 * Documents that visitors accepted. What was accepted is stored with the visit, name and signature encrypted; a PDF of it is made
 * afterwards, by a job or when it is opened first, so that a page without a session costs no typesetting.
 */
import type { Language } from '@gatehouse/contract'
import type { SignedDocument } from '@gatehouse/contract/visitors/documents'
import type { AcceptedDocument, DocumentAcceptance, SignatureStrokes } from '@gatehouse/contract/visitors/signing'
import type { FileAnswer, Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { BEFORE_ALL_IDS, newId } from '../../platform/database/ids.ts'
import { createFonts } from '../../platform/documents/pdf/fonts.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Scope } from '../../platform/session/session.ts'
import { fileTexts } from '../../platform/texts.ts'
import type { Configuration } from './configuration.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import * as data from './documents-data.ts'
import { VISIT_DOCUMENT_DETAILS } from './documents-schema.ts'
import type { DocumentText } from './documents.ts'
import { signedPaperOf } from './signed-paper.ts'
import { documentHash } from './text-hash.ts'
import { findVisits } from './visits-data.ts'

/** What is encrypted of an accepted document. */
interface SignedDetails {
  name: string
  strokes: SignatureStrokes | null
  typedName: string | null
}

export interface SignedDocuments {
  /** Return what stores accepted documents in the transaction that writes the visit. @param name of the visitor */
  writing(
    scope: Scope,
    name: string,
    accepted: readonly (DocumentText & { sent: AcceptedDocument })[],
  ): Promise<(tx: Transaction, visitId: string) => Promise<void>>
  /** @throws Refusal 200401 */
  list(scope: Scope, visitId: string): Promise<SignedDocument[]>
  /** Return a document as PDF. @throws NotFound */
  file(scope: Scope, visitId: string, id: string): Promise<FileAnswer>
  /** Return the files of a visit's documents, which get no others until the transaction ends. */
  filesOf(scope: Scope, tx: Transaction, visitId: string): Promise<string[]>
  job: Job
}

const BATCH = 20

function acceptanceOf({ strokes, typedName }: AcceptedDocument): DocumentAcceptance {
  if (strokes != null) return 'drawn'
  return typedName != null ? 'typed' : 'tick'
}

const timeText = (timeZone: string, language: Language, moment: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', hourCycle: 'h23', timeZone }).format(moment)

export function createSignedDocuments(
  platform: Platform,
  { organisation }: Pick<VisitorsDependencies, 'organisation'>,
  configuration: Pick<Configuration, 'of'>,
): SignedDocuments {
  const { db, clock, crypto, storage, log } = platform
  const fonts = createFonts()

  /** Return a document as PDF, from what is stored of it. */
  async function pdfOf(scope: Scope, row: data.VisitDocumentRow): Promise<Buffer> {
    const [version] = await data.findVersions(scope, db, [row.versionId])
    const opened = await crypto.open(scope.parkId, placeOf(VISIT_DOCUMENT_DETAILS, row.id), row.details)
    const { name, strokes, typedName } = JSON.parse(opened.toString('utf8')) as SignedDetails
    const words = fileTexts(row.language).signed
    return signedPaperOf(fonts, {
      title: row.title,
      text: version?.texts[row.language]?.text ?? '',
      company: configuration.of(scope).companyName || organisation.park(scope).name,
      facts: [
        { title: words.name, value: name },
        { title: words.time, value: timeText(organisation.park(scope).zone, row.language, row.signedAt) },
        { title: words.acceptance, value: words.acceptances[row.acceptance] },
        ...(typedName === null ? [] : [{ title: words.signature, value: typedName }]),
        { title: words.version, value: `${row.number} (${row.language})` },
        { title: 'SHA-256', value: row.textHash },
      ],
      signatureTitle: words.signature,
      strokes,
    })
  }

  /** Make the file of a document, and keep it. */
  async function make(row: data.VisitDocumentRow): Promise<Buffer> {
    const scope: Scope = { parkId: row.parkId }
    const pdf = await pdfOf(scope, row)
    const fileId = await storage.writeOriginal(scope, pdf)
    const isKept = await platform
      .transaction(async (tx) => {
        await storage.keepCapture(tx, scope, fileId)
        if (await data.keepFile(scope, tx, row.id, fileId)) return true
        // Somebody else made it meanwhile, or the visit is gone.
        await storage.release(tx, scope, [fileId])
        return false
      })
      .catch(async (error: unknown) => {
        await storage.discardCapture(fileId)
        throw error
      })
    if (!isKept) await storage.erase([fileId])
    return pdf
  }

  const findOne = async (scope: Scope, visitId: string, id: string): Promise<data.VisitDocumentRow> =>
    (await data.findVisitDocuments(scope, db, visitId)).find((row) => row.id === id) ?? Promise.reject(new NotFound())

  return {
    async writing(scope, name, accepted) {
      const documents = await Promise.all(
        accepted.map(async ({ versionId, documentVersion: number, language, title, text, sent }, position) => {
          const id = newId()
          const details: SignedDetails = { name, strokes: sent.strokes ?? null, typedName: sent.typedName ?? null }
          return {
            id,
            position,
            versionId,
            number,
            language,
            title,
            textHash: documentHash({ title, text }),
            acceptance: acceptanceOf(sent),
            details: await crypto.seal(scope.parkId, placeOf(VISIT_DOCUMENT_DETAILS, id), Buffer.from(JSON.stringify(details))),
          }
        }),
      )
      return (tx, visitId) => data.insertVisitDocuments(scope, tx, visitId, documents, clock.now())
    },
    async list(scope, visitId) {
      if ((await findVisits(scope, db, [visitId])).length === 0) refuse(200401, 'id')
      const rows = await data.findVisitDocuments(scope, db, visitId)
      return rows.map(({ id, title, number, language, textHash, acceptance, signedAt }) => ({
        id,
        title,
        textVersion: number,
        language,
        textHash,
        acceptance,
        signedAt,
      }))
    },
    async file(scope, visitId, id) {
      const row = await findOne(scope, visitId, id)
      const bytes = row.fileId === null ? await make(row) : await storage.load(scope, row.fileId, 'full')
      if (bytes === null) throw new NotFound()
      return { bytes, contentType: 'application/pdf', filename: `${row.title}.pdf` }
    },
    // One that is made meanwhile is waited for: nothing would refer to its file any more.
    filesOf: (scope, tx, visitId) => data.lockFilesOfVisit(scope, tx, visitId),
    job: {
      name: 'visitors.makeDocuments',
      schedule: '* * * * *',
      async run() {
        let [made, after] = [0, BEFORE_ALL_IDS]
        for (;;) {
          const rows = await data.findWithoutFileUnscoped(db, after, BATCH)
          for (const row of rows)
            await make(row)
              .then(() => made++)
              .catch((error: unknown) =>
                log.error({ err: error, visitDocument: row.id }, 'the file of a signed document could not be made'),
              )
          if (rows.length < BATCH) break
          after = rows.at(-1)!.id
        }
        return { outcome: made > 0 ? 'success' : 'skipped' }
      },
    },
  }
}
