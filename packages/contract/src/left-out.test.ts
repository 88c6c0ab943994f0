/** A field that a request leaves out is never true, except for the fields listed here with the reason. */
import { describe, expect, it } from 'vitest'
import { toJSONSchema, z } from 'zod'
import { calls } from './calls.ts'
import { changeOf } from './schema.ts'

interface JsonSchema {
  default?: unknown
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
}

/** Return the fields at any depth that are true by default, as dotted paths. */
function trueByDefault(schema: JsonSchema, path: readonly string[] = []): string[] {
  return [
    ...(schema.default === true ? [path.join('.')] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([field, inner]) => trueByDefault(inner, [...path, field])),
    ...(schema.items ? trueByDefault(schema.items, path) : []),
    ...(schema.anyOf ?? []).flatMap((inner) => trueByDefault(inner, path)),
  ]
}

/** None of them admits a person, or shows a user more. */
const HARMLESS: Readonly<Record<string, string>> = {
  'POST /access/writtenRule enabled': 'a rule that forbids is in force at once',
  'POST /access/writtenRule/standing enabled': 'the same rule, asked about',
  'POST /person/form fields.visible': 'a field the park asks for stands in the form',
}

it('no call takes a field that is left out for a yes', () => {
  const found = calls.flatMap(({ method, path, body }) =>
    body === undefined
      ? []
      : trueByDefault(toJSONSchema(body as never, { io: 'input', unrepresentable: 'any' }) as JsonSchema).map(
          (field) => `${method} ${path} ${field}`,
        ),
  )
  expect(calls.length).toBeGreaterThan(300)
  expect(found.toSorted()).toEqual(Object.keys(HARMLESS).toSorted())
})

describe('fields of a change', () => {
  const fields = z.object({
    name: z.string().min(1),
    everybody: z.boolean().default(false),
    ids: z.array(z.string()).default(['all']),
    remark: z.string().nullish(),
  })

  it('stay as they were where they are left out', () => {
    expect(changeOf(fields).parse({})).toEqual({})
    expect(changeOf(fields).parse({ everybody: true, ids: [] })).toEqual({ everybody: true, ids: [] })
  })

  it('are removed by null: what has a value where nobody says anything has that', () => {
    expect(changeOf(fields).parse({ everybody: null, ids: null, remark: null })).toEqual({ everybody: false, ids: ['all'], remark: null })
  })

  it('are not removed where they must be there, and checked as before', () => {
    expect(changeOf(fields).safeParse({ name: null }).success).toBe(false)
    expect(changeOf(fields).safeParse({ name: '' }).success).toBe(false)
    expect(changeOf(fields).safeParse({ ids: [1] }).success).toBe(false)
  })
})
