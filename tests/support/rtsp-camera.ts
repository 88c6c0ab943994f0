/** A network camera that films a photo: a small RTSP server that sends the packets a real ffmpeg makes of it. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@gatehouse/server/platform/postgres/free-port'
import sharp from 'sharp'
import { hasEnded } from './program.ts'
import { until } from './until.ts'

const PROGRAM = 'ffmpeg'

/** Why tests on a camera are skipped; null where they run. */
export const ffmpegMissing: string | null =
  spawnSync(PROGRAM, ['-version'], { stdio: 'ignore' }).status === 0 ? null : 'ffmpeg is not installed (Debian: apt-get install ffmpeg)'

/** Pixels of its pictures. */
const SIZE = { width: 640, height: 480 }
const ACCOUNT = { user: 'viewer', password: 'film#1' }

export interface RtspCamera {
  port: number
  /** Includes its account. */
  url: string
  password: string
  /** Return the number of connected clients. */
  viewers(): number
  /** Switch it off: connections end, and new ones are refused. */
  away(): Promise<void>
  /** Make it hang: connections stay open, and nothing is sent. */
  hang(): void
  /** Switch it on again after `away` or `hang`, at the same address. */
  back(): Promise<void>
  stop(): Promise<void>
}

/** Film a photo until it is stopped. @throws Error where ffmpeg is missing */
export async function startRtspCamera(photo: Uint8Array): Promise<RtspCamera> {
  const film = await startFilm(photo)
  const port = await freePort()
  const connected = new Set<Socket>()
  const playing = new Set<Socket>()
  let hangs = false
  let server: Server | null = null

  film.onPacket((packet) => {
    if (hangs) return
    // RTP over the RTSP connection: a dollar sign, the channel, the length.
    const head = Buffer.from([0x24, 0, packet.length >> 8, packet.length & 0xff])
    for (const viewer of playing) viewer.write(Buffer.concat([head, packet]))
  })

  function serve(viewer: Socket): void {
    let lying = Buffer.alloc(0)
    connected.add(viewer)
    viewer.on('error', () => viewer.destroy())
    viewer.once('close', () => [connected, playing].forEach((viewers) => viewers.delete(viewer)))
    viewer.on('data', (bytes) => {
      lying = Buffer.concat([lying, Buffer.from(bytes)])
      for (let request = next(); request !== null; request = next()) if (!hangs) viewer.write(answerTo(request, viewer))
    })

    /** Return a request that has arrived; skip reception reports of the viewer. */
    function next(): string | null {
      while (lying[0] === 0x24 && lying.length >= 4 && lying.length >= 4 + lying.readUInt16BE(2))
        lying = lying.subarray(4 + lying.readUInt16BE(2))
      const end = lying.indexOf('\r\n\r\n')
      if (lying[0] === 0x24 || end < 0) return null
      const request = lying.subarray(0, end).toString()
      lying = lying.subarray(end + 4)
      return request
    }
  }

  function answerTo(request: string, viewer: Socket): string {
    const [line = '', ...headers] = request.split('\r\n')
    const [method, address] = line.split(' ')
    const header = (name: string) =>
      headers
        .find((one) => one.toLowerCase().startsWith(`${name}:`))
        ?.slice(name.length + 1)
        .trim()
    const answer = (status: string, lines: string[] = [], body = '') =>
      [`RTSP/1.0 ${status}`, `CSeq: ${header('cseq')}`, 'Session: 1', ...lines, `Content-Length: ${body.length}`, '', body].join('\r\n')
    const expected = `Basic ${Buffer.from(`${ACCOUNT.user}:${ACCOUNT.password}`).toString('base64')}`
    if (method === 'OPTIONS') return answer('200 OK', ['Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN'])
    if (header('authorization') !== expected) return answer('401 Unauthorized', ['WWW-Authenticate: Basic realm="camera"'])
    if (method === 'DESCRIBE') return answer('200 OK', ['Content-Type: application/sdp', `Content-Base: ${address}/`], film.description)
    if (method === 'SETUP')
      return header('transport')?.includes('/TCP')
        ? answer('200 OK', ['Transport: RTP/AVP/TCP;unicast;interleaved=0-1'])
        : answer('461 Unsupported Transport')
    if (method === 'PLAY') playing.add(viewer)
    if (method === 'TEARDOWN') playing.delete(viewer)
    return answer('200 OK')
  }

  async function listen(): Promise<void> {
    const made = createServer(serve).listen(port, '127.0.0.1')
    await once(made, 'listening')
    server = made
  }

  async function away(): Promise<void> {
    const closing = server
    server = null
    for (const viewer of connected) viewer.destroy()
    if (closing) await new Promise((resolve) => closing.close(resolve))
  }

  await listen()
  return {
    port,
    url: `rtsp://${ACCOUNT.user}:${encodeURIComponent(ACCOUNT.password)}@127.0.0.1:${port}/stream`,
    password: ACCOUNT.password,
    viewers: () => connected.size,
    away,
    hang() {
      hangs = true
    },
    async back() {
      hangs = false
      if (!server) await listen()
    },
    async stop() {
      await away()
      await film.stop()
    },
  }
}

interface Film {
  /** SDP of the one stream. */
  description: string
  onPacket(take: (packet: Buffer) => void): void
  stop(): Promise<void>
}

/** Start ffmpeg, which films the photo and sends its packets to this process. */
async function startFilm(photo: Uint8Array): Promise<Film> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-rtsp-'))
  const [picture, description] = [join(folder, 'photo.jpg'), join(folder, 'stream.sdp')]
  writeFileSync(
    picture,
    await sharp(photo)
      .resize({ ...SIZE, fit: 'contain', background: '#7f8894' })
      .jpeg({ quality: 95 })
      .toBuffer(),
  )
  const receiver = createSocket('udp4')
  receiver.bind(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  // Every fifth picture is a key frame: a new viewer soon sees a picture.
  const encoded = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-tune',
    'stillimage',
    '-crf',
    '12',
    '-g',
    '5',
    '-bf',
    '0',
    '-pix_fmt',
    'yuv420p',
  ]
  const words = [
    '-nostdin',
    '-loglevel',
    'error',
    '-loop',
    '1',
    '-framerate',
    '10',
    '-re',
    '-i',
    picture,
    ...encoded,
    '-sdp_file',
    description,
    '-f',
    'rtp',
    `rtp://127.0.0.1:${port}?rtcpport=${port}&pkt_size=1400`,
  ]
  const program: ChildProcess = spawn(PROGRAM, words, { stdio: ['ignore', 'ignore', 'inherit'] })
  await until('ffmpeg to film', () => {
    if (hasEnded(program)) throw new Error('ffmpeg ended')
    return existsSync(description) && readFileSync(description, 'utf8').includes('a=fmtp')
  })
  return {
    description: `${readFileSync(description, 'utf8')
      .replace(/^SDP:\s*/, '')
      .trimEnd()
      .replaceAll(/\r?\n/g, '\r\n')
      .replaceAll(/^m=video \d+/gm, 'm=video 0')}\r\na=control:streamid=0\r\n`,
    onPacket: (take) =>
      receiver.on('message', (packet) => {
        // Reports of the sender (RTCP, types 200 to 204) arrive at the same port.
        if (packet[1]! < 200 || packet[1]! > 204) take(packet)
      }),
    async stop() {
      const ended = hasEnded(program) ? null : once(program, 'exit')
      program.kill('SIGKILL')
      await ended
      receiver.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
