/** Access records: who passed where, or was refused. */
import type { z } from 'zod'
import { RECORD_WINDOW_MAX, pageOf } from '@gatehouse/contract'
import type { AccessRecord, accessRecordFilter, recordDetail } from '@gatehouse/contract/records/calls'
import { isPseudonym } from '@gatehouse/contract/records/pseudonym'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { inOrderOf } from '../../platform/database/in-order.ts'
import { momentsOf, newestFirst, placeOf } from '../../platform/http/newest-first.ts'
import { NotFound, refuse } from '../../platform/http/refusal.ts'
import type { DevicePrincipal, Scope } from '../../platform/session/session.ts'
import type { RecordDependencies } from './dependencies.ts'
import { recordPictured } from './events.ts'
import { keptUntilOf } from './picture-retention.ts'
import { checksOf } from './checks.ts'
import { createRecordAnswers } from './record-answers.ts'
import { deleteRecord, deleteRecordsOfPark } from './record-removal-data.ts'
import type { Span } from './records-data.ts'
import * as data from './records-data.ts'
import { deleteAnswers } from './second-photographs-data.ts'
import { recordCompanions } from './extension-points.ts'
import { deleteHits, deleteHitsOfPark } from './watch-list-hits-data.ts'
import type { WatchListHits } from './watch-list-hits.ts'

export type RecordListQuery = z.output<typeof accessRecordFilter>
export type RecordDetail = z.output<typeof recordDetail>
export interface RecordPage {
  total: number
  totalExact: boolean
  content: AccessRecord[]
  page: number
  size: number
  next?: string
}

export interface RecordService {
  /**
   * Newest first.
   * @throws Refusal 900007 a window that ends before it begins or is too long
   * @throws InvalidRequest a page beyond row 10,000, a cursor that is none
   */
  list(scope: Scope, query: RecordListQuery): Promise<RecordPage>
  /** Latest records of one person within the longest window. @throws NotFound */
  ofPerson(scope: Scope, query: { personId: string; page: number; size: number }): Promise<RecordPage>
  /** @throws NotFound */
  read(scope: Scope, id: string): Promise<RecordDetail>
  /** Delete a record, its picture and the notes about it; the effect of a correction remains. @throws NotFound */
  delete(scope: Scope, id: string): Promise<void>
  /** Rows as the list shows them, in the order of the ids; those that no longer exist are left out. */
  rows(scope: Scope, ids: readonly string[], span?: Span): Promise<AccessRecord[]>
  /** Those of these records that the caller may see, in their order. */
  seen(scope: Scope, ids: readonly string[], span?: Span): Promise<string[]>
  /** Ids of all records of these persons, whoever calls. */
  idsOfPersons(scope: Scope, personIds: readonly string[]): Promise<string[]>
  /** Store the picture of a device's own record; a record that has one keeps it. @throws NotFound; Refusal 200205 unreadable */
  attachPicture(scope: Scope, device: Pick<DevicePrincipal, 'deviceId'>, id: string, picture: Uint8Array): Promise<void>
  erasePark(tx: Transaction, scope: Scope): Promise<number>
}

const DAY = 86_400_000
/** Age up to which a record is searched first when its picture arrives. */
const RECENT_MS = 40 * DAY

export function createRecordService(
  platform: Platform,
  { people, faces, organisation }: Pick<RecordDependencies, 'people' | 'faces' | 'organisation'>,
  hits: Pick<WatchListHits, 'of'>,
): RecordService {
  const db = platform.db
  const presentAll = createRecordAnswers(platform, faces, hits)

  async function pageAt(scope: Scope, filter: data.RecordFilter, query: Parameters<typeof placeOf>[0]): Promise<RecordPage> {
    const place = placeOf(query)
    const [rows, total] = await Promise.all([data.listRecords(scope, db, filter, place), data.countRecords(scope, db, filter)])
    return newestFirst(query, total, rows, await presentAll(scope, rows.slice(0, query.size)))
  }

  return {
    async list(scope, query) {
      const { page, size } = pageOf(query)
      return pageAt(
        scope,
        { ...query, ...momentsOf(query, platform.clock.now(), organisation.accessSettings(scope).recordDays) },
        { page, size, after: query.after },
      )
    },
    async ofPerson(scope, { personId, page, size }) {
      if ((await people.facts(scope, [personId])).length === 0) throw new NotFound()
      const from = platform.clock.now() - RECORD_WINDOW_MAX * DAY
      return pageAt(scope, { personId, from, to: null }, { page, size })
    },
    async read(scope, id) {
      const time = await data.findMoment(scope, db, id, platform.clock.now() - RECENT_MS)
      const row = time === undefined ? undefined : await data.findRecordDetail(scope, db, id, { from: time, to: time })
      if (row === undefined) throw new NotFound()
      const { checks, settingsRevision, clockOffsetMs, ...light } = row
      const [record] = await presentAll(scope, [light])
      return { ...record!, checks: checksOf(checks), settingsRevision, clockOffsetMs }
    },
    async delete(scope, id) {
      await platform.transaction(async (tx) => {
        const moment = await data.findMoment(scope, tx, id, platform.clock.now() - RECENT_MS)
        const deleted = moment === undefined ? undefined : await deleteRecord(scope, tx, id, moment)
        if (deleted === undefined) throw new NotFound()
        const { deviceName, occurredAt: time, captureFileId: fileId } = deleted
        platform.audit.note({ entity: 'accessRecord', id, label: deviceName, before: { deviceName, time } })
        for (const companion of platform.extensions.all(recordCompanions)) await companion.deleted?.(tx, scope, [{ ...deleted, id }])
        if (fileId !== null) await platform.storage.release(tx, scope, [fileId])
        await deleteHits(scope, tx, [id])
        await deleteAnswers(scope, tx, [id])
      })
    },
    async rows(scope, ids, span) {
      return presentAll(scope, inOrderOf(ids, await data.findRecords(scope, db, ids, span)))
    },
    async seen(scope, ids, span) {
      const there = new Set(await data.findSeenIds(scope, db, ids, span))
      return ids.filter((id) => there.has(id))
    },
    idsOfPersons: (scope, personIds) => data.findIdsOfPersons(scope, db, personIds),
    async attachPicture(scope, { deviceId }, id, picture) {
      const record = await data.findRecordOfDevice(scope, db, deviceId, id, platform.clock.now() - RECENT_MS)
      if (record === undefined) throw new NotFound()
      // Nothing of an erased person is kept; the success lets the device delete the picture too.
      if (record.captureFileId !== null || isPseudonym(record.personId)) return
      const keptUntil = keptUntilOf(organisation.accessSettings(scope), record.time)
      // Answered with success, so that the device deletes it, but not kept: it would be deleted the next night.
      if (keptUntil !== null && keptUntil < platform.clock.now())
        return data.markPictureExpired(scope, db, { id, time: record.time }, keptUntil)
      const fileId = await platform.storage.writeCapture(scope, picture)
      // A permanent refusal: after a temporary fault the device would send it again for ever.
      if (fileId === null) refuse(200205, 'file')
      const attached = await platform.transaction(async (tx) => {
        if (!(await data.updateCapture(scope, tx, { id, time: record.time, personId: record.personId }, fileId))) return false
        await platform.storage.keepCapture(tx, scope, fileId)
        await platform.events.announce(tx, recordPictured, scope.parkId, { recordId: id, time: record.time })
        return true
      })
      // Of two sent at once, the second is not needed. After a fault the bytes stay: it is not known whether the transaction committed.
      if (!attached) await platform.storage.discardCapture(fileId)
    },
    async erasePark(tx, scope) {
      const { count, fileIds } = await deleteRecordsOfPark(scope, tx)
      await deleteHitsOfPark(scope, tx)
      // After the records, so that what was counted of them meanwhile is deleted too.
      for (const companion of platform.extensions.all(recordCompanions)) await companion.erased?.(tx, scope)
      await platform.storage.release(tx, scope, fileIds)
      return count
    },
  }
}
