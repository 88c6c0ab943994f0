/**
 * The line between one simulated device and the server: it can be slow, break now and then, and be down. The device uses an address of its
 * own on the loopback interface. Its traffic passes unchanged, except for the address of the broker.
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
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'

export interface LineQuality {
  /** Milliseconds by which each piece is delayed, in each direction. */
  latency?: number
  /** Bytes per second in each direction; unlimited by default. */
  bytesPerSecond?: number
  /** Return whether the line breaks with this piece; called for each piece. */
  breaks?: () => boolean
}

export interface Line {
  /** Address at which the device finds the server. */
  readonly url: string
  /** Break all connections and accept no new ones until the line is up again. */
  down(): void
  up(): void
  /** Break all connections once. */
  cut(): void
  stop(): Promise<void>
}

const LOOPBACK = '127.0.0.1'
const HOP_BY_HOP = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding'])

/** Open a line. @param server address of the server; http or https */
export async function openLine(server: string, quality: LineQuality = {}): Promise<Line> {
  const { latency = 0, bytesPerSecond = Infinity, breaks = () => false } = quality
  const target = new URL(server)
  // Connections to the server belong to this line alone, so that they do not break with another line.
  const [ask, agent] =
    target.protocol === 'https:' ? [httpsRequest, new HttpsAgent({ keepAlive: true })] : [httpRequest, new HttpAgent({ keepAlive: true })]
  const sockets = new Set<Socket>()
  let isUp = true
  let broker: URL | null = null

  const isPerfect = Object.keys(quality).length === 0

  /** Return the transforms that delay pieces. A piece with which the line breaks is not passed on. */
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

  /** Return the answer to a pairing with the address of the broker replaced by one of this line. */
  async function redirected(answer: IncomingMessage): Promise<string> {
    const content = (await json(answer)) as { data?: { broker?: { url: string | null; port: number } } }
    const redirect = content.data?.broker
    if (redirect !== undefined) {
      broker = new URL(redirect.url ?? `mqtt://${target.hostname}:${redirect.port}`)
      redirect.url = `mqtt://${LOOPBACK}:${(mqtt.address() as AddressInfo).port}`
    }
    return JSON.stringify(content)
  }

  async function passOn(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
    const isPairing = incoming.url === deviceProtocolCalls.pair.url
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).filter(([name]) => !HOP_BY_HOP.has(name) && !(isPairing && name === 'accept-encoding')),
    )
    const onward = ask(new URL(incoming.url ?? '/', target), { method: incoming.method, headers, agent })
    onward.once('socket', keep)
    onward.on('error', () => reply.destroy())
    const answered = once(onward, 'response') as Promise<[IncomingMessage]>
    await Promise.all([pipeline([incoming, ...slow(), onward]), answered])
    const [answer] = await answered
    const kept = Object.fromEntries(
      Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.has(name) && !(isPairing && name === 'content-length')),
    )
    reply.writeHead(answer.statusCode ?? 502, kept)
    if (isPairing) reply.end(await redirected(answer))
    else await pipeline([answer, ...slow(), reply])
  }

  const http = createHttpServer((incoming, reply) => void passOn(incoming, reply).catch(() => reply.destroy()))
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
