/** Bad requests: those the schemas accept, which are sent one by one, and malformed requests that no schema sees. */
import { addressOf, type Call } from '@gatehouse/contract'
import { answerOf } from '@gatehouse/server/platform/http/error-answer'
import { checkRequest, type RequestParts } from '@gatehouse/server/platform/http/request-check'
import { flatPng } from '../pictures.ts'
import { fieldsOf, requestFor, type Given } from '../requests.ts'
import { WRONG_ENCODINGS, WRONG_TEXTS, WRONG_VALUES, deepArray } from './values.ts'

const MEBIBYTE = 1_048_576
export const JSON_TYPE = { 'content-type': 'application/json' }

/** A request as it is sent; `why` says what makes it bad. */
export interface BadRequest {
  why: string
  /** Path and query. */
  address: string
  headers?: Record<string, string>
  body?: string | Uint8Array | FormData
}

export interface Walked {
  /** Number of requests that were checked against the schemas. */
  tried: number
  /** Requests that the schemas accept, without duplicates: the handler receives something different from each. */
  admitted: BadRequest[]
  /** Requests that the schemas refused in a way the contract does not define. */
  faults: string[]
}

/** @property wrong the value that replaces another one; absent where a value was left out */
interface Attempt {
  why: string
  sent: Parts
  wrong?: unknown
}

type Parts = RequestParts & { params: Record<string, unknown>; query: Record<string, unknown> }

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 40) ?? 'nothing'

/** Return the address of a call with these values. A list stands for a parameter that is given several times. */
function addressFor(call: Call, { params, query }: Pick<Parts, 'params' | 'query'>): string {
  const entries = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, String(one)]))
  const search = new URLSearchParams(entries).toString()
  return addressOf(call, params as Record<string, string>) + (search === '' ? '' : `?${search}`)
}

/** Return what is left of a value after JSON. */
const overTheWire = (value: unknown): unknown => {
  const text = JSON.stringify(value)
  return text === undefined ? undefined : JSON.parse(text)
}

/** Yield the path of each field of a value, at any depth; of a list only its first item. */
function* placesIn(value: unknown, path: readonly (string | number)[] = []): Generator<readonly (string | number)[]> {
  if (Array.isArray(value)) {
    if (value.length > 0) yield* placesIn(value[0], [...path, 0])
  } else if (typeof value === 'object' && value !== null) {
    for (const [field, inner] of Object.entries(value)) {
      yield [...path, field]
      yield* placesIn(inner, [...path, field])
    }
  }
}

function withValue(whole: unknown, [first, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (first === undefined) return value
  if (Array.isArray(whole)) return whole.map((item, index) => (index === first ? withValue(item, rest, value) : item))
  return { ...(whole as object), [first]: withValue((whole as Record<string, unknown>)?.[first], rest, value) }
}

/** Yield bodies in which each field is replaced or left out, and replacements of the whole body. */
function* bodiesOf(call: Call, good: Parts): Generator<Attempt> {
  const whole = good.body ?? {}
  const places = new Map([...fieldsOf(call.body).map((field) => [field]), ...placesIn(whole)].map((place) => [place.join('.'), place]))
  for (const [name, place] of places) {
    yield { why: `without ${name}`, sent: { ...good, body: withValue(whole, place, undefined) } }
    for (const wrong of WRONG_VALUES)
      yield { why: `${name}: ${shown(wrong)}`, sent: { ...good, body: withValue(whole, place, wrong) }, wrong }
  }
  for (const wrong of WRONG_VALUES) yield { why: `body ${shown(wrong)}`, sent: { ...good, body: wrong }, wrong }
}

/** Yield addresses in which each parameter of path and query is replaced or left out, and one parameter that no call has. */
function* addressesOf(call: Call, good: Parts): Generator<Attempt> {
  for (const part of ['params', 'query'] as const) {
    const unknown = part === 'query' ? ['unknown'] : []
    for (const field of [...fieldsOf(call[part]), ...unknown]) {
      const { [field]: _, ...others } = good[part]
      if (part === 'query') yield { why: `without ${field}`, sent: { ...good, query: others } }
      for (const wrong of WRONG_TEXTS) {
        if (part === 'params' && (typeof wrong !== 'string' || wrong === '')) continue
        yield { why: `${part} ${field}: ${shown(wrong)}`, sent: { ...good, [part]: { ...others, [field]: wrong } }, wrong }
      }
    }
  }
}

/** Whether a text has nothing that could trouble a handler: such texts are equivalent. */
const isPlain = (text: string): boolean => /^[\w.\-[\]/ ]+$/.test(text) && text !== '_' && text.length < 1000
/** Return a key for what a handler receives; one plain text stands for all plain texts. */
const differenceOf = (parts: RequestParts, wrong: unknown): string =>
  JSON.stringify(parts, (_, value: unknown) => (typeof value === 'string' && value === wrong && isPlain(value) ? '…' : value))

/**
 * Check requests against the schemas of their call, in this process. A handler sees nothing of a request but the parsed result: of several
 * requests with the same result, one has to be sent.
 */
function walk(call: Call, good: Parts, attempts: Iterable<Attempt>): Walked {
  const admitted: BadRequest[] = []
  const faults: string[] = []
  const known = new Set([differenceOf(checkRequest(call, good), undefined)])
  let tried = 0
  for (const { why, sent, wrong } of attempts) {
    tried++
    try {
      const difference = differenceOf(checkRequest(call, { ...sent, body: overTheWire(sent.body) }), wrong)
      if (known.has(difference)) continue
      known.add(difference)
      admitted.push({ why, ...requestOf(call, sent) })
    } catch (error) {
      const answer = answerOf(error, 'en')
      if (answer === null || answer.status >= 500 || !Number.isInteger(answer.body.code)) faults.push(`${why} → ${String(error)}`)
    }
  }
  return { tried, admitted, faults }
}

/** Return a request of these parts, with its body as JSON. */
function requestOf(call: Call, parts: Parts): Omit<BadRequest, 'why'> {
  const address = addressFor(call, parts)
  if (call.body === undefined || call.method === 'GET') return { address }
  return { address, body: JSON.stringify(parts.body) ?? '', headers: JSON_TYPE }
}

const partsOf = (call: Call, given: Given): Parts => requestFor(call, given) as Parts

/** Try every field of the body with every wrong value. @throws the refusal of the call's own sample, on which nothing could be tried */
export function walkBody(call: Call, given: Given): Walked {
  const good = partsOf(call, given)
  return walk(call, good, bodiesOf(call, good))
}

/** Try every parameter of path and query with every wrong text. @throws as `walkBody` */
export function walkAddress(call: Call, given: Given): Walked {
  const good = partsOf(call, given)
  return walk(call, good, addressesOf(call, good))
}

/** Return the kind of a route: the properties that are evaluated before the schemas of a call are. */
export function kindOfRoute(call: Call): string {
  const { method, permission, consumes = 'json', streams = false, produces = 'envelope', bodyLimit } = call
  const who = permission === 'public' || permission === 'basic' || permission === 'device' ? permission : 'bearer'
  const parts = (['params', 'query', 'body'] as const).filter((part) => call[part] !== undefined)
  return [method, who, consumes, streams ? 'streams' : 'at once', produces, bodyLimit ?? 'usual', ...parts].join(' ')
}

/** Yield bodies that are not JSON, are too large, or have another content type than they declare. */
export function* badBodyForms(call: Call, given: Given): Generator<BadRequest> {
  const good = partsOf(call, given)
  const address = addressFor(call, good)
  const whole = (good.body ?? {}) as Record<string, unknown>
  const text = JSON.stringify(whole)
  const form = (why: string, body: string, headers: Record<string, string> = JSON_TYPE): BadRequest => ({ why, address, body, headers })
  const texts = {
    cut: text.slice(0, -1),
    nothing: '',
    blank: ' ',
    nul: '\0',
    'not JSON': 'name=x',
    'deep JSON': deepArray(100_000),
    'two bodies': text + text,
  }
  for (const [why, body] of Object.entries(texts)) yield form(why, body)
  const types = [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'x',
    '',
  ]
  for (const type of types) yield form(`as ${type}`, text, { 'content-type': type })
  yield form('three megabytes', JSON.stringify({ ...whole, name: 'x'.repeat(3 * MEBIBYTE) }))
  yield form('a thousand fields', JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`, index]))))
  yield form('a polluting field', `{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}},${text.slice(1)}`)
  yield form('compressed, it says', text, { ...JSON_TYPE, 'content-encoding': 'gzip' })
}

/** Yield addresses that parsers interpret differently. */
export function* badAddressForms(call: Call, given: Given): Generator<BadRequest> {
  const good = partsOf(call, given)
  const rest = requestOf(call, good)
  for (const field of fieldsOf(call.params)) {
    const marked = addressFor(call, { ...good, params: { ...good.params, [field]: 'MARK' } })
    for (const text of [...WRONG_ENCODINGS, '', 'a/b', 'x'.repeat(3000)])
      yield { ...rest, why: `path ${field} ${text.slice(0, 20)}`, address: marked.replace('MARK', text) }
  }
  const [path, search = ''] = rest.address.split('?') as [string, string?]
  for (const field of [...fieldsOf(call.query), 'st', 'unknown']) {
    const others = new URLSearchParams(search)
    others.delete(field)
    const address = (more: string): string => `${path}?${others}&${more}`
    for (const text of WRONG_ENCODINGS) yield { ...rest, why: `${field}=${text}`, address: address(`${field}=${text}`) }
    yield { ...rest, why: `${field} as an object`, address: address(`${field}[x]=1&${field}.y=2`) }
    // As often as fits into the request line and headers.
    const often = Math.floor(12_000 / (field.length + 3))
    yield { ...rest, why: `${field} over and over`, address: address(Array.from({ length: often }, () => `${field}=x`).join('&')) }
  }
}

/** Yield invalid credentials and languages. */
export function* badHeaders(call: Call, given: Given): Generator<BadRequest> {
  const { address } = requestOf(call, partsOf(call, given))
  const credentials = [
    '',
    'Bearer',
    'Bearer ',
    'Bearer a b',
    `Bearer ${'x'.repeat(8000)}`,
    'Basic',
    'Basic %%%',
    'Basic Og==',
    `Basic ${Buffer.from('a:\0').toString('base64')}`,
    'Digest x',
    'bearer null',
  ]
  for (const authorization of credentials) yield { why: `authorization ${authorization.slice(0, 30)}`, address, headers: { authorization } }
  for (const language of ['', '*', ';;;', 'zh-'.repeat(500), 'xx-YY;q=nonsense'])
    yield { why: `language ${language.slice(0, 20)}`, address, headers: { 'accept-language': language } }
}

/** Yield files that are no photos, and forms that are no uploads. @param face a photo to corrupt */
export function* badUploads(call: Call, given: Given, face: Buffer): Generator<BadRequest> {
  const { params } = requestFor(call, given)
  const address = addressOf(call, params as Record<string, string>)
  const form = (...parts: [name: string, content: Uint8Array | string][]): FormData => {
    const data = new FormData()
    for (const [name, content] of parts)
      data.append(
        name,
        typeof content === 'string' ? content : new Blob([new Uint8Array(content)]),
        ...((typeof content === 'string' ? [] : ['picture.jpg']) as []),
      )
    return data
  }
  const files: Record<string, Uint8Array> = {
    empty: new Uint8Array(),
    'one byte': new Uint8Array([0xff]),
    'cut in half': face.subarray(0, face.length / 2),
    'header only': face.subarray(0, 20),
    scrambled: Buffer.from(face).map((byte, index) => (index % 7 === 3 ? byte ^ 0x5a : byte)),
    text: Buffer.from('no picture at all'),
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="60000" height="60000"><image href="file:///etc/passwd"/></svg>'),
    '144 megapixels': flatPng(12_000, 12_000),
    'a line of pixels': flatPng(40_000, 1),
    'four gigapixels, it says': Buffer.concat([
      flatPng(8, 8).subarray(0, 16),
      Buffer.from([0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff]),
      flatPng(8, 8).subarray(24),
    ]),
    'thirteen megabytes': Buffer.alloc(13 * MEBIBYTE, face),
  }
  for (const [why, file] of Object.entries(files)) yield { why, address, body: form(['file', file]) }
  yield { why: 'no part', address, body: form() }
  yield { why: 'another part', address, body: form(['picture', face]) }
  yield { why: 'a text of the name file', address, body: form(['file', 'x']) }
  yield { why: 'two files', address, body: form(['file', face], ['file', face]) }
  yield {
    why: 'fifty fields',
    address,
    body: form(...Array.from({ length: 50 }, (_, index): [string, string] => [`field${index}`, 'x']), ['file', face]),
  }
  yield { why: 'a huge field', address, body: form(['faceIndex', 'x'.repeat(MEBIBYTE)], ['file', face]) }
  for (const index of ['-1', '1e9', 'NaN', '\0', '99'])
    yield { why: `face ${index}`, address, body: form(['faceIndex', index], ['file', face]) }
  for (const body of ['', '--x', '--x\r\n\r\n', '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc', '--x--'])
    yield {
      why: `multipart ${JSON.stringify(body).slice(0, 20)}`,
      address,
      body,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    }
  yield { why: 'a raw picture', address, body: new Uint8Array(face), headers: { 'content-type': 'image/jpeg' } }
  yield { why: 'JSON instead', address, body: '{"url":"file:///etc/passwd"}', headers: JSON_TYPE }
}
