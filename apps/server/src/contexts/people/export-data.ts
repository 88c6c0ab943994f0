/** Rows of persons as they are exported; every function takes the scope first. */
import { oneOf, sql, timestamp } from '../../platform/database/database.ts'
import { countUpTo } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { filtered, shownColumns, sortColumnOf, type PersonFilter, type Reading } from './data.ts'
import { detailsOpener } from './details.ts'

/** Which persons an export is of. */
export interface ExportWish {
  filter: PersonFilter
  /** The group of the filter with all below it; null: all groups. */
  groupIds: readonly string[] | null
  /** These persons and no others; null: all of the filter. */
  ids: readonly string[] | null
  now: number
}

const sorting = (scope: Scope, { filter: { sort, order } }: ExportWish) =>
  ({ column: sortColumnOf(scope, sort), direction: order ?? (sort === undefined ? 'desc' : 'asc') }) as const

function wished(scope: Scope, from: Reading, { filter, groupIds, ids, now }: ExportWish) {
  let rows = filtered(scope, from, filter, groupIds, now)
  if (ids !== null) rows = rows.where('person.id', '=', oneOf(ids))
  return rows
}

/** How many they are, counted up to `limit`. */
export function countExported(scope: Scope, from: Reading, wish: ExportWish, limit: number): Promise<number> {
  return countUpTo(from.db, wished(scope, from, wish).select('person.id'), limit)
}

/** Where a page ended: what it was sorted by, and the id. */
export interface ExportPlace {
  id: string
  /** Text, epoch milliseconds, or nothing. */
  sorted: string | number | null
}

/** A page in the order of the list, from after a place on. */
export async function findExported(scope: Scope, from: Reading, wish: ExportWish, after: ExportPlace | null, size: number) {
  const { column, direction } = sorting(scope, wish)
  const up = direction === 'asc'
  let rows = wished(scope, from, wish)
  if (after !== null) {
    const [beyond, { id }] = [up ? '>' : '<', after] as const
    const value = typeof after.sorted === 'number' ? timestamp(after.sorted) : after.sorted
    // Rows with nothing in that column come last upwards and first downwards.
    if (value === null)
      rows = rows.where((eb) =>
        eb.or([eb.and([eb(column, 'is', null), eb('person.id', beyond, id)]), ...(up ? [] : [eb(column, 'is not', null)])]),
      )
    else if (column === 'person.created_at')
      rows = rows.where(sql<boolean>`(${sql.ref(column)}, person.id) ${sql.raw(beyond)} (${value}::timestamptz, ${id}::uuid)`)
    else
      rows = rows.where((eb) =>
        eb.or([
          eb(column, beyond, value as never),
          eb.and([eb(column, '=', value as never), eb('person.id', beyond, id)]),
          ...(up ? [eb(column, 'is', null)] : []),
        ]),
      )
  }
  const found = await rows
    .innerJoin('person_group', 'person_group.id', 'person.group_id')
    .select([...shownColumns, 'person.group_id as groupId', 'person.face_count as faceCount'])
    .select((eb) => [eb('person.personal_password', 'is not', null).as('hasPersonalPassword'), eb.ref(column).as('sorted')])
    .orderBy(column, direction)
    .orderBy('person.id', direction)
    .limit(size)
    .execute()
  return found.map(await detailsOpener(from.crypto, scope))
}
export type ExportRow = Awaited<ReturnType<typeof findExported>>[number]
