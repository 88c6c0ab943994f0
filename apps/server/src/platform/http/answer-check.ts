/**
 * Checks answers against the OpenAPI document, as a client generated from it would read them: each status must be described, and each
 * body must match its description without additional fields. For tests and development: a server that does not check never loads this
 * file.
 */
import { gunzipSync } from 'node:zlib'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { FastifyReply } from 'fastify'
import type { Call } from '@gatehouse/contract'
import { openApiOf, type Json } from './openapi.ts'

/** Check an answer. @throws Error where the document does not describe it */
export type AnswerCheck = (call: Call, reply: Pick<FastifyReply, 'statusCode' | 'getHeader'>, payload: unknown) => void

/** Validators by status; null where the answer is not JSON. */
type Judges = Map<number, ValidateFunction | null>

// Formats need no check: the contract declares the pattern of each beside it.
const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false, addUsedSchema: false })
/** Shared by all servers of a process, whose calls are the same objects. */
const judgesOfCalls = new WeakMap<Call, { document: Json; key: string; judges: Judges }>()
let made = 0

const at = (value: unknown, ...keys: (string | number)[]): unknown =>
  keys.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value)

const pointer = (...keys: (string | number)[]): string =>
  keys.map((key) => `/${encodeURIComponent(String(key).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')

function judgeOf(call: Call, status: number): ValidateFunction | null {
  let cached = judgesOfCalls.get(call)
  if (cached === undefined) {
    cached = { document: openApiOf([call]), key: `call:${++made}`, judges: new Map() }
    judgesOfCalls.set(call, cached)
    ajv.addSchema(cached.document, cached.key)
  }
  const { document, key, judges } = cached
  const judged = judges.get(status)
  if (judged !== undefined) return judged
  const place = ['paths', call.url, call.method.toLowerCase(), 'responses', status]
  const described = at(document, ...place) as { $ref?: string } | undefined
  if (described === undefined) throw new Error(`${call.method} ${call.url} answers HTTP ${status}, which is not described`)
  const response = described.$ref === undefined ? place : described.$ref.slice(2).split('/')
  const inJson = [...response, 'content', 'application/json', 'schema']
  const judge = at(document, ...inJson) === undefined ? null : ajv.compile({ $ref: `${key}#${pointer(...inJson)}` })
  judges.set(status, judge)
  return judge
}

/** Return the JSON of an answer, whatever its encoding; undefined where it is not JSON. */
function jsonOf(reply: Pick<FastifyReply, 'getHeader'>, payload: unknown): unknown {
  if (!String(reply.getHeader('content-type') ?? '').startsWith('application/json')) return undefined
  if (typeof payload === 'string') return JSON.parse(payload)
  if (!Buffer.isBuffer(payload)) return undefined
  return JSON.parse((reply.getHeader('content-encoding') === 'gzip' ? gunzipSync(payload) : payload).toString())
}

export const checkAnswer: AnswerCheck = (call, reply, payload) => {
  const { statusCode } = reply
  const judge = judgeOf(call, statusCode)
  // A partial body cannot be checked.
  if (statusCode === 206) return
  const json = jsonOf(reply, payload)
  if (json === undefined) return
  if (judge === null || !judge(json)) {
    const why = judge === null ? 'as JSON' : ajv.errorsText(judge.errors, { dataVar: 'answer' })
    throw new Error(
      `${call.method} ${call.url} answers HTTP ${statusCode} outside /openapi.json: ${why}: ${JSON.stringify(json).slice(0, 1000)}`,
    )
  }
}
