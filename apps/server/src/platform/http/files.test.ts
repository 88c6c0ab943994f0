/** Files that the server serves over HTTP, none of which is its data. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uploadCalls } from '@gatehouse/contract/system/upload'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { startServer } from '../../server.ts'

let folder: string
let world: World
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-web-'))
  const consoleDir = join(folder, 'console')
  mkdirSync(join(consoleDir, 'assets'), { recursive: true })
  writeFileSync(join(consoleDir, 'index.html'), '<title>The console</title>')
  writeFileSync(join(consoleDir, 'assets', 'page-1a2b.js'), '// a page')
  const script = `// ${'a page of some length '.repeat(99)}`
  writeFileSync(join(consoleDir, 'assets', 'long-3c4d.js'), script)
  writeFileSync(join(consoleDir, 'assets', 'long-3c4d.js.br'), brotliCompressSync(script))
  writeFileSync(join(folder, 'backup.sql'), 'what nobody may fetch')
  world = await startWorld({ config: { consoleDir } })
})
afterAll(async () => {
  await world?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Unchanged: `fetch` would normalise the address first. */
function get(path: string): Promise<{ status: number; body: Buffer }> {
  const { hostname, port } = new URL(world.url)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }))
    })
      .on('error', reject)
      .end()
  })
}

test('the console is served, and only what it is made of', async () => {
  expect((await get('/')).body.toString()).toContain('The console')
  expect((await get('/assets/page-1a2b.js')).status).toBe(200)
  expect((await get('/assets/')).status).toBe(404)
})

test('neither data nor secrets nor what lies beside the console is served at any address [FIELD-23]', async () => {
  const file = await sharp({ create: { width: 32, height: 32, channels: 3, background: '#246810' } })
    .png()
    .toBuffer()
  const { id } = await world.call(uploadCalls.uploadImage, { body: { use: 'logo' }, file })
  const stored = join('files', id.slice(-2), `${id}.full`)
  const secret = readFileSync(join(world.dataDir, 'secrets', 'master.key'))
  expect(readdirSync(join(world.dataDir, 'files')).length).toBeGreaterThan(0)
  const wanted = ['secrets/master.key', 'secrets/broker.key', stored]
  const up = ['..', '%2e%2e', '..%2f..', '%2e%2e%2f%2e%2e', '..%5c..', '....//', '..;', '%252e%252e']
  const data = basename(world.dataDir)
  const paths = [
    ...wanted.flatMap((one) => [
      `/${one}`,
      `/data/${one}`,
      `/${data}/${one}`,
      `//${one}`,
      `${world.dataDir}/${one}`,
      `/${world.dataDir}/${one}`,
    ]),
    ...wanted.flatMap((one) =>
      up.flatMap((step) =>
        ['', '/assets', '/files', '/public', '/docs'].flatMap((begin) => [
          `${begin}/${step}/${one}`,
          `${begin}/${step}/${step}/${data}/${one}`,
          `${begin}/${step}/${step}/${step}${world.dataDir}/${one}`,
        ]),
      ),
    ),
    ...up.flatMap((step) => [`/${step}/backup.sql`, `/assets/${step}/${step}/backup.sql`, `/assets/${step}/backup.sql`]),
    '/backup.sql',
    `/files/${id}/full`,
    `/public/${id}/full`,
    `/files/${encodeURIComponent(`../secrets/master.key`)}/full`,
    `/files/${id}/${encodeURIComponent('../../secrets/master.key')}`,
    `/public/${encodeURIComponent(`../${id.slice(-2)}/${id}`)}/full`,
    '/.env',
    '/package.json',
    '/assets/page-1a2b.js%00.png',
  ]
  for (const path of paths) {
    const { status, body } = await get(path)
    expect([400, 404], `${path} answers ${status}`).toContain(status)
    expect(body.includes(secret), path).toBe(false)
    expect(body.toString(), path).not.toContain('what nobody may fetch')
  }
})

test('a server whose data would lie among what it serves does not start', async () => {
  const consoleDir = join(folder, 'console')
  const start = (dataDir: string) =>
    startServer({ config: { ...world.server.platform.config, port: 0, consoleDir, dataDir }, connectionString: world.connectionString })
  for (const dataDir of [consoleDir, join(consoleDir, 'data')])
    await expect(start(dataDir)).rejects.toThrow('DATA_DIR must not lie in the folder of the console')
})

test('what was compressed when the console was built goes out so to whoever takes it', async () => {
  const ask = (encoding: string) => fetch(`${world.url}/assets/long-3c4d.js`, { headers: { 'accept-encoding': encoding } })
  const [taken, plain] = [await ask('br'), await ask('identity')]
  expect([taken.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual(['br', null])
  expect(taken.headers.get('content-type')).toBe(plain.headers.get('content-type'))
  const [unpacked, text] = [await taken.text(), await plain.text()]
  expect(unpacked).toBe(text)
})
