/** STOMP over real sockets; only the sessions are simulated. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect as connectTcp, type AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { REALTIME_ENDPOINT } from '@gatehouse/contract/realtime'
import { seesWatchList, type Scope, type Session } from '../platform/session/session.ts'
import { testSession } from '../platform/session/testing/session.ts'
import { until } from '../../../../tests/support/until.ts'
import { FRAME_LIMIT, frameOf, type LiveFrame } from './frame.ts'
import { serveStomp } from './stomp.ts'
import type { Stomp } from './stomp-types.ts'

const RECORDS = '/topic/100/access/record'
const session = testSession({ permissions: new Set(['access.record']) })
/** The scope of a listener without sight of the watch list. */
const limited: Session = { ...session, scope: { parkId: 'park', sees: { watchList: false } } }

let stomp: Stomp
/** Sends all listeners the same. */
const send = (frame: LiveFrame): boolean => stomp.send(RECORDS, () => frame)
let port: number
let close: () => Promise<void>
beforeEach(async () => {
  const server = createServer()
  stomp = serveStomp(server, {
    session: async (token) => (token === 'good' ? session : token === 'limited' ? limited : 'unknown'),
    again: async () => session,
    onChange: () => {},
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  ;({ port } = server.address() as AddressInfo)
  close = async () => {
    await stomp.stop()
    server.close()
  }
})
afterEach(() => close())

interface Reader {
  socket: WebSocket
  heard: string[]
  say(text: string): void
  /** Frames of this subscription: rows shown, and how many more. */
  payloads(): { rows: { id: number }[]; more?: number }[]
  heardSome(start: string): Promise<string>
  closed(): Promise<boolean>
}

async function open(): Promise<Reader> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${REALTIME_ENDPOINT}`, 'v12.stomp')
  const heard: string[] = []
  socket.on('message', (data: Buffer) => heard.push(data.toString()))
  socket.on('error', () => {})
  await once(socket, 'open')
  return {
    socket,
    heard,
    say: (text) => socket.send(text),
    payloads: () =>
      heard
        .filter((text) => text.startsWith('MESSAGE'))
        .map((text) => JSON.parse(text.slice(text.indexOf('\n\n') + 2, -1)) as { rows: { id: number }[] }),
    heardSome: (start) => until(`a frame ${start}`, () => heard.find((text) => text.startsWith(start))),
    closed: () => until('the end of the connection', () => socket.readyState === WebSocket.CLOSED),
  }
}

const SUBSCRIBE = `SUBSCRIBE\nid:s\ndestination:${RECORDS}\nreceipt:r\n\n\0`

async function subscribed(token = 'good'): Promise<Reader> {
  const reader = await open()
  reader.say(`CONNECT\nAuthorization:Bearer ${token}\n\n\0`)
  await reader.heardSome('CONNECTED')
  reader.say(SUBSCRIBE)
  await reader.heardSome('RECEIPT')
  return reader
}

const seen = (reader: Reader): number => reader.payloads().reduce((sum, { rows, more = 0 }) => sum + rows.length + more, 0)

test('for whom the watch list does not exist is sent the rows without it, and nothing where none is left', async () => {
  const all = await subscribed()
  expect(stomp.listeners(RECORDS).map(seesWatchList)).toEqual([true])
  const some = await subscribed('limited')
  expect(stomp.listeners(RECORDS).map(seesWatchList)).toEqual([true, false])
  const byWatchList = (whole: LiveFrame, others: LiveFrame) => (listener: Scope) => (seesWatchList(listener) ? whole : others)
  stomp.send(RECORDS, byWatchList(frameOf([{ id: 1 }]), frameOf([])))
  stomp.send(RECORDS, byWatchList(frameOf([{ id: 2 }, { id: 3 }]), frameOf([{ id: 3 }])))
  send(frameOf([{ id: 4 }]))
  const ids = (reader: Reader) => reader.payloads().flatMap(({ rows }) => rows.map(({ id }) => id))
  await until('the last row', () => [all, some].every((reader) => ids(reader).includes(4)))
  expect([ids(all), ids(some)]).toEqual([
    [1, 2, 3, 4],
    [3, 4],
  ])
  // Numbered without a gap: nothing reveals a frame for others.
  const numbers = (reader: Reader) => reader.heard.flatMap((text) => /^message-id:(.+)$/m.exec(text)?.[1] ?? [])
  expect([numbers(all), numbers(some)]).toEqual([
    ['1-1', '1-2', '1-3'],
    ['1-1', '1-2'],
  ])
})

test('messages of one connection have numbers of their own, those of a subscription that took the place of another too', async () => {
  const reader = await subscribed()
  reader.say(SUBSCRIBE.replace('id:s', 'id:t'))
  await until('both', () => reader.heard.filter((text) => text.startsWith('RECEIPT')).length === 2)
  send(frameOf([{ id: 1 }]))
  reader.say(SUBSCRIBE)
  await until('it again', () => reader.heard.filter((text) => text.startsWith('RECEIPT')).length === 3)
  send(frameOf([{ id: 2 }]))
  await until('all', () => reader.payloads().length === 4)
  expect(new Set(reader.heard.flatMap((text) => /^message-id:(.+)$/m.exec(text)?.[1] ?? []))).toHaveLength(4)
})

describe('a client that does not read', () => {
  /** Twenty rows that fill a frame. */
  const full = () => frameOf(Array.from({ length: 20 }, (_, id) => ({ id, text: 'x'.repeat(700) })))

  /** Send frames until the client is owed a count, then 4,000 more; return the total number of rows. */
  function flood(): number {
    let sent = 0
    const sendMore = () => {
      sent += 20
      return send(full())
    }
    // The system's own buffers take some megabytes; more than 64 MB would mean that there is no limit.
    while (!sendMore()) if (sent > 20 * 4_000) throw new Error('everything was taken, although nobody reads')
    for (let more = 0; more < 4_000; more++) sendMore()
    return sent
  }

  test('is sent no more than its share of memory, and told the count of the rest when it reads again', async () => {
    const reader = await subscribed()
    reader.socket.pause()
    const sent = flood()
    const before = process.memoryUsage()
    for (let more = 0; more < 4_000; more++) send(full())
    const after = process.memoryUsage()
    // If they were kept for the client, these would need another 60 MB.
    expect(after.arrayBuffers + after.external - before.arrayBuffers - before.external).toBeLessThan(20e6)
    reader.socket.resume()
    await until('all to be seen or counted', () => {
      send(frameOf([]))
      return seen(reader) === sent + 4_000 * 20
    })
    const payloads = reader.payloads()
    expect(payloads.length * 20).toBeLessThan(sent)
    expect(payloads.at(-1)).toMatchObject({ rows: [] })
    expect(payloads.at(-1)!.more).toBeGreaterThanOrEqual(4_000 * 20)
    expect(send(frameOf([]))).toBe(false)
  })

  test('takes nothing from those who read', async () => {
    const slow = await subscribed()
    slow.socket.pause()
    flood()
    const quick = await subscribed()
    for (let frames = 1; frames <= 5; frames++) {
      expect(send(full())).toBe(true)
      await until('the quick one to have read', () => seen(quick) === frames * 20)
    }
    expect(quick.payloads().every(({ rows, more }) => rows.length === 20 && more === undefined)).toBe(true)
  })

  test('and asks on and on is cut off', async () => {
    const reader = await subscribed()
    reader.socket.pause()
    expect(stomp.hasListeners(RECORDS)).toBe(true)
    const question = `SUBSCRIBE\nid:s\ndestination:${RECORDS}\nreceipt:${'r'.repeat(15_000)}\n\n\0`
    await until('the server to let go', () => {
      for (let times = 0; times < 20; times++) reader.socket.send(question)
      return !stomp.hasListeners(RECORDS)
    })
  })
})

test('an empty frame is sent to nobody who is owed nothing', async () => {
  const reader = await subscribed()
  send(frameOf([]))
  send(frameOf([{ id: 1 }]))
  await until('the frame with a row', () => reader.payloads().length > 0)
  expect(reader.payloads()).toEqual([{ rows: [{ id: 1 }] }])
})

test('a whole frame, head and all, keeps to 16,384 bytes', async () => {
  const reader = await subscribed()
  send(
    frameOf(
      Array.from({ length: 2_000 }, (_, id) => ({ id, text: 'é' })),
      1_000_000,
    ),
  )
  const text = await reader.heardSome('MESSAGE')
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(FRAME_LIMIT)
  expect(Buffer.byteLength(text)).toBeGreaterThan(FRAME_LIMIT - 600)
})

test('the same subscription asked for twice is one, and gone with its client', async () => {
  const reader = await subscribed()
  reader.say(SUBSCRIBE.replace('receipt:r', 'receipt:again'))
  await until('the second receipt', () => reader.heard.filter((text) => text.startsWith('RECEIPT')).length === 2)
  send(frameOf([{ id: 1 }]))
  await until('the row', () => seen(reader) > 0)
  expect(seen(reader)).toBe(1)
  reader.socket.terminate()
  await until('nobody to listen', () => !stomp.hasListeners(RECORDS))
})

test('leaving a destination ends its frames', async () => {
  const reader = await subscribed()
  expect(stomp.hasListeners(RECORDS)).toBe(true)
  reader.say('UNSUBSCRIBE\nid:s\n\n\0')
  await until('nobody to listen', () => !stomp.hasListeners(RECORDS))
})

describe('refuses', () => {
  test.for([
    ['a token nobody has', 'CONNECT\nAuthorization:Bearer bad\n\n\0', '100412'],
    ['a subscription without a session', SUBSCRIBE, '100412'],
  ])('%s', async ([, frame, message]) => {
    const reader = await open()
    reader.say(frame!)
    expect(await reader.heardSome('ERROR')).toContain(message)
    await reader.closed()
  })

  test.for([
    ['another area', SUBSCRIBE.replace('/100/', '/200/'), '100510'],
    ['a topic the session has no right to', SUBSCRIBE.replace('access/record', 'device/status'), '100510'],
    ['a second CONNECT', 'CONNECT\nAuthorization:Bearer good\n\n\0', 'connected already'],
    ['a subscription with an endless name', SUBSCRIBE.replace('id:s', `id:${'s'.repeat(1_000)}`), 'unsupported'],
    ['what it does not know', 'SEND\ndestination:/x\n\nhello\0', 'unsupported'],
  ])('%s', async ([, frame, message]) => {
    const reader = await subscribed()
    reader.say(frame!)
    expect(await reader.heardSome('ERROR')).toContain(message)
    await reader.closed()
  })

  test('more subscriptions than any screen needs', async () => {
    const reader = await subscribed()
    for (let number = 0; number < 100; number++) reader.say(SUBSCRIBE.replace('id:s', `id:s${number}`))
    expect(await reader.heardSome('ERROR')).toContain('unsupported')
    await reader.closed()
  })

  test('a frame that never ends, before anybody has logged in', async () => {
    const reader = await open()
    for (let pieces = 0; pieces < 4; pieces++) reader.say(`CONNECT\nx:${'x'.repeat(10_000)}`)
    expect(await reader.heardSome('ERROR')).toContain('too large')
    await reader.closed()
  })

  test('an address that is none, and goes on', async () => {
    for (const address of ['//', '/elsewhere', 'http://[', '*']) {
      const socket = connectTcp(port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(
        `GET ${address} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
      )
      await once(socket, 'close')
    }
    const reader = await subscribed()
    expect(reader.socket.readyState).toBe(WebSocket.OPEN)
  })
})
