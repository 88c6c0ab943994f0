/**
 * A new model: all photos are embedded again while doors keep working, and embeddings of two models are never compared.
 * @module-tag extended
 */
import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { portraitVariant } from '@gatehouse/dev-env/portraits'
import { FacePool, PhotoRefusal, engineOf, DISTINCT_PORTRAITS } from '@gatehouse/face-engine'
import { hasTestingModels, testingModelDir } from '@gatehouse/face-engine/onnx/testing/set'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { faceCalls, type FaceEngineState } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient } from '@gatehouse/dev-env/client'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { ADMIN, startWorld, type MadeDevice, type MadePerson, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { testingPool, type TestingPool } from './testing/pool.ts'

const NEW_MODEL = 'of-a-test'

async function until<T>(what: string, read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const end = Date.now() + 60_000
  for (;;) {
    const value = await read()
    if (holds(value)) return value
    if (Date.now() > end) throw new Error(`waited for ${what}: ${JSON.stringify(value)}`)
    await delay(25)
  }
}
const asPool = (pool: TestingPool) => pool as unknown as FacePool
const restart = (world: World, facePool: FacePool) => world.interrupted(async () => {}, { facePool })
const engine = (world: World): Promise<FaceEngineState> => world.call(faceCalls.engine, {})
const embedded = (world: World) =>
  until(
    'all photographs to be embedded',
    () => engine(world),
    ({ work, photos, current, refused }) => work?.state === 'done' && current + refused === photos,
  )

let real: FacePool
beforeAll(() => {
  real = testingFacePool({ workers: 1 })
})
afterAll(() => real?.close())

describe('the work', () => {
  /** More than one transaction commits. */
  const PERSONS = 18
  let world: World
  let persons: MadePerson[]
  let door: MadeDevice
  const steered = { offset: 0, now: () => Date.now() + steered.offset }

  beforeAll(async () => {
    world = await startWorld({ facePool: real, clock: steered })
    const photo = await portraitVariant(DISTINCT_PORTRAITS[0], 0)
    persons = []
    for (let made = 0; made < PERSONS; made++) persons.push(await world.person({ photo }))
    door = await world.device()
    await world.strategy({ persons: [persons[0]!], devices: [door] })
  })
  afterAll(() => world?.stop())

  test('goes on where it was when the server is stopped in the middle, and embeds nothing twice', async () => {
    expect(await engine(world)).toMatchObject({ photos: PERSONS, current: PERSONS, work: null })
    const first = testingPool(real, NEW_MODEL)
    const blocked = Promise.withResolvers<void>()
    first.before = () => {
      if (first.analysed() < 17) return
      blocked.resolve()
      return new Promise(() => {})
    }
    await restart(world, asPool(first))
    await blocked.promise
    const half = await until(
      'what is kept first',
      () => engine(world),
      ({ work }) => work?.done === 16,
    )
    expect(half).toMatchObject({ modelId: NEW_MODEL, current: 16, work: { state: 'running', total: PERSONS, failed: 0 } })
    expect(half.models.map(({ photos }) => photos).toSorted()).toEqual([16, PERSONS])
    const second = testingPool(real, NEW_MODEL)
    await restart(world, asPool(second))
    expect(await embedded(world)).toMatchObject({ current: PERSONS, work: { done: PERSONS, total: PERSONS, failed: 0 } })
    // Templates created before the server stopped were kept; the interrupted photo was not.
    expect(second.analysed()).toBe(PERSONS - 17)
    // After another start there is nothing to do.
    const third = testingPool(real, NEW_MODEL)
    await restart(world, asPool(third))
    expect((await engine(world)).work).toMatchObject({ done: PERSONS })
    expect(third.analysed()).toBe(0)
  })

  test('a photograph the new model refuses is listed with its reason, the others go on; asked again it is tried again', async () => {
    const pool = testingPool(real, 'of-a-test-that-refuses')
    pool.before = () => {
      if (pool.analysed() === 4) {
        pool.before = () => {}
        throw new PhotoRefusal('blur', {})
      }
    }
    await restart(world, asPool(pool))
    expect(await embedded(world)).toMatchObject({ photos: PERSONS, current: PERSONS - 1, refused: 1, work: { done: PERSONS, failed: 1 } })
    const { content, total } = await world.call(faceCalls.refusedPhotos, { query: {} })
    expect(total).toBe(1)
    expect(content).toMatchObject([{ code: 201222 }])
    const person = persons.find(({ id }) => id === content[0]!.personId)!
    expect(content[0]).toMatchObject({ personName: person.name, faceId: person.faceIds[0] })
    const { id } = await world.call(faceCalls.embedAgain, { body: {} })
    expect(
      await until(
        'the refused one',
        () => engine(world),
        ({ work }) => work?.id === id && work.state === 'done',
      ),
    ).toMatchObject({ current: PERSONS, refused: 0, work: { done: 1, total: 1 } })
    expect((await world.call(faceCalls.refusedPhotos, { query: {} })).total).toBe(0)
  })

  test('can be cancelled and started again; meanwhile devices get what there is, and a person is compared by the new model', async () => {
    const pool = testingPool(real, 'of-a-test-that-is-cancelled')
    const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    // The first photo of the work never finishes; those of people at the counter do.
    pool.before = () => {
      pool.before = () => {}
      started.resolve()
      return gate.promise
    }
    await restart(world, asPool(pool))
    await started.promise
    const asDevice = createClient(world.url, { basic: [door.code, door.secret] })
    await world.settled()
    const { audience } = await asDevice.call(deviceProtocolCalls.manifest, {})
    const templates = async () => {
      const { persons: sent } = await asDevice.call(deviceProtocolCalls.shelf, {
        params: { audience, first: 0, count: 256 },
        query: { modelId: pool.modelId },
      })
      return sent.flatMap(({ faces }) => faces.map(({ template }) => template !== null))
    }
    expect(await templates()).toEqual([false])
    const running = await until(
      'the work to run',
      () => engine(world),
      ({ work }) => work?.state === 'running',
    )
    const { id: personId, name, workNumber, groupId, faceIds } = persons[0]!
    const cache = async (file: Buffer) => (await world.call(faceCalls.cache, { body: { personId }, file })).faceId
    const change = (facePhotos: string[]) =>
      world.call(peopleCalls.change, { body: { id: personId, name, workNumber, groupId, facePhotos } })
    const other = await cache(await portraitVariant(DISTINCT_PORTRAITS[1], 0))
    await expect(change([...faceIds, other])).rejects.toMatchObject({ code: 200203 })
    await change([...faceIds, await cache(await portraitVariant(DISTINCT_PORTRAITS[0], 1))])
    expect(await engine(world)).toMatchObject({ photos: PERSONS + 1, current: 2 })
    const { id } = await world.call(faceCalls.cancelEmbedding, { body: {} })
    expect(id).toBe(running.work!.id)
    expect(
      await until(
        'its end',
        () => engine(world),
        ({ work }) => work?.state === 'cancelled',
      ),
    ).toMatchObject({ current: 2 })
    gate.resolve()
    await world.call(faceCalls.embedAgain, { body: {} })
    expect(await embedded(world)).toMatchObject({ current: PERSONS + 1 })
    await world.settled()
    // Answers cached for devices before are no longer sent.
    expect(await templates()).toEqual([true, true])
  })

  test('a device asks for a model’s templates before and after they are made, and gets them though nothing else changed', async () => {
    const pool = testingPool(real, 'of-a-test-that-follows')
    const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    pool.before = () => {
      started.resolve()
      return gate.promise
    }
    await restart(world, asPool(pool))
    await started.promise
    await world.settled()
    const asDevice = createClient(world.url, { basic: [door.code, door.secret] })
    const { audience } = await asDevice.call(deviceProtocolCalls.manifest, {})
    const shelf = async () =>
      (await asDevice.call(deviceProtocolCalls.shelf, { params: { audience, first: 0, count: 256 }, query: { modelId: pool.modelId } }))
        .persons
    const before = await shelf()
    gate.resolve()
    await embedded(world)
    await world.settled()
    const after = await shelf()
    expect(before.map(({ faces }) => faces.map(({ template }) => template))).toEqual([[null, null]])
    expect(after.flatMap(({ faces }) => faces.map(({ template }) => template !== null))).toEqual([true, true])
    expect(after.map(({ version }) => version)).toEqual(before.map(({ version }) => version))
  })

  test('a server that died between keeping templates and noting how many goes on with right numbers', async () => {
    const pool = testingPool(real, 'of-a-test-that-is-counted')
    const [started, gate, blocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let seen = 0
    pool.before = async () => {
      seen++
      started.resolve()
      await gate.promise
      if (seen === 5) throw new PhotoRefusal('blur', {})
      if (seen <= 16) return
      blocked.resolve()
      await new Promise(() => {})
    }
    await restart(world, asPool(pool))
    await started.promise
    const [noted] = await query(world.connectionString, `SELECT done, failed, kept FROM work WHERE state = 'running'`)
    gate.resolve()
    await blocked.promise
    const { photos } = await until(
      'what is kept first',
      () => engine(world),
      ({ work }) => work?.done === 16,
    )
    const second = testingPool(real, pool.modelId)
    const forget = () =>
      query(world.connectionString, `UPDATE work SET done = $1, failed = $2, kept = $3 WHERE state = 'running'`, [
        noted!['done'],
        noted!['failed'],
        noted!['kept'],
      ])
    await world.interrupted(forget, { facePool: asPool(second) })
    expect(await embedded(world)).toMatchObject({
      photos,
      current: photos - 1,
      refused: 1,
      work: { done: photos, total: photos, failed: 1 },
    })
    expect(second.analysed()).toBe(photos - 16)
  })

  test('a photograph checked by the model before and saved under the new one is compared by the new one', async () => {
    const { faceId } = await world.call(faceCalls.cache, { body: {}, file: await portraitVariant(DISTINCT_PORTRAITS[2], 0) })
    const pool = testingPool(real, 'of-a-test-that-saves')
    await restart(world, asPool(pool))
    await embedded(world)
    await world.person({ facePhotos: [faceId] })
    const { photos, current, refused } = await engine(world)
    expect(current + refused).toBe(photos)
  })

  test('persons deleted while their photographs are embedded are no failures and hold nothing up', async () => {
    const leaving = [
      await world.person({ photo: await portraitVariant(DISTINCT_PORTRAITS[3], 0) }),
      await world.person({ photo: await portraitVariant(DISTINCT_PORTRAITS[3], 1) }),
    ]
    await world.settled()
    const pool = testingPool(real, 'of-a-test-that-loses')
    const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { photos } = await engine(world)
    // All photos but one of the last chunk are embedded, among them those of the two who are deleted: ids ascend.
    pool.before = () => {
      if (pool.analysed() < photos - 1) return
      started.resolve()
      return gate.promise
    }
    await restart(world, asPool(pool))
    await started.promise
    await world.call(peopleCalls.delete, { query: { ids: [leaving[0]!.id] } })
    // The other's photo is deleted at the moment its template is stored.
    const deletion = new pg.Client(world.connectionString)
    await deletion.connect()
    try {
      await deletion.query('BEGIN')
      await deletion.query('DELETE FROM face WHERE person_id = $1', [leaving[1]!.id])
      gate.resolve()
      const waiting = () =>
        query(
          world.connectionString,
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%face%'`,
        )
      await until('the template to wait', waiting, (rows) => rows.length > 0)
      await deletion.query('COMMIT')
    } finally {
      await deletion.end()
    }
    expect(await embedded(world)).toMatchObject({
      photos: photos - 2,
      current: photos - 2,
      refused: 0,
      work: { done: photos - 2, total: photos - 2, failed: 0 },
    })
  })

  test('templates of models that ran before go thirty days after the last photograph was embedded', async () => {
    const job = () => world.server.contexts.faces.jobs!.find(({ name }) => name === 'faces.dropOldTemplates')!.run()
    const before = (await engine(world)).models.length
    expect(before).toBeGreaterThan(2)
    steered.offset = 29 * 86_400_000
    await job()
    const models = async () => (await (await world.as(ADMIN)).call(faceCalls.engine, {})).models
    expect(await models()).toHaveLength(before)
    steered.offset = 31 * 86_400_000
    await job()
    expect(await models()).toEqual([{ modelId: 'of-a-test-that-loses', photos: PERSONS + 2 }])
  })
})

const photographs = openPhotographs()

describe.skipIf(!hasTestingModels || photographs.kind !== 'real')('from the built-in engine to ONNX models', () => {
  const PEOPLE = ['colin_powell', 'kofi_annan', 'tony_blair']
  let world: World
  let folder: string
  let other: FacePool
  beforeAll(async () => {
    folder = testingModelDir()
    other = new FacePool({ engine: await engineOf(folder), workers: 1 })
    world = await startWorld({ facePool: real })
  })
  afterAll(async () => {
    await world?.stop()
    await other?.close()
    if (folder) rmSync(folder, { recursive: true })
  })

  const photo = (identity: string, number: number) => photographs.person(identity).photo(number)

  test('everybody is recognised again, at a terminal of either engine, and nobody is sent again', async () => {
    const [oldDoor, newDoor] = [await world.device(), await world.device()]
    const persons = new Map<string, MadePerson>()
    for (const identity of PEOPLE)
      persons.set(identity, await world.person({ photo: await photo(identity, 1), permittedAt: [oldDoor, newDoor] }))
    const terminal = await world.terminal(oldDoor)
    await world.settled()
    expect(await terminal.show(await photo('colin_powell', 2))).toMatchObject({ personId: persons.get('colin_powell')!.id })
    const asDevice = createClient(world.url, { basic: [oldDoor.code, oldDoor.secret] })
    const {
      audience,
      settings: { threshold },
    } = await asDevice.call(deviceProtocolCalls.manifest, {})
    const digest = () => asDevice.call(deviceProtocolCalls.digest, { params: { audience } })
    const shelf = (modelId: string) =>
      asDevice.call(deviceProtocolCalls.shelf, { params: { audience, first: 0, count: 256 }, query: { modelId } })
    const before = await digest()

    await restart(world, other)
    expect(await embedded(world)).toMatchObject({ kind: 'onnx', current: PEOPLE.length, refused: 0 })
    await world.settled()

    // The versions are unchanged: no person is sent again because a template was added. Each engine still gets its own templates.
    expect(await digest()).toEqual(before)
    for (const pool of [real, other]) {
      const { persons: sent } = await shelf(pool.modelId)
      expect(
        sent.map(({ faces }) => faces.map(({ modelId, template }) => [modelId, Buffer.from(template ?? '', 'base64').length])),
      ).toEqual(PEOPLE.map(() => [[pool.modelId, pool.dimensions * 4]]))
    }
    const { similar } = await world.call(faceCalls.cache, { body: {}, file: await photo('kofi_annan', 2) })
    expect(similar).toMatchObject([{ personId: persons.get('kofi_annan')!.id }])

    const follower = await world.terminal(newDoor)
    await world.settled()
    for (const [identity, { id }] of persons)
      expect([identity, await follower.show(await photo(identity, 2))]).toMatchObject([identity, { personId: id }])
    // A terminal with the old engine keeps a threshold that its model can reach: at the one recommended for the new model it would
    // recognise nobody.
    const { settings } = await asDevice.call(deviceProtocolCalls.manifest, {})
    expect(settings.threshold).toBe(threshold)
    expect(await terminal.show(await photo('tony_blair', 2))).toMatchObject({ personId: persons.get('tony_blair')!.id })
  })
})
