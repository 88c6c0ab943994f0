import { expect, onTestFinished, test } from 'vitest'
import { columnList } from './column-list.ts'
import { openDatabase, sql } from './database.ts'
import { scratchDatabase } from '../postgres/scratch.ts'

type Doors = {
  door: { number: number; doorName: string }
}

test('columns of a list are read by their own names or others, with their table or without', async () => {
  const database = await scratchDatabase()
  onTestFinished(database.drop)
  const handle = openDatabase(database.connectionString, 1)
  onTestFinished(handle.close)
  const db = handle.db.withTables<Doors>()
  await sql`CREATE TABLE door AS SELECT 7 AS number, 'North' AS door_name`.execute(db)
  const names = ['number', 'doorName as called', 'door.number as "again'] as const
  expect(() => columnList(names)).toThrow('names no column')
  const list = columnList(['number', 'door.doorName', 'doorName as called', 'door.number as again'])
  const row = { number: 7, doorName: 'North', called: 'North', again: 7 }
  expect(await db.selectFrom('door').select(list).execute()).toEqual([row])
  const besides = db.selectFrom('door').select((eb) => [...list, eb.fn.countAll<number>().over().as('total')])
  expect(await besides.execute()).toEqual([{ ...row, total: 1 }])
  expect(await db.updateTable('door').set({ doorName: 'South' }).returning(list).execute()).toEqual([
    { ...row, doorName: 'South', called: 'South' },
  ])
})
