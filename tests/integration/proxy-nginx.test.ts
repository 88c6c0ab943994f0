/**
 * The server behind the nginx of docs/operations/https.md, with the configuration of deploy/nginx.conf.
 * @module-tag extended
 */
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { request as requestPlain, type IncomingHttpHeaders } from 'node:http'
import { request as requestSecurely, type RequestOptions } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { addressOf } from '@gatehouse/contract'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { topics } from '@gatehouse/contract/realtime'
import { ADMIN } from '@gatehouse/dev-env/administrator'
import { createClient, logIn, type Client } from '@gatehouse/dev-env/client'
import { listen } from '@gatehouse/dev-env/live'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { keyDigestOf } from '@gatehouse/server/platform/transport/certificate'
import { zipOf } from '../../apps/server/src/contexts/imports/testing/files.ts'
import { makeAuthority, opensslMissing, type Authority, type Certificate } from '../support/certificates.ts'
import { startCore, type Core } from '../support/device.ts'
import { nginxMissing, startNginx, type Nginx } from '../support/nginx.ts'
import { manualSeconds } from '../support/open-requests.ts'
import { until } from '../support/until.ts'
import { startWireDevice } from '../support/wire-device.ts'

for (const missing of [nginxMissing, opensslMissing]) if (missing !== null) console.warn(`Skipped: ${missing}`)

/** Address of clients of the proxy: another one of this machine than that of the proxy itself. */
const VISITOR = '127.0.0.2'
const MEBIBYTE = 1_048_576

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

describe.skipIf(nginxMissing !== null || opensslMissing !== null)('behind nginx', () => {
  const seconds = manualSeconds()
  let authority: Authority
  let shown: Certificate
  let folder: string
  let world: World
  let nginx: Nginx
  let administrator: Client
  /** The file PROXY_CERT_FILE names. */
  let proxyCertificateFile: string
  beforeAll(async () => {
    authority = makeAuthority()
    shown = authority.issue('localhost', 'DNS:localhost')
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-proxy-'))
    proxyCertificateFile = join(folder, 'proxy.pem')
    copyFileSync(shown.certificateFile, proxyCertificateFile)
    world = await startWorld({ ticks: seconds.ticks, config: { proxyCertificateFiles: [proxyCertificateFile] } })
    nginx = await startNginx({ server: world.url, certificate: shown })
    const nobody = createClient(nginx.url, null, authority.certificate)
    administrator = nobody.as({ bearer: (await logIn(nobody, ADMIN)).access_token })
  })
  afterAll(async () => {
    await nginx?.stop()
    await world?.stop()
    authority?.remove()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  const bearer = (): string => (administrator.credentials as { bearer: string }).bearer

  /** Send a request as a client on another machine. */
  function ask(address: string, options: RequestOptions = {}, body?: string): Promise<Answer> {
    const begin = address.startsWith('https') ? requestSecurely : requestPlain
    return new Promise((resolve, reject) => {
      const at = { agent: false as const, ca: authority.certificate, localAddress: VISITOR, family: 4 }
      const asked = begin(address, { ...at, ...options }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part: string) => (text += part))
        answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, text }))
      })
      asked.on('error', reject)
      asked.end(body)
    })
  }

  it('pages come, and are asked to come over https only', async () => {
    const { status, headers, text } = await ask(`${nginx.url}/docs`)
    expect([status, text]).toEqual([200, expect.stringContaining('<html')])
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d{7,8}$/)
  })

  it('whoever came over plain http is led on, and programs are refused', async () => {
    const page = await ask(`${nginx.plainUrl}/docs?lang=en`)
    expect([page.status, page.headers.location]).toEqual([308, `${nginx.url}/docs?lang=en`])
    expect((await ask(`${nginx.plainUrl}/asService/uface/v1/auth/token`, { method: 'POST' }, 'grant_type=password')).status).toBe(426)
  })

  it('a person logs in, and the log holds their address, whatever they say of it', async () => {
    const { id: groupId } = await world.personGroup()
    const headers = {
      authorization: `Bearer ${bearer()}`,
      'content-type': 'application/json',
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
    }
    const { createLink } = enrolmentCalls
    const made = await ask(nginx.url + addressOf(createLink, {}), { method: createLink.method, headers }, JSON.stringify({ groupId }))
    expect([made.status, new URL((JSON.parse(made.text) as { data: { url: string } }).data.url).origin]).toEqual([200, nginx.url])
    await world.server.platform.audit.settled()
    const { content } = await administrator.call(auditCalls.operations, { query: { page: 1, size: 1 } })
    expect(content[0]!.ip).toBe(VISITOR)
    // The log of the proxy must not contain tokens.
    await ask(`${nginx.url}/docs?st=secret-token`)
    await until('the proxy to write its log', () => nginx.log().includes(`${VISITOR} [`))
    expect(nginx.log()).not.toContain('secret-token')
  })

  it('rows come live', async () => {
    const live = await listen(
      { url: nginx.url, bearer: bearer(), areaCode: world.park.areaCode, authority: authority.certificate },
      topics.deviceStatus,
    )
    onTestFinished(() => live.stop())
    const device = await world.device()
    await startWireDevice(world.url, device)
    const row = await live.row('the device online', ({ id, onlineStatus }) => id === device.id && onlineStatus === 1)
    expect(row.authorisationStatus).toBe(1)
  })

  const newImport = async (): Promise<{ id: string }> => {
    const { id: groupId } = await world.personGroup()
    return { id: (await administrator.call(importCalls.create, { body: { groupId } })).id }
  }

  it('large uploads come through', async () => {
    const zip = zipOf([{ name: '1001.txt', bytes: randomBytes(20 * MEBIBYTE) }])
    expect(await administrator.ask(importCalls.addPhotos, { params: await newImport(), file: zip })).toMatchObject({ status: 200, code: 0 })
  })

  it('a body that does not go on is ended by the server, which sees it while it comes', async () => {
    const { addPhotos } = importCalls
    const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'
    const answer = Promise.withResolvers<Answer>()
    const asked = requestSecurely(
      nginx.url + addressOf(addPhotos, await newImport()),
      {
        agent: false,
        ca: authority.certificate,
        method: addPhotos.method,
        headers: {
          authorization: `Bearer ${bearer()}`,
          'content-type': 'multipart/form-data; boundary=x',
          'content-length': 2 * MEBIBYTE,
        },
      },
      (incoming) => {
        let text = ''
        incoming.setEncoding('utf8').on('data', (part: string) => (text += part))
        incoming.on('end', () => answer.resolve({ status: incoming.statusCode!, headers: incoming.headers, text }))
      },
    )
    onTestFinished(() => void asked.destroy())
    let answered = false
    asked.on('error', answer.reject)
    answer.promise.then(
      () => (answered = true),
      () => (answered = true),
    )
    asked.write(head)
    asked.write(randomBytes(200_000))
    await until('the server to receive what has come', () => readdirSync(join(world.dataDir, 'received')).length > 0)
    while (!answered) {
      await seconds.pass(1)
      await delay(10)
    }
    const { status, text } = await answer.promise
    expect([status, JSON.parse(text)]).toEqual([408, expect.objectContaining({ code: 408 })])
  })

  const core = (of: World, { code, secret }: { code: string; secret: string }, at: { url: string } = nginx): Core => {
    const started = startCore({ folder: join(of.dataDir, `core-${code}`), server: at.url, code, secret })
    onTestFinished(() => started.stop())
    return started
  }
  const link = ({ device }: Core): string => device.state().link.kind

  it('a terminal comes online through it where the server vouches for its certificate', async () => {
    const terminal = core(world, await world.device())
    await until('the terminal online', () => link(terminal) === 'online')
  })

  it('a terminal says nothing to it where the server does not, and says why', async () => {
    copyFileSync(authority.issue('localhost', 'DNS:localhost').certificateFile, proxyCertificateFile)
    onTestFinished(() => copyFileSync(shown.certificateFile, proxyCertificateFile))
    const digest = keyDigestOf(shown.certificate)
    await until('the server to see the other file', () => !world.server.platform.transport.keys().includes(digest))
    const terminal = core(world, await world.device())
    await until('what it says of it', () => terminal.sentences.some((sentence) => sentence.includes('PROXY_CERT_FILE')))
    expect(terminal.sentences.join('\n')).toContain(digest)
    expect(link(terminal)).not.toBe('online')
    // Once the file contains the proxy's certificate, it is used without a restart of terminal or server.
    copyFileSync(shown.certificateFile, proxyCertificateFile)
    await until('the terminal online', () => link(terminal) === 'online')
  })

  it('a terminal says nothing to it either where no key is vouched for and no known authority has signed the certificate', async () => {
    const other = await startWorld()
    onTestFinished(() => other.stop())
    const proxy = await startNginx({ server: other.url, certificate: shown })
    onTestFinished(() => proxy.stop())
    const terminal = core(other, await other.device(), proxy)
    await until('what it says of it', () => terminal.sentences.some((sentence) => sentence.includes('cannot be verified')))
    expect(terminal.sentences.join('\n')).toContain('PROXY_CERT_FILE')
    expect(link(terminal)).not.toBe('online')
  })

  it('the server behind it may be encrypted too', async () => {
    const other = await startWorld({ config: { tls: { kind: 'self', names: [] }, proxyCertificateFiles: [proxyCertificateFile] } })
    onTestFinished(() => other.stop())
    const proxy = await startNginx({ server: other.url, certificate: shown })
    onTestFinished(() => proxy.stop())
    const { status, headers } = await ask(`${proxy.url}/docs`)
    // A browser must not remember https for a name that has a self-signed certificate at the server's own port.
    expect([status, headers['strict-transport-security']]).toEqual([200, undefined])
    const terminals = [core(other, await other.device(), proxy), core(other, await other.device(), other)]
    await until('both terminals online', () => terminals.every((terminal) => link(terminal) === 'online'))
  })
})
