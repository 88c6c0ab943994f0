/** Passages of a person at linked parks. */
import { LIST_OFFSET_MAX, RECORD_WINDOW_MAX, type DataOf } from '@gatehouse/contract'
import type { AccessRecord, recordCalls } from '@gatehouse/contract/records/calls'
import type { Platform } from '../../platform/context.ts'
import { inOrderOf } from '../../platform/database/in-order.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import { inPark, type Scope } from '../../platform/session/session.ts'
import type { RecordDependencies } from './dependencies.ts'
import type { RecordService } from './records.ts'
import { countRecords, listRecords } from './records-data.ts'

type LinkedPage = DataOf<typeof recordCalls.linkedOfPerson>

/**
 * Return the latest records of a person at the parks that share them, newest first, within the longest window; none where no park
 * shares the person.
 * @throws NotFound for a person who is neither of this park nor shared with it; InvalidRequest beyond row 10,000
 */
export type LinkedRecords = (scope: Scope, query: { personId: string; page: number; size: number }) => Promise<LinkedPage>

const DAY = 86_400_000
/**
 * Leave out what the link does not cover: it lets a person pass, but gives their park neither pictures taken by another park nor
 * its watch list.
 */
const withoutOthers = ({ watchList: _watchList, ...row }: AccessRecord): AccessRecord => ({
  ...row,
  captureImage: '',
  captureThumbnail: '',
  registeredImage: '',
})

export function createLinkedRecords(
  platform: Platform,
  { people, organisation, sharing }: Pick<RecordDependencies, 'people' | 'organisation' | 'sharing'>,
  { rows: presented }: Pick<RecordService, 'rows'>,
): LinkedRecords {
  const db = platform.db

  return async (scope, { personId, page, size }) => {
    if (page * size > LIST_OFFSET_MAX)
      throw new InvalidRequest([{ path: 'page', rule: 'max.number', params: { limit: Math.floor(LIST_OFFSET_MAX / size) } }])
    const parkIds = await sharing.sharedAt(scope, personId)
    if (parkIds.length === 0 && (await people.facts(scope, [personId])).length === 0) throw new NotFound()
    const filter = { personId, from: platform.clock.now() - RECORD_WINDOW_MAX * DAY, to: null }
    const found = await Promise.all(
      parkIds.map(async (parkId) => {
        const [rows, total] = await Promise.all([
          listRecords(inPark(scope, parkId), db, filter, { after: null, offset: 0, limit: page * size }),
          countRecords(inPark(scope, parkId), db, filter),
        ])
        return { parkId, total, rows: rows.map(({ id, time }) => ({ id, time, parkId })) }
      }),
    )
    const shown = found
      .flatMap(({ rows }) => rows)
      .toSorted((one, other) => other.time - one.time || (other.id > one.id ? 1 : -1))
      .slice((page - 1) * size, page * size)
    const records = await Promise.all(
      parkIds.map(async (parkId) => {
        const there = inPark(scope, parkId)
        const { name } = organisation.park(there)
        const rows = await presented(
          there,
          shown.flatMap((row) => (row.parkId === parkId ? [row.id] : [])),
        )
        return rows.map((row) => ({ ...(parkId === scope.parkId ? row : withoutOthers(row)), parkId, parkName: name }))
      }),
    )
    return {
      total: found.reduce((sum, { total }) => sum + total, 0),
      totalExact: found.every(({ total }) => total <= LIST_OFFSET_MAX),
      content: inOrderOf(
        shown.map(({ id }) => id),
        records.flat(),
      ),
      page,
      size,
    }
  }
}
