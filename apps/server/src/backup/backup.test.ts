/**
 * A backup taken while the server runs restores an installation that works like the original; a bad one restores nothing.
 * @module-tag extended
 */
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { FacePool } from '@gatehouse/face-engine'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient, logIn, sealPassword } from '@gatehouse/dev-env/client'
import { ADMIN, startWorld, type MadeDevice, type MadePerson, type World } from '@gatehouse/dev-env/world'
import { startTerminal } from '@gatehouse/terminal'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { query } from '../../../../tests/support/embedded-postgres.ts'
import { scratchFolder } from '../../../../tests/support/scratch-folder.ts'
import { until } from '../../../../tests/support/until.ts'
import { askToPair, wireClient } from '../../../../tests/support/wire-device.ts'
import type { Config } from '../config.ts'
import { openCrypto } from '../platform/encryption/crypto.ts'
import { openDatabase } from '../platform/database/database.ts'
import { migrate, noKeys } from '../platform/database/migrations.ts'
import { scratchDatabase } from '../platform/postgres/scratch.ts'
import { openSecrets } from '../platform/encryption/secrets.ts'
import { composeUnstarted, migrationsOf } from '../contexts.ts'
import { startServer, type Server } from '../server.ts'
import { readArchive } from './archive.ts'
import { takeBackup } from './backup.ts'
import { restoreBackup } from './restore.ts'

const migrations = migrationsOf(composeUnstarted().list).toSorted((one, other) => (one.name < other.name ? -1 : 1))
const quiet = (): void => {}

let facePool: FacePool
let world: World
let door: MadeDevice
let ann: MadePerson
let shown: Buffer
/** A backup of the world. */
let archive: string
const config = (): Config => ({ ...world.server.platform.config, databaseUrl: world.connectionString })

beforeAll(async () => {
  facePool = new FacePool({ workers: 1 })
  world = await startWorld({ facePool })
  const [photographed] = world.photographs.people
  ann = await world.person({ name: 'Ann', photo: await photographed!.photo(1) })
  shown = await photographed!.photo(2)
  const terminal = await world.terminal()
  door = terminal.device
  await world.strategy({ persons: [ann], devices: [door] })
  await world.settled()
  await terminal.show(shown)
  await world.settled()
  // A month that a job has detached but not deleted yet.
  await query(world.connectionString, 'CREATE TABLE access_record_dropped_2020_01 (LIKE access_record INCLUDING ALL)')
  await query(world.connectionString, 'INSERT INTO access_record_dropped_2020_01 SELECT * FROM access_record')
  archive = join(world.dataDir, 'backup.tar')
  await takeBackup({ config: config(), file: archive, say: quiet })
})
afterAll(async () => {
  await world?.stop()
  await facePool?.close()
})

/** An empty database, and a folder that does not exist yet. */
async function emptyPlace(): Promise<Config & { databaseUrl: string }> {
  const database = await scratchDatabase()
  onTestFinished(database.drop)
  return { ...config(), dataDir: join(scratchFolder(), 'data'), databaseUrl: database.connectionString, port: 0, mqttPort: 0 }
}

const restore = (to: Config, file = archive) => restoreBackup({ config: to, file, migrations, say: quiet })
const tablesIn = async ({ databaseUrl }: Config) =>
  query(databaseUrl!, `SELECT tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`)

async function start(on: Config): Promise<Server> {
  const server = await startServer({ config: on, connectionString: on.databaseUrl!, facePool })
  onTestFinished(server.stop)
  return server
}

/** Everything an archive holds, except when it was made. Rows unpacked: how a stream of them is cut into frames depends on the moment. */
async function contentOf(file: string): Promise<Map<string, string>> {
  const content = new Map<string, string>()
  const packed = new Map<string, Buffer[]>()
  for await (const { name, content: bytes } of readArchive(file)) {
    const [, table] = /^(database\/.+)\/\d+\.zst$/.exec(name) ?? []
    if (table === undefined) content.set(name, bytes.toString('base64'))
    else packed.set(table, [...(packed.get(table) ?? []), bytes])
  }
  for (const [table, pieces] of packed) content.set(table, zstdDecompressSync(Buffer.concat(pieces)).toString())
  const manifest = JSON.parse(Buffer.from(content.get('gatehouse-backup.json')!, 'base64').toString()) as Record<string, unknown>
  return content.set('gatehouse-backup.json', JSON.stringify({ ...manifest, madeAt: '' }))
}

describe('a restored installation', () => {
  test('logs in, shows its persons and records with their pictures, and lets its terminals in', async () => {
    const place = await emptyPlace()
    expect(await restore(place)).toMatchObject({ pending: 0 })
    const { url } = await start(place)
    const visitor = createClient(url)
    const client = visitor.as({ bearer: (await logIn(visitor, ADMIN)).access_token })

    const person = await client.call(peopleCalls.read, { query: { id: ann.id } })
    expect(person.name).toBe('Ann')
    const { content: records } = await client.call(recordCalls.find, { body: { deviceId: door.id } })
    expect(records).toMatchObject([{ personId: ann.id, personName: 'Ann' }])
    for (const address of [person.faces[0]!.url, records[0]!.captureImage, records[0]!.captureThumbnail]) {
      const picture = await fetch(url + address)
      expect(picture.status).toBe(200)
      expect(picture.headers.get('content-type')).toBe('image/webp')
    }

    expect((await askToPair(wireClient(url, { ...door, secret: 'guessed' }))).status).toBe(401)
    const terminal = await startTerminal({
      server: url,
      code: door.code,
      secret: door.secret,
      dataDir: join(place.dataDir, 'terminal'),
      port: 0,
      pool: facePool,
    })
    onTestFinished(terminal.stop)
    const verdict = await until('the terminal to know the person', async () => {
      const response = await fetch(`${terminal.url}frame`, {
        method: 'POST',
        headers: { 'content-type': 'image/jpeg' },
        body: new Uint8Array(shown),
      })
      const { verdict: said, personId } = (await response.json()) as { verdict: string; personId: string }
      return said === 'allowed' && personId
    })
    expect(verdict).toBe(ann.id)
  })

  test('opens no cipher text of a password that was sent before, whether or not the backup knows of it', async () => {
    const { publicKey } = await createClient(world.url).call(identityCalls.loginConfig, {})
    const cipherText = await sealPassword(createClient(world.url), ADMIN.password)
    const place = await emptyPlace()
    await restore(place)
    const { url } = await start(place)
    expect((await createClient(url).call(identityCalls.loginConfig, {})).publicKey).not.toBe(publicKey)
    const body = { grant_type: 'password' as const, username: ADMIN.account, password: cipherText }
    for (const at of [world.url, url])
      expect((await createClient(at, { basic: ['console', ''] }).ask(identityCalls.token, { body })).status).toBe(at === url ? 400 : 200)
  })

  test('is the same to the last row, secret and file, but for the login key', async () => {
    const place = await emptyPlace()
    await restore(place)
    const again = join(scratchFolder(), 'again.tar')
    await takeBackup({ config: place, file: again, say: quiet })
    const [first, second] = [await contentOf(archive), await contentOf(again)]
    expect([...second.keys()]).toEqual([...first.keys()])
    const different = [...first.keys()].filter((name) => first.get(name) !== second.get(name))
    expect(different.toSorted()).toEqual(['database/login_key', 'database/used_cipher_text'])
    expect([...first.keys()]).toContain('secrets/master.key')
    expect([...first.keys()]).toContain('database/access_record_dropped_2020_01')
    expect([...first.keys()].filter((name) => /^files\/.*\.full$/.test(name))).toHaveLength(2)
  })

  test('of an older release is brought up to date by the next start', async () => {
    const [old, place] = [await emptyPlace(), await emptyPlace()]
    mkdirSync(old.dataDir)
    const handle = openDatabase(old.databaseUrl)
    await migrate(handle.db, migrations.slice(0, -3), noKeys)
    const crypto = await openCrypto(handle.db, openSecrets(old.dataDir), null)
    const sealed = await crypto.seal(world.park.id, 'person.id_number old', Buffer.from('an old secret'))
    await handle.close()
    const file = join(scratchFolder(), 'old.tar')
    await takeBackup({ config: old, file, say: quiet })

    expect(await restore(place, file)).toMatchObject({ pending: 3 })
    const { url, platform } = await start(place)
    expect(await query(place.databaseUrl, 'SELECT name FROM kysely_migration')).toHaveLength(migrations.length)
    expect((await platform.crypto.open(world.park.id, 'person.id_number old', sealed)).toString()).toBe('an old secret')
    await logIn(createClient(url), ADMIN)
  })
})

describe('a backup', () => {
  test('can be read by its owner only, and leaves nothing unfinished', () => {
    expect(statSync(archive).mode & 0o777).toBe(0o600)
    expect(readdirSync(world.dataDir).filter((name) => name.endsWith('.unfinished'))).toEqual([])
  })

  test('replaces no file, neither a whole one nor one that was cut off', async () => {
    await expect(takeBackup({ config: config(), file: archive, say: quiet })).rejects.toThrow('exists already')
    const file = join(scratchFolder(), 'backup.tar')
    writeFileSync(`${file}.unfinished`, '')
    await expect(takeBackup({ config: config(), file, say: quiet })).rejects.toThrow('Delete the file if none runs')
  })

  test('is refused while a file the database refers to is missing, unless that is accepted', async () => {
    const [{ id } = { id: '' }] = await query<{ id: string }>(world.connectionString, `SELECT id FROM file WHERE kept AND use = 'capture'`)
    const path = join(world.dataDir, 'files', id.slice(-2), `${id}.full`)
    const bytes = readFileSync(path)
    rmSync(path)
    onTestFinished(() => writeFileSync(path, bytes))
    const file = join(scratchFolder(), 'backup.tar')
    await expect(takeBackup({ config: config(), file, say: quiet })).rejects.toThrow(`${id}.full`)
    expect(readdirSync(join(file, '..'))).toEqual([])
    expect(await takeBackup({ config: config(), file, allowMissing: true, say: quiet })).toMatchObject({ missing: 1 })
  })

  test('keeps released files in place until it is done', async () => {
    const { storage, transaction } = world.server.platform
    const scope = { parkId: world.park.id }
    const fileId = await storage.savePicture(scope, shown, 'face')
    const handle = openDatabase(world.connectionString)
    onTestFinished(handle.close)
    const other = await handle.client()
    onTestFinished(() => other.end())
    // The backup has started, and cannot go on.
    await other.query('BEGIN')
    await other.query('LOCK TABLE event_failure')
    const file = join(scratchFolder(), 'backup.tar')
    const backup = takeBackup({ config: config(), file, say: quiet })
    await until('the backup to wait', async () => {
      const rows = await query(world.connectionString, `SELECT 1 FROM pg_locks WHERE relation = 'event_failure'::regclass AND NOT granted`)
      return rows.length > 0
    })

    await transaction((tx) => storage.release(tx, scope, [fileId]))
    expect(await storage.erase([fileId])).toEqual([fileId])
    expect(await storage.sweep()).toBe(0)
    await other.query('COMMIT')
    await backup
    expect([...(await contentOf(file)).keys()]).toContain(`files/${fileId.slice(-2)}/${fileId}.full`)
    expect(await storage.erase([fileId])).toEqual([])
    expect(await storage.load(scope, fileId, 'full')).toBeNull()
  })

  test('is refused with a master key that is not the one of the database', async () => {
    const keyFile = join(scratchFolder(), 'other.key')
    writeFileSync(keyFile, '5a'.repeat(32))
    const file = join(scratchFolder(), 'backup.tar')
    await expect(takeBackup({ config: { ...config(), keyFile }, file, say: quiet })).rejects.toThrow('is not the one of this database')
  })

  test('leaves a master key out that the installation keeps elsewhere, and needs it again', async () => {
    const keyFile = join(scratchFolder(), 'kept-elsewhere.key')
    copyFileSync(join(world.dataDir, 'secrets', 'master.key'), keyFile)
    const file = join(scratchFolder(), 'backup.tar')
    expect(await takeBackup({ config: { ...config(), keyFile }, file, say: quiet })).toMatchObject({ masterKeyIncluded: false })
    const place = await emptyPlace()
    await expect(restore(place, file)).rejects.toThrow('holds no master key')
    await restore({ ...place, keyFile }, file)
    const own = join(place.dataDir, 'secrets', 'master.key')
    expect(existsSync(own)).toBe(false)

    // Started without that key, or with another: no other key is created in its place.
    await expect(start(place)).rejects.toThrow('master key of this installation is missing')
    expect(existsSync(own)).toBe(false)
    const other = join(scratchFolder(), 'other.key')
    writeFileSync(other, '5a'.repeat(32))
    await expect(start({ ...place, keyFile: other })).rejects.toThrow('is not the one of this database')
    await expect(start({ ...place, keyFile: join(scratchFolder(), 'none.key') })).rejects.toThrow('openssl rand -hex 32')
    await logIn(createClient((await start({ ...place, keyFile })).url), ADMIN)
  })
})

describe('a restore', () => {
  const damaged = (change: (file: string) => void): string => {
    const file = join(scratchFolder(), 'damaged.tar')
    copyFileSync(archive, file)
    change(file)
    return file
  }
  const flipped = damaged.bind(null, (file) => {
    const bytes = readFileSync(file)
    const at = Math.floor(bytes.length / 2)
    bytes[at] = bytes[at]! ^ 1
    writeFileSync(file, bytes)
  })

  test('refuses an archive that is cut off, damaged or none at all, before it writes anything', async () => {
    const place = await emptyPlace()
    const { size } = statSync(archive)
    await expect(
      restore(
        place,
        damaged((file) => truncateSync(file, size - 4096)),
      ),
    ).rejects.toThrow('incomplete')
    await expect(restore(place, flipped())).rejects.toThrow('damaged')
    await expect(
      restore(
        place,
        damaged((file) => writeFileSync(file, 'x'.repeat(2048))),
      ),
    ).rejects.toThrow('no backup')
    await expect(restore(place, join(scratchFolder(), 'nowhere.tar'))).rejects.toThrow('cannot be read')
    expect(existsSync(place.dataDir)).toBe(false)
    expect(await tablesIn(place)).toEqual([])
  })

  test('refuses a directory or a database that is not empty', async () => {
    const place = await emptyPlace()
    mkdirSync(place.dataDir)
    writeFileSync(join(place.dataDir, 'note'), '')
    await expect(restore(place)).rejects.toThrow('not empty')
    rmSync(join(place.dataDir, 'note'))
    await query(place.databaseUrl, 'CREATE TABLE note (words text)')
    await expect(restore(place)).rejects.toThrow('not empty')
    expect(readdirSync(place.dataDir)).toEqual([])
  })

  test.runIf(process.getuid?.() === 0)('refuses, as root, the directory of another account, whose server could not read it', async () => {
    const place = await emptyPlace()
    mkdirSync(place.dataDir)
    chownSync(place.dataDir, 54_321, 54_321)
    await expect(restore(place)).rejects.toThrow('belongs to the account 54321')
    expect(readdirSync(place.dataDir)).toEqual([])
  })

  test('refuses a backup of a newer release', async () => {
    const place = await emptyPlace()
    await expect(restoreBackup({ config: place, file: archive, migrations: migrations.slice(0, -1), say: quiet })).rejects.toThrow(
      `newer release: its database has 1 changes that this release does not know (${migrations.at(-1)!.name})`,
    )
    expect(existsSync(place.dataDir)).toBe(false)
  })

  test('that is cut off leaves no rows, and a directory no server starts on', async () => {
    const place = await emptyPlace()
    const cut = (sentence: string) => {
      if (sentence.includes('The database is restored')) throw new Error('cut off')
    }
    await expect(restoreBackup({ config: place, file: archive, migrations, say: cut })).rejects.toThrow('cut off')
    expect(await tablesIn(place)).toEqual([])
    await expect(start(place)).rejects.toThrow('was cut off')
    await expect(takeBackup({ config: place, file: join(place.dataDir, 'backup.tar'), say: quiet })).rejects.toThrow('was cut off')
    await expect(restore(place)).rejects.toThrow('not empty')
  })
})
