/** Pages of lists. */
import type { SelectQueryBuilder, Simplify } from 'kysely'
import { sql, type Database } from './database.ts'

/** Which page of a list is asked for. */
export interface Paging {
  /** From 1 on. */
  page: number
  /** Rows of each. */
  size: number
}

/** One page of ordered rows and how many there are in all, asked at once. @param rows the list as it is filtered, selected and ordered */
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

/** How many rows there are, counted up to `limit` and no further: of millions nobody waits for the exact number. @param rows as they are filtered, with one column selected */
export async function countUpTo<Tables, Names extends keyof Tables, Row>(
  db: Database<Tables>,
  rows: SelectQueryBuilder<Tables, Names, Row>,
  limit: number,
): Promise<number> {
  const { total } = await (db as unknown as Database<object>)
    .selectFrom((rows.limit(limit) as unknown as SelectQueryBuilder<object, never, object>).as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}
