import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { PALM_IMAGE_MAX } from '@gatehouse/contract/limits'
import { CommandRefused } from '../device/commands.ts'
import { ServerRefused } from '../device/server.ts'
import { createHttpServer } from '../http/server.ts'
import { createCollector } from './collector.ts'
import { createLoopback, type Loopback } from './loopback.ts'
import type { CollectorReaders } from './readers.ts'

let server: FastifyInstance
let loopback: Loopback
let sentences: string[]
/** Pictures that reached the server, and the number it refuses first. */
let sent: string[]
/** Templates that came with them. */
let templates: unknown[]
let refusals: number
beforeEach(() => {
  server = createHttpServer({ log: () => {}, allowFrames: false, allowConsole: false, allowHosts: [], framesKey: null })
  loopback = createLoopback()
  loopback.serve(server)
  sentences = []
  sent = []
  templates = []
  refusals = 0
})
afterEach(() => server.close())

function collector(readers: Partial<CollectorReaders> = {}) {
  return createCollector({
    readers: { card: loopback.card, palm: loopback.palm, port: null, ...readers },
    client: () => ({
      async request(_call: unknown, request: unknown) {
        const { params, body } = request as { params: { id: string }; body: { template?: string } }
        sent.push(params.id)
        templates.push(body.template)
        if (refusals-- > 0) throw new ServerRefused(200, 200205, 'no picture')
        return { id: '' } as never
      },
    }),
    log: (sentence) => void sentences.push(sentence),
  })
}

const post = (what: string, payload: string | Buffer, headers: Record<string, string> = {}) =>
  server.inject({
    method: 'POST',
    url: `/collector/${what}`,
    headers: { host: 'localhost', 'content-type': 'text/plain', ...headers },
    payload,
  })
const asked = { requestId: 'r-1', timeoutMs: 30_000 } as const

test('a number typed by a wedge or sent as JSON answers whoever waits for a card', async () => {
  const { collect } = collector()
  const first = collect({ ...asked, kind: 'card' })
  expect((await post('card', '0012345678\r\n')).json()).toEqual({ taken: true })
  expect(await first).toEqual({ cardNumber: '0012345678' })
  const second = collect({ ...asked, kind: 'card' })
  await post('card', '{"number":"04A1B2C3"}', { 'content-type': 'application/json' })
  expect(await second).toEqual({ cardNumber: '04A1B2C3' })
})

test('what nobody asked for, is no number, or comes from elsewhere is refused', async () => {
  expect((await post('card', '123')).statusCode).toBe(409)
  expect((await post('palm', 'x')).statusCode).toBe(409)
  for (const body of ['', 'a b', '{"number":5}', '{', 'x'.repeat(65)]) expect((await post('card', body)).statusCode, body).toBe(400)
  expect((await post('card', '123', { host: 'gate.example.org' })).statusCode).toBe(403)
  expect((await post('card', '123', { origin: 'http://evil.example' })).statusCode).toBe(403)
})

test('a wait ends with its time, or when another begins, with nothing shown', async () => {
  const { collect } = collector()
  expect(await collect({ ...asked, timeoutMs: 20, kind: 'card' })).toEqual({})
  const before = collect({ ...asked, kind: 'card' })
  const after = collect({ ...asked, kind: 'card' })
  expect(await before).toEqual({})
  await post('card', '7')
  expect(await after).toEqual({ cardNumber: '7' })
})

test('a palm is sent under its request before it is answered, and shown again where the server takes no such picture', async () => {
  refusals = 1
  const { collect } = collector()
  const enrolled = collect({ ...asked, kind: 'palm' })
  expect((await post('palm', Buffer.from('first'))).json()).toEqual({ taken: true })
  while ((await post('palm', Buffer.from('second'))).statusCode === 409);
  expect(await enrolled).toEqual({})
  expect(sent).toEqual(['r-1', 'r-1'])
  expect(sentences).toEqual(['The server does not take the picture of the palm (no picture).'])
})

test('a palm as JSON has the template its reader made; without one of both, or larger than taken, it is refused', async () => {
  const { collect } = collector()
  const enrolled = collect({ ...asked, kind: 'palm' })
  for (const body of ['{', '{"picture":"AAAA"}', '{"template":"AAAA"}', '{"picture":"%","template":"AAAA"}'])
    expect((await post('palm', body)).statusCode, body).toBe(400)
  expect((await post('palm', Buffer.alloc(PALM_IMAGE_MAX + 1))).statusCode).toBe(413)
  expect((await post('palm', '{"picture":"AAAA","template":"cGFsbQ=="}')).json()).toEqual({ taken: true })
  expect(await enrolled).toEqual({})
  expect(templates).toEqual(['cGFsbQ=='])
})

test('what there is no reader for is refused in words', async () => {
  const { collect, transmit } = collector({ card: null, palm: null })
  for (const asking of [collect({ ...asked, kind: 'card' }), collect({ ...asked, kind: 'palm' }), transmit({ apdus: ['FFCA000000'] })])
    await expect(asking).rejects.toThrow(CommandRefused)
  expect(sentences).toEqual([
    'A card was asked for, and this terminal has no card reader.',
    'A palm was asked for, and this terminal has no palm reader.',
    'A card was to be written, and this terminal has no card writer.',
  ])
})

test('commands go to the card in order, and its answers come back', async () => {
  const { transmit } = collector({ port: { transmit: async (apdus) => apdus.map((one) => `${one}9000`) } })
  expect(await transmit({ apdus: ['00A4', '0084'] })).toEqual({ responses: ['00A49000', '00849000'] })
})
