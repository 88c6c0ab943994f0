/**
 * Simulated network cameras for trials: a small RTSP server. ffmpeg pushes a film to a path (ANNOUNCE, RECORD), and whoever plays the path
 * gets its packets over the RTSP connection (DESCRIBE, SETUP, PLAY). Everybody needs the account, by Digest.
 */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createReader, PACKET, type RtspRequest } from './rtsp-reader.ts'
import { createFilms, type Films } from './rtsp-films.ts'

export interface RtspSimulator extends Omit<Films, 'stop'> {
  port: number
  /** Address of a camera, with its account. @param path such as `gate` */
  url(path: string): string
  /** Number of connections that play a path. */
  viewers(path: string): number
  stop(): Promise<void>
}

export interface RtspSimulatorOptions {
  /** By default a free one. */
  port?: number
  account?: { user: string; password: string }
}

const REALM = 'camera'
const METHODS = 'OPTIONS, ANNOUNCE, DESCRIBE, SETUP, RECORD, PLAY, GET_PARAMETER, TEARDOWN'

/** A path that is filmed. */
interface Path {
  /** What the film says of itself, in SDP. */
  description: string
  publisher: Connection
  viewers: Set<Connection>
}

interface Connection {
  socket: Socket
  /** Channel of each track: where it comes from or goes to. */
  channels: Map<string, number>
  isPlaying: boolean
}

/** Start the server on this machine. */
export async function startRtspSimulator({
  port: chosen = 0,
  account = { user: 'viewer', password: 'film#1' },
}: RtspSimulatorOptions = {}): Promise<RtspSimulator> {
  const paths = new Map<string, Path>()
  const authorization = digestOf(account)
  const open = new Set<Socket>()
  const server: Server = createServer(serve)
  server.listen(chosen, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = (path: string) => `rtsp://${account.user}:${encodeURIComponent(account.password)}@127.0.0.1:${port}/${path}`
  const films = createFilms(url)

  function serve(socket: Socket): void {
    const connection: Connection = { socket, channels: new Map(), isPlaying: false }
    open.add(socket)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      open.delete(socket)
      leave(connection)
    })
    const reader = createReader({
      onPacket: (channel, packet) => relay(connection, channel, packet),
      onRequest: (request) => socket.write(answerTo(request, connection)),
    })
    socket.on('data', (bytes) => reader.push(bytes as Buffer))
  }

  function leave(connection: Connection): void {
    for (const [name, path] of paths) {
      path.viewers.delete(connection)
      if (path.publisher !== connection) continue
      paths.delete(name)
      // As when a camera is switched off.
      for (const viewer of path.viewers) viewer.socket.destroy()
    }
  }

  function relay(publisher: Connection, channel: number, packet: Buffer): void {
    const path = [...paths.values()].find((each) => each.publisher === publisher)
    const even = channel - (channel % 2)
    const track = [...publisher.channels].find(([, at]) => at === even)?.[0]
    if (!path || track === undefined) return
    for (const { socket, channels, isPlaying } of path.viewers) {
      const to = channels.get(track)
      if (!isPlaying || to === undefined) continue
      const head = Buffer.from([PACKET, to + (channel - even), packet.length >> 8, packet.length & 0xff])
      socket.write(Buffer.concat([head, packet]))
    }
  }

  function answerTo(request: RtspRequest, connection: Connection): string {
    const { method, address, headers } = request
    const answer = (status: string, lines: string[] = [], body = '') => answerOf(headers, status, lines, body)
    if (method === 'OPTIONS') return answer('200 OK', [`Public: ${METHODS}`])
    if (!authorization.isGiven(request)) return answer('401 Unauthorized', [authorization.challenge])
    const [name = '', track = ''] = pathOf(address)
    const path = paths.get(name)
    switch (method) {
      case 'ANNOUNCE':
        paths.set(name, { description: request.body, publisher: connection, viewers: new Set() })
        return answer('200 OK')
      case 'DESCRIBE':
        if (!path) return answer('404 Not Found')
        return answer('200 OK', ['Content-Type: application/sdp', `Content-Base: ${address.replace(/\/$/, '')}/`], path.description)
      case 'SETUP': {
        const channel = /interleaved=(\d+)/.exec(headers.get('transport') ?? '')?.[1]
        if (channel === undefined) return answer('461 Unsupported Transport')
        connection.channels.set(track, Number(channel))
        const mode = path?.publisher === connection ? ';mode=record' : ''
        return answer('200 OK', [`Transport: RTP/AVP/TCP;unicast;interleaved=${channel}-${Number(channel) + 1}${mode}`])
      }
      case 'PLAY':
        if (!path) return answer('404 Not Found')
        connection.isPlaying = true
        path.viewers.add(connection)
        return answer('200 OK')
      case 'TEARDOWN':
        leave(connection)
        return answer('200 OK')
      case 'RECORD':
      case 'GET_PARAMETER':
        return answer('200 OK')
      default:
        return answer('405 Method Not Allowed', [`Allow: ${METHODS}`])
    }
  }

  return {
    port,
    url,
    film: films.film,
    broadcast: films.broadcast,
    viewers: (path) => paths.get(path)?.viewers.size ?? 0,
    async stop() {
      await films.stop()
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answerOf(headers: ReadonlyMap<string, string>, status: string, lines: readonly string[], body: string): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  return [`RTSP/1.0 ${status}`, `CSeq: ${headers.get('cseq') ?? '0'}`, 'Session: 1', ...lines, ...length, '', body].join('\r\n')
}

/** Return how an account is asked for by Digest, and whether a request gives it. */
function digestOf({ user, password }: { user: string; password: string }): { challenge: string; isGiven(request: RtspRequest): boolean } {
  const nonce = randomBytes(16).toString('hex')
  const md5 = (text: string) => createHash('md5').update(text).digest('hex')
  return {
    challenge: `WWW-Authenticate: Digest realm="${REALM}", nonce="${nonce}", algorithm="MD5"`,
    isGiven({ method, headers }) {
      const authorization = headers.get('authorization') ?? ''
      const field = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(authorization)?.[1] ?? ''
      const response = md5(`${md5(`${user}:${REALM}:${password}`)}:${nonce}:${md5(`${method}:${field('uri')}`)}`)
      return authorization.startsWith('Digest ') && field('username') === user && field('response') === response
    },
  }
}

/** Return the path of a camera and the track of it that an address names. */
function pathOf(address: string): string[] {
  const [name = '', ...track] = new URL(address).pathname.split('/').filter((part) => part !== '')
  return [name, track.join('/')]
}
