/** Columns that a query always reads together. */
import { RawNode, type OperationNode } from 'kysely'

/** A column by its name, with or without its table, and what it is called in the rows: `person.work_number as workNumber`. */
const COLUMN = /^(?:(\w+)\.)?(\w+)(?: as (\w+))?$/

const quoted = (name: string): string => `"${name}"`

function sqlOf(column: string): string {
  const [, table, name, alias] = COLUMN.exec(column) ?? []
  if (name === undefined) throw new Error(`"${column}" names no column`)
  const full = table === undefined ? quoted(name) : `${quoted(table)}.${quoted(name)}`
  return alias === undefined ? full : `${full} as ${quoted(alias)}`
}

/**
 * The named columns for `select` and `returning`, as SQL that is made once instead of with each query: of a list with many columns that is
 * half of what making its query takes. `db.selectFrom('person').select(columnList(['person.id', 'person.work_number as workNumber']))`
 *
 * @returns one entry that stands for all of them; the type is that of their names, so that rows are typed by them
 */
export function columnList<const Names extends readonly string[]>(names: Names): Names {
  const node: OperationNode = RawNode.createWithSql(names.map(sqlOf).join(', '))
  const all = { expression: null, alias: '', toOperationNode: () => node }
  return [all] as unknown as Names
}
