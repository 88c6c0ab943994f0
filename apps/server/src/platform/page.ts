/** Pages of lists. */
import type { SelectQueryBuilder, Simplify } from 'kysely'

/** One page of ordered rows and how many there are in all, asked at once. @param rows the list as it is filtered, selected and ordered */
export async function readPage<Tables, Names extends keyof Tables, Row>(
  rows: SelectQueryBuilder<Tables, Names, Row>,
  { page, size }: { page: number; size: number },
): Promise<{ content: Simplify<Row>[]; total: number }> {
  const counted = rows.clearSelect().clearOrderBy()
  const [content, { total }] = await Promise.all([
    rows
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
    counted.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow() as Promise<{ total: number }>,
  ])
  return { content, total }
}
