/**
 * Persons as a file: those of a filter or those of a list of ids. They are read and sent page by page, so that fifty thousand take no more
 * memory than fifty.
 */
import { personStatusAt } from '@gatehouse/access-rules'
import { SERVER_EXPORT_RECORDS } from '@gatehouse/contract'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { person } from '@gatehouse/contract/people/person'
import type { ConsentState } from '@gatehouse/contract/people/person-fields'
import type { CustomField } from '@gatehouse/contract/people/form'
import { ofPlainFields } from '@gatehouse/contract/people/plain-fields'
import { handler, type CallRequest, type FileAnswer, type MountedCall, type Platform } from '../../platform/context.ts'
import { CSV_TYPE, csvStreamOf } from '../../platform/documents/csv.ts'
import { maskerOf } from '../../platform/session/masking.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import { placeOf, type Place } from '../../platform/encryption/sealed-column.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import { fileTexts } from '../../platform/texts.ts'
import { XLSX_TYPE, xlsxOf } from '../../platform/documents/xlsx.ts'
import { parkClock } from '../organisation/index.ts'
import { exportColumns, type ExportedPerson } from './export-columns.ts'
import * as data from './export-data.ts'
import type { GroupService } from './groups.ts'
import { ID_NUMBER } from './schema.ts'

/** Rows read, and noted as read, at a time. */
const PAGE = 1_000

type Request = CallRequest<(typeof peopleCalls)['export']>

/** The progress of a running export; kept on its node, until it ends. */
interface Progress {
  userId: string
  written: number
  total: number
}

const maskPerson = maskerOf(person)!

/** Return a person as the sheet shows them. @param read opens the ID number @param now epoch milliseconds */
const exportedOf = (
  row: data.ExportRow,
  paths: ReadonlyMap<string, string>,
  read: (place: Place, sealed: Uint8Array) => Buffer | null,
  now: number,
): ExportedPerson => ({
  name: row.name,
  workNumber: row.workNumber ?? '',
  phone: row.phone ?? '',
  email: row.email ?? '',
  gender: row.gender,
  groupName: paths.get(row.groupId) ?? row.groupName,
  kind: row.kind,
  status: personStatusAt({ enabled: row.enabled, validTo: row.validTo }, now),
  validFrom: row.validFrom,
  validTo: row.validTo,
  cardType: row.cardType,
  cardNumberFormat: row.cardNumberFormat,
  cardNumber: row.cardNumber ?? '',
  idType: row.idType ?? '',
  idNumber: (row.idNumber && read(placeOf(ID_NUMBER, row.id), row.idNumber)?.toString('utf8')) ?? '',
  ...ofPlainFields((field) => row[field] ?? ''),
  birthday: row.birthday ?? '',
  hasPhoto: row.faceCount > 0,
  hasIdPhoto: row.idPhoto !== null,
  hasRegistrationPhoto: row.registrationPhoto !== null,
  hasPersonalPassword: Boolean(row.hasPersonalPassword),
  faceConsent: row.consent as ConsentState,
  consentAt: row.consentAt,
  custom: row.customFields,
  remark: row.remark,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

export function exportHandlers(
  platform: Platform,
  groups: GroupService,
  fieldsOf: (scope: Scope) => readonly Pick<CustomField, 'id' | 'title'>[],
): MountedCall[] {
  const db = platform.db
  const running = new Map<string, Progress>()

  async function selectionOf({ scope, query }: Request): Promise<data.ExportSelection> {
    const { ids, format: _format, progress: _progress, ...filter } = query
    const now = platform.clock.now()
    // The chosen persons are exported, whatever else the list was filtered by.
    if (ids !== undefined && ids.length > 0)
      return { now, ids: [...new Set(ids)], filter: { kind: filter.kind, sort: filter.sort, order: filter.order }, groupIds: null }
    const groupIds = filter.groupId === undefined ? null : await groups.withDescendants(scope, [filter.groupId])
    if (groupIds?.length === 0) throw new NotFound()
    return { now, ids: null, filter, groupIds }
  }

  /** Yield the rows page by page, each noted in the log of reads as it is sent. Reading stops once the client has disconnected. */
  async function* rowsOf(
    { scope, session, ip, signal, query }: Request,
    selection: data.ExportSelection,
    total: number,
    paths: ReadonlyMap<string, string>,
  ): AsyncGenerator<ExportedPerson> {
    const progress: Progress = { userId: session.userId, written: 0, total }
    if (query.progress !== undefined) running.set(query.progress, progress)
    try {
      const read = await platform.crypto.reader(scope.parkId)
      let after: data.ExportPlace | null = null
      while (!signal.aborted && progress.written < SERVER_EXPORT_RECORDS) {
        const rows: data.ExportRow[] = await data.findExported(
          scope,
          { db, crypto: platform.crypto },
          selection,
          after,
          Math.min(PAGE, SERVER_EXPORT_RECORDS - progress.written),
        )
        if (rows.length > 0)
          platform.audit.read(
            peopleCalls.export,
            session,
            ip,
            rows.map(({ id }) => id),
          )
        for (const row of rows) {
          const exported = exportedOf(row, paths, read, platform.clock.now())
          yield session.masking ? (maskPerson(exported) as ExportedPerson) : exported
          progress.written++
        }
        if (rows.length < PAGE) return
        after = { id: rows.at(-1)!.id, sorted: rows.at(-1)!.sorted as string | number | null }
      }
    } finally {
      if (query.progress !== undefined && running.get(query.progress) === progress) running.delete(query.progress)
    }
  }

  async function file(request: Request): Promise<FileAnswer> {
    const { scope, session, language, query } = request
    const selection = await selectionOf(request)
    const total = await data.countExported(scope, { db, crypto: platform.crypto }, selection, SERVER_EXPORT_RECORDS + 1)
    if (selection.ids !== null && total < selection.ids.length) throw new NotFound()
    if (total === 0) throw new InvalidRequest([{ path: '', rule: 'exportEmpty' }])
    if (total > SERVER_EXPORT_RECORDS)
      throw new InvalidRequest([{ path: '', rule: 'exportTooMany', params: { limit: SERVER_EXPORT_RECORDS } }])
    const clock = parkClock(session.park.zone, selection.now)
    const paths = await groups.paths(scope)
    const name = fileTexts(language).persons.title[query.kind ?? 'all']
    const sheet = { name, columns: exportColumns(language, fieldsOf(scope)), rows: rowsOf(request, selection, total, paths), clock }
    const day = new Date(selection.now + clock.offsetOf(selection.now) * 60_000).toISOString().slice(0, 10)
    return query.format === 'csv'
      ? { bytes: csvStreamOf(sheet), contentType: CSV_TYPE, filename: `${name} ${day}.csv`, noted: true }
      : { bytes: xlsxOf(sheet, selection.now), contentType: XLSX_TYPE, filename: `${name} ${day}.xlsx`, noted: true }
  }

  /** Return the progress of one of the caller's own exports; null for the id of any other. */
  function progressOf({ userId }: Actor, id: string): { written: number; total: number } | null {
    const found = running.get(id)
    return found === undefined || found.userId !== userId ? null : { written: found.written, total: found.total }
  }

  return [
    handler(peopleCalls.export, file),
    handler(peopleCalls.exportProgress, async ({ session, query }) => progressOf(session, query.id)),
  ]
}
