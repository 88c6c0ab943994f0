import { expect, onTestFinished, test } from 'vitest'
import { columnList } from './column-list.ts'
import { openDatabase, sql, type Database } from './database.ts'
import { scratchDatabase } from '../postgres/scratch.ts'

interface Tables {
  door: { number: number; door_name: string }
}

test('columns of a list are read by their own names or others, with their table or without', async () => {
  const database = await scratchDatabase()
  onTestFinished(database.drop)
  const handle = openDatabase(database.connectionString, 1)
  onTestFinished(handle.close)
  const db = handle.db as unknown as Database<Tables>
  await sql`CREATE TABLE door AS SELECT 7 AS number, 'North' AS door_name`.execute(db)
  const names = ['number', 'door_name as doorName', 'door.number as "again'] as const
  expect(() => columnList(names)).toThrow('names no column')
  const list = columnList(['number', 'door.door_name', 'door_name as doorName', 'door.number as again'])
  const row = { number: 7, door_name: 'North', doorName: 'North', again: 7 }
  expect(await db.selectFrom('door').select(list).execute()).toEqual([row])
  const besides = db.selectFrom('door').select((eb) => [...list, eb.fn.countAll<number>().over().as('total')])
  expect(await besides.execute()).toEqual([{ ...row, total: 1 }])
  expect(await db.updateTable('door').set({ door_name: 'South' }).returning(list).execute()).toEqual([
    { ...row, door_name: 'South', doorName: 'South' },
  ])
})
