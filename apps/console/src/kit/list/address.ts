/** A list's state in the address: read with the call's own schema, written without default values. */
import type { OutputOf, Schema } from '@gatehouse/contract'
import { check } from '../../api/schema.ts'

type Raw = Record<string, unknown>

/** Return the value that a text of the address may stand for where a schema expects no string. */
function meant(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (value === 'true' || value === 'false') return value === 'true'
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
}
/** Ways to make a refused field valid, tried in turn: as a number or boolean, as a list of one, removed. */
const MENDINGS: ((raw: Raw, field: string) => void)[] = [
  (raw, field) => void (raw[field] = meant(raw[field])),
  (raw, field) => void (raw[field] = [raw[field]]),
  (raw, field) => void delete raw[field],
]

/** Return the query of an address. A field that does not match the schema, as in an old bookmark, is left out. */
export function readQuery<S extends Schema>(schema: S, search: URLSearchParams): OutputOf<S> {
  const raw: Raw = {}
  for (const name of new Set(search.keys())) {
    const values = search.getAll(name)
    raw[name] = values.length > 1 ? values : values[0]
  }
  for (const mend of MENDINGS) {
    const result = check(schema, raw)
    if ('data' in result) return result.data
    for (const { path } of result.issues) mend(raw, path.split('.')[0] ?? '')
  }
  const result = check(schema, raw)
  if ('data' in result) return result.data
  throw new Error('a list call must accept an empty query')
}

/** Return the address of a query, without empty values and the schema's defaults. */
export function writeQuery(schema: Schema, query: Raw): URLSearchParams {
  const defaults = readQuery(schema, new URLSearchParams()) as Raw
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '' || value === defaults[name]) continue
    for (const item of Array.isArray(value) ? value : [value]) search.append(name, String(item))
  }
  return search
}
