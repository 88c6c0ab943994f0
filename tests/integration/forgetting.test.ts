/**
 * A camera that keeps nobody who matches no task, with the real program and a real server: of those who are not identified nothing is
 * left in the database, in the storage, in the folder of the camera, or in the logs. The same search finds them where captures are kept.
 */
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import { numberedCalls } from '@gatehouse/contract/device/numbered'
import { RECORD_NAMESPACE } from '@gatehouse/contract/device/record-id'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { captureCalls } from '@gatehouse/contract/surveillance/captures'
import { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { startWorld, type MadeDevice, type MadePerson, type Site, type World } from '@gatehouse/dev-env/world'
import type { FacePool } from '@gatehouse/face-engine'
import { newId, recordId, uuidV5 } from '@gatehouse/server/platform/database/ids'
import { startCaptureCamera } from '@gatehouse/terminal/capture/camera'
import { camera, identified, sending, task, templateOf } from '../../apps/server/src/contexts/surveillance/testing/cameras.ts'
import { query } from '../support/embedded-postgres.ts'
import { runJob } from '../support/jobs.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { until } from '../support/until.ts'

const HOUR = 3_600_000

let world: World
let pool: FacePool
let ahead = 0
const logged: string[] = []
let onFile: Buffer
let atCamera: Buffer
let stranger: Buffer
beforeAll(async () => {
  const write = process.stdout.write.bind(process.stdout) as (text: string | Uint8Array) => boolean
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    if (!String(text).startsWith('{"level":')) return write(text)
    logged.push(String(text))
    return true
  })
  pool = testingFacePool({ workers: 1 })
  world = await startWorld({ facePool: pool, logLevel: 'trace', clock: { now: () => Date.now() + ahead } })
  const { photographs } = world
  const isReal = photographs.kind === 'real'
  if (!isReal) console.log('Forgetting is tried with drawn people: the photographs of real ones are not there.')
  const [one, two] = isReal ? ['colin_powell', 'george_w_bush'].map((identity) => photographs.person(identity)) : photographs.people
  ;[onFile, atCamera, stranger] = await Promise.all([one!.photo(1), one!.photo(2), two!.photo(1)])
})
afterAll(async () => {
  await world?.stop()
  await pool?.close()
  vi.restoreAllMocks()
})

type Keeping = { captureKeeping: 'standard' | 'matchedOnly' | 'hours'; captureHours?: number }

interface Place {
  park: Site
  person: MadePerson
  device: MadeDevice
}

/** Create a park with a person whom a task looks out for at a camera. */
async function place(settings: Keeping, fields: { strangerAlarm?: boolean } = {}): Promise<Place> {
  const park = await world.addPark()
  const group = await park.personGroup()
  const person = await park.person({ groupId: group.id, photo: onFile })
  const device = await camera(park)
  await task(world, park, { devices: [device], groups: [group], similarityThreshold: 60, ...fields })
  await set(park, device, settings)
  await world.server.platform.events.settled()
  return { park, person, device }
}

const set = (park: Site, device: MadeDevice, settings: Keeping) =>
  park.call(configurationCalls.add, { body: { deviceId: device.id, settings } })
const kept = ({ park, device }: Pick<Place, 'park' | 'device'>) => park.call(captureCalls.kept, { query: { deviceId: device.id } })

/** Return every row of every table as a text, with bytes in hexadecimal. */
async function allRows(): Promise<{ table: string; row: string }[]> {
  const tables = await query<{ name: string }>(
    world.connectionString,
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  )
  const selections = tables.map(({ name }) => `SELECT '${name}' AS "table", t::text AS row FROM ${name} AS t`)
  return query<{ table: string; row: string }>(world.connectionString, selections.join(' UNION ALL '))
}

/** Return the files of the server, those of the database aside. */
const serverFiles = (): string[] =>
  readdirSync(world.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

/** Return where one of these texts or bytes is found: tables, files, and the log. */
async function placesOf(texts: readonly string[], bytes: readonly Uint8Array[]): Promise<string[]> {
  const hex = bytes.map((each) => Buffer.from(each).toString('hex'))
  const base64 = bytes.map((each) => Buffer.from(each).toString('base64'))
  const names = (text: string) => [...texts, ...hex, ...base64].some((each) => text.includes(each))
  const tables = (await allRows()).filter(({ row }) => names(row)).map(({ table }) => table)
  const files = serverFiles().filter((file) => names(file) || bytes.some((each) => readFileSync(file).includes(each)))
  return [...new Set([...tables, ...files.map(() => 'file'), ...(names(logged.join('\n')) ? ['log'] : [])])].toSorted()
}

/** Return the park's captures as they are stored: their templates opened, and how many pictures. */
async function stored({ park }: Pick<Place, 'park'>): Promise<{ captures: number; files: number; matches: number }> {
  const count = async (table: string) =>
    Number(
      (await query<{ count: string }>(world.connectionString, `SELECT count(*) FROM ${table} WHERE park_id = $1`, [park.park.id]))[0]!
        .count,
    )
  return { captures: await count('capture'), files: await count('file'), matches: await count('capture_match') }
}

/** Send a capture from memory, as such a camera does, and return the id under which it would be stored. */
async function pass({ device }: Pick<Place, 'device'>, picture: Buffer, id = newId()): Promise<string> {
  const now = world.clock.now()
  const { client } = sending(world, device)
  const body = {
    id,
    sentAt: now,
    modelId: world.server.contexts.faces.service.modelId,
    capture: {
      enteredAt: now,
      capturedAt: now,
      leftAt: now,
      quality: 0.9,
      faceWidth: 120,
      template: await templateOf(world, picture),
    },
    picture: picture.toString('base64'),
  }
  expect(await client.ask(numberedCalls.passingCapture, { body })).toMatchObject({ code: 0 })
  return uuidV5(RECORD_NAMESPACE, `${device.id}/passing/${id}`)
}

/** Return how many captures and pictures are on the disk of a camera. */
function onDisk(folder: string): number {
  const copy = scratchFolder()
  for (const name of readdirSync(folder).filter((file) => file.startsWith('terminal.sqlite'))) cpSync(join(folder, name), join(copy, name))
  const database = new DatabaseSync(join(copy, 'terminal.sqlite'))
  const { rows } = database
    .prepare('SELECT (SELECT count(*) FROM numbered_item) + (SELECT count(*) FROM numbered_picture) AS rows')
    .get() as { rows: number }
  database.close()
  return rows
}

/** Start the program of the camera. */
async function program(device: MadeDevice) {
  const folder = scratchFolder()
  const sentences: string[] = []
  const running = await startCaptureCamera({
    server: world.url,
    code: device.code,
    secret: device.secret,
    dataDir: folder,
    port: 0,
    pool,
    version: 'test',
    log: (sentence) => void sentences.push(sentence),
  })
  onTestFinished(running.stop)
  const post = async (picture: Buffer) =>
    (await (await fetch(`${running.url}pictures`, { method: 'POST', body: new Uint8Array(picture) })).json()) as { captures: number }
  return { ...running, folder, sentences, post }
}

test('nothing is left of somebody who matches no task, at the server and at the camera; of somebody who does, everything', async () => {
  const at = await place({ captureKeeping: 'matchedOnly' }, { strangerAlarm: true })
  const filming = await program(at.device)
  await until('the camera is set', () => (filming.state().passing === null || filming.state().link.kind !== 'online' ? null : true))
  const files = serverFiles()
  const before = new Set((await allRows()).map(({ row }) => row))

  expect(await filming.post(stranger)).toMatchObject({ captures: 1 })
  await until('they are counted', async () => ((await kept(at)).days[0]?.passed === 1 ? true : null))
  expect((await kept(at)).days).toMatchObject([{ passed: 1, kept: 0 }])
  const changed = (await allRows()).filter(({ row }) => !before.has(row)).map(({ table }) => table)
  expect(changed).toContain('capture_passing')
  for (const table of ['capture', 'capture_match', 'posted_capture', 'file', 'alarm', 'device_numbered'])
    expect(changed).not.toContain(table)
  expect(serverFiles().filter((file) => !files.includes(file))).toEqual([])
  expect(await stored(at)).toMatchObject({ captures: 0, matches: 0 })
  expect(onDisk(filming.folder)).toBe(0)

  expect(await filming.post(atCamera)).toMatchObject({ captures: 1 })
  await until('they are identified', async () => ((await identified(at.park)).length === 1 ? true : null))
  expect(await identified(at.park)).toMatchObject([{ personId: at.person.id, captureFaceImage: expect.stringMatching(/^\/files\//) }])
  expect((await kept(at)).days).toMatchObject([{ passed: 2, kept: 1 }])
  expect(await stored(at)).toMatchObject({ captures: 1, matches: 1 })
  expect(serverFiles().length).toBeGreaterThan(files.length)
  expect(onDisk(filming.folder)).toBe(0)
  expect(filming.sentences.join('\n')).not.toMatch(/does not take a capture/)
})

test('somebody of the watch list who is kept does not exist for those who may not see the list', async () => {
  const park = await world.addPark()
  const group = await park.call(specialCalls.createGroup, { body: { name: 'Watched' } })
  const { faceId } = await park.call(faceCalls.cache, { body: {}, file: onFile })
  await park.call(specialCalls.create, { body: { name: 'Moriarty', groupId: group.id, facePhotos: [faceId] } })
  await world.settled()
  const device = await camera(park)
  await task(world, park, { devices: [device], groups: [group], similarityThreshold: 60 })
  await set(park, device, { captureKeeping: 'standard' })
  await world.server.platform.events.settled()
  // One was there before the camera was set to keep nobody else.
  await pass({ device }, atCamera)
  await set(park, device, { captureKeeping: 'matchedOnly' })
  await runJob(world, 'surveillance.dropCaptures')
  await until('it is kept for that alone', async () => {
    const marked = await query(world.connectionString, 'SELECT id FROM capture WHERE park_id = $1 AND matched_only', [park.park.id])
    return marked.length === 1 ? true : null
  })
  const captureId = await pass({ device }, atCamera)
  await world.server.platform.events.settled()

  const probe = await park.call(faceCalls.cache, { body: {}, file: atCamera })
  const answersTo = async (client: Pick<Site, 'call' | 'ask'>) => {
    const lists = await Promise.all((['captured', 'identified'] as const).map((list) => client.call(captureCalls.find, { body: { list } })))
    const window = { startTime: world.clock.now() - HOUR, endTime: world.clock.now(), minScore: 60, reason: 'Asked for' }
    const { hits, searched } = await client.call(faceSearchCalls.search, { body: { ...window, faceId: probe.faceId } })
    const { steps } = await client.call(faceSearchCalls.track, { body: { ...window, faceId: probe.faceId } })
    const { code } = await client.ask(faceSearchCalls.search, { body: { ...window, captureId } })
    const { days } = await client.call(captureCalls.kept, { query: { deviceId: device.id } })
    return { totals: lists.map(({ total }) => total), hits: hits.length, searched, steps: steps.length, code, days: days.length }
  }
  expect(await answersTo(park)).toEqual({ totals: [2, 2], hits: 2, searched: 2, steps: 1, code: 0, days: 1 })
  const permissions = ['surveillance.data', 'trail.search', 'device.setting'] as const
  const guest = await world.session({ park: park.park, roleSign: 'other', permissions })
  expect(await answersTo(guest)).toEqual({ totals: [0, 0], hits: 0, searched: 0, steps: 0, code: 500015, days: 0 })
})

test('the search that finds nothing finds those who are kept', async () => {
  const [forgetting, keeping] = [await place({ captureKeeping: 'matchedOnly' }), await place({ captureKeeping: 'standard' })]
  const template = Buffer.from(await templateOf(world, stranger), 'base64')
  const needles = [template.subarray(0, 64), stranger.subarray(100, 164)]
  expect(logged.length, 'the log is read').toBeGreaterThan(0)

  const forgotten = await pass(forgetting, stranger)
  const found = await pass(keeping, stranger)
  expect(await placesOf([found], [])).toEqual(expect.arrayContaining(['capture', 'capture_match']))
  expect(await placesOf([forgotten], needles)).toEqual([])
  expect(await stored(keeping)).toMatchObject({ captures: 1, matches: 1 })
  expect(await stored(forgetting)).toMatchObject({ captures: 0, matches: 0 })

  // What is sent again, in numbers, or as a picture alone, is forgotten as well.
  const files = serverFiles()
  const [forgetter, keeper] = [sending(world, forgetting.device), sending(world, keeping.device)]
  const capture = forgetter.captured({ template: template.toString('base64'), hasPicture: true })
  expect(await forgetter.send([capture])).toMatchObject({ code: 0, data: { ackSeq: 1 } })
  expect(await forgetter.picture(1, stranger)).toMatchObject({ status: 404 })
  expect(await forgetter.post(stranger, { eventId: 'a-passage' })).toMatchObject({ code: 0, data: { captures: 0 } })
  expect(await forgetter.post(stranger, { eventId: 'a-passage' })).toMatchObject({ code: 0, data: { captures: 0 } })
  expect(await placesOf([recordId(forgetting.device.id, 'boot-1', 1), 'a-passage'], needles)).toEqual([])
  expect(serverFiles()).toEqual(files)
  expect((await kept(forgetting)).days).toMatchObject([{ passed: 3, kept: 0 }])
  await keeper.post(stranger, { eventId: 'a-passage' })
  expect(await placesOf(['a-passage'], [])).toContain('posted_capture')
  expect(serverFiles().length).toBeGreaterThan(files.length)

  // One that matches is stored once, however often it is sent.
  const again = newId()
  await pass(forgetting, atCamera, again)
  await pass(forgetting, atCamera, again)
  await forgetter.post(atCamera, { eventId: 'another' })
  await forgetter.post(atCamera, { eventId: 'another' })
  expect(await stored(forgetting)).toMatchObject({ captures: 2, matches: 2 })
  expect((await kept(forgetting)).days).toMatchObject([{ passed: 5, kept: 2 }])
  await forgetting.park.call(peopleCalls.delete, { query: { ids: [forgetting.person.id] } })
  await until('their captures are deleted', async () => ((await stored(forgetting)).captures === 0 ? true : null))
})

test('what was captured before is deleted with the next removal, and hours are kept to, also once they were lengthened', async () => {
  const at = await place({ captureKeeping: 'standard' })
  await pass(at, stranger)
  await pass(at, atCamera)
  await set(at.park, at.device, { captureKeeping: 'matchedOnly' })
  await runJob(world, 'surveillance.dropCaptures')
  await until('the one that matched nobody is deleted', async () => ((await stored(at)).captures === 1 ? true : null))
  expect(await identified(at.park)).toMatchObject([{ personId: at.person.id }])

  const short = await place({ captureKeeping: 'hours', captureHours: 2 })
  const long = await place({ captureKeeping: 'standard' })
  await pass(short, stranger)
  await pass(long, stranger)
  await pass(long, atCamera)
  await set(short.park, short.device, { captureKeeping: 'hours', captureHours: 100 })
  expect(await kept(short)).toMatchObject({ keeping: 'hours', hours: 100, days: [] })
  try {
    ahead = 3 * HOUR
    await pass(short, stranger)
    await runJob(world, 'surveillance.dropCaptures')
    await until('what was to be kept for two hours is deleted', async () => ((await stored(short)).captures === 1 ? true : null))
    expect(await stored(long)).toMatchObject({ captures: 2 })
    ahead = 0
    await set(long.park, long.device, { captureKeeping: 'hours', captureHours: 1 })
    ahead = 3 * HOUR
    await runJob(world, 'surveillance.dropCaptures')
    await until('what is too old for the new hours is deleted', async () => ((await stored(long)).captures === 0 ? true : null))
    expect(await stored(short)).toMatchObject({ captures: 1 })
  } finally {
    ahead = 0
  }
})

test('what a camera lost in a cut is told once, and only of cameras', async () => {
  const at = await place({ captureKeeping: 'matchedOnly' })
  const now = world.clock.now()
  const body = { id: newId(), sentAt: now, count: 4, from: now - HOUR, to: now }
  const { client } = sending(world, at.device)
  for (let turn = 0; turn < 2; turn++) expect(await client.ask(numberedCalls.lostCaptures, { body })).toMatchObject({ code: 0 })
  expect((await kept(at)).losses).toMatchObject([{ count: 4 }])
  const door = await at.park.device()
  expect(await sending(world, door).client.ask(numberedCalls.lostCaptures, { body })).toMatchObject({ status: 404 })
  expect(await at.park.ask(captureCalls.kept, { query: { deviceId: door.id } })).toMatchObject({ status: 404 })
})

test('an erasure takes the captures of the person along, out of the search and the way too, which had read them already', async () => {
  const at = await place({ captureKeeping: 'standard' })
  await pass(at, atCamera)
  await pass(at, stranger)
  await world.server.platform.events.settled()
  const { faceId } = await at.park.call(faceCalls.cache, { body: {}, file: atCamera })
  const body = { faceId, startTime: world.clock.now() - HOUR, endTime: world.clock.now() + HOUR, minScore: 60, reason: 'Asked for' }
  const found = async () => {
    const { hits } = await at.park.call(faceSearchCalls.search, { body })
    const { steps } = await at.park.call(faceSearchCalls.track, { body })
    return { hits: hits.map(({ deviceId }) => deviceId), steps: steps.map(({ deviceId }) => deviceId) }
  }
  expect(await found()).toEqual({ hits: [at.device.id], steps: [at.device.id] })
  await at.park.call(privacyCalls.erase, { body: { personIds: [at.person.id], reason: 'Asked for' } })
  await world.server.platform.events.settled()
  expect(await found()).toEqual({ hits: [], steps: [] })
  expect(await stored(at)).toMatchObject({ captures: 1 })
})
