import { expect, onTestFinished, test } from 'vitest'
import { createDoor } from './door.ts'
import { startLink } from './link.ts'
import { createServerClient } from './server.ts'
import { openStore } from './store.ts'
import { embeddingFrom, MODEL, scratchFolder, until } from './testing-folder.ts'
import { DEVICE, manifestOf, personWith, startTestServer, type TestServer } from './testing-server.ts'
import { createUplink } from './uplink.ts'

async function serverForTest(): Promise<TestServer> {
  const server = await startTestServer()
  onTestFinished(() => server.stop())
  return server
}

/** The connected half of a terminal: store, uplink, link, door. */
function connect(url: string, { folder = scratchFolder(), secret = DEVICE.secret, resendAfter = 60_000 } = {}) {
  const sentences: string[] = []
  const log = (sentence: string) => void sentences.push(sentence)
  const store = openStore({ folder, code: DEVICE.code, model: MODEL })
  const client = createServerClient({ server: url, code: DEVICE.code, secret })
  const uplink = createUplink({ outbox: store.outbox, pictures: store.pictures, client, clock: Date.now, log, resendAfter, onProgress: () => {} })
  const door = createDoor({ output: { open: async () => {}, close: async () => {} }, openFor: 60_000, onChange: () => {}, log })
  const link = startLink({
    code: DEVICE.code,
    secret,
    version: '1',
    modelId: MODEL.modelId,
    client,
    store,
    uplink,
    clock: Date.now,
    log,
    operateDoor: (operateType) => door.operate(operateType),
    onChange: () => {},
    retry: { first: 20, limit: 100 },
  })
  let stopped: Promise<void> | null = null
  const stop = () =>
    (stopped ??= link.stop().then(() => {
      uplink.stop()
      door.stop()
      store.close()
    }))
  onTestFinished(stop)
  const pass = () => {
    const queued = store.outbox.append(DEVICE.deviceId, {
      occurredAt: Date.now(),
      personId: null,
      personName: '',
      result: 0,
      failReason: 904,
      verifyType: 1,
      direction: 1,
      score: 1,
      checks: '[]',
      revision: 'r',
      hasPicture: false,
    })
    uplink.recordAdded()
    return queued
  }
  return { store, link, uplink, door, sentences, stop, pass, folder, online: () => until('it is online', () => link.state().kind === 'online') }
}

const numbers = (length: number) => Array.from({ length }, (_, index) => index + 1)

test('says hello, takes its persons, and follows changes without fetching anybody twice', async () => {
  const server = await serverForTest()
  for (const [seed, id] of ['ann', 'bob', 'cid'].entries()) server.persons.set(id, personWith(id, embeddingFrom(seed)))
  server.manifest = manifestOf([{ id: 'ann', version: 1 }, { id: 'bob', version: 1 }])
  const { store } = connect(server.url)
  await until('the server knows what it holds', () => server.statuses.at(-1)?.held !== undefined)
  expect(server.statuses.at(-1)).toMatchObject({ online: true, modelId: MODEL.modelId, held: { revision: server.manifest.revision, persons: 2, failed: [] } })

  server.persons.set('bob', personWith('bob', embeddingFrom(50), { version: 2, name: 'Bobby' }))
  server.manifest = manifestOf([{ id: 'bob', version: 2 }, { id: 'cid', version: 1 }])
  server.changed()
  await until('the new state is held', () => server.statuses.at(-1)?.held?.revision === server.manifest.revision)
  expect(server.personCalls).toEqual([['ann', 'bob'], ['bob', 'cid']])
  expect(store.holdings.person('ann')).toBeUndefined()
  expect(store.holdings.nearest(embeddingFrom(50))).toMatchObject({ personId: 'bob', distance: 0 })
  expect(store.holdings.person('bob')?.name).toBe('Bobby')
  expect(store.holdings.counts()).toEqual({ persons: 2, faces: 2, failed: 0 })
})

test('a withdrawn permission is in force before the first new person has arrived', async () => {
  const server = await serverForTest()
  server.persons.set('ann', personWith('ann', embeddingFrom(1)))
  server.manifest = manifestOf([{ id: 'ann', version: 1 }])
  const { store } = connect(server.url)
  await until('Ann may pass', () => store.holdings.held()?.persons === 1)
  server.manifest = { ...manifestOf([{ id: 'bob', version: 1 }]), revision: 'without-ann' }
  server.refusedPersons.add('bob')
  server.changed()
  await until('the change is in force', () => store.holdings.revision() === 'without-ann')
  expect(store.holdings.person('ann')).toBeUndefined()
})

test('persons that cannot be taken are named with the reason, and never stop the rest', async () => {
  const server = await serverForTest()
  const good = numbers(450).map((number) => `good-${number}`)
  for (const [seed, id] of good.entries()) server.persons.set(id, personWith(id, embeddingFrom(seed)))
  server.persons.set('faceless', personWith('faceless', embeddingFrom(0), { faces: [] }))
  server.persons.set('foreign', personWith('foreign', embeddingFrom(0), { faces: [{ faceId: 'f', modelId: 'other', template: 'AAAA' }] }))
  server.persons.set('garbled', personWith('garbled', embeddingFrom(0), { faces: [{ faceId: 'f', modelId: MODEL.modelId, template: 'AAAA' }] }))
  server.persons.set('malformed', { id: 'malformed', version: 1, name: 7 })
  server.refusedPersons.add('poison')
  const all = [...good.slice(0, 200), 'faceless', 'foreign', 'poison', 'garbled', 'malformed', 'withheld', ...good.slice(200)]
  server.manifest = manifestOf(all.map((id) => ({ id, version: 1 })), { revision: 'mixed' })
  const { store } = connect(server.url)
  await until('the state is held', () => server.statuses.at(-1)?.held !== undefined)
  const { held } = server.statuses.at(-1)!
  expect(held).toMatchObject({ revision: 'mixed', persons: 450 })
  expect(Object.fromEntries(held!.failed.map(({ personId, reason }) => [personId, reason]))).toEqual({
    faceless: 'noFace',
    foreign: 'otherModel',
    garbled: 'templateInvalid',
    malformed: 'personInvalid',
    withheld: 'notDelivered',
    poison: 'notDelivered',
  })
  expect(good.every((id) => store.holdings.person(id))).toBe(true)
})

test('records arrive in order; what was not acknowledged is sent again after a cut, and only that', async () => {
  const server = await serverForTest()
  const terminal = connect(server.url)
  await terminal.online()
  for (let count = 0; count < 5; count++) terminal.pass()
  await until('five are acknowledged', () => terminal.store.outbox.length() === 0)

  server.acknowledging = false
  for (let count = 0; count < 3; count++) terminal.pass()
  const epoch = terminal.store.outbox.epoch()
  await until('three more are there', () => server.recordsOf(epoch).length === 8)
  expect(terminal.store.outbox.length()).toBe(3)
  // The server lost what it had not yet acknowledged.
  for (const seq of [6, 7, 8]) server.records.get(epoch)!.delete(seq)
  server.arrivals.length = 0
  server.acknowledging = true
  server.cut()
  await until('all are acknowledged', () => terminal.store.outbox.length() === 0)
  expect(server.arrivals.map(({ seq }) => seq)).toEqual([6, 7, 8])
  expect(server.recordsOf(epoch).map(({ seq }) => seq)).toEqual(numbers(8))
})

test('records without an acknowledgement are sent again on the same connection', async () => {
  const server = await serverForTest()
  server.acknowledging = false
  const terminal = connect(server.url, { resendAfter: 50 })
  await terminal.online()
  const { epoch } = terminal.pass()
  await until('it came twice', () => server.arrivals.length >= 2)
  server.acknowledgeAll()
  await until('it is acknowledged', () => terminal.store.outbox.length() === 0)
  expect(server.recordsOf(epoch)).toHaveLength(1)
})

test('what happened offline is sent when the server comes: every record once, then every picture', async () => {
  const away = await startTestServer()
  const port = Number(new URL(away.url).port)
  await away.stop()
  const terminal = connect(away.url)
  await until('it knows that the server is away', () => terminal.link.state().kind === 'away')
  const queued = numbers(1_500).map(() => terminal.pass())
  for (const { id } of queued.slice(0, 3)) terminal.store.pictures.add(id, Buffer.from(`picture of ${id}`))

  const server = await startTestServer(port)
  onTestFinished(() => server.stop())
  await until('all records and pictures are there', () => terminal.store.outbox.length() === 0 && terminal.store.pictures.length() === 0)
  expect(server.arrivals.map(({ seq }) => seq)).toEqual(numbers(1_500))
  expect([...server.pictures.keys()]).toEqual(queued.slice(0, 3).map(({ id }) => id))
  expect(Buffer.from(server.pictures.get(queued[0]!.id)!).includes(`picture of ${queued[0]!.id}`)).toBe(true)
})

test('a server restored from its backup gets again what it acknowledged once', async () => {
  const server = await serverForTest()
  const terminal = connect(server.url)
  await terminal.online()
  const epoch = terminal.store.outbox.epoch()
  for (let count = 0; count < 4; count++) terminal.pass()
  await until('all are acknowledged', () => terminal.store.outbox.length() === 0)
  server.records.get(epoch)!.delete(3)
  server.records.get(epoch)!.delete(4)
  server.cut()
  await until('they are back', () => server.recordsOf(epoch).length === 4)
  expect(server.arrivals.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 3, 4])
})

test('refused credentials are told apart from a server that is away, and taken once they are right', async () => {
  const server = await serverForTest()
  server.secret = 'another'
  const { link, sentences } = connect(server.url)
  await until('it is refused', () => link.state().kind === 'refused')
  expect(sentences.at(-1)).toMatch(/does not take this terminal's code and secret/)
  server.secret = DEVICE.secret
  await until('it is taken', () => link.state().kind === 'online')
})

test('a data folder of another installation is not mixed with this one', async () => {
  const server = await serverForTest()
  const first = connect(server.url)
  await first.online()
  await first.stop()
  server.deviceId = 'device-of-another-installation'
  const second = connect(server.url, { folder: first.folder })
  await until('it is seen', () => second.link.state().kind === 'foreign')
  expect(second.sentences.at(-1)).toMatch(/another installation/)
})

test('the broker tells when it is gone: by the last will when cut, by itself when stopped', async () => {
  const server = await serverForTest()
  const terminal = connect(server.url)
  await terminal.online()
  server.cut()
  await until('the last will is out', () => server.statuses.some(({ online }) => !online))
  await until('it is back', () => server.statuses.at(-1)?.online === true)
  await terminal.stop()
  await until('it said goodbye', () => server.statuses.at(-1)?.online === false)
  expect(server.statuses.map(({ online }) => online).filter((online, at, all) => online !== all[at - 1])).toEqual([true, false, true, false])
})

test('a remote command moves the door once, however often it arrives, and is answered each time', async () => {
  const server = await serverForTest()
  const terminal = connect(server.url)
  await terminal.online()
  server.command({ id: 'c-1', name: 'controlDoor', operateType: 2 })
  await until('it is answered', () => server.answers.length === 1)
  expect(terminal.door.state()).toBe('alwaysOpen')
  server.command({ id: 'c-2', name: 'controlDoor', operateType: 3 })
  server.command({ id: 'c-1', name: 'controlDoor', operateType: 2 })
  server.command({ id: 'c-3', name: 'controlDoor', operateType: 9 })
  await until('all are answered', () => server.answers.length === 4)
  expect(server.answers).toContainEqual({ id: 'c-2', isSuccess: true, errorType: null })
  expect(server.answers.filter(({ id }) => id === 'c-1')).toHaveLength(2)
  expect(server.answers).toContainEqual({ id: 'c-3', isSuccess: false, errorType: 2 })
  expect(terminal.door.state()).toBe('closed')
})
