/**
 * A new master key replaces the former one, and everything that was sealed or indexed is found as before.
 * @module-tag extended
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { FacePool } from '@gatehouse/face-engine'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { query } from '../../../../tests/support/embedded-postgres.ts'
import { scratchFolder } from '../../../../tests/support/scratch-folder.ts'
import { takeBackup } from '../backup/backup.ts'
import type { Config } from '../config.ts'
import { scratchDatabase } from '../platform/postgres/scratch.ts'
import { startServer, type Server } from '../server.ts'
import { rotateMasterKey } from './rotate.ts'

const ID_NUMBER = '110101199001011237'
let facePool: FacePool
let world: World
let config: Config
beforeAll(async () => {
  facePool = new FacePool({ workers: 1 })
  world = await startWorld({ facePool })
  config = { ...world.server.platform.config, databaseUrl: world.connectionString }
  await world.person({ name: 'Ann', idNumber: ID_NUMBER, photo: await world.photographs.people[0]!.photo(1) })
})
afterAll(async () => {
  await world?.stop()
  await facePool?.close()
})

const keptKey = (): string => readFileSync(join(config.dataDir, 'secrets', 'master.key'), 'utf8')
const wrapped = async (databaseUrl = world.connectionString): Promise<string[]> =>
  (await query<{ key: string }>(databaseUrl, `SELECT encode(wrapped, 'hex') AS key FROM data_key ORDER BY park_id`)).map(({ key }) => key)

/** Assert that sealed values open, and that indexed ones are found. */
async function expectAllThere(): Promise<void> {
  const { content } = await world.call(peopleCalls.list, { query: {} })
  expect(content.map(({ name }) => name)).toEqual(['Ann'])
  // Found by its index: no other person may have it.
  await expect(world.person({ name: 'Bob', idNumber: ID_NUMBER })).rejects.toThrow('code 200214')
  const { idNumber, faces } = await world.call(peopleCalls.read, { query: { id: content[0]!.id } })
  expect(idNumber).toBe(ID_NUMBER)
  expect((await fetch(world.url + faces[0]!.url)).headers.get('content-type')).toBe('image/webp')
}

describe('the key of the data directory', () => {
  test('is replaced while the server is stopped, as often as one likes', async () => {
    for (let time = 0; time < 2; time++) {
      const [key, before] = [keptKey(), await wrapped()]
      const count = await world.interrupted(() => rotateMasterKey({ config, newKeyFile: null }))
      expect(count).toBe(before.length)
      expect(keptKey()).not.toBe(key)
      expect(await wrapped()).not.toContain(before[0])
      await expectAllThere()
    }
  })

  test('is not replaced while a server runs', async () => {
    const before = [keptKey(), ...(await wrapped())]
    await expect(rotateMasterKey({ config, newKeyFile: null })).rejects.toThrow('A server of this installation is running')
    expect([keptKey(), ...(await wrapped())]).toEqual(before)
  })

  test('is found after a crash, whether the database had heard of the new one or not', async () => {
    const kept = (name: string): string => join(config.dataDir, 'secrets', name)
    await world.interrupted(async () => {
      const before = keptKey()
      await rotateMasterKey({ config, newKeyFile: null })
      // After the commit, and before the new key replaced the former one.
      renameSync(kept('master.key'), kept('master.key.next'))
      writeFileSync(kept('master.key'), before)
    })
    await expectAllThere()
    await world.interrupted(async () => {
      // Before the commit.
      writeFileSync(kept('master.key.next'), '5a'.repeat(32))
    })
    await expectAllThere()
    await world.interrupted(() => rotateMasterKey({ config, newKeyFile: null }))
    expect(keptKey()).not.toBe('5a'.repeat(32))
    await expectAllThere()
  })

  test('replaced, a backup holds the new one', async () => {
    const file = join(scratchFolder(), 'backup.tar')
    expect(await takeBackup({ config, file, say() {} })).toMatchObject({ masterKeyIncluded: true })
  })
})

describe('a key in a file of its own', () => {
  async function installation(): Promise<{ on: Config & { databaseUrl: string }; begin(keyFile: string | null): Promise<Server> }> {
    const database = await scratchDatabase()
    onTestFinished(database.drop)
    const on = { ...config, dataDir: join(scratchFolder(), 'data'), databaseUrl: database.connectionString, port: 0, mqttPort: 0 }
    return {
      on,
      begin: (keyFile) => startServer({ config: { ...on, keyFile }, connectionString: on.databaseUrl, facePool }),
    }
  }

  test('takes the place of the one in the data directory, and then of the former file', async () => {
    const { on, begin } = await installation()
    await (await begin(null)).stop()
    const [first, second] = [join(scratchFolder(), 'first.key'), join(scratchFolder(), 'second.key')]
    await rotateMasterKey({ config: on, newKeyFile: first })
    await expect(begin(null)).rejects.toThrow('the master key of this installation is missing: set KEY_FILE to it')
    await (await begin(first)).stop()

    await expect(rotateMasterKey({ config: { ...on, keyFile: first }, newKeyFile: null })).rejects.toThrow('KEY_FILE names the master key')
    await expect(rotateMasterKey({ config: { ...on, keyFile: first }, newKeyFile: first })).rejects.toThrow('has already')
    writeFileSync(second, 'no key')
    await expect(rotateMasterKey({ config: { ...on, keyFile: first }, newKeyFile: second })).rejects.toThrow('64 hexadecimal characters')
    writeFileSync(second, `${'0c'.repeat(32)}\n`)
    await rotateMasterKey({ config: { ...on, keyFile: first }, newKeyFile: second })
    await expect(begin(first)).rejects.toThrow('is not the one of this database')
    await (await begin(second)).stop()
  })
})
