/** Whatever is sent to a call: never a fault of ours (5xx), and never memory that grows with it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf, type Call } from '@gatehouse/contract'
import { calls as contract } from '@gatehouse/contract/calls'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { drawnFace, furnish, namesSomething, type Furnished } from '../support/furnished.ts'
import { flatPng } from '../support/pictures.ts'
import { fieldsOf, requestFor, type Given } from '../support/requests.ts'
import { asksMore, fieldsOf as fieldsOfCall, givenFor, rungOf } from '../support/rungs/all.ts'

const ALL: Call[] = Object.values(contract).flatMap((context) => Object.values(context) as Call[])
const nameOf = (call: Call) => `${call.method} ${call.url}`
const named = (calls: readonly Call[]) => calls.map((call): [string, Call] => [nameOf(call), call])
const MEBIBYTE = 1_048_576

/** A request as it goes over the wire; what makes it bad stands in `why`. */
interface BadRequest {
  why: string
  /** Path and query. */
  address: string
  headers?: Record<string, string>
  body?: string | Uint8Array | FormData
}

let world: World
let shared: Furnished
beforeAll(async () => {
  world = await startWorld()
  shared = await furnish(world, world, { face: false })
})
afterAll(() => world?.stop())

/** Headers that get a request as far as its body. Each call has a session of its own: one that is ended ends no other. */
async function credentialsOf(call: Call, things: Furnished): Promise<Record<string, string>> {
  const basic = (id: string, secret: string) => ({ authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` })
  if (call.permission === 'device') return basic(things.device.code, things.device.secret)
  if (call.permission === 'basic') return basic('console', '')
  const { credentials } = await world.session(
    asksMore(call) ? { roleSign: 'admin', organisationId: world.server.contexts.organisation.service.root().id } : {},
  )
  return { authorization: `Bearer ${credentials !== null && 'bearer' in credentials ? credentials.bearer : ''}` }
}

const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const JSON_TYPE = { 'content-type': 'application/json' }

/** Values no field expects. */
const WRONG: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '💥',
  '-1',
  'NaN',
  "'; --",
  '%',
  '_',
  '../..',
  'x'.repeat(100_000),
  [],
  {},
  [null],
  [[]],
  ['\0'],
  [{}],
  { id: {} },
  { $ne: null },
  { __proto__: null, constructor: 1 },
  Array.from({ length: 2000 }, () => 'x'),
  JSON.parse(deep(1000)),
]

function addressFor(call: Call, { params, query }: { params: Record<string, unknown>; query: Record<string, unknown> }): string {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  return addressOf(call, params as Record<string, string>) + (search === '' ? '' : `?${search}`)
}

/** Each field of the body replaced, left out, and the body as a whole. */
function* badBodies(call: Call, given: Given): Generator<BadRequest> {
  const good = requestFor(call, given)
  const address = addressFor(call, good)
  const bad = (why: string, body: string, headers: Record<string, string> = JSON_TYPE): BadRequest => ({ why, address, body, headers })
  if (call.method !== 'GET') {
    const whole = (good.body ?? {}) as Record<string, unknown>
    for (const field of fieldsOf(call.body)) {
      const { [field]: _, ...rest } = whole
      yield bad(`without ${field}`, JSON.stringify(rest))
      for (const value of WRONG) yield bad(`${field}: ${JSON.stringify(value).slice(0, 40)}`, JSON.stringify({ ...whole, [field]: value }))
    }
    for (const value of WRONG) yield bad(`body ${JSON.stringify(value).slice(0, 40)}`, JSON.stringify(value))
    const text = JSON.stringify(whole)
    for (const [why, body] of Object.entries({
      cut: text.slice(0, -1),
      nothing: '',
      blank: ' ',
      nul: '\0',
      'not JSON': 'name=x',
      'deep JSON': deep(100_000),
      'two bodies': text + text,
    }))
      yield bad(why, body)
    for (const type of [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
      'x',
      '',
    ])
      yield bad(`as ${type}`, text, { 'content-type': type })
    yield bad('three megabytes', JSON.stringify({ ...whole, name: 'x'.repeat(3 * MEBIBYTE) }))
    yield bad('a thousand fields', JSON.stringify(Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`, index]))))
    yield bad('a polluting field', `{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}},${text.slice(1)}`)
    yield bad('compressed, it says', text, { ...JSON_TYPE, 'content-encoding': 'gzip' })
  }
}

/** For a parameter no call knows: each is a whole call. */
const FEW_TEXTS = ['', '%00', '%F0%28%8C%28', '%zz', 'x'.repeat(3000)]
const BAD_TEXTS = [
  '',
  '%00',
  'a%00b',
  '%F0%28%8C%28',
  '%ED%A0%80',
  '-1',
  '1e999',
  'NaN',
  'null',
  '[]',
  '..%2F..',
  '%F0%9F%92%A5',
  'x'.repeat(3000),
  "'%20OR%201=1",
  '%25',
  '_',
]

/** Each parameter of the path and each of the query replaced. */
function* badAddresses(call: Call, given: Given): Generator<BadRequest> {
  const good = requestFor(call, given)
  const address = addressFor(call, good)
  const rest = call.body !== undefined && call.method !== 'GET' ? { body: JSON.stringify(good.body), headers: JSON_TYPE } : {}
  for (const field of fieldsOf(call.params)) {
    const marked = addressFor(call, { ...good, params: { ...good.params, [field]: 'MARK' } })
    for (const text of [...BAD_TEXTS, '%', '%zz', 'a/b'])
      yield { why: `path ${field} ${text.slice(0, 20)}`, address: marked.replace('MARK', text), ...rest }
  }
  const [path, search = ''] = address.split('?') as [string, string?]
  const known = fieldsOf(call.query)
  for (const field of [...known, 'st', 'unknown']) {
    const others = new URLSearchParams(search)
    others.delete(field)
    for (const text of known.includes(field) ? [...BAD_TEXTS, '%', '%zz'] : FEW_TEXTS)
      yield { why: `${field}=${text.slice(0, 20)}`, address: `${path}?${others}&${field}=${text}`, ...rest }
    yield { why: `${field} twice`, address: `${path}?${others}&${field}=1&${field}=2`, ...rest }
    yield { why: `${field} as an object`, address: `${path}?${others}&${field}[x]=1&${field}.y=2`, ...rest }
    // As often as fits into the first lines of a request.
    yield {
      why: `${field} over and over`,
      address: `${path}?${others}&${Array.from({ length: Math.floor(12_000 / (field.length + 3)) }, () => `${field}=x`).join('&')}`,
      ...rest,
    }
  }
}

/** Who is asking and in what language, badly. */
function* badHeaders(call: Call): Generator<BadRequest> {
  const address = addressFor(call, requestFor(call))
  for (const authorization of [
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
  ])
    yield { why: `authorization ${authorization.slice(0, 30)}`, address, headers: { authorization } }
  for (const language of ['', '*', ';;;', 'zh-'.repeat(500), 'xx-YY;q=nonsense'])
    yield { why: `language ${language.slice(0, 20)}`, address, headers: { 'accept-language': language } }
}

function* badUploads(call: Call, given: Given, face: Buffer): Generator<BadRequest> {
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

interface Tally {
  /** How many got past the check of who is asking. */
  admitted: number
  /** Those the server took for a fault of its own or did not answer as the contract has it. */
  faults: string[]
}

/** Sends them all, some at a time. */
async function send(call: Call, things: Furnished, requests: Iterable<BadRequest>): Promise<Tally> {
  const credentials = await credentialsOf(call, things)
  const waiting = requests[Symbol.iterator]()
  const faults: string[] = []
  let admitted = 0
  async function work(): Promise<void> {
    for (const { why, address, headers, body } of { [Symbol.iterator]: () => ({ next: () => waiting.next() }) }) {
      try {
        const response = await fetch(world.url + address, {
          method: call.method,
          headers: { ...credentials, ...headers },
          body: body as RequestInit['body'],
        })
        const text = await response.text()
        if (response.status !== 401 && response.status !== 403) admitted++
        if (response.status >= 500) faults.push(`${why} → ${response.status}`)
        else if (call.produces === 'file' && response.headers.get('content-type')?.startsWith('application/json') !== true) continue
        else if (!Number.isInteger((JSON.parse(text) as { code?: unknown }).code)) faults.push(`${why} → an answer without a code`)
      } catch (error) {
        // A body that is too large may be cut off by closing the connection, which is an answer, too.
        const { cause } = error as { cause?: { code?: string } }
        if (!['EPIPE', 'ECONNRESET', 'UND_ERR_SOCKET'].includes(cause?.code ?? ''))
          faults.push(`${why} → ${String(error)} ${String(cause)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  const alive = await createClient(world.url).ask(contract.identity.loginConfig, {})
  if (alive.code !== 0) faults.push('afterwards the server no longer answers')
  return { admitted, faults }
}

/** A call that names things is tried on some of its own: what one deletes, no other one misses. */
async function expectNoFault(call: Call, requestsOf: (given: Given) => Iterable<BadRequest>): Promise<void> {
  const names = fieldsOfCall(call).some(namesSomething) && rungOf(call)?.given === undefined
  const things = names ? await furnish(world, world, { face: false, report: call.url.includes('/report/') }) : shared
  const { admitted, faults } = await send(call, things, requestsOf(await givenFor(call, things, world)))
  expect(faults).toEqual([])
  expect(admitted).toBeGreaterThan(0)
}

describe('a call', () => {
  test.each(named(ALL.filter(({ method }) => method !== 'GET')))('%s takes no bad body for a fault of its own', (_, call) =>
    expectNoFault(call, (given) => badBodies(call, given)),
  )
  test.each(named(ALL))('%s takes no bad address for a fault of its own', (_, call) =>
    expectNoFault(call, (given) => badAddresses(call, given)),
  )
  test.each(named(ALL))('%s takes no bad header for a fault of its own', async (_, call) => {
    const { faults } = await send(call, shared, badHeaders(call))
    expect(faults).toEqual([])
  })
})

describe('memory', () => {
  /** The most this process, server and face engine included, grows beyond `before` while something is done, in MiB. */
  async function peakGrowth(work: () => Promise<unknown>): Promise<number> {
    const before = process.memoryUsage.rss()
    let peak = before
    const look = () => (peak = Math.max(peak, process.memoryUsage.rss()))
    const timer = setInterval(look, 20)
    await work()
    clearInterval(timer)
    look()
    return Math.round((peak - before) / MEBIBYTE)
  }

  test.each(named(ALL.filter(({ consumes }) => consumes === 'multipart')))('%s refuses every bad upload within bounds', async (_, call) => {
    const face = await drawnFace()
    // Once for what is loaded at first use and stays.
    const once = () => expectNoFault(call, (given) => badUploads(call, given, face))
    await once()
    const growth = await peakGrowth(once)
    console.log(`${nameOf(call)}: ${growth} MiB at most`)
    // One picture of 144 megapixels unpacked would be 412.
    expect(growth).toBeLessThan(300)
  })

  test('bodies that are too large do not pile up', async () => {
    const call = contract.people.create
    const huge = JSON.stringify({ name: 'x'.repeat(4 * MEBIBYTE) })
    const requests = Array.from({ length: 100 }, (_, index): BadRequest => ({
      why: `body ${index}`,
      address: call.url,
      body: huge,
      headers: JSON_TYPE,
    }))
    const growth = await peakGrowth(() => expectNoFault(call, () => requests))
    console.log(`100 bodies of 4 MiB: ${growth} MiB at most`)
    expect(growth).toBeLessThan(300)
  })
})
