/** A backup contains the files of a bucket like those of a folder, and moves an installation from one to the other. */
import { join } from 'node:path'
import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { portrait } from '@gatehouse/dev-env/portraits'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { objectStoreForTest } from '../../../../tests/support/object-store.ts'
import { scratchFolder } from '../../../../tests/support/scratch-folder.ts'
import { query } from '../../../../tests/support/embedded-postgres.ts'
import type { Config } from '../config.ts'
import { composeUnstarted, migrationsOf } from '../contexts.ts'
import { scratchDatabase } from '../platform/postgres/scratch.ts'
import { bucketAddress } from '../platform/storage/bucket-address.ts'
import { startServer } from '../server.ts'
import { readArchive } from './archive.ts'
import { takeBackup } from './backup.ts'
import { restoreBackup } from './restore.ts'

const migrations = migrationsOf(composeUnstarted().list)
const quiet = (): void => {}

let world: World
let fileId: string
let pictures: (Buffer | null)[]
/** A backup of the world, whose files are in a folder. */
let archive: string
const variants = ['96', '320', 'full'] as const
beforeAll(async () => {
  world = await startWorld()
  const { storage, transaction } = world.server.platform
  const scope = { parkId: world.park.id }
  fileId = await storage.savePicture(scope, await portrait('in a bucket'), 'face')
  await transaction((tx) => storage.keep(tx, scope, [fileId]))
  pictures = await Promise.all(variants.map((variant) => storage.load(scope, fileId, variant)))
  archive = join(world.dataDir, 'backup.tar')
  await takeBackup({ config: { ...world.server.platform.config, databaseUrl: world.connectionString }, file: archive, say: quiet })
})
afterAll(() => world?.stop())

async function backup(config: Config): Promise<string> {
  const file = join(scratchFolder(), 'backup.tar')
  await takeBackup({ config, file, say: quiet })
  return file
}

/** An empty database and directory, and a bucket where one is given. */
async function emptyPlace(url: string | null): Promise<Config & { databaseUrl: string }> {
  const database = await scratchDatabase()
  onTestFinished(database.drop)
  return {
    ...world.server.platform.config,
    dataDir: join(scratchFolder(), 'data'),
    databaseUrl: database.connectionString,
    storage: url === null ? null : bucketAddress(url),
    port: 0,
    mqttPort: 0,
  }
}

const restore = (to: Config, file: string) => restoreBackup({ config: to, file, migrations, say: quiet })

async function filesIn(file: string): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for await (const { name, content } of readArchive(file)) if (name.startsWith('files/')) files.set(name, content.toString('base64'))
  return files
}

/** The pictures, as read by a server on a place. */
async function shownBy(place: Config & { databaseUrl: string }): Promise<(Buffer | null)[]> {
  const facePool = testingFacePool({ workers: 1 })
  const server = await startServer({ config: place, connectionString: place.databaseUrl, facePool })
  try {
    return await Promise.all(variants.map((variant) => server.platform.storage.load({ parkId: world.park.id }, fileId, variant)))
  } finally {
    await server.stop()
    await facePool.close()
  }
}

test('an installation moves from a folder into a bucket and back, its files as they were sealed', async () => {
  const bucket = await (await objectStoreForTest()).bucket()
  const inBucket = await emptyPlace(bucket.url)
  expect(await restore(inBucket, archive)).toMatchObject({ files: 3 })
  const names = [...(await filesIn(archive)).keys()]
  expect(await bucket.keys()).toEqual([...names.map((name) => name.slice('files/'.length)), 'installation'].toSorted())
  expect(await shownBy(inBucket)).toEqual(pictures)

  const second = await backup(inBucket)
  expect(await filesIn(second)).toEqual(await filesIn(archive))
  const inFolder = await emptyPlace(null)
  await restore(inFolder, second)
  expect(await shownBy(inFolder)).toEqual(pictures)
})

test('a backup is refused while an object the database refers to is missing', async () => {
  const bucket = await (await objectStoreForTest()).bucket()
  const place = await emptyPlace(bucket.url)
  await restore(place, archive)
  await bucket.remove(`${fileId.slice(-2)}/${fileId}.full`)
  await expect(backup(place)).rejects.toThrow(`1 files that the database refers to are missing: ${fileId.slice(-2)}/${fileId}.full`)
})

test('nothing is restored into a bucket that holds something, or that is not there', async () => {
  const store = await objectStoreForTest()
  const bucket = await store.bucket()
  await bucket.write('note', Buffer.from('mine'))
  const place = await emptyPlace(bucket.url)
  await expect(restore(place, archive)).rejects.toThrow('The bucket that STORAGE_URL names is not empty')
  await expect(restore(await emptyPlace(bucket.url.replace(/gatehouse-\d+/, 'elsewhere')), archive)).rejects.toThrow(
    'There is no bucket "elsewhere"',
  )
  expect(await bucket.keys()).toEqual(['note'])
  expect(await query(place.databaseUrl, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).toEqual([])
})

test('a restore whose bucket fails half-way leaves no rows and starts no server', async () => {
  const store = await objectStoreForTest()
  const place = await emptyPlace((await store.bucket()).url)
  const failing = (sentence: string) => {
    if (sentence.includes('The database is restored')) store.fault.status = 500
  }
  await expect(restoreBackup({ config: place, file: archive, migrations, say: failing })).rejects.toThrow('Cannot write file')
  store.fault.status = null
  expect(await query(place.databaseUrl, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).toEqual([])
  await expect(shownBy(place)).rejects.toThrow('was cut off')
})
