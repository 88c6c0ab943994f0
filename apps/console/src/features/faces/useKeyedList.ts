/** A list whose rows are identified by another field than `id`. */
import { useList, type List, type ListQuery, type PageCall, type RowOf } from '../../kit/list/useList.ts'

type Keyed<Row> = Row & { id: string }

/** Return the list of `useList`, with an `id` in each row. @param key field that identifies a row */
export function useKeyedList<C extends PageCall, Key extends keyof RowOf<C>>(
  call: C,
  key: Key,
  options: { name: string },
): List<Keyed<RowOf<C>>, ListQuery<C>> {
  const list = useList(call, options)
  const rows = list.rows.map((row) => ({ ...(row as object), id: String(row[key]) }) as Keyed<RowOf<C>>)
  return { ...list, rows, tableProps: { ...list.tableProps, dataSource: rows } }
}
