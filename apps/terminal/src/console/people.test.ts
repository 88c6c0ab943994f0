import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { portrait, portraitVariant } from '@gatehouse/dev-env/portraits'
import { BUILTIN_DIMENSIONS, DISTINCT_PORTRAITS, type FacePool } from '@gatehouse/face-engine'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../device/testing/folder.ts'
import { idOf, personWith } from '../device/testing/objects.ts'
import { terminalForTest, type TestTerminal } from '../settings/testing/terminal.ts'
import type { Verdict } from '../terminal.ts'
import { consoleOf, type ConsoleClient } from './testing/console.ts'

/** Synthetic people whom the engine can distinguish. */
const [LI, ANN, NEW] = DISTINCT_PORTRAITS

let pool: FacePool
beforeAll(async () => {
  pool = testingFacePool({ workers: 1 })
  await pool.ready()
})
afterAll(() => pool.close())

interface Opened extends TestTerminal {
  client: ConsoleClient
  register(person: Partial<Entry>, photo?: Uint8Array): ReturnType<ConsoleClient['call']>
  show(photo: Uint8Array): Promise<Verdict>
  card(number: string): Promise<Verdict>
}

interface Entry {
  name: string
  workNumber: string
  card: string
  password: string
  validFrom: number | null
  validTo: number | null
  faces: string[]
}

async function opened(change: Parameters<typeof terminalForTest>[0] = {}, server?: TestTerminal['server']): Promise<Opened> {
  const started = await terminalForTest({ pool, ...change }, server)
  const client = consoleOf(started.terminal, started.sentences)
  await client.logIn()
  const post = async (path: string, body: Buffer | string) =>
    (await (await fetch(started.terminal.url + path, { method: 'POST', body: new Uint8Array(Buffer.from(body)) })).json()) as Verdict
  return {
    ...started,
    client,
    async register(person, photo) {
      const faces = photo ? [await pictureOf(client, photo)] : []
      return client.call('POST', 'people', {
        name: 'Li Hua',
        workNumber: '1024',
        card: '',
        password: '',
        validFrom: null,
        validTo: null,
        faces,
        ...person,
      })
    },
    show: (photo) => post('frame', Buffer.from(photo)),
    card: (number) => post('input/card', JSON.stringify({ number })),
  }
}

async function pictureOf(client: ConsoleClient, photo: Uint8Array): Promise<string> {
  const { code, data, message } = await client.call('POST', 'pictures', photo)
  expect([code, message]).toEqual([200, 'Done.'])
  return (data as unknown as { id: string }).id
}

const idIn = (answer: { data: object }) => (answer.data as { id: string }).id

test('somebody registered here is recognised at the door, recorded by name alone, and outlives a synchronisation', async () => {
  const { server, client, register, show, terminal } = await opened()
  const registered = await register({}, await portrait(LI))
  expect(registered).toMatchObject({ code: 200 })
  const verdict = await show(await portraitVariant(LI, 1))
  expect(verdict).toMatchObject({ verdict: 'allowed', failReason: null, personId: null, personName: 'Li Hua' })
  await until('the record is there', () => server.arrivals.length === 1)
  const [record] = server.recordsOf(server.arrivals[0]!.epoch)
  expect(record).toMatchObject({ personId: null, personName: 'Li Hua', result: 1, failReason: null, verifyType: 1 })

  server.audience.put(personWith(idOf('ann'), (await pool.analyse(await portrait(ANN))).faces[0]!.embedding!))
  server.audience.remove(idOf('ann'))
  server.changed()
  await until('it was synchronised', () => server.statuses.at(-1)?.held?.cursor === server.audience.announcement().head)
  expect(terminal.state().held).toMatchObject({ persons: 0, faces: 0 })
  expect(await client.call('GET', `people/${idIn(registered)}`)).toMatchObject({ code: 200, data: { name: 'Li Hua', recognisable: 1 } })
  expect((await show(await portraitVariant(LI, 1))).verdict).toBe('allowed')
})

test('people of the server and people registered here are told apart, and the nearer one counts', async () => {
  const { server, register, show } = await opened()
  server.audience.put(personWith(idOf('ann'), (await pool.analyse(await portrait(ANN))).faces[0]!.embedding!))
  server.changed()
  await until('Ann is held', () => server.statuses.at(-1)?.held?.persons === 1)
  await register({}, await portrait(LI))
  expect(await show(await portraitVariant(ANN, 1))).toMatchObject({ verdict: 'allowed', personId: idOf('ann') })
  expect(await show(await portraitVariant(LI, 1))).toMatchObject({ verdict: 'allowed', personId: null, personName: 'Li Hua' })
})

test('what is registered lies sealed on the disk, is there after a restart, and passes by card and password too', async () => {
  const first = await opened()
  expect((await first.register({ card: '4711', password: '135790' }, await portrait(LI))).code).toBe(200)
  const file = join(first.folder, 'terminal.sqlite')
  await first.stop()
  const onDisk = [file, `${file}-wal`].filter((name) => existsSync(name)).map((name) => readFileSync(name))
  for (const secret of ['Li Hua', '135790', '"4711"']) for (const bytes of onDisk) expect(bytes.includes(secret)).toBe(false)

  const again = await terminalForTest({ pool, dataDir: first.folder }, first.server)
  const post = async (path: string, body: Buffer | string) =>
    (await (await fetch(again.terminal.url + path, { method: 'POST', body: new Uint8Array(Buffer.from(body)) })).json()) as Verdict
  expect(await post('frame', Buffer.from(await portraitVariant(LI, 1)))).toMatchObject({ verdict: 'allowed', personName: 'Li Hua' })
  expect(await post('input/card', JSON.stringify({ number: '04711' }))).toMatchObject({
    verdict: 'allowed',
    personName: 'Li Hua',
    personId: null,
  })
  expect(await post('input/password', JSON.stringify({ password: '135790' }))).toMatchObject({ verdict: 'allowed', personName: 'Li Hua' })
  expect(await post('input/card', JSON.stringify({ number: '4712' }))).toMatchObject({ verdict: 'rejected' })
})

test('outside the validity, and once removed, nobody passes', async () => {
  let now = Date.parse('2026-11-22T04:00:00Z')
  const { client, register, show } = await opened({ clock: () => now })
  const registered = await register({ validFrom: now, validTo: now + 3_600_000 }, await portrait(LI))
  expect((await show(await portrait(LI))).verdict).toBe('allowed')
  now += 3_600_001
  await client.logIn()
  expect(await show(await portrait(LI))).toMatchObject({ verdict: 'rejected', personName: 'Li Hua' })
  expect((await client.call('POST', 'people/delete', { ids: [idIn(registered)] })).code).toBe(200)
  expect(await show(await portrait(LI))).toMatchObject({ verdict: 'rejected', failReason: 904, personName: '' })
})

test('registration information that does not fit is 506 at its field, and a card somebody has 532', async () => {
  const { register, client, server } = await opened()
  const photo = await portrait(LI)
  expect(await register({ name: ' ' }, photo)).toMatchObject({
    code: 506,
    message: 'The registration data are not right.',
    fields: { name: expect.any(String) },
  })
  expect(await register({ workNumber: '' }, photo)).toMatchObject({ code: 506, fields: { workNumber: expect.any(String) } })
  expect(await register({ password: '123' }, photo)).toMatchObject({ code: 506, fields: { password: expect.any(String) } })
  expect(await register({ card: 'green' }, photo)).toMatchObject({ code: 506, fields: { card: expect.any(String) } })
  expect(await register({ validFrom: 2, validTo: 1 }, photo)).toMatchObject({ code: 506, fields: { validTo: expect.any(String) } })
  expect(await register({})).toMatchObject({ code: 506, fields: { faces: expect.any(String) } })
  expect(await register({ faces: ['of nobody'] })).toMatchObject({ code: 506, fields: { faces: expect.any(String) } })

  expect(await register({ card: '4711', password: '135790' }, photo)).toMatchObject({ code: 200 })
  expect(await register({}, photo)).toMatchObject({ code: 506, fields: { workNumber: 'Another person here has this work number.' } })
  expect(await register({ workNumber: '1025', password: '135790' }, photo)).toMatchObject({
    code: 506,
    fields: { password: expect.any(String) },
  })
  expect(await register({ workNumber: '1025', card: '4711' }, photo)).toMatchObject({ code: 532, fields: { card: expect.any(String) } })

  const ann = personWith(idOf('ann'), new Float32Array(BUILTIN_DIMENSIONS).fill(0.05), {
    credentials: { cards: ['815'], idNumber: null, personalPassword: null, cardPassword: null, qrCodes: [], handprints: [] },
  })
  server.audience.put(ann)
  server.changed()
  await until('Ann is held', () => server.statuses.at(-1)?.held?.persons === 1)
  expect(await register({ workNumber: '1025', card: '815' }, photo)).toMatchObject({ code: 532 })
  expect((await client.call('GET', 'people')).data).toMatchObject({ total: 1 })
})

test('a picture without a usable face is 535 with why, and an engine that fails 507', async () => {
  const { client } = await opened()
  const grey = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#808080' } })
    .jpeg()
    .toBuffer()
  expect(await client.call('POST', 'pictures', grey)).toMatchObject({
    code: 535,
    message: expect.stringMatching(/^No features can be extracted from this picture\. ./),
  })
  expect(await client.call('POST', 'pictures', Buffer.from('no picture'))).toMatchObject({ code: 535 })
  const failing = {
    modelId: pool.modelId,
    description: pool.description,
    ready: () => pool.ready(),
    close: async () => {},
    analyse: () => Promise.reject(new Error('out of memory')),
  }
  const other = await opened({ pool: failing })
  expect(await other.client.call('POST', 'pictures', await portrait(LI))).toMatchObject({
    code: 507,
    message: 'The face’s features could not be extracted.'.replace('’', "'"),
  })
})

test('where there is no room left, nobody more is registered: 529', async () => {
  const { register, client, server } = await opened({ peopleCapacity: 2 })
  server.audience.put(personWith(idOf('ann'), new Float32Array(BUILTIN_DIMENSIONS).fill(0.05)))
  server.changed()
  await until('Ann is held', () => server.statuses.at(-1)?.held?.persons === 1)
  expect((await client.call('GET', 'people')).data).toMatchObject({ room: 1 })
  expect((await register({}, await portrait(LI))).code).toBe(200)
  expect(await register({ workNumber: '1025' }, await portrait(NEW))).toMatchObject({
    code: 529,
    message: 'The device cannot hold more people.',
  })
})

test('people are found by name, number and card, page by page, changed and deleted; 508 and 509 where that fails', async () => {
  const { register, client, show } = await opened()
  const photo = await portrait(LI)
  for (let number = 1; number <= 5; number++)
    await register({ name: `Person ${String(number).padStart(2, '0')}`, workNumber: `W${number}`, card: String(5000 + number) }, photo)
  const list = async (query: string) =>
    (await client.call('GET', `people?${query}`)).data as unknown as {
      total: number
      content: { id: string; name: string; faces: string[]; hasPassword: boolean }[]
    }
  expect(await list('page=2&size=3')).toMatchObject({ total: 5, content: [{ name: 'Person 04' }, { name: 'Person 05' }] })
  expect(await list('search=person%2003')).toMatchObject({ total: 1, content: [{ name: 'Person 03' }] })
  expect(await list('search=5002')).toMatchObject({ content: [{ name: 'Person 02' }] })
  const [first, second] = (await list('size=20')).content

  const picture = await client.file('GET', `pictures/${first!.faces[0]}`)
  expect(picture.type).toBe('image/jpeg')
  expect((await sharp(picture.bytes).metadata()).width).toBeLessThanOrEqual(640)
  const face = await pictureOf(client, await portrait(NEW))
  expect(
    (
      await client.call('PUT', `people/${first!.id}`, {
        name: 'Renamed',
        workNumber: 'W1',
        card: '',
        faces: [face],
        validFrom: null,
        validTo: null,
      })
    ).code,
  ).toBe(200)
  expect(await show(await portraitVariant(NEW, 1))).toMatchObject({ verdict: 'allowed', personName: 'Renamed' })
  expect((await list('search=renamed')).content[0]?.faces).toHaveLength(1)
  expect((await client.call('GET', `pictures/${first!.faces[0]}`)).code).toBe(502)

  expect(await client.call('POST', 'people/delete', { ids: [second!.id, crypto.randomUUID()] })).toMatchObject({ code: 509 })
  expect(await client.call('POST', 'people/delete', { ids: [crypto.randomUUID()] })).toMatchObject({ code: 508 })
  expect((await list('')).total).toBe(4)
})

test('with another engine the kept pictures make people recognisable again', async () => {
  const first = await opened()
  await first.register({}, await portrait(LI))
  await first.stop()
  const turned = {
    modelId: 'turned-128',
    description: { ...pool.description, modelId: 'turned-128', name: 'Turned round' },
    ready: () => pool.ready(),
    close: async () => {},
    analyse: async (photo: Uint8Array) => {
      const analysis = await pool.analyse(photo)
      return {
        ...analysis,
        faces: analysis.faces.map((face) => ({
          ...face,
          modelId: 'turned-128',
          embedding: face.embedding?.map((value) => -value) ?? null,
        })),
      }
    },
  }
  const second = await terminalForTest({ pool: turned, dataDir: first.folder }, first.server)
  const seen = async () =>
    (await (
      await fetch(`${second.terminal.url}frame`, { method: 'POST', body: Buffer.from(await portraitVariant(LI, 1)) })
    ).json()) as Verdict
  let verdict = await seen()
  while (verdict.verdict !== 'allowed') verdict = await seen()
  expect(verdict.personName).toBe('Li Hua')
})
