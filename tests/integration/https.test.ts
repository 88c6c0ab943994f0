/** The server over https: with a certificate of its own, and with files that another program renews. */
import { X509Certificate, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { request as plainRequest, type IncomingHttpHeaders } from 'node:http'
import { request as secureRequest } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from 'node:tls'
import { WebSocket } from 'ws'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { PROTOCOL_VERSION } from '@gatehouse/contract/device/protocol'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { REALTIME_ENDPOINT } from '@gatehouse/contract/realtime'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { keyDigestOf } from '@gatehouse/server/platform/transport/certificate'
import { makeCertificate } from '@gatehouse/server/platform/transport/own-certificate'
import { manualSeconds, openRequest } from '../support/open-requests.ts'
import { until } from '../support/until.ts'

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** @param options.ca the certificate authority to verify the server with; absent: no verification */
function ask(
  address: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; ca?: string } = {},
): Promise<Answer> {
  const { body, ca, ...rest } = options
  const begin = address.startsWith('https') ? secureRequest : plainRequest
  return new Promise((resolve, reject) => {
    const asked = begin(address, { agent: false, ...rest, ...(ca === undefined ? { rejectUnauthorized: false } : { ca }) }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => (text += part))
      answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, text }))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

/** Return the certificate that a new connection receives. */
const shownAt = (port: number): Promise<X509Certificate> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()!)
      socket.destroy()
    })
    socket.on('error', reject)
  })

const plain = (world: World): string => world.url.replace('https:', 'http:')

describe('by a certificate of its own', () => {
  const seconds = manualSeconds()
  let world: World
  let certificate: string
  beforeAll(async () => {
    world = await startWorld({ ticks: seconds.ticks, config: { tls: { kind: 'self', names: ['gate.example'] } } })
    certificate = world.server.platform.transport.certificate!.current().certificate
  })
  afterAll(() => world?.stop())

  it('speaks https to whoever knows it by that, with the names it is reached at', async () => {
    expect(world.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    expect((await world.call(deviceCalls.summary, {})).total).toBe(0)
    const own = new X509Certificate(certificate)
    expect([own.checkHost('gate.example'), own.checkHost('localhost'), own.checkIP('127.0.0.1')]).toEqual([
      'gate.example',
      'localhost',
      '127.0.0.1',
    ])
    expect(own.checkHost('elsewhere.example')).toBeUndefined()
    await expect(ask(`${world.url}/healthz`, { ca: certificate })).resolves.toMatchObject({ status: 200 })
  })

  it('is what links begin with, where an address was set', async () => {
    const save = (ip: string) => world.call(installationCalls.saveIpAddress, { query: { ip } })
    expect((await save('10.0.0.7')).address).toBe(`https://10.0.0.7:${world.server.port}`)
    expect((await save('gate.example:8443')).address).toBe('https://gate.example:8443')
  })

  it('asks no browser to remember it: a warning could never be passed again', async () => {
    const { headers } = await ask(`${world.url}/healthz`)
    expect(headers['strict-transport-security']).toBeUndefined()
  })

  it('carries live rows', async () => {
    const socket = new WebSocket(world.url.replace('https', 'wss') + REALTIME_ENDPOINT, { ca: certificate })
    onTestFinished(() => socket.terminate())
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    socket.send('CONNECT\naccept-version:1.2\nAuthorization:Bearer nobody\n\n\0')
    const answer = await new Promise<string>((resolve) => socket.once('message', (data: Buffer) => resolve(data.toString())))
    expect(answer).toMatch(/^ERROR/)
  })

  it('leads a person who came over plain http to https, and refuses programs', async () => {
    const { port } = world.server
    const page = await ask(`${plain(world)}/%23/login?a=1`, { headers: { accept: 'text/html', host: `gate.example:${port}` } })
    expect([page.status, page.headers.location]).toEqual([308, `https://gate.example:${port}/%23/login?a=1`])
    // A browser that cached it could not return to plain http with the server.
    expect(page.headers['cache-control']).toBe('no-store')
    // A program that has sent its credentials unencrypted once would send them again after a redirect.
    const token = await ask(`${plain(world)}/asService/uface/v1/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'zh-CN' },
      body: 'grant_type=password',
    })
    expect([token.status, JSON.parse(token.text)]).toEqual([426, { code: 426, message: '此服务器只能通过 https 访问。' }])
    const bearer = await ask(`${plain(world)}/x`, { headers: { accept: 'text/html', authorization: 'Bearer x' } })
    expect(bearer.status).toBe(426)
    for (const host of ['evil.example/@x', 'a b', 'x\\y'])
      expect((await ask(`${plain(world)}/`, { headers: { accept: 'text/html', host } })).headers.location).toBeUndefined()
  })

  it('tells over plain http whether it lives, and nothing else', async () => {
    expect((await ask(`${plain(world)}/healthz`)).status).toBe(200)
    expect((await ask(`${plain(world)}/readyz`)).status).toBe(200)
    expect((await ask(`${plain(world)}/metrics`)).status).toBe(426)
    expect((await ask(`${plain(world)}/openapi.json`)).status).toBe(426)
    expect((await ask(`${plain(world)}/healthz`, { method: 'HEAD' })).status).toBe(200)
    expect((await ask(`${plain(world)}/healthz`, { method: 'POST' })).status).toBe(426)
  })

  it('asks for no body in clear', async () => {
    const socket = connectPlain({ port: world.server.port, host: '127.0.0.1' })
    onTestFinished(() => void socket.destroy())
    socket.write('POST /asService/uface/v1/auth/token HTTP/1.1\r\nhost: gate.example\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\n')
    const [first] = (await once(socket, 'data')) as [Buffer]
    expect(first.toString()).toMatch(/^HTTP\/1\.1 426 /)
  })

  it('opens no WebSocket over plain http', async () => {
    const socket = new WebSocket(plain(world).replace('http', 'ws') + REALTIME_ENDPOINT)
    const error = await new Promise<Error>((resolve) => socket.once('error', resolve))
    expect(error.message).toMatch(/socket hang up|Unexpected server response: 426/)
  })

  it('is not held up by connections that say nothing', async () => {
    const silent = Array.from({ length: 50 }, () => connectPlain({ port: world.server.port, host: '127.0.0.1' }))
    onTestFinished(() => silent.forEach((socket) => socket.destroy()))
    await Promise.all(silent.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
    expect((await ask(`${world.url}/healthz`)).status).toBe(200)
  })

  it('cuts off bodies that do not arrive, and none that come steadily', async () => {
    const { credentials } = world.client
    const options = { method: 'PUT', address: '/bizService/uface/v1/device', credentials, type: 'application/json', length: 400_000 }
    const [silent, steady] = await Promise.all([openRequest(world.url, options), openRequest(world.url, options)])
    for (let second = 0; second < 20; second++) {
      await steady.send(Buffer.alloc(16_500, ' '))
      // Each step of the TLS handshake takes turns of the event loop.
      await pause(5)
      await seconds.pass(1)
    }
    expect(await silent.answered()).toBe(408)
    expect([steady.status(), steady.isClosed()]).toEqual([null, false])
  })

  it('speaks no version of TLS that is given up', async () => {
    const attempt = new Promise((resolve, reject) => {
      const options = { port: world.server.port, host: '127.0.0.1', rejectUnauthorized: false }
      const socket = connect({ ...options, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }, () =>
        resolve('connected'),
      )
      socket.on('error', reject)
    })
    await expect(attempt).rejects.toThrow(/protocol version|alert/i)
  })

  it('keeps key and certificate over a restart, readable by nobody else', async () => {
    const secrets = join(world.dataDir, 'secrets')
    await world.interrupted(async () => {})
    expect(world.server.platform.transport.certificate!.current().certificate).toBe(certificate)
    expect([statSync(join(secrets, 'tls.key')).mode & 0o077, statSync(join(secrets, 'tls.crt')).mode & 0o077]).toEqual([0, 0])
  })
})

describe('by files', () => {
  let folder: string
  let world: World
  const files = () => ({ certificateFile: join(folder, 'server.crt'), keyFile: join(folder, 'server.key') })
  let renewals = 0
  /** Install a certificate with a key of its own, as a program that renews certificates does. */
  function renew(): string {
    const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
    const certificate = makeCertificate(key, ['localhost', '127.0.0.1'], Date.now())
    writeFileSync(files().keyFile, key)
    writeFileSync(files().certificateFile, certificate)
    // With the same millisecond and the same length, the file would look unchanged.
    const moment = Date.now() / 1000 + ++renewals
    utimesSync(files().certificateFile, moment, moment)
    return certificate
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-https-'))
    renew()
    world = await startWorld({ config: { tls: { kind: 'files', ...files() } } })
  })
  afterAll(async () => {
    await world?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('asks browsers to come over https from then on', async () => {
    const { headers } = await ask(`${world.url}/healthz`)
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d{7,8}$/)
  })

  it('shows a renewed certificate without a restart, to browsers and at the broker, and vouches for its key', async () => {
    const { port, platform } = world.server
    const device = await world.device()
    const before = (await shownAt(port)).fingerprint256
    const renewed = renew()
    const expected = new X509Certificate(renewed).fingerprint256
    expect(before).not.toBe(expected)
    await until('the renewed certificate', async () => (await shownAt(port)).fingerprint256 === expected)
    expect(platform.transport.keys()).toEqual([keyDigestOf(renewed)])
    const { broker } = await createClient(world.url, { basic: [device.code, device.secret] }, renewed).call(deviceProtocolCalls.pair, {
      body: { protocol: PROTOCOL_VERSION, version: 'wire', modelId: 'none', epochs: ['wire'] },
    })
    expect(broker.url).toMatch(/^mqtts:\/\/127\.0\.0\.1:\d+$/)
    expect((await shownAt(broker.port)).fingerprint256).toBe(expected)
  })
})
