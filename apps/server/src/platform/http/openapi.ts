/** The OpenAPI document of calls, generated from their contract. */
import { LINK_TOKEN_HEADER, businessErrorOf, closesBody, type AnswerStatus, type BusinessCode, type Call } from '@gatehouse/contract'
import { definitionOf } from '@gatehouse/contract/masking'
import { formerNamesOf } from '@gatehouse/contract/wire-names'
import { z } from 'zod'

export type Json = Record<string, unknown>
type Direction = 'input' | 'output'

const JSON_TYPE = 'application/json'

/** Collected schemas that are referenced from several places. */
type Shared = Record<string, Json>

/** Convert a record with enumerated keys to an object with properties. */
function nameKeys(record: Json): void {
  const { propertyNames, additionalProperties } = record as { propertyNames?: { enum?: string[] }; additionalProperties?: unknown }
  if (propertyNames?.enum === undefined) return
  delete record['propertyNames']
  Object.assign(record, {
    properties: Object.fromEntries(propertyNames.enum.map((key) => [key, additionalProperties])),
    additionalProperties: false,
  })
}

/** Add the former names of fields, which are accepted and answered too for one version. */
function addFormerNames({ properties = {} }: { properties?: Record<string, Json> }, former: ReadonlyMap<string, string>): void {
  for (const [name, before] of former)
    properties[before] = { ...properties[name], deprecated: true, description: `Former name of \`${name}\`.` }
}

/** Return the complete JSON Schema of a schema of the contract. */
export function schemaOf(schema: unknown, io: Direction, isClosed = io === 'output'): Json {
  if (schema === undefined) return {}
  const { $schema: _, ...json } = z.toJSONSchema(schema as z.ZodType, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { type, catchall, shape } = definitionOf(zodSchema)
      if (isClosed && type === 'object' && catchall === undefined) jsonSchema.additionalProperties = false
      if (shape !== undefined) addFormerNames(jsonSchema as { properties?: Record<string, Json> }, formerNamesOf(shape))
      if (type === 'record') nameKeys(jsonSchema as Json)
    },
  }) as Json
  return json
}

/** The same, with its referenced schemas moved to the shared ones. @throws Error where a recursive schema has no name */
function hoisted(schema: unknown, io: Direction, isClosed: boolean, shared: Shared): Json {
  const { $defs, ...json } = schemaOf(schema, io, isClosed) as Json & { $defs?: Record<string, Json> }
  if ($defs === undefined && !JSON.stringify(json).includes('"$ref"')) return json
  for (const [name, definition] of Object.entries($defs ?? {})) {
    const { id: _, ...content } = definition
    shared[name] = relocated(content) as Json
  }
  return relocated(json) as Json
}

function relocated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relocated)
  if (typeof value !== 'object' || value === null) return value
  const { $ref } = value as { $ref?: unknown }
  if (typeof $ref !== 'string') return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, relocated(inner)]))
  const name = /^#\/\$defs\/(?!__)(.+)$/.exec($ref)?.[1]
  if (name === undefined) throw new Error(`A schema that refers to itself needs a name, by .meta({ id }): ${$ref}`)
  return { $ref: `#/components/schemas/${name}` }
}

function parametersOf({ properties = {}, required = [] }: { properties?: Json; required?: string[] }, place: 'path' | 'query'): Json[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema,
  }))
}

const linkTokenOf = ({ linkToken }: Call): Json[] =>
  linkToken === true ? [{ name: LINK_TOKEN_HEADER, in: 'header', required: true, schema: { type: 'string' } }] : []

const SECURITY: Record<string, Json[]> = { public: [], basic: [{ client: [] }], device: [{ deviceToken: [] }, { device: [] }] }

const takesBody = ({ body, consumes }: Call): boolean => body !== undefined || consumes === 'multipart'

function bodyOf(call: Call, fields: { properties?: Json; required?: string[] }): Json {
  if (call.consumes === 'multipart') {
    const schema = {
      type: 'object',
      ...(closesBody(call) && { additionalProperties: false }),
      ...fields,
      properties: { file: { type: 'string', format: 'binary' }, ...fields.properties },
    }
    return { content: { 'multipart/form-data': { schema }, ...(call.orJson === true && { [JSON_TYPE]: { schema: fields } }) } }
  }
  const type = call.consumes === 'form' ? 'application/x-www-form-urlencoded' : JSON_TYPE
  return { required: (fields.required ?? []).length > 0, content: { [type]: { schema: fields } } }
}

const refTo = (kind: 'schemas' | 'responses', name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

/** Return the codes a call may be refused with: those it declares, and for calls that take a file the code of too many waiting uploads. */
const errorsOf = ({ errors = [], consumes }: Call): readonly BusinessCode[] =>
  consumes === 'multipart' && !errors.includes(900000) ? [...errors, 900000] : errors

/** Return the schema of a call's answers with HTTP 200: the result, or the reason of a refusal. */
function answerOf(call: Call, shared: Shared): Json {
  const errors = errorsOf(call)
  if (call.produces === 'file') {
    const file = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
    return errors.length === 0
      ? { description: 'The file.', content: file }
      : { description: 'The file; as JSON, why there is none.', content: { ...file, [JSON_TYPE]: { schema: refusalOf(errors) } } }
  }
  const envelope = { code: { const: 0 }, message: { type: 'string' } }
  const data = call.data === undefined ? undefined : hoisted(call.data, 'output', true, shared)
  const success =
    call.produces === 'flat'
      ? {
          ...data,
          properties: { ...envelope, ...(data?.['properties'] as Json | undefined) },
          required: ['code', 'message', ...((data?.['required'] as string[] | undefined) ?? [])],
        }
      : {
          type: 'object',
          properties: { ...envelope, ...(data !== undefined && { data }) },
          required: ['code', 'message', ...(data === undefined ? [] : ['data'])],
          additionalProperties: false,
        }
  return {
    description: errors.length === 0 ? 'Done.' : 'Done where `code` is 0, else refused.',
    content: { [JSON_TYPE]: { schema: errors.length === 0 ? success : { oneOf: [success, refusalOf(errors)] } } },
  }
}

const refusalOf = (codes: readonly BusinessCode[]): Json => ({
  allOf: [refTo('schemas', 'Refusal'), { type: 'object', properties: { code: { enum: [...codes] } } }],
})

/** Whether a schema asks anywhere for what names a record. */
function namesRecord(json: unknown): boolean {
  if (Array.isArray(json)) return json.some(namesRecord)
  if (typeof json !== 'object' || json === null) return false
  const { properties } = json as { properties?: Json }
  return Object.keys(properties ?? {}).some((name) => /^ids?$|Ids?$/.test(name)) || Object.values(json).some(namesRecord)
}

const RESPONSES: Readonly<Record<AnswerStatus | 400 | 408 | 429 | 500 | 503, string>> = {
  206: 'Part',
  304: 'Unchanged',
  400: 'Invalid',
  401: 'Unauthorised',
  403: 'Forbidden',
  404: 'NotFound',
  408: 'TooSlow',
  409: 'Conflict',
  413: 'TooLarge',
  429: 'TooMany',
  500: 'Fault',
  503: 'Unavailable',
}

/** Return the statuses that follow from a call's input and permission. */
function statusesOf(call: Call, parts: readonly Json[]): (keyof typeof RESPONSES)[] {
  const hasVersion = parts.some(({ properties = {} }) => (properties as Record<string, Json>)['version']?.['type'] === 'integer')
  const isOpen = call.permission === 'public'
  return [
    400,
    ...(isOpen ? [] : ([401, 403] as const)),
    ...(call.params !== undefined || parts.some(namesRecord) || call.linkToken === true ? ([404] as const) : []),
    ...(call.method !== 'GET' ? ([408, 413] as const) : []),
    // An outdated version, or a file for which there is no space.
    ...(hasVersion || call.consumes === 'multipart' ? ([409] as const) : []),
    ...(call.statuses ?? []),
    429,
    500,
    503,
  ]
}

/** Return the response 429. Any call may be made too often by an address, an account or a link; some calls state the limit per address. */
const tooManyOf = (description: string): Json => ({
  description,
  headers: {
    'Retry-After': { description: 'seconds until it is worth asking again', required: true, schema: { type: 'integer', minimum: 1 } },
  },
  content: errorContent('Failure'),
})

function responsesOf(call: Call, parts: readonly Json[], shared: Shared): Json {
  const responses: Json = { '200': answerOf(call, shared) }
  for (const status of statusesOf(call, parts)) responses[status] = refTo('responses', RESPONSES[status])
  if (call.permission === 'basic' || call.provesPassword === true) responses[400] = refTo('responses', 'GrantRefused')
  if (call.perAddress !== undefined)
    responses[429] = tooManyOf(`More than ${call.perAddress.requests} requests of one address in ${call.perAddress.minutes} min.`)
  return responses
}

/** Return what a call requires, in words. */
export const permissionsOf = ({ permission, besides = [], freshPassword }: Call): string => {
  const password = freshPassword === 'ofUsers' ? 'of users the password once more' : 'the password once more'
  return [permission, ...besides, ...(freshPassword === undefined ? [] : [password])].join(' and ')
}

/** Return the names of a call's refusals. */
function codesOf(call: Call): string {
  const errors = errorsOf(call)
  return errors.length === 0 ? '' : ` Codes: ${errors.map((code) => `${code} ${businessErrorOf(code)!.name}`).join(', ')}.`
}

/** Return the name of a call in generated clients. */
const operationIdOf = ({ method, url }: Call): string =>
  method.toLowerCase() + url.replace(/[^A-Za-z0-9]+(\w)?/g, (_, letter: string | undefined) => (letter ?? '').toUpperCase())

function operationOf(call: Call, shared: Shared): Json {
  const params = hoisted(call.params, 'input', false, shared)
  const query = hoisted(call.query, 'input', false, shared)
  const body = hoisted(call.body, 'input', closesBody(call), shared)
  return {
    operationId: operationIdOf(call),
    summary: call.summary,
    tags: [call.service],
    description: `Permission: ${permissionsOf(call)}.${codesOf(call)}`,
    security: SECURITY[call.permission] ?? [{ bearer: [] }],
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query'), ...linkTokenOf(call)],
    ...(takesBody(call) && { requestBody: bodyOf(call, body) }),
    responses: responsesOf(call, [params, query, body], shared),
  }
}

const errorContent = (schema: string): Json => ({ [JSON_TYPE]: { schema: refTo('schemas', schema) } })
const response = (description: string, schema: string): Json => ({ description, content: errorContent(schema) })

const message = { type: 'string', description: 'in the language of `Accept-Language`' }
/** The field `error` for clients of RFC 6749. */
const grantError = { type: 'string', description: 'of RFC 6749' }
const fields = { type: 'array', items: refTo('schemas', 'FieldIssue') }

/** Schemas of all answers other than success. */
const ERROR_SCHEMAS: Shared = {
  FieldIssue: {
    type: 'object',
    description: 'What is wrong at a field.',
    properties: {
      path: { type: 'string', description: 'where, such as `devices.0.name`; empty: of the whole request' },
      rule: { type: 'string', description: 'which rule it breaks, such as `required`, or `code.` and a business code' },
      params: { type: 'object', description: 'numbers and names of its sentence', additionalProperties: { type: ['string', 'number'] } },
    },
    required: ['path', 'rule'],
    additionalProperties: false,
  },
  Refusal: {
    type: 'object',
    description: 'Refused for a reason of the catalogue; nothing was done.',
    properties: { code: { type: 'integer' }, message, data: { type: 'object', properties: { fields }, additionalProperties: true } },
    required: ['code', 'message'],
    additionalProperties: false,
  },
  Failure: {
    type: 'object',
    description: 'Not done.',
    properties: {
      code: { type: 'integer', description: 'the HTTP status, or a code of the catalogue' },
      message,
      data: { type: 'object', properties: { fields }, additionalProperties: false },
      error: grantError,
    },
    required: ['code', 'message'],
    additionalProperties: false,
  },
  InvalidRequest: {
    type: 'object',
    description: 'What was sent does not fit; each field that does not is named.',
    properties: {
      code: { const: 400 },
      message,
      data: { type: 'object', properties: { fields: { ...fields, minItems: 1 } }, required: ['fields'], additionalProperties: false },
      error: grantError,
    },
    required: ['code', 'message', 'data'],
    additionalProperties: false,
  },
  Hindrance: {
    type: 'object',
    description: 'Something that is written down meanwhile stands in the way.',
    properties: {
      code: { const: 409 },
      message,
      data: { type: 'object', properties: { fields }, required: ['fields'], additionalProperties: true },
    },
    required: ['code', 'message', 'data'],
    additionalProperties: false,
  },
  GrantRefusal: {
    type: 'object',
    description: 'The login is refused.',
    properties: { code: { type: 'integer' }, message, data: { type: 'object', additionalProperties: true }, error: grantError },
    required: ['code', 'message'],
    additionalProperties: false,
  },
}

const ERROR_RESPONSES: Shared = {
  Part: {
    description: 'The part that `Range` asks for.',
    content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
  },
  Unchanged: { description: 'What `If-None-Match` names is still what would be answered.' },
  Invalid: response('It fails its schema, or a value does not fit what is there.', 'InvalidRequest'),
  GrantRefused: response('It fails its schema, or the login is refused.', 'GrantRefusal'),
  Unauthorised: response('No valid token.', 'Failure'),
  Forbidden: response('No permission, or the password or a second factor is asked for first.', 'Failure'),
  NotFound: response('What is named does not exist, or is not to be seen by the caller.', 'Failure'),
  TooSlow: response('The body did not arrive in time.', 'Failure'),
  Conflict: response('It was changed meanwhile, or something written down stands in the way.', 'Hindrance'),
  TooLarge: response('The body or the file is too large.', 'Failure'),
  TooMany: tooManyOf('Asked too often.'),
  Fault: response('A fault of the server.', 'Failure'),
  Unavailable: response('The database or the broker does not answer; to be tried again.', 'Failure'),
}

const TAGS: Readonly<Record<Call['service'], string>> = {
  as: 'Access: rules, records and what devices hold',
  biz: 'Persons, devices, users and the park',
  export: 'Files of lists',
  visitor: 'Visitors',
  show: 'Data screens',
  device: 'What a terminal asks',
}

/** Return the OpenAPI 3.1 document of calls. */
export function openApiOf(calls: readonly Call[]): Json {
  const paths: Record<string, Json> = {}
  const shared: Shared = { ...ERROR_SCHEMAS }
  for (const call of calls) paths[call.url] = { ...paths[call.url], [call.method.toLowerCase()]: operationOf(call, shared) }
  const services = new Set(calls.map(({ service }) => service))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version: '1',
      description: 'Answers are `{ code, message, data }`; code 0 is success.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'where this document came from' }],
    tags: [...services].map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      schemas: shared,
      responses: ERROR_RESPONSES,
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
