/** The commands themselves, on the built-in database: a backup beside the running server, a restore, and the server on it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient, logIn, type Client } from '@gatehouse/dev-env/client'
import { createSite } from '@gatehouse/dev-env/site'
import { portrait } from '@gatehouse/dev-env/portraits'
import { hasEnded } from '../support/program.ts'
import { steadyPort } from '../support/proxy.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { ADMIN, SERVER_HOST } from '../support/server-process.ts'
import { until } from '../support/until.ts'
import { askToPair, wireClient } from '../support/wire-device.ts'

const SOURCES = join(import.meta.dirname, '../../apps/server/src')

/** Return an environment that names no database, so that the built-in one is used. */
function environment(dataDir: string): NodeJS.ProcessEnv {
  const { DATABASE_URL: _database, DATABASE_URL_FILE: _file, KEY_FILE: _key, ...others } = process.env
  return { ...others, DATA_DIR: dataDir, ADMIN_PASSWORD: ADMIN.password, HOST: SERVER_HOST, LOG_LEVEL: 'warn', MODEL_DIR: '', SEED: 'none' }
}

/** Run `npm run serve` on a data directory. */
async function serve(dataDir: string, log: string) {
  const [port, mqttPort] = [await steadyPort(), await steadyPort()]
  const url = `http://${SERVER_HOST}:${port}`
  const child = spawn(process.execPath, [join(SOURCES, 'main.ts')], {
    env: { ...environment(dataDir), PORT: String(port), MQTT_PORT: String(mqttPort) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.pipe(createWriteStream(log, { flags: 'a' }))
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (hasEnded(child)) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  onTestFinished(() => end('SIGTERM'))
  await until('the server to be ready', async () => (await fetch(`${url}/readyz`)).ok)
  return { url, end }
}

/** Run `npm run backup` or `npm run restore` on a data directory. */
async function run(dataDir: string, ...words: string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [join(SOURCES, 'backup', 'main.ts'), ...words], {
    env: environment(dataDir),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (!hasEnded(child)) await once(child, 'exit')
  return { code: child.exitCode, said: out + errors }
}

async function administrator(url: string): Promise<{ bearer: string; client: Client }> {
  const visitor = createClient(url)
  const { access_token: bearer } = await logIn(visitor, ADMIN)
  return { bearer, client: visitor.as({ bearer }) }
}

test('an installation is backed up while it runs, and restored into an empty directory', async () => {
  const folder = scratchFolder()
  const [first, second, file] = [join(folder, 'first'), join(folder, 'second'), join(folder, 'backup.tar')]
  const log = join(folder, 'server.log')
  expect(await run(first, 'backup', file)).toMatchObject({ code: 1, said: expect.stringContaining('There is no installation') })

  const server = await serve(first, log)
  const { bearer } = await administrator(server.url)
  let number = 0
  const site = createSite({ url: server.url, bearer, park: { areaCode: '' } as never, next: () => ++number })
  const person = await site.person({ name: 'Ann', photo: await portrait('backup') })
  const door = await site.device()

  expect(await run(first, 'backup', file)).toMatchObject({ code: 0, said: expect.stringContaining('the master key included') })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect((await fetch(`${server.url}/readyz`)).ok).toBe(true)
  expect(await run(first, 'restore', file)).toMatchObject({ code: 1, said: expect.stringContaining('is not empty') })
  await server.end('SIGKILL')

  expect(await run(second, 'restore', file)).toMatchObject({ code: 0 })
  expect(existsSync(join(second, 'restore.unfinished'))).toBe(false)
  const restored = await serve(second, log)
  const { client } = await administrator(restored.url)
  const found = await client.call(peopleCalls.read, { query: { id: person.id } })
  expect(found.name).toBe('Ann')
  const picture = await fetch(restored.url + found.faces[0]!.url)
  expect(picture.headers.get('content-type')).toBe('image/webp')
  expect((await askToPair(wireClient(restored.url, door))).code).toBe(0)
  await restored.end('SIGTERM')

  // The server is down: the command starts the database itself.
  expect(await run(second, 'backup', join(folder, 'again.tar'))).toMatchObject({ code: 0 })
})
