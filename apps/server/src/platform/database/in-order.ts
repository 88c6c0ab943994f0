/** Rows in the order in which their ids were asked for. */

/** Return the rows of the ids, in the order of the ids; an id without a row is left out. @param rows in any order */
export function inOrderOf<Row extends { id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
