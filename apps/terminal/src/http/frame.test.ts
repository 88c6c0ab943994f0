import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { once } from 'node:events'
import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { portrait, portraitVariant } from '@gatehouse/dev-env/portraits'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol-manifest'
import {
  acceptedFace,
  BUILTIN_DIMENSIONS,
  BUILTIN_MODEL,
  DISTINCT_PORTRAITS,
  type FacePool,
  type AnalyseOptions,
  type EngineDescription,
} from '@gatehouse/face-engine'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { embeddingFrom, scratchFolder, until } from '../device/testing/folder.ts'
import { DEVICE, idOf, OPEN_RULE, personWith } from '../device/testing/objects.ts'
import { startTestServer, type TestServer } from '../device/testing/server.ts'
import { startTerminal, type Terminal, type TerminalOptions, type Verdict } from '../terminal.ts'

const FACES = join(import.meta.dirname, '../../../../../shared/data/faces')
const withFaces = existsSync(FACES)
if (!withFaces) console.log(`No real photographs at ${FACES}: drawn portraits only.`)

let pool: FacePool
beforeAll(async () => {
  pool = testingFacePool({ workers: 1 })
  await pool.ready()
})
afterAll(() => pool.close())

async function personOf(id: string, photo: Uint8Array) {
  return personWith(id, acceptedFace(await pool.analyse(photo)).embedding)
}

/** A terminal that stores these people, connected to a server of its own. */
async function terminalWith(
  people: Record<string, Uint8Array>,
  change: Partial<TerminalOptions> = {},
): Promise<{ terminal: Terminal; server: TestServer; stop: () => Promise<void> }> {
  const server = await startTestServer()
  for (const [name, photo] of Object.entries(people)) server.audience.put(await personOf(idOf(name), photo))
  const terminal = await startTerminal({
    server: server.url,
    code: DEVICE.code,
    secret: DEVICE.secret,
    dataDir: scratchFolder(),
    port: 0,
    pool,
    ...change,
  })
  let stopped: Promise<void> | null = null
  const stop = () => (stopped ??= terminal.stop())
  onTestFinished(async () => {
    await stop()
    await server.stop()
  })
  await until('it holds its persons', () => server.statuses.at(-1)?.held?.persons === Object.keys(people).length)
  return { terminal, server, stop }
}

async function show(
  terminal: Terminal,
  body: Uint8Array | string,
  { path = 'frame', headers = { 'content-type': 'image/jpeg' } as Record<string, string> } = {},
) {
  const response = await fetch(terminal.url + path, { method: 'POST', body: typeof body === 'string' ? body : Buffer.from(body), headers })
  return { status: response.status, answer: (await response.json()) as Verdict & { message: string } }
}

test('another portrait of a person held opens the door, and record and picture reach the server', async () => {
  const { terminal, server } = await terminalWith({ ann: await portrait(1), bob: await portrait(7) })
  terminal.showCheckDetails(true)
  const { status, answer } = await show(terminal, await portraitVariant(1, 1))
  expect(status).toBe(200)
  expect(answer).toMatchObject({
    verdict: 'allowed',
    failReason: null,
    personId: idOf('ann'),
    personName: `Name of ${idOf('ann')}`,
    reason: null,
    message: '',
  })
  expect(answer.score).toBeGreaterThanOrEqual(80)
  expect(answer.checks.map(({ ok }: { ok: boolean }) => ok)).not.toContain(false)
  expect(['opening', 'opened']).toContain(terminal.state().door)

  await until('the picture is there', () => server.pictures.has(answer.recordId!))
  const [record] = [...server.records.values()].flatMap((records) => [...records.values()])
  expect(record).toMatchObject({
    seq: 1,
    personId: idOf('ann'),
    result: 1,
    failReason: null,
    verifyType: 1,
    direction: 1,
    revision: server.audience.manifest.revision,
  })
  await until('nothing waits', () => terminal.state().queue.records + terminal.state().queue.pictures === 0)
  expect(terminal.state().queue.picturesLost).toBe(0)
})

test('a person of whom the server has no template is recognised by the photograph, and named where it shows no face', async () => {
  const { terminal, server } = await terminalWith({})
  const photographed = (name: string) => ({
    ...personWith(idOf(name), new Float32Array(BUILTIN_DIMENSIONS)),
    faces: [{ faceId: `face of ${name}`, modelId: pool.modelId, template: null }],
  })
  server.audience.photos.set('face of ann', await portrait(1)).set('face of bob', Buffer.from('no photograph'))
  server.audience.put(photographed('ann'), photographed('bob'))
  server.changed()
  await until('both were tried', () => server.statuses.at(-1)?.held?.cursor === 2)
  expect(server.statuses.at(-1)?.held).toMatchObject({ persons: 1, failed: 1 })
  expect(server.audience.exceptions.at(-1)?.exceptions).toMatchObject([{ personId: idOf('bob'), reason: 'photoRefused' }])
  expect((await show(terminal, await portraitVariant(1, 1))).answer).toMatchObject({ verdict: 'allowed', personId: idOf('ann') })
})

test('outside the permitted hours the person is named and refused, in the language asked for', async () => {
  const { terminal, server } = await terminalWith({ ann: await portrait(1) })
  server.audience.manifest = { ...server.audience.manifest, revision: 'closed', timeRules: [{ ...OPEN_RULE, periods: [] }] }
  server.changed()
  await until('the rule is in force', () => terminal.state().held.revision === 'closed')
  const { answer } = await show(terminal, await portrait(1), { headers: { 'content-type': 'image/jpeg', 'accept-language': 'zh-CN' } })
  expect(answer).toMatchObject({ verdict: 'rejected', failReason: 6, personId: idOf('ann'), message: '不在允许通行的时间内' })
  expect(terminal.state().door).toBe('closed')
})

/**
 * The real engine under another name, which reports this liveness for every first face. It is not a model of its own: its numbers are
 * inverted.
 */
function otherEngine(livenessScore: number | null) {
  const asked: (boolean | undefined)[] = []
  const description: EngineDescription = {
    ...pool.description,
    kind: 'onnx',
    modelId: 'turned-128',
    name: 'Turned round',
    livenessModelId: livenessScore === null ? null : 'pretended',
  }
  const analyse = async (photo: Uint8Array, options: AnalyseOptions = {}) => {
    asked.push(options.liveness)
    const analysis = await pool.analyse(photo, options)
    const faces = analysis.faces.map((face) => ({
      ...face,
      modelId: description.modelId,
      embedding: face.embedding?.map((value) => -value) ?? null,
      ...(options.liveness && livenessScore !== null && { livenessScore }),
    }))
    return { ...analysis, faces }
  }
  return { asked, description, modelId: description.modelId, analyse, ready: () => pool.ready(), close: async () => {} }
}

test('restarted with another engine the terminal makes its own templates, says how many are ready, and compares no old ones', async () => {
  const dataDir = scratchFolder()
  const people = { ann: await portrait(1), bob: await portrait(7) }
  const { terminal, server, stop } = await terminalWith(people, { dataDir })
  expect(terminal.state()).toMatchObject({
    engine: { kind: 'builtin', modelId: BUILTIN_MODEL, name: 'Built-in engine', tellsLiving: false },
    held: { renewing: null },
  })
  await stop()
  for (const [name, photo] of Object.entries(people)) server.audience.photos.set(`${idOf(name)}-face`, photo)

  const { secret } = server
  server.secret = 'not told yet'
  const sentences: string[] = []
  const pool2 = otherEngine(null)
  const restarted = await startTerminal({
    server: server.url,
    code: DEVICE.code,
    secret,
    dataDir,
    port: 0,
    pool: pool2,
    retry: { first: 20, limit: 100 },
    log: (sentence) => void sentences.push(sentence),
  })
  onTestFinished(() => restarted.stop())
  restarted.showCheckDetails(true)
  expect(sentences.join()).toMatch(/"Turned round" \(turned-128\): 2 persons are fetched anew/)
  expect(restarted.state()).toMatchObject({
    engine: { kind: 'onnx', modelId: 'turned-128', name: 'Turned round' },
    held: { persons: 0, faces: 0, renewing: { ready: 0, total: 2 } },
  })
  expect((await show(restarted, people.ann)).answer).toMatchObject({ verdict: 'rejected', failReason: 904, score: null })

  server.secret = secret
  await until('all were made anew', () => restarted.state().held.renewing === null)
  expect(restarted.state().held).toMatchObject({ persons: 2, faces: 2, failed: 0 })
  expect((await show(restarted, await portraitVariant(1, 1))).answer).toMatchObject({ verdict: 'allowed', personId: idOf('ann') })
  await until('the server knows', () => server.statuses.at(-1)?.held?.persons === 2)
  expect(server.statuses.at(-1)).toMatchObject({ modelId: 'turned-128', held: { persons: 2, failed: 0 } })
})

test('where a living face is demanded, an engine that cannot tell lets nobody in, and one that can lets in the living', async () => {
  const demand = async (terminal: Terminal, server: TestServer, liveness: { refuses: boolean; threshold: number | null } | null) => {
    const { manifest } = server.audience
    const revision = `liveness ${JSON.stringify(liveness)}`
    server.audience.manifest = { ...manifest, revision, settings: { ...manifest.settings, liveness } }
    server.changed()
    await until('it is in force', () => terminal.state().held.revision === revision)
  }
  const people = { ann: await portrait(1) }
  const { terminal, server } = await terminalWith(people)
  terminal.showCheckDetails(true)
  await demand(terminal, server, { refuses: true, threshold: 0.6 })
  const refused = (await show(terminal, people.ann)).answer
  expect(refused).toMatchObject({ verdict: 'rejected', failReason: 17, personId: idOf('ann') })
  expect(refused.checks.at(-1)).toEqual({ code: 'liveness', ok: false, score: null, threshold: 0.6 })
  expect(terminal.state()).toMatchObject({ door: 'closed', engine: { tellsLiving: false }, device: { liveness: { refuses: true } } })
  await demand(terminal, server, { refuses: false, threshold: null })
  expect((await show(terminal, people.ann)).answer.verdict).toBe('allowed')

  for (const [score, verdict] of [
    [0.95, 'allowed'],
    [0.05, 'rejected'],
  ] as const) {
    const engine = otherEngine(score)
    const other = await startTestServer()
    other.audience.put(personWith(idOf('ann'), new Float32Array(BUILTIN_DIMENSIONS)))
    other.audience.photos.set(`${idOf('ann')}-face`, people.ann)
    const telling = await startTerminal({
      server: other.url,
      code: DEVICE.code,
      secret: DEVICE.secret,
      dataDir: scratchFolder(),
      port: 0,
      pool: engine,
    })
    onTestFinished(() => telling.stop().then(() => other.stop()))
    telling.showCheckDetails(true)
    await until('it holds Ann', () => telling.state().held.persons === 1)
    expect((await show(telling, people.ann)).answer).toMatchObject({ verdict: 'allowed' })
    expect(engine.asked.filter(Boolean)).toEqual([])
    await demand(telling, other, { refuses: true, threshold: 0.6 })
    const { answer } = await show(telling, people.ann)
    expect(answer).toMatchObject({ verdict, failReason: verdict === 'allowed' ? null : 17 })
    expect(answer.checks).toContainEqual({ code: 'liveness', ok: verdict === 'allowed', score, threshold: 0.6 })
    expect(engine.asked.filter(Boolean)).toEqual([true])
    await until('its records have arrived', () => other.arrivals.length === 2)
  }
})

test('a camera that sees the same face again gets the same verdict without another record; a picture is a passage each time', async () => {
  let now = Date.parse('2026-11-20T04:00:00Z')
  const { terminal, server } = await terminalWith({ ann: await portrait(1) }, { clock: () => now })
  const frame = async () => (await show(terminal, await portrait(1), { path: 'frame?stream=1' })).answer
  const first = await frame()
  expect(await frame()).toMatchObject({ verdict: 'allowed', recordId: first.recordId, repeated: true })
  now += 6_000
  expect((await frame()).recordId).not.toBe(first.recordId)
  await show(terminal, await portrait(1))
  await show(terminal, await portrait(1))
  await until('four records are there', () => server.arrivals.length === 4)
})

describe('somebody who stands before the camera', () => {
  const [ANN, BOB, STRANGER] = DISTINCT_PORTRAITS
  const start = Date.parse('2026-11-20T04:00:00Z')

  /** A terminal that stores Ann and Bob, with a clock of the test; `frame` and `picture` show it a person. */
  async function watched() {
    const time = { now: start }
    const { terminal, server } = await terminalWith({ ann: await portrait(ANN), bob: await portrait(BOB) }, { clock: () => time.now })
    const frame = async (who: number) => (await show(terminal, await portrait(who), { path: 'frame?stream=1' })).answer
    const picture = async (who: number) => (await show(terminal, await portrait(who))).answer
    return { terminal, server, time, frame, picture }
  }

  test('passes once, whatever pictures are shown and whoever comes along meanwhile', async () => {
    const { server, time, frame, picture } = await watched()
    const first = await frame(ANN)
    expect(first).toMatchObject({ verdict: 'allowed', personId: idOf('ann'), repeated: false })
    expect(await picture(STRANGER)).toMatchObject({ verdict: 'rejected', failReason: 904, repeated: false })
    expect(await frame(ANN)).toMatchObject({ verdict: 'allowed', recordId: first.recordId, repeated: true })
    expect(await frame(BOB)).toMatchObject({ verdict: 'allowed', personId: idOf('bob'), repeated: false })
    expect(await frame(ANN)).toMatchObject({ recordId: first.recordId, repeated: true })
    expect(await frame(BOB)).toMatchObject({ personId: idOf('bob'), repeated: true })
    time.now += 5_000
    expect(await frame(ANN)).toMatchObject({ verdict: 'allowed', repeated: false })
    await until('four records are there', () => server.arrivals.length === 4)
  })

  test('is told the latest verdict, and none from before it', async () => {
    const { terminal, server, time, frame, picture } = await watched()
    expect(await frame(ANN)).toMatchObject({ verdict: 'allowed' })
    server.audience.manifest = { ...server.audience.manifest, revision: 'closed', timeRules: [{ ...OPEN_RULE, periods: [] }] }
    server.changed()
    await until('the rule is in force', () => terminal.state().held.revision === 'closed')
    const refused = await picture(ANN)
    expect(refused).toMatchObject({ verdict: 'rejected', failReason: 6 })
    expect(await frame(ANN)).toMatchObject({ verdict: 'rejected', recordId: refused.recordId, repeated: true })
    // The refusal has expired; a previous passage would not have yet.
    time.now += 4_000
    expect(await frame(ANN)).toMatchObject({ verdict: 'rejected', failReason: 6, repeated: false })
  })

  test('is not kept out by a clock that was put back', async () => {
    const { time, frame } = await watched()
    await frame(ANN)
    time.now -= 3_600_000
    expect(await frame(ANN)).toMatchObject({ verdict: 'allowed', repeated: false })
  })
})

test('what counts as the same face as before follows a loose threshold, and no strict one: people held make no face another', async () => {
  const [ANN, BOB] = DISTINCT_PORTRAITS
  const { terminal, server } = await terminalWith({ ann: await portrait(ANN) })
  const frame = async (photo: Uint8Array) => (await show(terminal, photo, { path: 'frame?stream=1' })).answer
  const other = await portraitVariant(ANN, 1)
  const put = async (revision: string, change: Partial<DeviceSettings>) => {
    const { manifest } = server.audience
    server.audience.manifest = { ...manifest, revision, settings: { ...manifest.settings, ...change } }
    server.changed()
    await until('it is in force', () => terminal.state().held.revision === revision)
  }
  expect((await frame(await portrait(ANN))).repeated).toBe(false)
  expect((await frame(other)).repeated).toBe(true)
  await put('strict', { threshold: 150 })
  expect((await frame(other)).repeated).toBe(true)
  await put('promised', { promise: { strangersPerThousand: 0.01 } })
  server.audience.put(...Array.from({ length: 40 }, (_, at) => personWith(idOf(`other ${at}`), embeddingFrom(at))))
  server.changed()
  await until('all are held', () => terminal.state().held.faces === 41)
  expect((await frame(other)).repeated).toBe(true)
  expect((await frame(await portrait(BOB))).repeated).toBe(false)
  await put('loose', { threshold: 1, promise: undefined })
  expect((await frame(await portrait(BOB))).repeated).toBe(true)
})

test('a camera must see a stranger in several frames before he is one', async () => {
  const { terminal, server } = await terminalWith({})
  const frame = async () => (await show(terminal, await portrait(3), { path: 'frame?stream=1' })).answer
  expect([await frame(), await frame(), await frame()].map(({ failReason }) => failReason)).toEqual([null, null, 904])
  await until('one record is there', () => server.arrivals.length === 1)
})

describe('bad input', () => {
  test('is answered with its reason, never with 5xx, and makes no record', async () => {
    const { terminal, server } = await terminalWith({})
    const jpeg = await portrait(1)
    const reasonOf = async (body: Uint8Array | string, headers?: Record<string, string>) => {
      const { status, answer } = await show(terminal, body, headers ? { headers } : {})
      expect({ status, verdict: answer.verdict, failReason: answer.failReason, recordId: answer.recordId }).toEqual({
        status: 200,
        verdict: 'rejected',
        failReason: null,
        recordId: null,
      })
      return answer.reason
    }
    expect(await reasonOf('')).toBe(200205)
    expect(await reasonOf('no picture')).toBe(200205)
    expect(await reasonOf('{"image":1}', { 'content-type': 'application/json' })).toBe(200205)
    expect(await reasonOf(jpeg.subarray(0, jpeg.length / 2), { 'content-type': 'application/octet-stream' })).toBe(200205)
    expect(await reasonOf(Buffer.concat([jpeg.subarray(0, 20), Buffer.alloc(50_000, 0xab)]))).toBe(200205)
    expect(server.arrivals).toEqual([])
  })

  test('a body that is too large is refused at its announcement and in its course, and the next picture is taken', async () => {
    const { terminal } = await terminalWith({ ann: await portrait(1) })
    expect((await show(terminal, Buffer.alloc(10 * 1_048_576 + 1))).status).toBe(413)

    const endless = request(terminal.url + 'frame', {
      method: 'POST',
      headers: { 'content-type': 'image/jpeg', 'transfer-encoding': 'chunked' },
    })
    const refused = Promise.race([
      once(endless, 'response').then(([response]) => response.statusCode),
      once(endless, 'error').then(() => 413),
    ])
    endless.on('error', () => {})
    const chunk = Buffer.alloc(1_048_576)
    for (let sent = 0; sent < 12; sent++) endless.write(chunk)
    expect(await refused).toBe(413)
    endless.destroy()
    expect((await show(terminal, await portrait(1))).answer.verdict).toBe('allowed')
  })

  test('no request, however broken, stops the door [FIELD-24]', async () => {
    const { terminal } = await terminalWith({ ann: await portrait(1) })
    const raw = async (text: string) => {
      const socket = connect(terminal.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(text)
      await Promise.race([once(socket, 'data'), once(socket, 'close')])
      socket.destroy()
    }
    const host = `Host: 127.0.0.1:${terminal.port}`
    for (const broken of [
      '\0\0\0\0\r\n\r\n',
      'POST /frame HTTP/9.9\r\n\r\n',
      `POST /frame HTTP/1.1\r\n${host}\r\nContent-Length: -1\r\n\r\n`,
      `POST /frame HTTP/1.1\r\n${host}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `POST /frame HTTP/1.1\r\n${host}\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n`,
      `POST /frame HTTP/1.1\r\n${host}\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
      `POST /%E0%A4%A HTTP/1.1\r\n${host}\r\nContent-Length: 0\r\n\r\n`,
    ]) {
      await raw(broken)
    }
    const odd: [path: string, init: RequestInit][] = [
      ['frame', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"image":' }],
      ['frame', { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=' }, body: '--' }],
      ['frame?stream=1&stream=2', { method: 'POST', body: '[' }],
      ['frame', { method: 'DELETE' }],
      ['state', { method: 'POST', body: '{}' }],
      ['texts/xx.json', {}],
      ['../../etc/passwd', {}],
    ]
    for (const [path, init] of odd) expect((await fetch(terminal.url + path, init)).status).toBeLessThan(500)
    expect((await show(terminal, await portrait(1))).answer.verdict).toBe('allowed')
    expect(['opening', 'opened']).toContain(terminal.state().door)
  })

  test('callers that hang up in the middle leave room for the next', async () => {
    const { terminal } = await terminalWith({ ann: await portrait(1) })
    for (let caller = 0; caller < 20; caller++) {
      const broken = request(terminal.url + 'frame', {
        method: 'POST',
        headers: { 'content-type': 'image/jpeg', 'content-length': '100000' },
      })
      broken.on('error', () => {})
      await new Promise<void>((resolve) => broken.write(Buffer.alloc(1_000), () => resolve()))
      broken.destroy()
    }
    expect((await show(terminal, await portrait(1))).answer.verdict).toBe('allowed')
  })
})

describe('where pictures are taken from', () => {
  const outside = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === 'IPv4' && !address.internal)?.address

  test.skipIf(!outside)('another machine is refused, and taken with --allow-frames and its key', async () => {
    const photo = await portrait(1)
    const closed = await terminalWith({}, { host: '0.0.0.0' })
    const from = (terminal: Terminal, path: string, init?: RequestInit) =>
      fetch(`http://${outside}:${terminal.port}/${path}`, init).then(({ status }) => status)
    expect(await from(closed.terminal, 'frame', { method: 'POST', body: photo })).toBe(403)
    expect(await from(closed.terminal, 'events')).toBe(403)
    expect(await from(closed.terminal, 'state')).toBe(200)
    const dataDir = scratchFolder()
    const open = await terminalWith({}, { host: '0.0.0.0', allowFrames: true, dataDir })
    expect(await from(open.terminal, 'frame', { method: 'POST', body: photo })).toBe(401)
    const authorization = `Bearer ${readFileSync(join(dataDir, 'frames-key'), 'utf8').trim()}`
    expect(await from(open.terminal, 'frame', { method: 'POST', body: photo, headers: { authorization } })).toBe(200)
  })

  test("another site's page in this machine's browser is refused", async () => {
    const { terminal } = await terminalWith({})
    const photo = await portrait(1)
    expect((await show(terminal, photo, { headers: { origin: 'https://elsewhere.example' } })).status).toBe(403)
    expect((await show(terminal, photo, { headers: { origin: new URL(terminal.url).origin } })).status).toBe(200)
  })
})

test('a terminal that never met its server says that it is not configured', async () => {
  const terminal = await startTerminal({ server: 'http://127.0.0.1:9', code: 'X', secret: 'Y', dataDir: scratchFolder(), port: 0, pool })
  onTestFinished(() => terminal.stop())
  expect((await show(terminal, await portrait(1))).answer).toMatchObject({ verdict: 'rejected', failReason: 12, recordId: null })
})

test('the screen and its texts are served, its TypeScript without types', async () => {
  const { terminal } = await terminalWith({})
  const get = (path: string, headers: Record<string, string> = {}) => fetch(terminal.url + path, { headers })
  expect(await (await get('', { 'accept-language': 'zh-TW,zh;q=0.9' })).text()).toContain('<html lang="zh-TW">')
  const script = await get('page.ts')
  expect(script.headers.get('content-type')).toMatch(/^text\/javascript/)
  expect(await script.text()).not.toContain('import type')
  expect(await (await get('texts/zh-CN.json')).json()).toMatchObject({ failReason: { 904: '未匹配到登记人员' } })
  expect((await get('main.ts')).status).toBe(404)
  expect((await get('i18n/en.json')).status).toBe(404)
})

describe.skipIf(!withFaces)('real photographs', () => {
  const photo = (name: string) => readFileSync(join(FACES, name))

  test('people are recognised from other photographs, others are strangers', async () => {
    const { terminal } = await terminalWith({
      yao_ming: photo('yao_ming/1.jpg'),
      tony_blair: photo('tony_blair/1.jpg'),
      hu_jintao: photo('hu_jintao/1.jpg'),
    })
    expect((await show(terminal, photo('yao_ming/2.jpg'))).answer).toMatchObject({ verdict: 'allowed', personId: idOf('yao_ming') })
    expect((await show(terminal, photo('tony_blair/2.jpg'))).answer).toMatchObject({ verdict: 'allowed', personId: idOf('tony_blair') })
    for (const stranger of ['serena_williams/1.jpg', 'meryl_streep/1.jpg', 'jackie_chan/1.jpg']) {
      expect((await show(terminal, photo(stranger))).answer).toMatchObject({
        verdict: 'rejected',
        failReason: 904,
        personId: null,
        personName: '',
      })
    }
  })

  test('odd pictures are all answered with a verdict', { tags: 'extended' }, async () => {
    const { terminal } = await terminalWith({})
    for (const name of readdirSync(join(FACES, 'odd')).filter((file) => /\.(jpg|png|webp)$/.test(file))) {
      const { status, answer } = await show(terminal, photo(join('odd', name)))
      expect([name, status, answer.verdict]).toEqual([name, 200, 'rejected'])
    }
  })
})
