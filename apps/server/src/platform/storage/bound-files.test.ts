/**
 * Files from before sealed bytes were bound to their names: read all the time, sealed again one after the other, and
 * refused elsewhere from then on.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { portrait } from '@gatehouse/dev-env/portraits'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { formerSeal } from '../../../../../tests/support/former-seal.ts'
import { boundFiles } from './bound-files.ts'
import { newId } from '../database/ids.ts'

/** The error for a value opened at the wrong place. */
const REFUSED = 'unable to authenticate data'
const VARIANTS = ['96', '320', 'full'] as const
type Variant = (typeof VARIANTS)[number]

let world: World
let picture: Buffer
/** Seal bytes of a park as an earlier release did. */
let seal: (plain: Uint8Array) => Buffer
beforeAll(async () => {
  // At a full ten minutes the job itself would do what a run here is to count.
  world = await startWorld({ jobsAsleep: true })
  picture = await portrait('bound')
  seal = await formerSeal(world.server.platform.db, world.dataDir, world.park.id)
})
afterAll(() => world?.stop())
beforeEach(async () => void (await job().run()))

const storage = () => world.server.platform.storage
const job = () => boundFiles(world.server.platform)
const scope = () => ({ parkId: world.park.id })
const pathOf = (id: string, variant: Variant) => join(world.dataDir, 'files', id.slice(-2), `${id}.${variant}`)
const loaded = (id: string) => Promise.all(VARIANTS.map((variant) => storage().load(scope(), id, variant)))
const onDisk = (id: string) => VARIANTS.map((variant) => readFileSync(pathOf(id, variant)))
const isBound = async (id: string) =>
  (await query<{ bound: boolean }>(world.connectionString, 'SELECT bound FROM file WHERE id = $1', [id]))[0]?.bound

async function kept(): Promise<string> {
  const id = await storage().savePicture(scope(), picture, 'face')
  await world.server.platform.transaction((tx) => storage().keep(tx, scope(), [id]))
  return id
}

/** A picture as an earlier release left it. */
async function formerPicture(): Promise<string> {
  const id = await kept()
  for (const [at, bytes] of (await loaded(id)).entries()) writeFileSync(pathOf(id, VARIANTS[at]!), seal(bytes!))
  await query(world.connectionString, 'UPDATE file SET bound = false WHERE id = $1', [id])
  return id
}

test('a file of before is read, sealed again, and read the same', async () => {
  const id = await formerPicture()
  const [before, sealed] = [await loaded(id), onDisk(id)]
  expect(before.every((bytes) => bytes !== null && bytes.length > 100)).toBe(true)
  expect(await job().run()).toEqual({ outcome: 'success', counts: { filesBound: 1 } })
  expect(await isBound(id)).toBe(true)
  expect(await loaded(id)).toEqual(before)
  for (const [at, bytes] of onDisk(id).entries()) expect(bytes.equals(sealed[at]!)).toBe(false)
  expect(await job().run()).toEqual({ outcome: 'success', counts: { filesBound: 0 } })
})

test('moved to another name it is refused from then on', async () => {
  const [one, other] = [await formerPicture(), await formerPicture()]
  await job().run()
  for (const variant of VARIANTS) {
    renameSync(pathOf(one, variant), `${pathOf(one, variant)}.aside`)
    copyFileSync(pathOf(other, variant), pathOf(one, variant))
    await expect(storage().load(scope(), one, variant)).rejects.toThrow(REFUSED)
    renameSync(`${pathOf(one, variant)}.aside`, pathOf(one, variant))
  }
  // A large picture is not accepted as a small one either.
  copyFileSync(pathOf(other, 'full'), pathOf(other, '96'))
  await expect(storage().load(scope(), other, '96')).rejects.toThrow(REFUSED)
  expect((await loaded(one)).every((bytes) => bytes !== null)).toBe(true)
})

test('a new file is bound, and one of before the release that is moved onto it is refused', async () => {
  const [fresh, old] = [await kept(), await formerPicture()]
  expect(await isBound(fresh)).toBe(true)
  copyFileSync(pathOf(old, 'full'), pathOf(fresh, 'full'))
  await expect(storage().load(scope(), fresh, 'full')).rejects.toThrow(REFUSED)
})

test('cut off half-way it goes on', async () => {
  const ids = await Promise.all(Array.from({ length: 3 }, formerPicture))
  const before = await Promise.all(ids.map(loaded))
  // One of them was written before the power failed, the rows were not.
  await storage().bindFormer()
  await query(world.connectionString, 'UPDATE file SET bound = false WHERE id = ANY($1)', [ids])
  writeFileSync(pathOf(ids[1]!, 'full'), seal(before[1]![2]!))
  expect(await Promise.all(ids.map(loaded))).toEqual(before)
  expect(await job().run()).toMatchObject({ counts: { filesBound: 3 } })
  expect(await Promise.all(ids.map(isBound))).toEqual([true, true, true])
  expect(await Promise.all(ids.map(loaded))).toEqual(before)
})

test('more than are done at a time are done in one run, also by two nodes at once', async () => {
  const ids = Array.from({ length: 210 }, newId)
  const bytes = seal(picture)
  for (const id of ids) {
    mkdirSync(dirname(pathOf(id, 'full')), { recursive: true })
    writeFileSync(pathOf(id, 'full'), bytes)
  }
  await query(
    world.connectionString,
    `INSERT INTO file (id, park_id, use, content_type, kept, created_at, bound)
     SELECT unnest($1::uuid[]), $2, 'capture', 'image/webp', true, now(), false`,
    [ids, world.park.id],
  )
  const runs = await Promise.all([job().run(), job().run()])
  expect(runs.reduce((sum, run) => sum + ('counts' in run ? run.counts!.filesBound! : 0), 0)).toBe(210)
  for (const id of [ids[0]!, ids[105]!, ids[209]!]) expect(await storage().load(scope(), id, 'full')).toEqual(picture)
})

test('a damaged file stays damaged, and keeps no other back', async () => {
  const [damaged, missing, whole] = [await formerPicture(), await formerPicture(), await formerPicture()]
  writeFileSync(pathOf(damaged, 'full'), Buffer.alloc(100))
  writeFileSync(pathOf(damaged, '96'), Buffer.alloc(3))
  for (const variant of VARIANTS) renameSync(pathOf(missing, variant), `${pathOf(missing, variant)}.gone`)
  const before = await loaded(whole)
  expect(await job().run()).toMatchObject({ counts: { filesBound: 3 } })
  await expect(storage().load(scope(), damaged, 'full')).rejects.toThrow(REFUSED)
  expect(readFileSync(pathOf(damaged, 'full'))).toEqual(Buffer.alloc(100))
  expect(existsSync(pathOf(missing, 'full'))).toBe(false)
  expect(await loaded(whole)).toEqual(before)
})

test('files that go meanwhile leave nothing behind', async () => {
  const ids = await Promise.all(Array.from({ length: 40 }, formerPicture))
  await world.server.platform.transaction((tx) => storage().release(tx, scope(), ids))
  const erasing = Promise.all(ids.map((id) => storage().erase([id])))
  await Promise.all([job().run(), erasing, storage().sweep()])
  expect(await Promise.all(ids.map(isBound))).toEqual(ids.map(() => undefined))
  const left = ids.flatMap((id) => readdirSync(join(world.dataDir, 'files', id.slice(-2))).filter((name) => name.startsWith(id)))
  expect(left).toEqual([])
})
