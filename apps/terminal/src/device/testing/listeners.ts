/** Attackers between a terminal and its server: they record everything they receive. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { connect as connectSecurely, createServer as createTlsServer } from 'node:tls'
import { createGzip, constants } from 'node:zlib'
import { onTestFinished } from 'vitest'
import type { TestCertificate } from './certificates.ts'

export interface Listener {
  port: number
  /** All bytes received, as latin1 text. */
  heard(): string
  /** Connections accepted so far. */
  connections(): number
  stop(): Promise<void>
}

interface ListenerOptions {
  port?: number
  /** Speak TLS with this certificate. */
  tls?: TestCertificate
}

/** Listen until the test is over. @param take handles each connection; its bytes are already being recorded */
async function listen({ port = 0, tls }: ListenerOptions, take: (socket: Socket) => void): Promise<Listener> {
  const pieces: Buffer[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const met = (socket: Socket): void => {
    connections++
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
    socket.on('data', (piece) => void pieces.push(piece as Buffer))
    take(socket)
  }
  const server: Server = tls ? createTlsServer({ key: tls.key, cert: tls.certificate }, met) : createServer(met)
  server.on('tlsClientError', () => {})
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  let stopped: Promise<void> | null = null
  const stop = () =>
    (stopped ??= new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    }))
  onTestFinished(stop)
  return {
    port: (server.address() as AddressInfo).port,
    heard: () => Buffer.concat(pieces).toString('latin1'),
    connections: () => connections,
    stop,
  }
}

/** Answer every HTTP request with the same response. */
export function startRogue(options: ListenerOptions & { status?: number; body?: unknown } = {}): Promise<Listener> {
  const { status = 200, body = { code: 0, message: '', data: {} } } = options
  const text = JSON.stringify(body)
  const answer =
    `HTTP/1.1 ${status} As I like\r\ncontent-type: application/json\r\ncontent-length: ` +
    `${Buffer.byteLength(text)}\r\nwww-authenticate: Basic\r\n\r\n${text}`
  return listen(options, (socket) => socket.on('data', () => socket.write(answer)))
}

export interface Flood extends Listener {
  /** Connections that are still open. */
  open(): number
  /** Bytes written, as they travel. */
  sent(): number
}

/** Largest number of decoded bytes a flood sends over one connection; afterwards it is silent and keeps the connection open. */
export const FLOOD_BYTES = 48 * 1024 * 1024

/** Answer every connection with text that does not end. @param compressed send it as gzip, whatever the client accepts */
export async function startFlood({ compressed, ...options }: ListenerOptions & { compressed: boolean }): Promise<Flood> {
  const block = Buffer.alloc(1024 * 1024, ' ')
  let sent = 0
  let open = 0
  const listener = await listen(options, (socket) => {
    open++
    socket.once('close', () => open--)
    const write = (piece: Buffer): boolean => {
      sent += piece.length
      return socket.write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]))
    }
    socket.once('data', () => {
      const coding = compressed ? 'content-encoding: gzip\r\n' : ''
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${coding}transfer-encoding: chunked\r\n\r\n`)
      let left = FLOOD_BYTES
      const next = (): void => {
        while (left > 0 && !socket.destroyed) {
          left -= block.length
          if (!write(block)) return void socket.once('drain', next)
        }
      }
      if (!compressed) return next()
      const gzip = createGzip({ level: 9 })
      gzip.on('data', (piece: Buffer) => write(piece))
      for (; left > 0; left -= block.length) gzip.write(block)
      gzip.flush(constants.Z_SYNC_FLUSH)
    })
  })
  return { ...listener, open: () => open, sent: () => sent }
}

/** First byte of a TLS handshake. */
const HANDSHAKE = 0x16

/** Forward TLS to a server unchanged, and carry plain http into TLS, so that the client does not notice that the server refuses it. */
export function startDowngrade(server: string): Promise<Listener> {
  const { hostname, port } = new URL(server)
  return listen({}, (near) => {
    near.once('data', (first: Buffer) => {
      const far =
        first[0] === HANDSHAKE
          ? connect(Number(port), hostname)
          : connectSecurely({ host: hostname, port: Number(port), rejectUnauthorized: false })
      far.on('error', () => near.destroy())
      far.on('close', () => near.destroy())
      near.on('close', () => far.destroy())
      far.write(first)
      near.pipe(far).pipe(near)
    })
  })
}

/** Relay everything to the server at an address, and back. */
export function startRelay(server: string, options: ListenerOptions = {}): Promise<Listener> {
  const { protocol, hostname, port } = new URL(server)
  return listen(options, (near) => {
    const far =
      protocol === 'https:' || protocol === 'mqtts:'
        ? connectSecurely({ host: hostname, port: Number(port), rejectUnauthorized: false })
        : connect(Number(port), hostname)
    far.on('error', () => near.destroy())
    far.on('close', () => near.destroy())
    near.on('close', () => far.destroy())
    near.pipe(far).pipe(near)
  })
}

/** Return the encodings of a secret, and of values that would serve in its place. */
export function disguisesOf(code: string, secret: string): string[] {
  const hash = createHash('sha256').update(secret).digest()
  const credentials = Buffer.from(`${code}:${secret}`)
  return [
    secret,
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
    Buffer.from(secret).toString('hex'),
    credentials.toString('base64'),
    hash.toString('hex'),
    hash.toString('base64').replaceAll('=', ''),
    hash.toString('base64url'),
    hash.toString('latin1'),
  ]
}
