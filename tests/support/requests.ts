/** Requests for any call, generated from its schemas: with what the contract requires and nothing more. */
import { toJSONSchema } from 'zod'
import type { Call, Schema } from '@gatehouse/contract'

export interface RequestParts {
  params: Record<string, unknown>
  query: Record<string, unknown>
  /** Undefined where the call takes none. */
  body: unknown
}

/** Values by field name, at any depth, e.g. `{ groupId: '…' }`. */
export type Given = Readonly<Record<string, unknown>>

interface JsonSchema {
  type?: string | string[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  prefixItems?: JsonSchema[]
  minItems?: number
  minLength?: number
  format?: string
  minimum?: number
}

/** Fields whose format a schema checks by code, so that it cannot be read from the schema. */
const KNOWN_FORMS: Readonly<Record<string, () => unknown>> = {
  code: () => `SAMPLE-${++samples}`,
  name: () => `Sample_${++samples}`,
  start: () => '08:00',
  end: () => '18:00',
  buckets: () => '0',
  // At least one of them must work without a face.
  methods: () => [1, 4],
}
/** Names and codes must be unique. */
let samples = 0

/** JSON schemas, cached by schema: a walk over all calls needs each of them many times. */
const jsonSchemas = new WeakMap<Schema, JsonSchema>()
function jsonSchemaOf(schema: Schema): JsonSchema {
  const known = jsonSchemas.get(schema)
  if (known !== undefined) return known
  const made = toJSONSchema(schema as never, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  jsonSchemas.set(schema, made)
  return made
}

/** Return the fields of an object schema; none where it is something else. */
export const fieldsOf = (schema: Schema | undefined): string[] =>
  schema === undefined ? [] : Object.keys(jsonSchemaOf(schema).properties ?? {})

/** Return every field name of a schema, at any depth. */
export function allFieldsOf(schema: Schema | undefined): Set<string> {
  const names = new Set<string>()
  function walk(part: JsonSchema | undefined): void {
    if (part === undefined) return
    for (const [name, inner] of Object.entries(part.properties ?? {})) {
      names.add(name)
      walk(inner)
    }
    walk(part.items)
    for (const inner of [...(part.anyOf ?? []), ...(part.oneOf ?? []), ...(part.allOf ?? []), ...(part.prefixItems ?? [])]) walk(inner)
  }
  if (schema !== undefined) walk(jsonSchemaOf(schema))
  return names
}

function sampleOf(schema: JsonSchema, given: Given, name: string): unknown {
  if (name in given) return given[name]
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const choice = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].find(({ type }) => type !== 'null')
  if (choice !== undefined) return sampleOf(choice, given, name)
  if (name in KNOWN_FORMS) return KNOWN_FORMS[name]!()
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type
  switch (type) {
    case 'object': {
      const wanted = Object.entries(schema.properties ?? {}).filter(([field]) => schema.required?.includes(field) || field in given)
      return Object.fromEntries(wanted.map(([field, inner]) => [field, sampleOf(inner, given, field)]))
    }
    case 'array':
      if (schema.prefixItems !== undefined) return schema.prefixItems.map((item) => sampleOf(item, given, ''))
      return Array.from({ length: schema.minItems ?? (name === 'periods' ? 1 : 0) }, () => sampleOf(schema.items ?? {}, given, ''))
    case 'number':
    case 'integer':
      return Math.max(1, schema.minimum ?? 1)
    case 'boolean':
      return true
    default:
      if (schema.format === 'uuid') return crypto.randomUUID()
      return 'Sample'.padEnd(schema.minLength ?? 0, 'x')
  }
}

/** Return a request that the call's schemas accept. @param given values to use, also for optional fields of these names */
export function requestFor(call: Call, given: Given = {}): RequestParts {
  const part = (schema: Schema | undefined) => (schema === undefined ? undefined : sampleOf(jsonSchemaOf(schema), given, ''))
  return {
    params: (part(call.params) ?? {}) as Record<string, unknown>,
    query: (part(call.query) ?? {}) as Record<string, unknown>,
    body: part(call.body),
  }
}
