/** A capture camera with a server of the tests: pictures handed in, of a folder and of a stream, its settings, its page, its restarts. */
import { cpSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LANGUAGES } from '@gatehouse/contract'
import { terminalSettingValues } from '@gatehouse/contract/configuration/settings'
import type { CaptureObject } from '@gatehouse/contract/device/numbered'
import { expect, onTestFinished, test } from 'vitest'
import { consoleOf } from '../console/testing/console.ts'
import { scratchFolder, until } from '../device/testing/folder.ts'
import { DEVICE } from '../device/testing/objects.ts'
import { startTestServer, type TestServer } from '../device/testing/server.ts'
import { decodeTemplate } from '../store/template.ts'
import { startCaptureCamera, type CaptureCameraOptions } from './camera.ts'
import { paint, paintedPool, whoseTemplate, type Painted, type Somebody } from './testing/painted.ts'

async function aServer(): Promise<TestServer> {
  const server = await startTestServer()
  onTestFinished(server.stop)
  return server
}

async function cameraAt(server: TestServer, options: Partial<CaptureCameraOptions> = {}) {
  const sentences: string[] = []
  const camera = await startCaptureCamera({
    server: server.url,
    code: DEVICE.code,
    secret: DEVICE.secret,
    dataDir: scratchFolder(),
    port: 0,
    pool: paintedPool(),
    version: 'test',
    retry: { first: 20, limit: 200 },
    log: (sentence) => void sentences.push(sentence),
    ...options,
  })
  let stopped: Promise<void> | null = null
  const stop = () => (stopped ??= camera.stop())
  onTestFinished(stop)
  async function post(picture: Uint8Array<ArrayBuffer>, query = ''): Promise<{ status: number; answer: unknown }> {
    const response = await fetch(`${camera.url}pictures${query}`, { method: 'POST', body: picture })
    return { status: response.status, answer: await response.json() }
  }
  return {
    ...camera,
    stop,
    sentences,
    post,
    /** Hand in a stream, 10 pictures a second, whose last picture stands still until a condition holds. */
    async film(pictures: readonly (readonly Painted[])[], holds: () => boolean) {
      const files = await Promise.all(pictures.map(paint))
      const end = Date.now() + 60_000
      for (let index = 0; index < files.length || !holds(); index++) {
        if (Date.now() > end) throw new Error('filmed in vain')
        await post(files[Math.min(index, files.length - 1)]!, '?stream=1')
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },
  }
}

const arrived = (server: TestServer) => [...server.numbered.items.values()].flat() as CaptureObject[]
const whoArrived = (server: TestServer) =>
  arrived(server).map(({ template }) => whoseTemplate(decodeTemplate(template!, Buffer.from(template!, 'base64').length / 4)!))
const inRow = (...people: Somebody[]): Painted[] => people.map((who, index) => ({ who, x: 90 + 150 * index, y: 180 }))

test('each face of a picture that is handed in arrives at the server, with template, model and picture', async () => {
  const server = await aServer()
  const { post, state } = await cameraAt(server)
  expect(await post(await paint(inRow('blue', 'red', 'lime')))).toEqual({ status: 200, answer: { captures: 3, reason: null } })
  expect(await post(await paint([]))).toEqual({ status: 200, answer: { captures: 0, reason: null } })
  expect(await post(new Uint8Array([1, 2, 3]))).toEqual({ status: 200, answer: { captures: 0, reason: 200205 } })
  await until('they have arrived', () => arrived(server).length === 3 && server.numbered.pictures.size === 3)
  expect(whoArrived(server)).toEqual(['blue', 'red', 'lime'])
  expect(server.numbered.models).toEqual(expect.arrayContaining([paintedPool().modelId]))
  expect(arrived(server)[0]).toMatchObject({ seq: 1, hasPicture: true, faceWidth: 80 })
  await until('it knows', () => state().waiting === 0)
  expect(state()).toMatchObject({ captures: { count: 3 }, storageWorks: true, camera: null, link: { kind: 'online' } })
})

test('who walks by in a stream is captured once', async () => {
  const server = await aServer()
  const { film, state } = await cameraAt(server)
  const walk = Array.from({ length: 12 }, (_, step): Painted[] => [
    { who: 'red', x: 80 + 30 * step, y: 100 },
    ...(step > 3 ? [{ who: 'blue' as const, x: 600 - 30 * step, y: 280 }] : []),
  ])
  await film(walk, () => arrived(server).length === 2)
  await until('the stream has ended', () => state().stream.inView === 0 && state().stream.picturesPerSecond === 0)
  expect(state().stream.searched).toBeGreaterThan(1)
  expect(whoArrived(server).toSorted()).toEqual(['blue', 'red'])
})

test('what was captured without the server, or before the power went, arrives once', async () => {
  const server = await aServer()
  const dataDir = scratchFolder()
  server.isCutOff = true
  const first = await cameraAt(server, { dataDir })
  await first.post(await paint(inRow('red', 'blue')))
  expect(first.state().waiting).toBe(2)
  await first.stop()
  const second = await cameraAt(server, { dataDir })
  await second.post(await paint(inRow('lime')))
  server.isCutOff = false
  await until('all have arrived', () => arrived(server).length === 3 && second.state().waiting === 0)
  await second.stop()
  const third = await cameraAt(server, { dataDir })
  await third.post(await paint(inRow('yellow')))
  await until('the last has arrived', () => arrived(server).length === 4)
  expect(whoArrived(server)).toEqual(['red', 'blue', 'lime', 'yellow'])
  expect(arrived(server).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
})

test('somebody who is in view while the camera starts again is captured once', async () => {
  const server = await aServer()
  const dataDir = scratchFolder()
  const walk = (from: number) => Array.from({ length: 8 }, (_, step): Painted[] => [{ who: 'red', x: from + 20 * step, y: 180 }])
  const first = await cameraAt(server, { dataDir })
  await first.film(walk(80), () => first.state().captures.count === 1)
  await first.stop()
  const second = await cameraAt(server, { dataDir })
  await second.film([...walk(280), inRow('lime')], () => arrived(server).length === 2)
  expect(whoArrived(server)).toEqual(['red', 'lime'])
})

/** Set the camera to keep nobody who matches no task. */
function keepMatchedOnly(server: TestServer): void {
  const { manifest } = server.audience
  const configuration = terminalSettingValues.parse({ captureKeeping: 'matchedOnly' })
  server.audience.manifest = { ...manifest, revision: 'matched-only', settings: { ...manifest.settings, configuration } }
  server.changed()
}

/** Return how many captures and pictures are on the disk of a camera. */
function onDisk(dataDir: string): number {
  // A copy: the program has the file for itself.
  const copy = scratchFolder()
  for (const name of readdirSync(dataDir).filter((file) => file.startsWith('terminal.sqlite')))
    cpSync(join(dataDir, name), join(copy, name))
  const database = new DatabaseSync(join(copy, 'terminal.sqlite'))
  const { rows } = database
    .prepare('SELECT (SELECT count(*) FROM numbered_item) + (SELECT count(*) FROM numbered_picture) AS rows')
    .get() as { rows: number }
  database.close()
  return rows
}

test('a camera that keeps nobody who matches no task sends captures from memory, and has deleted what it sent before', async () => {
  const server = await aServer()
  const [dataDir, folder] = [scratchFolder(), scratchFolder()]
  const { post, state } = await cameraAt(server, { dataDir, folder, folderEvery: 20 })
  await post(await paint(inRow('red')))
  await until('it has arrived', () => arrived(server).length === 1 && server.numbered.pictures.size === 1 && state().waiting === 0)
  expect(onDisk(dataDir)).toBe(2)
  keepMatchedOnly(server)
  await until('the camera is set', () => state().passing !== null)
  await until('what it sent is deleted', () => onDisk(dataDir) === 0)
  server.numbered.losesNextAnswer = true
  expect((await post(await paint(inRow('blue', 'lime')))).answer).toEqual({ captures: 2, reason: null })
  await until('both have arrived', () => server.numbered.passing.length === 3 && state().waiting === 0)
  const [first, again, second] = server.numbered.passing
  expect(again!.id, 'the answer was lost').toBe(first!.id)
  expect(second!.id).not.toBe(first!.id)
  expect(arrived(server)).toHaveLength(1)
  expect(onDisk(dataDir)).toBe(0)
  writeFileSync(join(folder, '1.png'), await paint(inRow('cyan')))
  await until('it was taken out of the folder', () => server.numbered.passing.length === 4)
  await until('it is deleted', () => readdirSync(folder, { recursive: true }).every((name) => !String(name).endsWith('.png')))
  expect(state()).toMatchObject({ captures: { count: 4 }, passing: { lost: null } })
})

test('what such a camera captures in a cut is lost, and the server learns how much, also after a restart', async () => {
  const server = await aServer()
  const dataDir = scratchFolder()
  keepMatchedOnly(server)
  const first = await cameraAt(server, { dataDir })
  await until('the camera is set', () => first.state().passing !== null && first.state().link.kind === 'online')
  server.isCutOff = true
  server.cut()
  await until('it is cut off', () => first.state().link.kind !== 'online')
  await first.post(await paint(inRow('red', 'blue')))
  await first.post(await paint(inRow('lime')))
  expect(first.state()).toMatchObject({ waiting: 0, passing: { lost: { count: 3 } } })
  expect(onDisk(dataDir)).toBe(0)
  await first.stop()
  const second = await cameraAt(server, { dataDir })
  expect(second.state().passing).toMatchObject({ lost: { count: 3 } })
  server.isCutOff = false
  await until('the server has learnt it', () => server.numbered.lost.length === 1)
  expect(server.numbered.lost).toMatchObject([{ count: 3 }])
  const [reported] = server.numbered.lost
  expect(reported!.to).toBeGreaterThan(reported!.from)
  await until('the camera has nothing more to say', () => second.state().passing?.lost === null)
  expect([...arrived(server), ...server.numbered.passing]).toEqual([])
})

test('takes the pictures of a folder', async () => {
  const server = await aServer()
  const folder = scratchFolder()
  for (const [name, faces] of Object.entries({ '1.png': inRow('red', 'blue'), '2.png': inRow('lime') }))
    writeFileSync(join(folder, name), await paint(faces))
  await cameraAt(server, { folder, folderEvery: 20 })
  await until('all have arrived', () => arrived(server).length === 3)
  expect(whoArrived(server)).toEqual(['red', 'blue', 'lime'])
  await until('they are moved', () => readdirSync(join(folder, 'taken')).length === 2)
})

test('the settings are changed behind the password of the console, and hold at once and after a restart', async () => {
  const server = await aServer()
  const dataDir = scratchFolder()
  const first = await cameraAt(server, { dataDir })
  const { call, logIn } = consoleOf(first, first.sentences)
  const left = [
    { x: 0, y: 0 },
    { x: 0.3, y: 0 },
    { x: 0.3, y: 1 },
    { x: 0, y: 1 },
  ]
  expect(await call('PUT', 'capture/settings', { masks: [left] })).toMatchObject({ code: 401 })
  await logIn()
  expect(await call('PUT', 'capture/settings', { leastQuality: 2, zones: [[{ x: 0, y: 0 }]] })).toMatchObject({ code: 510 })
  expect(await call('PUT', 'capture/settings', { masks: [left] })).toMatchObject({ code: 200, data: { masks: [left], leastFaceSize: 36 } })
  const twoFaces = await paint(inRow('red', 'blue'))
  expect((await first.post(twoFaces)).answer).toMatchObject({ captures: 1 })
  await call('PUT', 'capture/settings', { leastFaceSize: 100 })
  expect((await first.post(twoFaces)).answer).toMatchObject({ captures: 0 })
  await first.stop()
  const second = await cameraAt(server, { dataDir })
  expect((await second.post(twoFaces)).answer).toMatchObject({ captures: 0 })
  expect(whoArrived(server)).toEqual(['blue'])
})

test('its page and words are served in three languages; pictures and state are for this machine', async () => {
  const { url, port } = await cameraAt(await aServer(), { host: '0.0.0.0' })
  const local = url.replace('localhost', '127.0.0.1')
  for (const path of [
    '',
    'page/main.ts',
    'page/settings.ts',
    'page/style.css',
    'html.ts',
    'camera.ts',
    'key.ts',
    'packages/preact.js',
    'packages/htm.js',
  ])
    expect([path, (await fetch(local + path)).status]).toEqual([path, 200])
  for (const language of LANGUAGES) expect(await (await fetch(`${local}words/${language}.json`)).json()).toHaveProperty('capturesSince')
  // No import of a page leads to a package or a file of the source.
  for (const name of readdirSync(join(import.meta.dirname, 'page')).filter((file) => file.endsWith('.ts'))) {
    const code = await (await fetch(`${local}page/${name}`)).text()
    for (const [, specifier = ''] of code.matchAll(/^import .* from '(.*)'/gm))
      expect([name, specifier, (await fetch(new URL(specifier, `${local}page/`))).status]).toEqual([name, specifier, 200])
  }
  const foreign = { origin: 'http://elsewhere.example' }
  expect((await fetch(`${local}state`, { headers: foreign })).status).toBe(403)
  expect((await fetch(`${local}pictures`, { method: 'POST', headers: foreign, body: 'x' })).status).toBe(403)
  expect(port).toBeGreaterThan(0)
})
