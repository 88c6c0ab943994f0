/** Every column is tagged with what it contains: masking, export, erasure and the inventory of personal data are derived from the tags. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { openDatabase } from '@gatehouse/server/platform/database/database'
import { tableColumns } from '@gatehouse/server/platform/database/table-types'
import { columnTagsOf } from '@gatehouse/server/platform/database/migrations'
import { migrationsOf } from '@gatehouse/server/contexts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

/** Columns of our own tables as `table.column`. */
async function columnsInDatabase(): Promise<string[]> {
  const { pool, close } = openDatabase(world.connectionString, 1)
  try {
    return (await tableColumns(pool)).map(({ table, column }) => `${table}.${column}`).toSorted()
  } finally {
    await close()
  }
}

test('each column of each table carries a tag, and each tag a column', async () => {
  const tags = columnTagsOf(migrationsOf(Object.values(world.server.contexts)))
  const tagged = Object.entries(tags).flatMap(([table, columns]) => Object.keys(columns).map((column) => `${table}.${column}`))
  const columns = await columnsInDatabase()
  expect(columns.length).toBeGreaterThan(100)
  expect(tagged.toSorted()).toEqual(columns)
})

test('the tags are known ones, and what must never be shown has its own', () => {
  const tags = columnTagsOf(migrationsOf(Object.values(world.server.contexts)))
  const values = new Set(Object.values(tags).flatMap((columns) => Object.values(columns)))
  expect([...values].toSorted()).toEqual(['biometric', 'none', 'personal', 'secret'])
  expect(tags).toMatchObject({
    face_template: { template: 'biometric' },
    user_account: { password_hash: 'secret' },
    person: { name: 'personal', id_number: 'personal' },
  })
})
