/**
 * Many visitors invited from a spreadsheet. Its rows are stored, encrypted, and become invitations in the background, each in one
 * transaction with the mark of its row: whoever takes the work up again does what is left, and nothing twice.
 */
import type { Language } from '@gatehouse/contract'
import { VISIT_IMPORT_FIELDS, VISIT_IMPORT_ROWS_MAX, type VisitImport } from '@gatehouse/contract/visitors/imports'
import { fileSizeIssue } from '@gatehouse/contract/files'
import type { FileAnswer, Platform } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import { sheetParser } from '../../platform/documents/sheet.ts'
import { XLSX_TYPE, xlsxOf } from '../../platform/documents/xlsx.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { ReceivedFile } from '../../platform/http/received-file.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { storedActor, type Scope, type Session } from '../../platform/session/session.ts'
import { fileTexts, ruleText } from '../../platform/texts.ts'
import { parkClock } from '../organisation/index.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import { columnsOf, exampleOf, headingOf, isExample, type ImportValues } from './import-columns.ts'
import { createRun, RUN } from './import-run.ts'
import * as data from './imports-data.ts'
import { VISIT_IMPORT_DETAILS } from './imports-schema.ts'
import type { Registering } from './registering.ts'

export interface Imports {
  template(scope: Scope, language: Language): FileAnswer
  /** Store the rows of a spreadsheet and begin to invite. Return the id of the import. @throws InvalidRequest; Refusal 900107 */
  create(session: Session, language: Language, file: ReceivedFile | null): Promise<string>
  /** @throws NotFound */
  read(scope: Scope, id: string, language: Language): Promise<VisitImport>
  /** @throws NotFound */
  cancel(scope: Scope, id: string, language: Language): Promise<VisitImport>
  jobs: Job[]
}

/** Characters of a cell that are kept: more than any field takes. */
const CELL_MAX = 300
/** Days for which an import can be looked at. */
const KEPT_MS = 7 * 86_400_000

const at = (rule: string, params?: Record<string, string | number>): InvalidRequest =>
  new InvalidRequest([{ path: 'file', rule, ...(params && { params }) }])

/** Return the spreadsheet that is filled in. */
function templateOf(zone: string, language: Language, now: number): FileAnswer {
  const { title } = fileTexts(language).visitImport
  const rows = (async function* () {
    yield exampleOf(language)
  })()
  const columns = VISIT_IMPORT_FIELDS.map((field) => ({
    heading: headingOf(language, field),
    width: field === 'remark' ? 40 : 22,
    kind: 'text' as const,
    value: (values: ImportValues) => values[field] ?? '',
  }))
  const sheet = { name: title, columns, rows, clock: parkClock(zone, now) }
  return { bytes: xlsxOf(sheet, now), contentType: XLSX_TYPE, filename: `${title}.xlsx` }
}

export function createImports(
  platform: Platform,
  needs: Pick<VisitorsDependencies, 'people' | 'organisation'>,
  registering: Pick<Registering, 'create'>,
): Imports {
  const { db, clock, crypto } = platform

  /** Return the rows of a spreadsheet with their lines. */
  async function rowsOf(scope: Scope, language: Language, file: ReceivedFile) {
    const rows: { line: number; values: ImportValues }[] = []
    let columns: ReturnType<typeof columnsOf> | null = null
    for await (const piece of platform.parsing.pieces(scope, sheetParser, file, { cellMax: CELL_MAX }))
      for (const { line, cells } of piece) {
        if (columns === null) {
          columns = columnsOf(cells)
          const missing = (['name', 'phone', 'visitTime'] as const).filter((field) => !columns!.includes(field))
          if (missing.length > 0) throw at('sheetHead', { columns: missing.map((field) => headingOf(language, field)).join(', ') })
          continue
        }
        const values: ImportValues = {}
        for (const [place, field] of columns.entries()) if (field !== null && (cells[place] ?? '') !== '') values[field] = cells[place]!
        if (Object.keys(values).length === 0 || isExample(values)) continue
        if (rows.length >= VISIT_IMPORT_ROWS_MAX) throw at('sheetRows', { limit: VISIT_IMPORT_ROWS_MAX })
        rows.push({ line, values })
      }
    if (rows.length === 0) throw at('sheetEmpty')
    return rows
  }

  const valuesOf = createRun(platform, needs, registering)

  async function importOf(scope: Scope, id: string): Promise<data.ImportRecord> {
    const one = await data.findImport(scope, db, id)
    if (one === undefined) throw new NotFound()
    return one
  }

  async function read(scope: Scope, id: string, language: Language): Promise<VisitImport> {
    const one = await importOf(scope, id)
    const counts = await data.countRows(scope, db, id)
    const { waiting = 0, invited = 0, existing = 0, refused = 0 } = counts
    const rows = await data.findRows(scope, db, id, ['refused'], VISIT_IMPORT_ROWS_MAX)
    const isColumn = (field: string): field is (typeof VISIT_IMPORT_FIELDS)[number] =>
      (VISIT_IMPORT_FIELDS as readonly string[]).includes(field)
    return {
      id,
      state: one.state,
      total: waiting + invited + existing + refused,
      waiting,
      invited,
      existing,
      refused,
      rows: await Promise.all(
        rows.map(async (row) => ({
          line: row.line,
          name: (await valuesOf(scope, row)).name ?? '',
          issues: row.issues.map(({ field, rule, params }) => ({
            field,
            column: isColumn(field) ? headingOf(language, field) : '',
            code: rule.startsWith('code.') ? Number(rule.slice('code.'.length)) : null,
            words: ruleText(language, rule, params),
          })),
        })),
      ),
      createdAt: one.createdAt,
    }
  }

  return {
    template: (scope, language) => templateOf(needs.organisation.park(scope).zone, language, clock.now()),
    async create(session, language, file) {
      const { scope } = session
      if (file === null) throw at('required')
      const tooLarge = fileSizeIssue('import', file.size)
      if (tooLarge !== null) throw new InvalidRequest([tooLarge])
      const rows = await rowsOf(scope, language, file)
      const id = newId()
      const sealed = await Promise.all(
        rows.map(async ({ line, values }) => {
          const rowId = newId()
          const details = await crypto.seal(scope.parkId, placeOf(VISIT_IMPORT_DETAILS, rowId), Buffer.from(JSON.stringify(values)))
          return { id: rowId, line, details }
        }),
      )
      await platform.transaction(async (tx) => {
        await data.insertImport(scope, tx, { id, language, ...storedActor(session) }, sealed, clock.now())
        await platform.work.request(tx, scope, RUN, {})
        platform.audit.note({ entity: 'visitImport', id, before: {}, after: { rows: rows.length } })
      })
      return id
    },
    read,
    async cancel(scope, id, language) {
      await importOf(scope, id)
      await data.endImport(scope, db, id, 'cancelled')
      return read(scope, id, language)
    },
    jobs: [
      {
        name: 'visitors.goOnImporting',
        schedule: '* * * * *',
        async run() {
          const parkIds = await data.findRunningParksUnscoped(db)
          for (const parkId of parkIds) await platform.transaction((tx) => platform.work.request(tx, { parkId }, RUN, {}))
          return { outcome: parkIds.length > 0 ? 'success' : 'skipped' }
        },
      },
      {
        name: 'visitors.removeOldImports',
        schedule: '41 3 * * *',
        async run() {
          const removed = await data.deleteOldImportsUnscoped(db, clock.now() - KEPT_MS)
          return { outcome: removed > 0 ? 'success' : 'skipped' }
        },
      },
    ],
  }
}
