/** A list whose rows are known by another field than `id`. */
import type { AnyCall } from '../../api/http.ts'
import { useList, type List, type ListQuery, type RowOf } from '../../kit/list/useList.ts'

type Keyed<Row> = Row & { id: string }
type ListedCall = Parameters<typeof useList>[0]

/** As `useList`. @param key field that names a row */
export function useKeyedList<C extends AnyCall, Key extends keyof RowOf<C>>(
  call: C,
  key: Key,
  options: { name: string },
): List<Keyed<RowOf<C>>, ListQuery<C>> {
  const list = useList(call as unknown as ListedCall, options) as unknown as List<RowOf<C>, ListQuery<C>>
  const rows = list.rows.map((row) => ({ ...(row as object), id: String(row[key]) }))
  return { ...list, rows, tableProps: { ...list.tableProps, dataSource: rows } } as unknown as List<Keyed<RowOf<C>>, ListQuery<C>>
}
