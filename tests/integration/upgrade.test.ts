/** An installation of each release starts with today's server, and keeps its data: see tests/releases/README.md. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { createClient, logIn } from '@gatehouse/dev-env/client'
import { type FacePool } from '@gatehouse/face-engine'
import { openDatabase } from '@gatehouse/server/platform/database/database'
import { migrate, noKeys } from '@gatehouse/server/platform/database/migrations'
import { scratchDatabase } from '@gatehouse/server/platform/postgres/scratch'
import { composeUnstarted, migrationsOf } from '@gatehouse/server/contexts'
import type { Server } from '@gatehouse/server/server'
import { readFact, type Asking } from '../releases/facts.ts'
import { keptReleases, readInstallation } from '../releases/folder.ts'
import { restoreInstallation, type Restored } from '../releases/restore.ts'
import { schemaOf } from '../releases/schema.ts'
import { query } from '../support/embedded-postgres.ts'

let facePool: FacePool
/** The schema that today's migrations create in an empty database. */
let newSchema: string[]
beforeAll(async () => {
  facePool = testingFacePool({ workers: 1 })
  const empty = await scratchDatabase()
  const { db, close } = openDatabase(empty.connectionString)
  await migrate(db, migrationsOf(composeUnstarted().list), noKeys).finally(close)
  newSchema = await schemaOf(empty.connectionString)
  await empty.drop()
})
afterAll(() => facePool?.close())

const migrationsIn = async (connectionString: string): Promise<string[]> =>
  (await query<{ name: string }>(connectionString, 'select name from kysely_migration')).map(({ name }) => name).toSorted()

describe.each(keptReleases())('the installation of release %s', (release) => {
  const kept = readInstallation(release)
  const { expected } = kept
  let restored: Restored
  let server: Server
  let asking: Asking
  /** Migrations the release had run. */
  let before: string[]

  beforeAll(async () => {
    restored = await restoreInstallation(kept)
    before = await migrationsIn(restored.connectionString)
    server = await restored.upgrade(facePool)
    const client = createClient(server.url)
    const { access_token: bearer } = await logIn(client, expected.administrator)
    const { code, secret } = expected.device
    asking = { administrator: client.as({ bearer }), device: client.as({ basic: [code, secret] }), modelId: expected.modelId }
  })
  afterAll(() => restored?.remove())

  test('has run every migration there is, and none of its own is gone', async () => {
    const today = migrationsOf(Object.values(server.contexts)).map(({ name }) => name)
    expect(before.length).toBeGreaterThan(0)
    expect(await migrationsIn(restored.connectionString)).toEqual(today.toSorted())
    expect(today).toEqual(expect.arrayContaining(before))
  })

  test('has the schema of a new installation', async () => {
    expect(newSchema.length).toBeGreaterThan(500)
    expect(await schemaOf(restored.connectionString)).toEqual(newSchema)
  })

  test.each(Object.keys(expected.facts))('answers as before: %s', async (name) => {
    expect({ [name]: await readFact(name, asking) }).toMatchObject({ [name]: expected.facts[name] })
  })
})
