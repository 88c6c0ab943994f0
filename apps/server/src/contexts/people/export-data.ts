/** Rows of persons as they are exported; every function takes the scope first. */
import { oneOf, sql, timestamp } from '../../platform/database/database.ts'
import { countUpTo } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { shownColumns, type Reading } from './data.ts'
import { detailsOpener } from './details.ts'
import { filtered, sortColumnOf, type PersonFilter } from './listing-data.ts'

/** The persons of an export. */
export interface ExportSelection {
  filter: PersonFilter
  /** The group of the filter with all below it; null: all groups. */
  groupIds: readonly string[] | null
  /** These persons and no others; null: all of the filter. */
  ids: readonly string[] | null
  now: number
}

const sorting = (scope: Scope, { filter: { sort, order } }: ExportSelection) =>
  ({ column: sortColumnOf(scope, sort), direction: order ?? (sort === undefined ? 'desc' : 'asc') }) as const

function selected(scope: Scope, from: Reading, { filter, groupIds, ids, now }: ExportSelection) {
  let rows = filtered(scope, from, filter, groupIds, now)
  if (ids !== null) rows = rows.where('person.id', '=', oneOf(ids))
  return rows
}

/** Count them, up to `limit`. */
export function countExported(scope: Scope, from: Reading, selection: ExportSelection, limit: number): Promise<number> {
  return countUpTo(from.db, selected(scope, from, selection).select('person.id'), limit)
}

/** The last row of a page: the value that it is sorted by, and the id. */
export interface ExportPlace {
  id: string
  /** Text, epoch milliseconds, or null. */
  sorted: string | number | null
}

/** Return a page in the order of the list, after a row. */
export async function findExported(scope: Scope, from: Reading, selection: ExportSelection, after: ExportPlace | null, size: number) {
  const { column, direction } = sorting(scope, selection)
  const up = direction === 'asc'
  let rows = selected(scope, from, selection)
  if (after !== null) {
    const [beyond, { id }] = [up ? '>' : '<', after] as const
    const value = typeof after.sorted === 'number' ? timestamp(after.sorted) : after.sorted
    // Rows with nothing in that column come last upwards and first downwards.
    if (value === null)
      rows = rows.where((eb) =>
        eb.or([eb.and([eb(column, 'is', null), eb('person.id', beyond, id)]), ...(up ? [] : [eb(column, 'is not', null)])]),
      )
    else if (column === 'person.createdAt')
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
    .innerJoin('personGroup', 'personGroup.id', 'person.groupId')
    .select([...shownColumns, 'person.groupId', 'person.faceCount'])
    .select((eb) => [eb('person.personalPassword', 'is not', null).as('hasPersonalPassword'), eb.ref(column).as('sorted')])
    .orderBy(column, direction)
    .orderBy('person.id', direction)
    .limit(size)
    .execute()
  return found.map(await detailsOpener(from.crypto, scope))
}
export type ExportRow = Awaited<ReturnType<typeof findExported>>[number]
