/** The document of all calls is consistent and describes the input and answers of each call. */
import { calls as contract } from '@gatehouse/contract/calls'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { callsOf, type Call } from '@gatehouse/contract'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openApiOf } from './openapi.ts'

const call = callsOf('system')

const ALL: readonly Call[] = contract
const document = openApiOf(ALL) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown>; responses: Record<string, unknown> }
}
interface Operation {
  requestBody?: { content: Record<string, { schema: Record<string, unknown> }> }
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: unknown }> }>
}
const operationOf = (one: Call): Operation => document.paths[one.url]![one.method.toLowerCase()]!

function* placesIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Record<string, unknown>
  for (const inner of Object.values(value)) yield* placesIn(inner)
}

/** Return the target of a reference. */
const resolved = (reference: string): unknown =>
  reference.startsWith('#/')
    ? reference
        .slice(2)
        .split('/')
        .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document)
    : undefined

describe('the document of all calls', () => {
  it('refers to nothing that is not there, and writes a tree once', () => {
    const references = [...placesIn(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []))
    expect(references.filter((reference) => resolved(reference) === undefined)).toEqual([])
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['OrganisationNode', 'DeviceGroupNode', 'DeviceTreeNode', 'PersonGroupNode']),
    )
  })

  it('refuses a schema that refers to itself and has no name', () => {
    interface Node {
      children: Node[]
    }
    const node: z.ZodType<Node> = z.lazy(() => z.object({ children: z.array(node) }))
    const tree = call({ method: 'GET', service: 'biz', path: '/tree', permission: 'self', summary: 'A tree.', data: node })
    expect(() => openApiOf([tree])).toThrow('needs a name')
  })

  it('closes what is sent, but for devices and clients of RFC 6749; rows of one’s own naming stay open', () => {
    const open = ALL.filter(({ service, consumes }) => service === 'device' || consumes === 'form')
    for (const one of ALL) {
      const sent = Object.values(operationOf(one).requestBody?.content ?? {}).map(({ schema }) => schema)
      const objects = sent
        .flatMap((schema) => [...placesIn(schema)])
        .filter(({ type, properties }) => type === 'object' && properties !== undefined)
      const closed = objects.filter(({ additionalProperties }) => additionalProperties === false)
      expect(closed.length, `${one.method} ${one.url}`).toBe(open.includes(one) ? 0 : objects.length)
    }
    expect([...placesIn(operationOf(importCalls.changeRow))]).toContainEqual(
      expect.objectContaining({ additionalProperties: { type: 'string', maxLength: 200 } }),
    )
  })

  it('says how each call can fail: by what it takes, by who may make it, and by the codes it refuses with', () => {
    for (const one of ALL) {
      const { responses } = operationOf(one)
      const name = `${one.method} ${one.url}`
      expect(Object.keys(responses), name).toEqual(expect.arrayContaining(['200', '400', '429', '500', '503']))
      expect('401' in responses, name).toBe(one.permission !== 'public' || one.statuses?.includes(401) === true)
      expect('403' in responses, name).toBe(one.permission !== 'public' || one.statuses?.includes(403) === true)
      expect('413' in responses && '408' in responses, name).toBe(one.method !== 'GET')
      if (one.url.includes('{')) expect(responses, name).toHaveProperty('404')
      if (one.errors !== undefined) expect(JSON.stringify(responses['200']), name).toContain(`"enum":[${one.errors.join(',')}`)
    }
    const { change, move, read } = peopleCalls
    expect(operationOf(change).responses).toMatchObject({
      400: { $ref: '#/components/responses/Invalid' },
      404: { $ref: '#/components/responses/NotFound' },
      409: { $ref: '#/components/responses/Conflict' },
    })
    expect(operationOf(move).responses).toHaveProperty('409')
    expect(operationOf(read).responses).not.toHaveProperty('409')
    expect(document.components.responses['Invalid']).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/InvalidRequest' } } },
    })
    expect(document.components.schemas['FieldIssue']).toMatchObject({
      properties: { path: {}, rule: {}, params: {} },
      required: ['path', 'rule'],
    })
  })
})
