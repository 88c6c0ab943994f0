import { createServer as createHttpServer } from 'node:http'
import { createServer, connect, type AddressInfo, type Server } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { openLine, type LineQuality } from './line.ts'

const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** A server with a broker that answers what it hears, at the end of a line. */
async function endOfLine(quality: LineQuality = {}) {
  const broker = createServer((socket) => socket.on('error', () => {}).pipe(socket))
  const http = createHttpServer((asked, reply) => {
    const data =
      asked.url === deviceProtocolCalls.pair.url
        ? { broker: { url: null, port: portOf(broker) } }
        : { path: asked.url, who: asked.headers.authorization }
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ code: 0, data }))
  })
  for (const server of [broker, http]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  const line = await openLine(`http://127.0.0.1:${portOf(http)}`, quality)
  onTestFinished(async () => {
    await line.stop()
    http.closeAllConnections()
    http.close()
    broker.close()
  })
  const ask = async (path: string, init: RequestInit = {}) =>
    (await (await fetch(line.url + path, init)).json()) as { data: Record<string, unknown> }
  return { line, ask }
}

/** What the broker answers through the line. */
async function echoed(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  try {
    socket.write(text)
    const gone = once(socket, 'close').then(() => Promise.reject(new Error('the line is gone')))
    const [answer] = (await Promise.race([once(socket, 'data'), gone])) as [Buffer]
    return answer.toString()
  } finally {
    socket.removeAllListeners().destroy()
  }
}

const pair = async (ask: Awaited<ReturnType<typeof endOfLine>>['ask']): Promise<string> =>
  ((await ask(deviceProtocolCalls.pair.url, { method: 'POST', body: '{}' })).data['broker'] as { url: string }).url

test('a line passes calls on as they are, and leads to the broker the server names', async () => {
  const { ask } = await endOfLine({ latency: 2, bytesPerSecond: 1_000_000 })
  expect((await ask('/x?y=1', { headers: { authorization: 'Basic abc' } })).data).toEqual({ path: '/x?y=1', who: 'Basic abc' })
  expect(await echoed(await pair(ask), 'hello')).toBe('hello')
})

test('a line that is down takes nobody, and everybody again when it is up', async () => {
  const { line, ask } = await endOfLine()
  const broker = await pair(ask)
  const open = connect(Number(new URL(broker).port), '127.0.0.1')
  await once(open, 'connect')
  const closed = once(open, 'close')
  line.down()
  await closed
  await expect(ask('/x')).rejects.toThrow('fetch failed')
  line.up()
  expect((await ask('/x')).data).toMatchObject({ path: '/x' })
  expect(await echoed(broker, 'again')).toBe('again')
})

test('a line that breaks ends what is under way', async () => {
  let breaks = false
  const { ask } = await endOfLine({ breaks: () => breaks })
  const broker = await pair(ask)
  breaks = true
  await expect(ask('/x')).rejects.toThrow('fetch failed')
  await expect(echoed(broker, 'lost')).rejects.toThrow('the line is gone')
})
