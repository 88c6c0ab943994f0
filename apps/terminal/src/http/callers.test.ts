/** Who may call the terminal: by which name, from which page, from which machine. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../device/testing/folder.ts'
import { terminalForTest } from '../settings/testing/terminal.ts'
import type { TerminalOptions } from '../terminal.ts'
import { createHttpServer } from './server.ts'

interface Asked {
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Address the terminal is reached at; this machine's loopback by default. */
  address?: string
}
interface Answered {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Send a request with only the test's headers. If the answer does not end, only its beginning is returned. */
function ask(port: number, { method = 'GET', path, headers = {}, body, address = '127.0.0.1' }: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: address, port, method, path, headers }, (response) => {
      const { statusCode: status = 0, headers: given } = response
      let text = ''
      const isStream = /^(text\/event-stream|multipart)/.test(given['content-type'] ?? '')
      const end = () => {
        resolve({ status, headers: given, body: text })
        response.destroy()
      }
      if (isStream) return end()
      response.on('data', (part: Buffer) => (text += part.toString()))
      response.on('end', end)
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

/** A terminal with all its services, and the routes it serves. */
async function terminalWithRoutes(change: Partial<TerminalOptions> = {}) {
  const servers: RouteOptions[][] = []
  const note = (message: unknown) => {
    const routes: RouteOptions[] = []
    servers.push(routes)
    ;(message as { fastify: FastifyInstance }).fastify.addHook('onRoute', (route) => void routes.push(route))
  }
  subscribe('fastify.initialization', note)
  const started = await terminalForTest({ host: '0.0.0.0', allowFrames: true, allowConsole: true, pins: 'simulated', ...change })
  unsubscribe('fastify.initialization', note)
  const routes = servers
    .find((all) => all.some(({ url }) => url === '/state'))!
    .flatMap(({ method, url }) => [method].flat().map((each) => ({ method: each, path: url.replaceAll(/:\w+/g, '1') })))
  return { ...started, port: started.terminal.port, routes }
}

const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address

test('no route answers to a name that is not this machine’s, nor to a page of elsewhere, whatever is allowed', async () => {
  const { port, routes } = await terminalWithRoutes()
  expect(routes.length).toBeGreaterThan(80)
  const own = { 'x-gatehouse-console': '1' }
  const open: string[] = []
  for (const { method, path } of routes) {
    const rebound = { ...own, host: `evil.example:${port}`, origin: `http://evil.example:${port}` }
    const foreign = { ...own, host: `127.0.0.1:${port}`, origin: 'http://evil.example' }
    const sandboxed = { ...own, host: `127.0.0.1:${port}`, origin: 'null' }
    for (const headers of [rebound, { ...own, host: `evil.example:${port}` }, foreign, sandboxed]) {
      const { status } = await ask(port, { method, path, headers })
      if (status !== 403) open.push(`${method} ${path} ${headers.host} ${status}`)
    }
  }
  expect(open).toEqual([])
  expect((await ask(port, { path: '/nothing', headers: { host: `evil.example:${port}` } })).status).toBe(403)
  // A legitimate caller is told what to do, in the console's own form too.
  const ofConsole = routes.find(({ method, path }) => method === 'GET' && path.startsWith('/console/'))!
  for (const path of ['/state', ofConsole.path])
    expect((await ask(port, { path, headers: { host: `gate.example:${port}` } })).body).toContain('--allow-host')
})

test('the names of this machine are its addresses, its host name and what it was started with', async () => {
  const { port } = await terminalWithRoutes({ allowHosts: ['gate.example', '192.0.2.7'] })
  const statusAs = async (host: string) => (await ask(port, { path: '/state', headers: { host } })).status
  const name = hostname().toLowerCase().split('.')[0]!
  const own = [
    'localhost',
    '127.0.0.1',
    '127.0.0.9',
    '[::1]',
    name,
    `${name}.local`,
    name.toUpperCase(),
    'gate.example',
    'GATE.example.',
    '192.0.2.7',
  ]
  for (const host of [...own, ...(outside ? [outside] : [])])
    expect([host, await statusAs(host), await statusAs(`${host}:${port}`)]).toEqual([host, 200, 200])
  for (const host of ['evil.example', 'x.gate.example', '192.0.2.8', 'localhost.evil.example', 'a@localhost', 'localhost/x', ' '])
    expect([host, await statusAs(host)]).toEqual([host, 403])
})

test('a route that says nothing of its callers is for this machine only', async () => {
  const server = createHttpServer({ log: () => {}, allowFrames: true, allowConsole: true, allowHosts: [], framesKey: 'k'.repeat(43) })
  onTestFinished(() => server.close())
  server.get('/new', async () => ({ isAnswered: true }))
  const from = (remoteAddress: string, headers: Record<string, string>) =>
    server.inject({ url: '/new', remoteAddress, headers }).then(({ statusCode }) => statusCode)
  expect(await from('127.0.0.1', { host: 'localhost:8081' })).toBe(200)
  expect(await from('192.0.2.50', { host: 'localhost:8081', authorization: `Bearer ${'k'.repeat(43)}` })).toBe(403)
  expect(await from('127.0.0.1', { host: 'evil.example' })).toBe(403)
})

test('whoever comes through a proxy on this machine is somebody else, whatever name was asked for', async () => {
  const server = createHttpServer({ log: () => {}, allowFrames: true, allowConsole: true, allowHosts: [], framesKey: 'k'.repeat(43) })
  onTestFinished(() => server.close())
  server.get('/new', async () => ({ isAnswered: true }))
  const proxied = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'].map((name) =>
    server.inject({ url: '/new', remoteAddress: '127.0.0.1', headers: { host: 'localhost:8081', [name]: '192.0.2.50' } }),
  )
  expect((await Promise.all(proxied)).map(({ statusCode }) => statusCode)).toEqual(proxied.map(() => 403))
})

test.skipIf(!outside)('another machine shows pictures and sees who passes with the key only', async () => {
  const { port, folder, sentences } = await terminalWithRoutes()
  const file = join(folder, 'frames-key')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(sentences.some((sentence) => sentence.includes(file))).toBe(true)
  const key = readFileSync(file, 'utf8').trim()
  expect(key).toMatch(/^[\w-]{43}$/)
  expect(sentences.join()).not.toContain(key)

  const seen = ['/frame', '/events', '/upgrade', '/screenKey']
  const statuses = async (headers: Record<string, string>) => {
    const found: number[] = []
    for (const path of seen)
      found.push((await ask(port, { method: path === '/events' ? 'GET' : 'POST', path, headers, address: outside! })).status)
    return found
  }
  for (const headers of [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: `Basic ${key}` },
    { cookie: `gatehouse_screen=${key}` },
  ] as Record<string, string>[])
    expect(await statuses(headers)).toEqual([401, 401, 401, 401])
  expect(await statuses({ authorization: `Bearer ${key}` })).toEqual([200, 200, 409, 204])
  // The screen in a browser on another machine gets a cookie for it, which does not contain the key.
  const { headers } = await ask(port, {
    method: 'POST',
    path: '/screenKey',
    headers: { authorization: `Bearer ${key}` },
    address: outside!,
  })
  const cookie = String(headers['set-cookie'])
  expect(cookie).toMatch(/^gatehouse_screen=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/)
  expect(cookie).not.toContain(key)
  expect(await statuses({ cookie: cookie.split(';')[0]! })).toEqual([200, 200, 409, 204])
  // Calls that reveal nothing of anybody are open as before, and this machine needs no key.
  for (const path of ['/', '/state', '/page.ts', '/console/']) expect((await ask(port, { path, address: outside! })).status).toBe(200)
  for (const path of ['/pins', '/input/card', '/collector/card'])
    expect(
      (await ask(port, { method: path === '/pins' ? 'GET' : 'POST', path, headers: { authorization: `Bearer ${key}` }, address: outside! }))
        .status,
    ).toBe(403)
  expect((await ask(port, { path: '/events' })).status).toBe(200)
})

test.skipIf(!outside)('the key lasts over a restart, or comes from a file; without leave there is none', async () => {
  const first = await terminalForTest({ host: '0.0.0.0', allowFrames: true })
  const key = readFileSync(join(first.folder, 'frames-key'), 'utf8').trim()
  await first.stop()
  const second = await terminalForTest({ host: '0.0.0.0', allowFrames: true, dataDir: first.folder }, first.server)
  const eventsWith = (port: number, given: string) =>
    ask(port, { path: '/events', headers: { authorization: `Bearer ${given}` }, address: outside! }).then(({ status }) => status)
  expect(await eventsWith(second.terminal.port, key)).toBe(200)
  await second.stop()

  const framesKeyFile = join(scratchFolder(), 'given')
  writeFileSync(framesKeyFile, 'a key of sixteen\n', { mode: 0o644 })
  const third = await terminalForTest({ host: '0.0.0.0', allowFrames: true, dataDir: first.folder, framesKeyFile }, first.server)
  expect(await eventsWith(third.terminal.port, 'a key of sixteen')).toBe(200)
  expect(await eventsWith(third.terminal.port, key)).toBe(401)
  expect(third.sentences.some((sentence) => sentence.includes(framesKeyFile) && sentence.includes('read'))).toBe(true)
  await third.stop()

  writeFileSync(framesKeyFile, 'short')
  await expect(terminalForTest({ allowFrames: true, dataDir: first.folder, framesKeyFile }, first.server)).rejects.toThrow(/16 characters/)
  const closed = await terminalForTest({ host: '0.0.0.0', dataDir: first.folder }, first.server)
  expect(await eventsWith(closed.terminal.port, key)).toBe(403)
})
