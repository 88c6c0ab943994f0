/**
 * Persons as a file: those of a filter or those named, read and handed out page by page, so that fifty thousand cost no more
 * memory than fifty.
 */
import { personStatusAt } from '@gatehouse/access-rules'
import { SERVER_EXPORT_RECORDS } from '@gatehouse/contract'
import { peopleCalls, person, type ConsentState } from '@gatehouse/contract/people/calls'
import type { CustomField } from '@gatehouse/contract/people/form'
import { ofPlainFields } from '@gatehouse/contract/people/plain-fields'
import { handler, type CallRequest, type FileAnswer, type MountedCall, type Platform } from '../../platform/context.ts'
import { CSV_TYPE, csvStreamOf } from '../../platform/documents/csv.ts'
import type { Database } from '../../platform/database/database.ts'
import { maskerOf } from '../../platform/session/masking.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import { placeOf, type Place } from '../../platform/encryption/sealed-column.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import { fileTexts } from '../../platform/texts.ts'
import { XLSX_TYPE, xlsxOf } from '../../platform/documents/xlsx.ts'
import { parkClock } from '../organisation/index.ts'
import { exportColumns, type ExportedPerson } from './export-columns.ts'
import * as data from './export-data.ts'
import type { GroupService } from './groups.ts'
import { ID_NUMBER, type PeopleTables } from './schema.ts'

/** Rows read, and noted as read, at a time. */
const PAGE = 1_000

type Request = CallRequest<(typeof peopleCalls)['export']>

/** How far an export under way is. Of one node, and gone with the export. */
interface Progress {
  userId: string
  written: number
  total: number
}

const maskPerson = maskerOf(person)!

export function exportHandlers(
  platform: Platform,
  groups: GroupService,
  fieldsOf: (scope: Scope) => readonly Pick<CustomField, 'id' | 'title'>[],
): MountedCall[] {
  const db = platform.db as unknown as Database<PeopleTables>
  const running = new Map<string, Progress>()

  const exportedOf = (
    row: data.ExportRow,
    paths: ReadonlyMap<string, string>,
    read: (place: Place, sealed: Uint8Array) => Buffer | null,
  ): ExportedPerson => ({
    name: row.name,
    workNumber: row.workNumber ?? '',
    phone: row.phone ?? '',
    gender: row.gender,
    groupName: paths.get(row.groupId) ?? row.groupName,
    kind: row.kind,
    status: personStatusAt({ enabled: row.enabled, validTo: row.validTo as number | null }, platform.clock.now()),
    validFrom: row.validFrom as number | null,
    validTo: row.validTo as number | null,
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
    consentAt: row.consentAt as number | null,
    custom: row.customFields,
    remark: row.remark,
    createdAt: row.createdAt as number,
    updatedAt: row.updatedAt as number,
  })

  async function wishOf({ scope, query }: Request): Promise<data.ExportWish> {
    const { ids, format: _format, progress: _progress, ...filter } = query
    const wish = { now: platform.clock.now() }
    // Whoever was chosen is meant, whatever else the list was narrowed to.
    if (ids !== undefined && ids.length > 0)
      return { ...wish, ids: [...new Set(ids)], filter: { kind: filter.kind, sort: filter.sort, order: filter.order }, groupIds: null }
    const groupIds = filter.groupId === undefined ? null : await groups.withDescendants(scope, [filter.groupId])
    if (groupIds?.length === 0) throw new NotFound()
    return { ...wish, ids: null, filter, groupIds }
  }

  /** Page by page, each noted in the log of reads as it is handed out; whoever has gone away is read nothing more for. */
  async function* rowsOf(
    { scope, session, ip, signal, query }: Request,
    wish: data.ExportWish,
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
          wish,
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
          const exported = exportedOf(row, paths, read)
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
    const wish = await wishOf(request)
    const total = await data.countExported(scope, { db, crypto: platform.crypto }, wish, SERVER_EXPORT_RECORDS + 1)
    if (wish.ids !== null && total < wish.ids.length) throw new NotFound()
    if (total === 0) throw new InvalidRequest([{ path: '', rule: 'exportEmpty' }])
    if (total > SERVER_EXPORT_RECORDS)
      throw new InvalidRequest([{ path: '', rule: 'exportTooMany', params: { limit: SERVER_EXPORT_RECORDS } }])
    const clock = parkClock(session.park.zone, wish.now)
    const paths = await groups.paths(scope)
    const name = fileTexts(language).persons.title[query.kind ?? 'all']
    const sheet = { name, columns: exportColumns(language, fieldsOf(scope)), rows: rowsOf(request, wish, total, paths), clock }
    const day = new Date(wish.now + clock.offsetOf(wish.now) * 60_000).toISOString().slice(0, 10)
    return query.format === 'csv'
      ? { bytes: csvStreamOf(sheet), contentType: CSV_TYPE, filename: `${name} ${day}.csv`, noted: true }
      : { bytes: xlsxOf(sheet, wish.now), contentType: XLSX_TYPE, filename: `${name} ${day}.xlsx`, noted: true }
  }

  /** Of the caller's own exports: another's id says nothing. */
  function progressOf({ userId }: Pick<Session, 'userId'>, id: string): { written: number; total: number } | null {
    const found = running.get(id)
    return found === undefined || found.userId !== userId ? null : { written: found.written, total: found.total }
  }

  return [
    handler(peopleCalls.export, file),
    handler(peopleCalls.exportProgress, async ({ session, query }) => progressOf(session, query.id)),
  ]
}
