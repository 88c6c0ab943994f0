/** The lists of captured and identified faces. */
import type { OutputOf } from '@gatehouse/contract'
import { pageOf } from '@gatehouse/contract'
import { alarmMatchType, resultOrder } from '@gatehouse/contract/enums/alarms'
import type { CaptureRecord, captureCalls } from '@gatehouse/contract/surveillance/captures'
import type { Platform } from '../../platform/context.ts'
import { momentsOf, newestFirst, placeOf } from '../../platform/http/newest-first.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { GroupService } from '../people/index.ts'
import { findPictures } from './captures-data.ts'
import * as data from './captures-list-data.ts'
import type { CaptureDependencies } from './captures-types.ts'
import { alarmsByCompanions } from './captures-alarms.ts'

type Query = OutputOf<(typeof captureCalls)['find']['body']>
export type CaptureFilterQuery = Omit<Query, 'page' | 'size' | 'pageNo' | 'pageSize' | 'after' | 'order'>

export interface CapturePage {
  total: number
  totalExact: boolean
  content: CaptureRecord[]
  page: number
  size: number
  next?: string
}

export interface CaptureLists {
  /**
   * @param alarms the scope in which the caller is shown alarms; null: none is told
   * @throws Refusal 900007 a window that ends before it begins or is too long; InvalidRequest a page beyond row 10,000, a cursor that is
   *   none or of another order
   */
  list(scope: Scope, query: Query, alarms: Scope | null): Promise<CapturePage>
  /** Return the filter of a query as rows are read by it, with its window and the groups below its group. @throws as `list` */
  filterOf(scope: Scope, query: CaptureFilterQuery): Promise<data.CaptureFilter>
  /** Return these captures as rows of the captured list, without those that the caller may not see, in no order. */
  named(scope: Scope, captureIds: readonly string[], alarms: Scope | null): Promise<CaptureRecord[]>
  /** Return the files of the pictures of these captures, by capture. */
  picturesOf(scope: Scope, captureIds: readonly string[]): Promise<Map<string, string>>
}

export function createCaptureLists(
  { db, clock, storage, extensions }: Pick<Platform, 'db' | 'clock' | 'storage' | 'extensions'>,
  { faces, groups }: Pick<CaptureDependencies, 'faces'> & { groups: Pick<GroupService, 'withDescendants'> },
): CaptureLists {
  async function presentAll(scope: Scope, rows: readonly data.CaptureRow[], alarmScope: Scope | null): Promise<CaptureRecord[]> {
    // Of a match that found nobody for the caller, an alarm would say that there was somebody.
    const telling = rows.flatMap(({ matchId, personId, hidesPerson }) =>
      matchId === null || (personId === null && hidesPerson) ? [] : matchId,
    )
    const personIds = [...new Set(rows.flatMap(({ personId }) => personId ?? []))]
    const [alarms, photos] = await Promise.all([
      alarmsByCompanions(extensions, alarmScope, (companion, seen) => companion.alarmsOf?.(seen, telling)),
      faces.photosOf(scope, personIds),
    ])
    return rows.map((row) => ({
      id: row.id,
      captureId: row.captureId,
      captureTime: row.captureTime,
      enteredAt: row.enteredAt,
      leftAt: row.leftAt,
      receivedAt: row.receivedAt,
      captureFaceImage: row.fileId === null ? '' : storage.address(scope, row.fileId, 'full'),
      captureThumbnail: row.fileId === null ? '' : storage.address(scope, row.fileId, '96'),
      hitFaceImage: row.personId === null ? '' : (photos.get(row.personId)?.[0]?.url ?? ''),
      score: row.score,
      personId: row.personId,
      personName: row.personName ?? '',
      groupName: row.groupName ?? '',
      taskId: row.taskId,
      surveillanceName: row.taskName ?? '',
      deviceId: row.deviceId,
      deviceName: row.deviceName,
      deviceType: row.deviceType,
      matchType: row.matchId === null ? null : row.personId === null ? alarmMatchType.unmatched : alarmMatchType.matched,
      alarmId: (row.matchId === null ? undefined : alarms.get(row.matchId)) ?? null,
      quality: row.quality,
    }))
  }

  async function filterOf(scope: Scope, query: CaptureFilterQuery): Promise<data.CaptureFilter> {
    const { list, deviceIds, captureIds, taskId, personId, personName, personGroupId, matchType, minScore } = query
    return {
      list,
      ...momentsOf(query, clock.now()),
      deviceIds,
      captureIds,
      taskId,
      personId,
      personName,
      // A group that was deleted still finds what was captured of it.
      groupIds: personGroupId === undefined ? undefined : [personGroupId, ...(await groups.withDescendants(scope, [personGroupId]))],
      isMatched: matchType === undefined ? undefined : matchType === alarmMatchType.matched,
      minScore,
    }
  }

  return {
    filterOf,
    async named(scope, captureIds, alarms) {
      if (captureIds.length === 0) return []
      const filter = { list: 'captured', from: 0, to: null, captureIds } as const
      const place = { order: resultOrder.newestFirst, after: null, offset: 0, limit: captureIds.length }
      return presentAll(scope, await data.listCaptures(scope, db, filter, place), alarms)
    },
    picturesOf: (scope, captureIds) => findPictures(scope, db, captureIds),
    async list(scope, query, alarms) {
      const page = pageOf(query)
      const order = query.order ?? resultOrder.newestFirst
      const isByTime = order !== resultOrder.similarity
      if (!isByTime && query.after !== undefined) throw new InvalidRequest([{ path: 'after', rule: 'invalid' }])
      const place = placeOf({ ...page, after: query.after })
      const filter = await filterOf(scope, query)
      const [rows, total] = await Promise.all([
        data.listCaptures(scope, db, filter, { order, ...place }),
        data.countCaptures(scope, db, filter),
      ])
      const content = await presentAll(scope, rows.slice(0, page.size), alarms)
      const { next, ...shown } = newestFirst(
        page,
        total,
        rows.map(({ id, captureTime: time }) => ({ id, time })),
        content,
      )
      return { ...shown, ...(isByTime && next !== undefined && { next }) }
    },
  }
}
