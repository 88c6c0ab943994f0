/**
 * The line between one simulated device and the server: it can be slow, break now and then, and be down. The device
 * speaks to an address of its own on the loopback; what it says is passed on as it is, but for where the broker is.
 */
import {
  Agent as HttpAgent,
  createServer as createHttpServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { once } from 'node:events'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { json } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol'

export interface LineQuality {
  /** Milliseconds each piece is under way, in each direction. */
  latency?: number
  /** Bytes of a second in each direction; unlimited unless told. */
  bytesPerSecond?: number
  /** Whether the line breaks with this piece; asked for each. */
  breaks?: () => boolean
}

export interface Line {
  /** Where the device finds the server. */
  readonly url: string
  /** Breaks all connections and takes no new ones until it is up again. */
  down(): void
  up(): void
  /** Breaks all connections once. */
  cut(): void
  stop(): Promise<void>
}

const LOOPBACK = '127.0.0.1'
const HOP_BY_HOP = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding'])

/** @param server address of the server; http or https */
export async function openLine(server: string, quality: LineQuality = {}): Promise<Line> {
  const { latency = 0, bytesPerSecond = Infinity, breaks = () => false } = quality
  const target = new URL(server)
  // Connections onward are this line's own: those of another one must not break with it.
  const [ask, agent] =
    target.protocol === 'https:' ? [httpsRequest, new HttpsAgent({ keepAlive: true })] : [httpRequest, new HttpAgent({ keepAlive: true })]
  const sockets = new Set<Socket>()
  let isUp = true
  let broker: URL | null = null

  const isPerfect = Object.keys(quality).length === 0

  /** Holds pieces back as the line is; a piece with which it breaks is the last. */
  const slow = (): Transform[] => {
    if (isPerfect) return []
    const transform = new Transform({
      async transform(piece: Buffer, _encoding, done) {
        if (breaks()) return done(new Error('the line broke'))
        const wait = latency + (1000 * piece.length) / bytesPerSecond
        if (wait >= 1) await delay(wait)
        done(null, piece)
      },
    })
    return [transform]
  }

  function keep(socket: Socket): void {
    if (!isUp) return void socket.destroy()
    if (sockets.has(socket)) return
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  }

  /** Tells the device to find the broker at the end of this line too. */
  async function redirected(answer: IncomingMessage): Promise<string> {
    const content = (await json(answer)) as { data?: { broker?: { url: string | null; port: number } } }
    const told = content.data?.broker
    if (told !== undefined) {
      broker = new URL(told.url ?? `mqtt://${target.hostname}:${told.port}`)
      told.url = `mqtt://${LOOPBACK}:${(mqtt.address() as AddressInfo).port}`
    }
    return JSON.stringify(content)
  }

  async function passOn(asked: IncomingMessage, reply: ServerResponse): Promise<void> {
    const isPairing = asked.url === deviceProtocolCalls.pair.url
    const headers = Object.fromEntries(
      Object.entries(asked.headers).filter(([name]) => !HOP_BY_HOP.has(name) && !(isPairing && name === 'accept-encoding')),
    )
    const onward = ask(new URL(asked.url ?? '/', target), { method: asked.method, headers, agent })
    onward.once('socket', keep)
    onward.on('error', () => reply.destroy())
    const answered = once(onward, 'response') as Promise<[IncomingMessage]>
    await Promise.all([pipeline([asked, ...slow(), onward]), answered])
    const [answer] = await answered
    const kept = Object.fromEntries(
      Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.has(name) && !(isPairing && name === 'content-length')),
    )
    reply.writeHead(answer.statusCode ?? 502, kept)
    if (isPairing) reply.end(await redirected(answer))
    else await pipeline([answer, ...slow(), reply])
  }

  const http = createHttpServer((asked, reply) => void passOn(asked, reply).catch(() => reply.destroy()))
  const mqtt = createServer((near) => {
    keep(near)
    if (!isUp || broker === null) return void near.destroy()
    const { hostname, port, protocol } = broker
    const far =
      protocol === 'mqtts:'
        ? connectSecurely({ host: hostname, port: Number(port || 8883) })
        : connect({ host: hostname, port: Number(port || 1883) })
    keep(far)
    const over = (): void => {
      near.destroy()
      far.destroy()
    }
    pipeline([near, ...slow(), far]).then(over, over)
    pipeline([far, ...slow(), near]).then(over, over)
  })
  http.on('connection', keep)
  for (const listener of [http, mqtt]) {
    listener.listen(0, LOOPBACK)
    await once(listener, 'listening')
  }

  const cut = (): void => sockets.forEach((socket) => socket.destroy())
  return {
    url: `http://${LOOPBACK}:${(http.address() as AddressInfo).port}`,
    cut,
    down() {
      isUp = false
      cut()
    },
    up: () => void (isUp = true),
    async stop() {
      isUp = false
      cut()
      agent.destroy()
      await Promise.all([http, mqtt].map((listener) => new Promise((resolve) => listener.close(resolve))))
    },
  }
}
