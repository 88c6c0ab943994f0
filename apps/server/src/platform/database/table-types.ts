/** Generates the types of all tables from a migrated database: the content of a column is declared once, in its migration. */
import type pg from 'pg'
import { camelCase, snakeCase } from './names.ts'

export interface Column {
  table: string
  column: string
  type: string
  required: boolean
  /** Has a default, or is an identity column. */
  generated: boolean
}

/** Types of values in rows by PostgreSQL's type, as our connections parse it (`database.ts`). */
const TYPES: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  date: 'string',
  boolean: 'boolean',
  smallint: 'number',
  integer: 'number',
  bigint: 'number',
  real: 'number',
  'double precision': 'number',
  'timestamp with time zone': 'number',
  bytea: 'Buffer',
  jsonb: 'Json<unknown>',
}

const COLUMNS = `
  SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, NULL) AS type, a.attnotnull AS required,
    a.atthasdef OR a.attidentity <> '' AS generated
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
    AND c.relname NOT LIKE 'kysely_%'
  ORDER BY c.relname COLLATE "C", a.attnum`

/** Return the camel-case name. @throws where it does not convert back to PostgreSQL's name */
function nameInCode(name: string): string {
  const camel = camelCase(name)
  if (snakeCase(camel) !== name) throw new Error(`${name} has no name in camel case`)
  return camel
}

function typeOf({ table, column, type, required, generated }: Column): string {
  const element = TYPES[type.replace(/\[\]$/, '')]
  if (element === undefined) throw new Error(`${table}.${column} is of type ${type}, which has no type in code yet`)
  const whole = `${element}${type.endsWith('[]') ? '[]' : ''}${required ? '' : ' | null'}`
  if (!generated) return whole
  return type === 'jsonb' ? whole.replace('>', ', undefined>') : `Generated<${whole}>`
}

/** Return the columns of our own tables, by table; those of partitions are listed with their parent. */
export const tableColumns = async (client: Pick<pg.Pool, 'query'>): Promise<Column[]> => (await client.query<Column>(COLUMNS)).rows

/**
 * Return the text of `tables.generated.ts` of one area: each area adds its tables to those of all others.
 * @param columns of the area's tables
 * @param platform path of `platform/database` relative to the file
 */
export function tableTypes(columns: readonly Column[], platform: string): string {
  const tables = [...Map.groupBy(columns, ({ table }) => table)].map(([table, ofTable]) =>
    [`    ${nameInCode(table)}: {`, ...ofTable.map((column) => `      ${nameInCode(column.column)}: ${typeOf(column)}`), '    }'].join(
      '\n',
    ),
  )
  const text = tables.join('\n')
  const imports = [
    ...(text.includes('Generated<') ? ["import type { Generated } from 'kysely'"] : []),
    ...(text.includes('Json<') ? [`import type { Json } from '${platform}/json.ts'`] : []),
  ]
  return [
    '/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */',
    // Without an import or export the file is not a module, and would declare a module instead of adding to it.
    ...(imports.length > 0 ? imports : ['export {}']),
    '',
    `declare module '${platform}/stored-tables.ts' {`,
    '  interface StoredTables {',
    text,
    '  }',
    '}',
    '',
  ].join('\n')
}
