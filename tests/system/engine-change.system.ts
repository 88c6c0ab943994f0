/**
 * The face engine is changed while doors are in use, and the server is killed repeatedly while it creates all templates again: nothing is
 * lost, nothing is created twice, and templates of different models are never compared. The seed determines the moments.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { faceCalls, type FaceEngineState } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { CallRefused, createClient, logIn } from '@gatehouse/dev-env/client'
import { openPhotographs, type PhotographedPerson } from '@gatehouse/dev-env/photographs'
import { createSite, type MadePerson } from '@gatehouse/dev-env/site'
import {
  BUILTIN_DIMENSIONS,
  BUILTIN_MODEL,
  PhotoRefusal,
  acceptedFace,
  bytesOfEmbedding,
  descriptionOf,
  engineOf,
  type EngineChoice,
  type FacePool,
} from '@gatehouse/face-engine'
import { hasTestingModels, testingModelDir } from '@gatehouse/face-engine/onnx/testing/set'
import { randomOf, type Random } from '@gatehouse/face-engine/portrait/random'
import { scratchDatabase } from '@gatehouse/server/platform/postgres/scratch'
import { createDoor, type Door, type Passer } from '../support/passing-door.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { ADMIN, startServerProcess, type ServerProcess } from '../support/server-process.ts'
import { hastenTakeover } from '../support/takeover.ts'
import { numbersOf, photosByPerson, recordsOf, runnerOf, templatesOf } from '../support/template-proof.ts'
import { until } from '../support/until.ts'
import { depth, SEED } from './depth.ts'

/** Enough that the work is still running at two kills. */
const PERSONS = depth({ usual: 18, soak: 40 })
/** The number of these who pass the doors all the time. */
const PASSERS = depth({ usual: 4, soak: 8 })
/** What happens before each kill, by its index in the list below: all of it at either depth. */
const ROUNDS = depth({ usual: [[0], [1], [2, 3]], soak: [[0], [1], [2], [3]] })
/** Whether to wait until a killed attempt at the work counts as dead. The test of the import waits at both depths. */
const WAITS = depth({ usual: false, soak: true })
/** Photos shown of each person who must not be recognised. */
const UNRECOGNISED = depth({ usual: 2, soak: Infinity })
/** Milliseconds between two passages at a door. */
const PAUSE_MS = depth({ usual: 400, soak: 120 })
/** Photos that the work processes at a time. */
const CHUNK = 16
/** Maximum delay of the kill after the moment that was waited for, in milliseconds. */
const LATEST_MS = 300
const LAST_LINES = 30
const BUILTIN: EngineChoice = { kind: 'builtin' }

const photographs = openPhotographs()
const missing = !hasTestingModels
  ? 'there are no ONNX models'
  : photographs.kind !== 'real'
    ? 'there are no photographs of real people'
    : null
const say = (words: string) => process.stdout.write(`${words}\n`)
if (missing !== null) say(`The change of the face engine is not tried: ${missing}.`)

/** A registered person, and their photos that were not enrolled. */
interface Registered extends MadePerson {
  somebody: PhotographedPerson
  others: number[]
}

async function templateOf(pool: FacePool, photo: Uint8Array): Promise<string | null> {
  try {
    const { embedding } = acceptedFace(await pool.analyse(photo, { embed: 'first' }), { faceIndex: 0 })
    return Buffer.from(bytesOfEmbedding(embedding)).toString('base64')
  } catch (error) {
    if (error instanceof PhotoRefusal) return null
    throw error
  }
}

/** Search for a person among all by photos; `wrongly` where the server finds another person. */
async function foundBy(server: string, door: Door, personId: string, photos: readonly Buffer[]): Promise<'found' | 'wrongly' | 'not'> {
  const asDevice = createClient(server, { basic: [door.device.code, door.device.secret] })
  for (const photo of photos) {
    const template = await templateOf(door.pool, photo)
    if (template === null) continue
    const answer = await asDevice.call(deviceProtocolCalls.identify, { body: { modelId: door.pool.modelId, template } })
    if (answer.personId !== null) return answer.personId === personId ? 'found' : 'wrongly'
  }
  return 'not'
}

const photosOf = ({ somebody, others }: Registered, most = Infinity) =>
  Promise.all(others.slice(0, most).map((number) => somebody.photo(number)))

/** Return those of these people whom the terminal admits by another photo. */
async function passersOf(door: Door, people: readonly Registered[], wanted: number): Promise<Passer[]> {
  const passers: Passer[] = []
  for (const person of people) {
    if (passers.length === wanted) break
    for (const photo of await photosOf(person)) {
      const { verdict, personId, score } = await door.look(photo)
      if (verdict !== 'allowed' || personId !== person.id) continue
      passers.push({ personId, photo, score: score! })
      break
    }
  }
  return passers
}

/** Wait for a moment during the work and kill the server. @returns the moment */
async function strike(
  server: ServerProcess,
  connectionString: string,
  modelId: string,
  random: Random,
  lastRunner: string | null,
): Promise<{ words: string; missing: number; runner: string | null }> {
  const before = await numbersOf(connectionString, modelId)
  // Not in the last chunk: the work would be over before the kill.
  const pieces = Math.max(0, Math.floor(before.missing / CHUNK) - 1)
  const target = before.missing - CHUNK * Math.floor(random.between(0, Math.min(2, pieces + 1)))
  const later = Math.floor(random.between(0, LATEST_MS))
  let runner = lastRunner
  // If the machine is so fast that nothing is left, a server that has finished is killed.
  await until(
    'the work to be taken up',
    async () => {
      runner = await runnerOf(connectionString)
      return (runner !== null && runner !== lastRunner) || (await numbersOf(connectionString, modelId)).missing === 0
    },
    60,
  )
  await until('the work to come so far', async () => (await numbersOf(connectionString, modelId)).missing <= target, 60)
  await delay(later)
  await server.kill()
  const after = await numbersOf(connectionString, modelId)
  return {
    words: `killed ${later} ms after ${before.missing - target} more photographs, ${after.made + after.refused} of ${after.photos} done`,
    missing: after.missing,
    runner,
  }
}

describe.skipIf(missing !== null)(`another face engine, seed ${SEED}`, () => {
  test('nothing is lost, made twice or compared with what it cannot be, however often the server dies meanwhile', async () => {
    const started = performance.now()
    const report = (words: string) => say(`seed ${SEED}, ${Math.round((performance.now() - started) / 1_000)} s: ${words}`)
    const random = randomOf(`${SEED} engine change`)
    const modelDir = testingModelDir()
    onTestFinished(() => rmSync(modelDir, { recursive: true, force: true }))
    const onnx = await engineOf(modelDir)
    const { modelId, dimensions } = descriptionOf(onnx)

    const folder = scratchFolder()
    const database = await scratchDatabase()
    onTestFinished(database.drop)
    const { connectionString } = database
    mkdirSync(join(folder, 'logs'))
    const log = join(folder, 'logs', 'server.log')
    const server = await startServerProcess({ connectionString, dataDir: join(folder, 'server'), log })
    onTestFinished(server.kill)
    onTestFinished(({ task }) => {
      if (task.result?.state === 'fail') say(`--- server.log\n${readFileSync(log, 'utf8').split('\n').slice(-LAST_LINES).join('\n')}`)
    })
    const { access_token: bearer } = await logIn(createClient(server.url), ADMIN)
    let number = 0
    const site = createSite({ url: server.url, bearer, park: { areaCode: '' } as never, next: () => ++number })
    const staff = await site.personGroup()
    const [westDevice, eastDevice] = [await site.device(), await site.device()]
    await site.strategy({ personGroups: [staff], devices: [westDevice, eastDevice] })

    /** Upload a photo: the first that is good enough. */
    async function cached(somebody: PhotographedPerson, from = 1): Promise<{ faceId: string; by: number } | null> {
      for (let by = from; by <= somebody.count; by++) {
        try {
          return { faceId: (await site.call(faceCalls.cache, { body: {}, file: await somebody.photo(by) })).faceId, by }
        } catch (error) {
          if (!(error instanceof CallRefused) || error.status !== 200) throw error
        }
      }
      return null
    }
    /** Register a person with one photo or two, and leave at least one for recognition. */
    async function register(somebody: PhotographedPerson, photos: number, given?: { faceId: string; by: number }): Promise<Registered> {
      const first = given ?? (await cached(somebody))!
      const second = photos === 2 && somebody.count > first.by + 1 ? await cached(somebody, first.by + 1) : null
      const used = [first, ...(second === null ? [] : [second])]
      const save = (one: typeof used) =>
        site.person({ name: somebody.name, groupId: staff.id, facePhotos: one.map(({ faceId }) => faceId) })
      const others = (one: typeof used) =>
        Array.from({ length: somebody.count }, (_, at) => at + 1).filter((each) => !one.some(({ by }) => by === each))
      try {
        return { ...(await save(used)), somebody, others: others(used) }
      } catch (error) {
        // Two photos are too different for one person: the first alone is enough.
        if (!(error instanceof CallRefused) || error.code !== 200203) throw error
        return { ...(await save([first])), somebody, others: others([first]) }
      }
    }

    const [lateOne, lateTwo, cachedBefore, replacement, ...rest] = photographs.people.toSorted((one, other) => other.count - one.count) as [
      PhotographedPerson,
      PhotographedPerson,
      PhotographedPerson,
      PhotographedPerson,
      ...PhotographedPerson[],
    ]
    const people: Registered[] = []
    for (const [index, somebody] of rest.slice(0, PERSONS).entries()) people.push(await register(somebody, 1 + (index % 2)))
    const early = (await cached(cachedBefore))!
    const old = await templatesOf(connectionString, BUILTIN_MODEL)
    expect(people).toHaveLength(PERSONS)

    const west = createDoor({ server: server.url, device: westDevice, folder: join(folder, 'west'), pauseMs: PAUSE_MS })
    const east = createDoor({ server: server.url, device: eastDevice, folder: join(folder, 'east'), pauseMs: PAUSE_MS })
    for (const door of [west, east]) {
      onTestFinished(door.stop)
      await door.start(BUILTIN)
      await door.holds(PERSONS)
    }
    // The first ones are never changed; those who change or leave are taken from the end.
    const stay = people.slice(0, PERSONS - 6)
    const [changing, growing, replacing, ...leaving] = people.slice(PERSONS - 6) as [
      Registered,
      Registered,
      Registered,
      Registered,
      Registered,
      Registered,
    ]
    const passers = await passersOf(west, stay, PASSERS)
    expect(passers).toHaveLength(PASSERS)
    const photos = (await numbersOf(connectionString, BUILTIN_MODEL)).photos
    report(`${PERSONS} persons with ${photos} photographs at two doors with the built-in engine`)
    const foundBefore = await foundAmong(west, stay)
    const replacedPhotos = await photosOf(replacing, UNRECOGNISED)
    west.pass(passers)

    /** Check that people stored on the devices are still admitted while the server is down. */
    async function whileDown(): Promise<void> {
      const before = west.counts().offline
      await until('passages without a server', () => west.counts().offline >= before + 2)
    }
    const change = (one: MadePerson, facePhotos: string[]) =>
      site.call(peopleCalls.change, { body: { id: one.id, name: one.name, workNumber: one.workNumber, groupId: one.groupId, facePhotos } })
    const added: Registered[] = []
    /** Performed after each start, while the work waits or runs. */
    const meanwhile: readonly (() => Promise<void>)[] = [
      async () => {
        added.push(await register(lateOne, 2))
        // Checked by the previous engine, saved with the new one.
        added.push(await register(cachedBefore, 1, early))
      },
      async () => {
        const next = (await cached(replacement))!
        await change(replacing, [next.faceId])
        Object.assign(replacing, {
          somebody: replacement,
          others: Array.from({ length: replacement.count }, (_, at) => at + 1).filter((each) => each !== next.by),
        })
        const grown = await cached(growing.somebody, growing.others[0])
        if (grown !== null && growing.faceIds.length === 1) await change(growing, [...growing.faceIds, grown.faceId]).catch(unlessUnlike)
        await site.call(peopleCalls.change, {
          body: { id: changing.id, name: 'Another name', workNumber: changing.workNumber, groupId: staff.id, facePhotos: changing.faceIds },
        })
      },
      async () => {
        await site.call(peopleCalls.delete, { query: { ids: leaving.slice(0, 2).map(({ id }) => id) } })
        await east.start(onnx)
      },
      async () => {
        added.push(await register(lateTwo, 1))
        await site.call(peopleCalls.delete, { query: { ids: leaving.slice(2).map(({ id }) => id) } })
      },
    ]
    /** Ignore that the photos of one person are too different. */
    function unlessUnlike(error: unknown): void {
      if (!(error instanceof CallRefused) || error.code !== 200203) throw error
    }

    // The change of the engine, and failures during it.
    await server.kill()
    await whileDown()
    await server.start({ modelDir })
    let [midst, runner]: [number, string | null] = [0, null]
    expect(ROUNDS.flat()).toEqual([...meanwhile.keys()])
    for (const [round, places] of ROUNDS.entries()) {
      for (const place of places) await meanwhile[place]!()
      if (!WAITS) await hastenTakeover(connectionString)
      const blow = await strike(server, connectionString, modelId, random, runner)
      runner = blow.runner
      if (blow.missing > 0) midst++
      report(`round ${round + 1}: ${blow.words}`)
      expect(west.kept()).toMatchObject({ modelId: BUILTIN_MODEL, bytes: [BUILTIN_DIMENSIONS * 4] })
      await whileDown()
      await server.start()
    }
    expect(midst).toBeGreaterThanOrEqual(2)
    if (!WAITS) await hastenTakeover(connectionString)

    const engine = () => site.call(faceCalls.engine, {})
    const done = (state: FaceEngineState) => (state.work?.state === 'done' && state.current + state.refused === state.photos ? state : null)
    const state = await until('all photographs to be embedded', async () => done(await engine()), 90)
    const present = [...stay, changing, growing, replacing, ...added]

    // Every photo was processed by the new model, once; the old templates are unchanged.
    const numbers = await numbersOf(connectionString, modelId)
    expect(numbers).toMatchObject({ photos: state.photos, made: state.current, refused: state.refused, missing: 0, both: 0, astray: 0 })
    const byPerson = await photosByPerson(connectionString)
    expect(new Set(byPerson.keys())).toEqual(new Set(present.map(({ id }) => id)))
    const there = new Set([...byPerson.values()].flat())
    const survivors = new Map([...old].filter(([id]) => there.has(id)))
    const ofPersons = (templates: Map<string, string>) => new Map([...templates].filter(([id]) => there.has(id)))
    expect(ofPersons(await templatesOf(connectionString, BUILTIN_MODEL))).toEqual(survivors)
    // Two photos from before the change may have been processed when their persons were saved, not by the work.
    const { done: counted, total, failed } = state.work!
    expect(counted).toBe(total)
    expect(counted).toBeGreaterThanOrEqual(survivors.size - 2)
    expect(counted).toBeLessThanOrEqual(photos)
    expect(failed).toBeLessThanOrEqual(state.refused)
    report(
      `${numbers.made} templates and ${numbers.refused} refusals of ${numbers.photos} photographs; the work ` +
        `counted ${counted} of ${photos} it began with`,
    )

    // Both doors store what they should, each with its own model, and the same people.
    for (const door of [west, east]) await door.holds(present.length)
    expect(west.kept()).toMatchObject({ modelId: BUILTIN_MODEL, bytes: [BUILTIN_DIMENSIONS * 4] })
    expect(east.kept()).toMatchObject({ modelId, bytes: [dimensions * 4] })
    const eastPassers = await passersOf(
      east,
      stay.filter(({ id }) => passers.some(({ personId }) => personId === id)),
      PASSERS,
    )
    expect(eastPassers).toHaveLength(PASSERS)
    const changed = [...added, replacing, growing]
    for (const door of [west, east]) {
      expect((await passersOf(door, changed, changed.length)).map(({ personId }) => personId)).toEqual(changed.map(({ id }) => id))
      for (const photo of replacedPhotos) expect((await door.look(photo)).personId).not.toBe(replacing.id)
      for (const one of leaving)
        for (const photo of await photosOf(one, UNRECOGNISED)) expect((await door.look(photo)).personId).not.toBe(one.id)
    }
    // The new engine finds all people the old one found, and, being the better one, the others too.
    expect(await foundAmong(east, present)).toEqual(present.map(({ id }) => id))
    // A face template of the old engine finds nobody on the server with the new engine, and vice versa below.
    for (const { personId, photo } of passers) expect(await foundBy(server.url, west, personId, [photo])).toBe('not')
    for (const one of leaving) expect(await foundBy(server.url, east, one.id, await photosOf(one, UNRECOGNISED))).toBe('not')

    // Back to the old engine: its templates still exist, and can be compared at once.
    await server.kill()
    await whileDown()
    await server.start({ modelDir: null })
    for (const { personId, photo } of passers) expect(await foundBy(server.url, west, personId, [photo])).toBe('found')
    const back = await until('the few new photographs to be embedded', async () => done(await engine()), 90)
    expect(back.work).toMatchObject({ done: numbers.photos - survivors.size, total: numbers.photos - survivors.size, failed: back.refused })
    expect(back.work!.id).not.toBe(state.work!.id)
    const again = await templatesOf(connectionString, BUILTIN_MODEL)
    expect(ofPersons(new Map([...again].filter(([id]) => old.has(id))))).toEqual(survivors)
    expect(await numbersOf(connectionString, modelId)).toEqual(numbers)
    expect(await foundAmong(west, stay)).toEqual(foundBefore)
    for (const { personId, photo } of eastPassers) expect(await foundBy(server.url, east, personId, [photo])).toBe('not')
    await east.holds(present.length)
    await east.passOnce(eastPassers)
    await west.rest()
    await west.passOnce(passers)

    // Everything that happened is recorded, once.
    const made = [...west.records, ...east.records]
    for (const door of [west, east]) await door.emptied()
    const { ids, ...trouble } = await recordsOf(connectionString)
    expect(ids.toSorted()).toEqual(made.toSorted())
    expect(trouble).toEqual({ gaps: 0, eventsFailed: 0 })
    expect([...west.faults, ...east.faults]).toEqual([])
    const { passages, offline } = west.counts()
    report(`${passages} passages at the old engine's door, ${offline} of them without a server; ${ids.length} records, each once`)

    /** Return the people whom the server finds among all by a photo that is not enrolled; no person may be mistaken for another. */
    async function foundAmong(door: Door, wanted: readonly Registered[]): Promise<string[]> {
      const outcomes = []
      for (const one of wanted) outcomes.push({ ...one, outcome: await foundBy(server.url, door, one.id, await photosOf(one)) })
      const found = outcomes.filter(({ outcome }) => outcome === 'found')
      report(`${door.pool.description.name} finds ${found.length} of ${wanted.length} by other photographs`)
      expect(outcomes.filter(({ outcome }) => outcome === 'wrongly').map(({ name }) => name)).toEqual([])
      return found.map(({ id }) => id)
    }
  })
})
