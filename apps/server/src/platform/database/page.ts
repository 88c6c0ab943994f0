/** Pages of lists. */
import type { SelectQueryBuilder, Simplify } from 'kysely'
import { sql, type Database } from './database.ts'

/** The requested page of a list. */
export interface Paging {
  /** Counted from 1. */
  page: number
  /** Rows per page. */
  size: number
}

/**
 * Return one page of ordered rows and the total number of rows, queried at once. @param rows the list as it is filtered, selected and
 * ordered
 */
export async function readPage<Tables, Names extends keyof Tables, Row>(
  rows: SelectQueryBuilder<Tables, Names, Row>,
  { page, size }: Paging,
): Promise<{ content: Simplify<Row>[]; total: number }> {
  const counted = rows.clearSelect().clearOrderBy()
  const [content, { total }] = await Promise.all([
    rows
      .limit(sql.lit(size))
      .$if(page > 1, (later) => later.offset((page - 1) * size))
      .execute(),
    counted.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow() as Promise<{ total: number }>,
  ])
  return { content, total }
}

/**
 * Return the number of rows, counted up to `limit` and no further: an exact count of millions takes too long.
 * @param rows as they are filtered, with one column selected
 */
export async function countUpTo<Tables, Names extends keyof Tables, Row>(
  db: Database,
  rows: SelectQueryBuilder<Tables, Names, Row>,
  limit: number,
): Promise<number> {
  const { total } = await db
    .selectFrom((rows.limit(limit) as SelectQueryBuilder<object, never, object>).as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}
