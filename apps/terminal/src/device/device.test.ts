import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { createDoor } from '../door/door.ts'
import { MIGRATIONS } from '../store/database.ts'
import { openStore } from '../store/store.ts'
import { startDevice } from './device.ts'
import { embeddingFrom, MODEL, scratchFolder, until } from './testing/folder.ts'
import { DEVICE, idOf, personWith, versionOf } from './testing/objects.ts'
import { startTestServer, type TestServer } from './testing/server.ts'

async function serverForTest(): Promise<TestServer> {
  const server = await startTestServer()
  onTestFinished(() => server.stop())
  return server
}

/** The connected half of a terminal: its store, its log, and its door. */
function connect(url: string, { folder = scratchFolder(), secret = DEVICE.secret, resendAfter = 60_000 } = {}) {
  const sentences: string[] = []
  const log = (sentence: string) => void sentences.push(sentence)
  const store = openStore({ folder, code: DEVICE.code, model: MODEL })
  const door = createDoor({ output: { open: async () => {}, close: async () => {} }, openFor: 60_000, onChange: () => {}, log })
  const device = startDevice({
    server: url,
    code: DEVICE.code,
    secret,
    store,
    modelId: MODEL.modelId,
    version: '1',
    log,
    operateDoor: (operateType) => door.operate(operateType),
    retry: { first: 20, limit: 100 },
    resendAfter,
  })
  let stopped: Promise<void> | null = null
  const stop = () =>
    (stopped ??= device.stop().then(() => {
      door.stop()
      store.close()
    }))
  onTestFinished(stop)
  const pass = () => {
    const queued = device.appendRecord(PASSAGE)
    if (!queued) throw new Error('It has not been paired yet')
    return queued
  }
  const kind = () => device.state().link.kind
  return { store, device, door, sentences, stop, pass, folder, kind, online: () => until('it is online', () => kind() === 'online') }
}

const PASSAGE = {
  occurredAt: 1_760_000_000_000,
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
}

const numbers = (length: number) => Array.from({ length }, (_, index) => index + 1)

test('says hello, takes its persons, and follows changes without fetching anybody twice', async () => {
  const server = await serverForTest()
  const { audience } = server
  const [ann, bob, cid] = [idOf('ann'), idOf('bob'), idOf('cid')] as const
  audience.put(personWith(ann, embeddingFrom(0)), personWith(bob, embeddingFrom(1)))
  const { store, device } = connect(server.url)
  await until('the server knows what it holds', () => server.statuses.at(-1)?.held !== undefined)
  const { digest, head } = audience.announcement()
  expect(server.statuses[0]).toMatchObject({ online: true, modelId: MODEL.modelId })
  expect(server.statuses[0]?.held).toBeUndefined()
  expect(server.statuses.at(-1)?.held).toEqual({
    revision: 'r-1',
    audience: 'audience-1',
    cursor: head,
    digest,
    persons: 2,
    failed: 0,
    erasure: null,
  })
  expect(device.state().held).toEqual(server.statuses.at(-1)?.held)

  audience.sent.length = 0
  audience.remove(ann)
  audience.put(personWith(bob, embeddingFrom(50), { version: versionOf(2), name: 'Bobby' }), personWith(cid, embeddingFrom(2)))
  server.changed()
  await until('the new state is held', () => server.statuses.at(-1)?.held?.cursor === audience.announcement().head)
  expect(audience.sent.toSorted()).toEqual([bob, cid])
  expect(server.statuses.at(-1)?.held?.digest).toBe(audience.announcement().digest)
  expect(store.holdings.person(ann)).toBeUndefined()
  expect(store.holdings.nearest(embeddingFrom(50))[0]).toMatchObject({ personId: bob, distance: 0 })
  expect(store.holdings.person(bob)?.name).toBe('Bobby')
  expect(store.holdings.counts()).toEqual({ persons: 2, failed: 0 })
})

test('after an upgrade the terminal takes what the version before passed over, though revision and versions say it has it', async () => {
  const server = await serverForTest()
  const { audience } = server
  const ann = idOf('ann')
  audience.manifest = { ...audience.manifest, settings: { ...audience.manifest.settings, margin: 5 } }
  audience.put(personWith(ann, embeddingFrom(1), { faceThreshold: 90, lookAlikes: ['bob'] }))
  const before = connect(server.url)
  await until('it is held', () => server.statuses.at(-1)?.held?.persons === 1)
  await before.stop()

  // As the previous version would have left the folder: with the same names, without what it did not know.
  const old = new DatabaseSync(join(before.folder, 'terminal.sqlite'))
  const settings = JSON.parse((old.prepare("SELECT value FROM meta WHERE name = 'settings'").get() as { value: string }).value) as object
  const added = (what: RegExp, drop: (...names: string[]) => string): string =>
    [
      ...MIGRATIONS.slice(2)
        .filter((step) => typeof step === 'string')
        .join()
        .matchAll(what),
    ]
      .map(([, ...names]) => `${drop(...names)};`)
      .toReversed()
      .join(' ')
  old.exec(added(/CREATE TABLE (\w+)/g, (table) => `DROP TABLE ${table}`))
  old.exec(added(/CREATE INDEX (\w+)/g, (index) => `DROP INDEX IF EXISTS ${index}`))
  old.exec(added(/ALTER TABLE (\w+) ADD COLUMN (\w+)/g, (table, column) => `ALTER TABLE ${table} DROP COLUMN ${column}`))
  old.exec(`ALTER TABLE person DROP COLUMN mark; ALTER TABLE person DROP COLUMN face_threshold_loosens;
      ALTER TABLE person DROP COLUMN methods;
      ALTER TABLE person DROP COLUMN sealed; ALTER TABLE record DROP COLUMN sealed;
    ALTER TABLE person ADD COLUMN name TEXT NOT NULL DEFAULT 'Ann'; ALTER TABLE person ADD COLUMN work_number TEXT NOT NULL DEFAULT '';
    PRAGMA user_version = 2`)
  old.prepare("UPDATE meta SET value = ? WHERE name = 'settings'").run(JSON.stringify({ ...settings, margin: undefined }))
  old.close()

  const { store } = connect(server.url, { folder: before.folder })
  expect(store.holdings.nearest(embeddingFrom(1))[0]?.personId).toBe(ann)
  await until('all is taken', () => store.holdings.person(ann)?.faceThreshold === 90 && store.holdings.settings()?.margin === 5)
  expect(store.holdings.person(ann)?.lookAlikes).toEqual(['bob'])
  await until('the server knows', () => server.statuses.at(-1)?.held?.digest === audience.announcement().digest)
})

test('who cannot be recognised is named to the server before it reads that they are held [FIELD-8]', async () => {
  const server = await serverForTest()
  const { audience } = server
  const [ann, bob] = [idOf('ann'), idOf('bob')] as const
  audience.put(personWith(ann, embeddingFrom(1)), personWith(bob, embeddingFrom(2), { faces: [] }))
  const first = connect(server.url)
  await until('the state is held', () => server.statuses.at(-1)?.held?.failed === 1)
  expect(audience.exceptions).toEqual([
    { audience: 'audience-1', cursor: 2, exceptions: [{ personId: bob, version: versionOf(1), reason: 'noFace' }] },
  ])
  expect(audience.calls.indexOf('exceptions')).toBeLessThan(audience.calls.indexOf('status with held'))

  // Nothing new about them, so nothing is reported. It is reported once on the next connection.
  audience.put(personWith(ann, embeddingFrom(3), { version: versionOf(2) }))
  server.changed()
  await until('the change is held', () => server.statuses.at(-1)?.held?.cursor === 3)
  expect(audience.exceptions).toHaveLength(1)
  audience.calls.length = 0
  server.cut()
  await until('it is back', () => audience.calls.includes('status with held') && first.kind() === 'online')
  expect(audience.calls.filter((call) => call === 'exceptions' || call === 'status with held')).toEqual(['exceptions', 'status with held'])

  audience.put(personWith(bob, embeddingFrom(2)))
  server.changed()
  await until('all can be recognised', () => server.statuses.at(-1)?.held?.failed === 0)
  expect(audience.exceptions.at(-1)).toEqual({ audience: 'audience-1', cursor: 4, exceptions: [] })
  expect(audience.exceptions).toHaveLength(3)
})

test('exceptions the server cannot take do not keep the terminal from its records [FIELD-7]', async () => {
  const server = await serverForTest()
  server.audience.put(personWith(idOf('bob'), embeddingFrom(2), { faces: [] }))
  server.audience.refusesExceptions = true
  const terminal = connect(server.url)
  await until('the state is held', () => server.statuses.at(-1)?.held?.failed === 1)
  terminal.pass()
  await until('the record is acknowledged', () => terminal.store.outbox.length() === 0)
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
  // The server lost the records it had not yet acknowledged.
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
  const before = await startTestServer()
  const port = Number(new URL(before.url).port)
  const terminal = connect(before.url)
  await terminal.online()
  await before.stop()
  await until('it knows that the server is away', () => terminal.kind() === 'away')
  const queued = numbers(1_500).map(() => terminal.pass())
  for (const { id } of queued.slice(0, 3)) terminal.device.addPicture(id, Buffer.from(`picture of ${id}`))

  const server = await startTestServer({ port })
  onTestFinished(() => server.stop())
  await until('all records and pictures are there', () => terminal.store.outbox.length() === 0 && terminal.store.pictures.length() === 0)
  expect(server.arrivals.map(({ seq }) => seq)).toEqual(numbers(1_500))
  expect(server.batches.every(({ oldestSeq }) => oldestSeq === 1)).toBe(true)
  expect([...server.pictures.keys()]).toEqual(queued.slice(0, 3).map(({ id }) => id))
  expect(Buffer.from(server.pictures.get(queued[0]!.id)!).includes(`picture of ${queued[0]!.id}`)).toBe(true)
})

test('a disk too full to note what is acknowledged breaks neither the sending nor the pairing [FIELD-12]', async () => {
  const server = await serverForTest()
  const terminal = connect(server.url)
  await terminal.online()
  const { outbox } = terminal.store
  const full = () => {
    throw new Error('database or disk is full')
  }
  const noted = { acknowledge: outbox.acknowledge, reconcile: outbox.reconcile }
  Object.assign(outbox, { acknowledge: full, reconcile: full })
  for (let count = 0; count < 2_500; count++) terminal.pass()
  await until('all are there', () => server.recordsOf(outbox.epoch()).length === 2_500)
  expect(server.arrivals.map(({ seq }) => seq)).toEqual(numbers(2_500))

  server.arrivals.length = 0
  server.cut()
  await until('it is back', () => server.paired.length === 2 && terminal.kind() === 'online')
  terminal.pass()
  await until('the next one is there', () => server.recordsOf(outbox.epoch()).length === 2_501)
  expect(server.arrivals.map(({ seq }) => seq)).toEqual([2_501])

  Object.assign(outbox, noted)
  server.cut()
  await until('there is room to note it', () => outbox.length() === 0)
})

test('a store that cannot say whose erasure is done with breaks nothing but that', async () => {
  const server = await serverForTest()
  const terminal = connect(server.url)
  await terminal.online()
  const { outbox, erasures } = terminal.store
  const carriedOut = erasures.carriedOut
  let asked = 0
  erasures.carriedOut = () => {
    asked++
    throw new Error('disk I/O error')
  }
  terminal.pass()
  await until('it is acknowledged', () => outbox.length() === 0)
  expect(asked).toBeGreaterThan(0)
  erasures.carriedOut = carriedOut
  terminal.pass()
  await until('the next one is acknowledged', () => outbox.length() === 0 && server.recordsOf(outbox.epoch()).length === 2)
  expect(server.paired).toHaveLength(1)
})

test('several epochs are named when pairing, and each is sent on from what the server has of it', async () => {
  const server = await serverForTest()
  const terminal = connect(server.url)
  await terminal.online()
  const { outbox } = terminal.store
  const first = outbox.epoch()
  for (let count = 0; count < 3; count++) terminal.pass()
  await until('all are acknowledged', () => outbox.length() === 0)

  // The server claims more records than were ever made here: this data folder was restored.
  server.claimed.set(first, 9)
  server.cut()
  await until('numbering begins anew', () => outbox.epoch() !== first)
  await terminal.online()
  const second = outbox.epoch()
  for (let count = 0; count < 2; count++) terminal.pass()
  await until('they are acknowledged', () => server.recordsOf(second).length === 2 && outbox.length() === 0)

  // The server was restored from a backup and lost the end of both.
  server.claimed.clear()
  server.records.get(first)!.delete(3)
  server.records.get(second)!.delete(2)
  server.arrivals.length = 0
  server.cut()
  await until('both are whole again', () => server.recordsOf(first).length === 3 && server.recordsOf(second).length === 2)
  expect(server.paired.at(-1)).toEqual([first, second])
  await until('all are acknowledged', () => outbox.length() === 0)
  expect(server.arrivals).toEqual([
    { epoch: first, seq: 3 },
    { epoch: second, seq: 2 },
  ])
  expect(server.batches.slice(-2)).toMatchObject([
    { epoch: first, oldestSeq: 1 },
    { epoch: second, oldestSeq: 1 },
  ])
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
  const { kind, sentences } = connect(server.url)
  await until('it is refused', () => kind() === 'refused')
  expect(sentences.at(-1)).toMatch(
    /does not prove that it knows the secret of "GATE-1": either code or secret are wrong .* or it is another program/,
  )
  server.secret = DEVICE.secret
  await until('it is taken', () => kind() === 'online')
})

test('a data folder of another installation is not mixed with this one', async () => {
  const server = await serverForTest()
  const first = connect(server.url)
  await first.online()
  await first.stop()
  server.deviceId = 'device-of-another-installation'
  const second = connect(server.url, { folder: first.folder })
  await until('it is seen', () => second.kind() === 'foreign')
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
  expect(server.statuses.map(({ online }) => online).filter((online, at, all) => online !== all[at - 1])).toEqual([
    true,
    false,
    true,
    false,
  ])
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
  server.command({ id: 'c-4', name: 'playTune' })
  await until('all are answered', () => server.answers.length === 5)
  expect(server.answers).toContainEqual({ id: 'c-2', isSuccess: true, errorType: null })
  expect(server.answers.filter(({ id }) => id === 'c-1')).toHaveLength(2)
  expect(server.answers).toContainEqual({ id: 'c-3', isSuccess: false, errorType: 2 })
  expect(server.answers).toContainEqual({ id: 'c-4', isSuccess: false, errorType: 4 })
  expect(terminal.door.state()).toBe('closed')
})

test('who was erased is said to be done with once the server has the last record of them, and not before', async () => {
  const server = await serverForTest()
  const { audience } = server
  const [ann, bob] = [idOf('ann'), idOf('bob')] as const
  audience.put(personWith(ann, embeddingFrom(1)), personWith(bob, embeddingFrom(2)))
  audience.erasures = []
  const { device } = connect(server.url)
  const reportedErasure = () => server.statuses.at(-1)?.held?.erasure
  await until('the persons are held', () => server.statuses.at(-1)?.held?.persons === 2)
  server.acknowledging = false
  device.appendRecord({ ...PASSAGE, personId: ann, personName: 'Ann', result: 1, failReason: null })
  await until('the record is sent', () => server.arrivals.length > 0)
  audience.remove(ann)
  audience.erasures = [{ id: 'erasure-1', personId: ann }]
  server.changed()
  await until('ann is gone', () => server.statuses.at(-1)?.held?.cursor === audience.announcement().head)
  expect(reportedErasure()).toBeNull()
  expect(server.recordsOf(server.arrivals[0]!.epoch)).toMatchObject([{ personId: ann, personName: 'Ann' }])
  server.acknowledgeAll()
  await until('it is said', () => reportedErasure() === 'erasure-1')
})
