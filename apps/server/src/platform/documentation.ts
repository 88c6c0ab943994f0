/** `/openapi.json` and `/docs`, made from the mounted calls; `/asyncapi.json`, made from the device protocol. */
import { LINK_TOKEN_HEADER } from '@gatehouse/contract'
import { asyncApi } from '@gatehouse/contract/device/asyncapi'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { MountedCall } from './context.ts'

type Json = Record<string, unknown>

function schemaOf(schema: unknown, io: 'input' | 'output'): Json {
  if (schema === undefined) return {}
  const { $schema: _, ...json } = z.toJSONSchema(schema as z.ZodType, { io, unrepresentable: 'any' }) as Json
  return json
}

function parametersOf(schema: unknown, place: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as { properties?: Record<string, Json>; required?: string[] }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

const linkTokenOf = ({ linkToken }: MountedCall['call']): Json[] =>
  linkToken === true ? [{ name: LINK_TOKEN_HEADER, in: 'header', required: true, schema: { type: 'string' } }] : []

const SECURITY: Record<string, Json[]> = { public: [], basic: [{ client: [] }], device: [{ deviceToken: [] }, { device: [] }] }

function bodyOf(call: MountedCall['call']): Json | undefined {
  if (call.body === undefined && call.consumes !== 'multipart') return undefined
  const fields = schemaOf(call.body, 'input') as { properties?: Json }
  if (call.consumes === 'multipart') {
    const properties = { file: { type: 'string', format: 'binary' }, ...fields.properties }
    return {
      content: {
        'multipart/form-data': { schema: { type: 'object', properties } },
        ...(call.orJson === true && { 'application/json': { schema: fields } }),
      },
    }
  }
  return { content: { [call.consumes === 'form' ? 'application/x-www-form-urlencoded' : 'application/json']: { schema: fields } } }
}

function answerOf(call: MountedCall['call']): Json {
  if (call.produces === 'file')
    return { description: 'the file', content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } }
  const envelope = { code: { type: 'integer', description: '0, or a code of the catalogue' }, message: { type: 'string' } }
  const data = schemaOf(call.data, 'output')
  const flat = { ...envelope, ...(data['properties'] as Json | undefined) }
  const properties = call.produces === 'flat' ? flat : { ...envelope, ...(call.data !== undefined && { data }) }
  return {
    description: 'answer',
    content: { 'application/json': { schema: { type: 'object', properties, required: ['code', 'message'] } } },
  }
}

/** Any call may be asked too often, by an address, an account or a link: for how long to wait stands in a header. */
function tooManyOf({ perAddress }: MountedCall['call']): Json {
  return {
    description:
      perAddress === undefined ? 'too many tries' : `more than ${perAddress.requests} requests of one address in ${perAddress.minutes} min`,
    headers: {
      'Retry-After': { description: 'seconds until it is worth asking again', required: true, schema: { type: 'integer', minimum: 1 } },
    },
  }
}

/** What a call asks for, in words. */
const permissionsOf = ({ permission, besides = [], freshPassword }: MountedCall['call']): string => {
  const password = freshPassword === 'ofUsers' ? 'of users the password once more' : 'the password once more'
  return [permission, ...besides, ...(freshPassword === undefined ? [] : [password])].join(' and ')
}

/** OpenAPI 3.1 of the mounted calls. */
export function openApiOf(calls: readonly MountedCall[]): Json {
  const paths: Record<string, Json> = {}
  for (const { call } of calls) {
    const body = bodyOf(call)
    paths[call.url] = {
      ...paths[call.url],
      [call.method.toLowerCase()]: {
        operationId: `${call.method.toLowerCase()}${call.url.replace(/[^A-Za-z0-9]+(\w)?/g, (_, letter: string | undefined) => (letter ?? '').toUpperCase())}`,
        summary: call.summary,
        tags: [call.service],
        description: `Permission: ${permissionsOf(call)}.${call.errors === undefined ? '' : ` Codes: ${call.errors.join(', ')}.`}`,
        security: SECURITY[call.permission] ?? [{ bearer: [] }],
        parameters: [...parametersOf(call.params, 'path'), ...parametersOf(call.query, 'query'), ...linkTokenOf(call)],
        ...(body !== undefined && { requestBody: body }),
        responses: {
          '200': answerOf(call),
          '400': { description: 'fails its schema' },
          '401': { description: 'no valid token' },
          '403': { description: 'no permission' },
          '429': tooManyOf(call),
        },
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Gatehouse', version: '1', description: 'Answers are `{ code, message, data }`; code 0 is success.' },
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        client: { type: 'http', scheme: 'basic', description: 'client credentials; the browser is `console` without a secret' },
        deviceToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'token of `/deviceService/uface/v1/token`, for which a device proves that it knows its secret',
        },
        device: { type: 'http', scheme: 'basic', description: 'device code and secret, until the park takes no secrets any more' },
      },
    },
  }
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** A plain reference page: no script, no outside address, searchable by the browser. */
function pageOf(calls: readonly MountedCall[]): string {
  const rows = calls
    .toSorted((a, b) => (a.call.url < b.call.url ? -1 : 1))
    .map(({ call }) => {
      const part = (title: string, schema: unknown, io: 'input' | 'output') =>
        schema === undefined
          ? ''
          : `<details><summary>${title}</summary><pre>${escaped(JSON.stringify(schemaOf(schema, io), null, 2))}</pre></details>`
      const codes = call.errors === undefined ? '' : `<p>Codes ${call.errors.join(', ')}</p>`
      return `<section><h2><b>${call.method}</b> ${escaped(call.url)}</h2><p>${escaped(call.summary)} <i>${permissionsOf(call)}${call.origin === 'own' ? ' · own' : ''}</i></p>${codes}${part('Query', call.query, 'input')}${part('Body', call.body, 'input')}${part('Answer', call.data, 'output')}</section>`
    })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Gatehouse API</title>
<style>body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}section{border-top:1px solid #8884;padding:.75rem 0}h2{font:600 1rem ui-monospace,monospace;margin:0;overflow-wrap:anywhere}p{margin:.25rem 0}pre{overflow:auto;background:#8881;padding:.75rem;border-radius:6px}</style>
<h1>Gatehouse API</h1><p>${calls.length} calls. Machine-readable: <a href="/openapi.json">/openapi.json</a>, messages of devices over MQTT <a href="/asyncapi.json">/asyncapi.json</a>. Answers are <code>{ code, message, data }</code>; code 0 is success.</p>${rows.join('')}</html>`
}

export function mountDocumentation(app: FastifyInstance, calls: readonly MountedCall[]): void {
  let document: Json | null = null
  let messages: Json | null = null
  let page: string | null = null
  app.get('/openapi.json', async () => (document ??= openApiOf(calls)))
  app.get('/asyncapi.json', async () => (messages ??= asyncApi()))
  app.get('/docs', async (_request, reply) => reply.type('text/html; charset=utf-8').send((page ??= pageOf(calls))))
}
