/** Access records: who passed where, or was refused. */
import type { z } from 'zod'
import { decodeChecks } from '@gatehouse/access-rules'
import { LIST_OFFSET_MAX, RECORD_WINDOW_MAX, pageOf } from '@gatehouse/contract'
import type { AccessRecord, WatchListHit, accessRecordFilter, recordDetail } from '@gatehouse/contract/records/calls'
import { isPseudonym } from '@gatehouse/contract/records/pseudonym'
import type { FacePhoto } from '@gatehouse/contract/faces/calls'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { DevicePrincipal, Scope } from '../../platform/session/session.ts'
import type { RecordDependencies } from './dependencies.ts'
import { recordPictured } from './events.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { keptUntilOf } from './picture-retention.ts'
import * as data from './records-data.ts'
import type { RecordTables } from './schema.ts'
import { deleteAnswers } from './second-photographs-data.ts'
import { correctedRecords, recordCompanions } from './extension-points.ts'
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

interface Place {
  page: number
  size: number
  after: data.RecordCursor | null
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
  /** Deletes a record, its picture and what was said about it; what a correction has done stays. @throws NotFound */
  delete(scope: Scope, id: string): Promise<void>
  /** Rows as the list shows them, in the order of the ids; those that are gone are left out. */
  rows(scope: Scope, ids: readonly string[]): Promise<AccessRecord[]>
  /** Those of these records that exist for the asker, in their order. */
  seen(scope: Scope, ids: readonly string[]): Promise<string[]>
  /** Ids of all records of these persons, whoever asks. */
  idsOfPersons(scope: Scope, personIds: readonly string[]): Promise<string[]>
  /** Keeps the picture of a device's own record; once it has one, nothing changes. @throws NotFound; Refusal 200205 unreadable */
  attachPicture(scope: Scope, device: Pick<DevicePrincipal, 'deviceId'>, id: string, picture: Uint8Array): Promise<void>
  erasePark(tx: OpenTransaction, scope: Scope): Promise<number>
}

const DAY = 86_400_000
/** How old a record may be to be found at once when its picture comes. */
const RECENT_MS = 40 * DAY
/** Files one statement names. */
const FILES_AT_ONCE = 10_000

/** The window of a query: so many days up to now, unless told. Without an end nothing is cut off: clocks of devices run ahead. */
export function windowOf(
  query: { startTime?: number | undefined; endTime?: number | undefined },
  now: number,
  days: number,
): { from: number; to: number | null } {
  const end = query.endTime ?? now
  const from = query.startTime ?? end - days * DAY
  if (from > end || end - from > RECORD_WINDOW_MAX * DAY) refuse(900007, query.endTime === undefined ? 'startTime' : 'endTime')
  return { from, to: query.endTime ?? null }
}

const cursorOf = (row: data.RecordRow): string => `${row.time as number}_${row.id}`

function readCursor(text: string | undefined): data.RecordCursor | null {
  if (text === undefined) return null
  const [time = '', id = ''] = text.split('_')
  if (!/^\d{1,16}$/.test(time) || !isUuid(id)) throw new InvalidRequest([{ path: 'after', rule: 'invalid' }])
  return { time: Number(time), id }
}

function checksOf(text: string): RecordDetail['checks'] {
  try {
    return decodeChecks(text) as unknown as RecordDetail['checks']
  } catch {
    // A terminal that writes them otherwise still has its record shown.
    return []
  }
}

/** Which of these records somebody has corrected, as areas above know. */
export async function findCorrected(
  { extensions }: Pick<Platform, 'extensions'>,
  scope: Scope,
  ids: readonly string[],
): Promise<Set<string>> {
  const found = await Promise.all(extensions.all(correctedRecords).map((find) => find(scope, ids)))
  return new Set(found.flatMap((some) => [...some]))
}

export function createRecordService(
  platform: Platform,
  { people, faces, organisation }: Pick<RecordDependencies, 'people' | 'faces' | 'organisation'>,
  hits: Pick<WatchListHits, 'of'>,
): RecordService {
  const db = platform.db as unknown as Database<RecordTables>

  function present(
    scope: Scope,
    { captureFileId, personParkName, contactId, contactName, contactRelation, ...row }: data.RecordRow,
    photo: FacePhoto | undefined,
    corrected: boolean,
    watchList: WatchListHit | undefined,
  ): AccessRecord {
    const capture = (variant: '96' | '320') => (captureFileId === null ? '' : platform.storage.address(scope, captureFileId, variant))
    return {
      ...row,
      ...(personParkName !== null && { personParkName }),
      ...(contactId !== null && { contactId, contactName, ...(contactRelation !== null && { contactRelation }) }),
      time: row.time as number,
      receivedAt: row.receivedAt as number,
      failText: '',
      captureImage: capture('320'),
      captureThumbnail: capture('96'),
      registeredImage: photo?.url ?? '',
      pictureKeptUntil: row.pictureKeptUntil as number | null,
      corrected,
      ...(watchList !== undefined && { watchList }),
    }
  }

  async function presentAll(scope: Scope, rows: readonly data.RecordRow[]): Promise<AccessRecord[]> {
    const personIds = new Set(rows.flatMap((row) => (row.personId === null ? [] : [row.personId])))
    const contactIds = new Set(rows.flatMap(({ contactId }) => contactId ?? []))
    const ids = rows.map(({ id }) => id)
    const [photos, ofContacts, corrected, found] = await Promise.all([
      faces.photosOf(scope, [...personIds]),
      faces.photosOfContacts(scope, [...contactIds]),
      findCorrected(platform, scope, ids),
      hits.of(scope, ids),
    ])
    // Beside the face at the door stands the one it was compared with.
    const photoOf = ({ personId, contactId }: data.RecordRow) =>
      contactId !== null ? ofContacts.get(contactId) : personId === null ? undefined : photos.get(personId)?.[0]
    return rows.map((row) => present(scope, row, photoOf(row), corrected.has(row.id), found.get(row.id)))
  }

  async function pageAt(scope: Scope, filter: data.RecordFilter, { page, size, after }: Place): Promise<RecordPage> {
    if (after === null && page * size > LIST_OFFSET_MAX)
      throw new InvalidRequest([{ path: 'page', rule: 'max.number', params: { limit: Math.floor(LIST_OFFSET_MAX / size) } }])
    // One row more than shown tells whether the list goes on.
    const [rows, total] = await Promise.all([
      data.listRecords(scope, db, filter, { after, offset: (page - 1) * size, limit: size + 1 }),
      data.countRecords(scope, db, filter),
    ])
    const shown = rows.slice(0, size)
    return {
      total,
      totalExact: total <= LIST_OFFSET_MAX,
      content: await presentAll(scope, shown),
      page,
      size,
      ...(rows.length > size && { next: cursorOf(shown.at(-1)!) }),
    }
  }

  return {
    async list(scope, query) {
      const { page, size } = pageOf(query)
      return pageAt(
        scope,
        { ...query, ...windowOf(query, platform.clock.now(), organisation.accessSettings(scope).recordDays) },
        { page, size, after: readCursor(query.after) },
      )
    },
    async ofPerson(scope, { personId, page, size }) {
      if ((await people.facts(scope, [personId])).length === 0) throw new NotFound()
      const from = platform.clock.now() - RECORD_WINDOW_MAX * DAY
      return pageAt(scope, { personId, from, to: null }, { page, size, after: null })
    },
    async read(scope, id) {
      const row = await data.findRecordDetail(scope, db, id)
      if (row === undefined) throw new NotFound()
      const { checks, settingsRevision, clockOffsetMs, ...light } = row
      const [record] = await presentAll(scope, [light])
      return { ...record!, checks: checksOf(checks), settingsRevision, clockOffsetMs }
    },
    async delete(scope, id) {
      await platform.transaction(async (tx: Tx<RecordTables>) => {
        const deleted = await data.deleteRecord(scope, tx, id)
        if (deleted === undefined) throw new NotFound()
        const { device_name: deviceName, occurred_at: time, capture_file_id: fileId } = deleted
        platform.audit.note({ entity: 'accessRecord', id, label: deviceName, before: { deviceName, time: time as number } })
        for (const companion of platform.extensions.all(recordCompanions)) await companion.deleted?.(tx, scope, [{ ...deleted, id }])
        if (fileId !== null) await platform.storage.release(tx, scope, [fileId])
        await deleteHits(scope, tx, [id])
        await deleteAnswers(scope, tx, [id])
      })
    },
    async rows(scope, ids) {
      const byId = new Map((await data.findRecords(scope, db, ids)).map((row) => [row.id, row]))
      return presentAll(
        scope,
        ids.flatMap((id) => byId.get(id) ?? []),
      )
    },
    async seen(scope, ids) {
      const there = new Set(await data.findSeenIds(scope, db, ids))
      return ids.filter((id) => there.has(id))
    },
    idsOfPersons: (scope, personIds) => data.findIdsOfPersons(scope, db, personIds),
    async attachPicture(scope, { deviceId }, id, picture) {
      const record = await data.findRecordOfDevice(scope, db, deviceId, id, platform.clock.now() - RECENT_MS)
      if (record === undefined) throw new NotFound()
      // Of somebody who was erased nothing is kept; the device is to forget it too.
      if (record.captureFileId !== null || isPseudonym(record.personId)) return
      const keptUntil = keptUntilOf(organisation.accessSettings(scope), record.time as number)
      // Taken, so that the device forgets it, and not kept: it would be deleted the next night.
      if (keptUntil !== null && keptUntil < platform.clock.now())
        return data.markPictureExpired(scope, db, { id, time: record.time as number }, keptUntil)
      const fileId = await platform.storage.writeCapture(scope, picture)
      // Refused for good: a device that is answered with a fault would send it for ever.
      if (fileId === null) refuse(200205, 'file')
      const attached = await platform.transaction(async (tx: Tx<RecordTables>) => {
        if (!(await data.updateCapture(scope, tx, { id, time: record.time as number, personId: record.personId }, fileId))) return false
        await platform.storage.keepCapture(tx, scope, fileId)
        await platform.events.announce(tx, recordPictured, scope.parkId, { recordId: id })
        return true
      })
      // Sent twice at once, the second is not needed. After a fault the bytes stay: whether it committed is not known.
      if (!attached) await platform.storage.discardCapture(fileId)
    },
    async erasePark(open, scope) {
      const tx = open as Tx<RecordTables>
      const { count, fileIds } = await data.deleteRecordsOfPark(scope, tx)
      await deleteHitsOfPark(scope, tx)
      // After the records: what was counted of them meanwhile goes as well.
      for (const companion of platform.extensions.all(recordCompanions)) await companion.erased?.(open, scope)
      for (let start = 0; start < fileIds.length; start += FILES_AT_ONCE)
        await platform.storage.release(tx, scope, fileIds.slice(start, start + FILES_AT_ONCE))
      return count
    },
  }
}
