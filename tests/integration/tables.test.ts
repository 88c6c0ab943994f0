/** The types of tables match the migrated database: the code cannot differ from the actual columns. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { openDatabase } from '@gatehouse/server/platform/database/database'
import { tableColumns, tableTypes } from '@gatehouse/server/platform/database/table-types'
import type { Misfits } from '@gatehouse/server/platform/database/tables'
import { tableOwners } from '../architecture/tables.ts'

const SERVER = join(import.meta.dirname, '../../apps/server/src')

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

test('the generated types are those of the database; after a migration, `-u` writes them again', async () => {
  const { pool, close } = openDatabase(world.connectionString, 1)
  try {
    const owners = tableOwners('.')
    const byOwner = Map.groupBy(await tableColumns(pool), ({ table }) => owners.get(table)!)
    expect(byOwner.size).toBeGreaterThan(20)
    for (const [owner, columns] of byOwner) {
      const [folder, platform] = existsSync(join(SERVER, 'contexts', owner))
        ? [`contexts/${owner}`, '../../platform/database']
        : ['platform/database', '.']
      await expect(tableTypes(columns, platform)).toMatchFileSnapshot(join(SERVER, folder, 'tables.generated.ts'))
    }
  } finally {
    await close()
  }
})

test('what areas say of their columns could be true', () => {
  const misfits: [Misfits] extends [never] ? [] : Misfits = []
  expect(misfits).toEqual([])
})
