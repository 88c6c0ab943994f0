/** Statements that connections keep prepared. */
import type { Kysely } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { oneOf, openDatabase, sql } from './database.ts'
import { scratchDatabase } from '../postgres/scratch.ts'
import { keptPrepared } from './prepared.ts'

type Doors = {
  door: { id: string; name: string; number: number }
}

const idOf = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`
const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9]

/** A database of one connection, with doors 1 to 9. */
async function doors(): Promise<Kysely<Doors>> {
  const database = await scratchDatabase()
  onTestFinished(database.drop)
  const handle = openDatabase(database.connectionString, 1)
  onTestFinished(handle.close)
  const db = handle.db.$pickTables<never>().withTables<Doors>()
  await sql`CREATE TABLE door AS SELECT ('00000000-0000-4000-8000-00000000000' || n)::uuid AS id, 'Door ' || n AS name, n AS number
    FROM generate_series(1, 9) n`.execute(db)
  return db
}

const kept = (db: Kysely<Doors>, number: number) =>
  db.selectFrom('door').select('name').where('id', '=', idOf(number)).modifyEnd(keptPrepared).execute()

/** Texts of the statements that the connection has prepared. */
async function preparedBy(db: Kysely<Doors>): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`SELECT statement FROM pg_prepared_statements WHERE from_sql = false`.execute(db)
  return rows.map(({ statement }) => statement)
}

async function each<T>(ask: (number: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = []
  for (const number of NUMBERS) answers.push(await ask(number))
  return answers
}

test('a query that asks for it is prepared once, and answers each id by itself', async () => {
  const db = await doors()
  expect(await each((number) => kept(db, number))).toEqual(NUMBERS.map((number) => [{ name: `Door ${number}` }]))
  const some = (...numbers: number[]) =>
    db
      .selectFrom('door')
      .select('number')
      .where('id', '=', oneOf(numbers.map(idOf)))
      .orderBy('number')
      .modifyEnd(keptPrepared)
      .execute()
  expect(await some(1, 2)).toEqual([{ number: 1 }, { number: 2 }])
  expect(await some(7)).toEqual([{ number: 7 }])
  expect(await preparedBy(db)).toEqual([
    'select "name" from "door" where "id" = $1 /* kept prepared */',
    'select "number" from "door" where "id" = ANY($1::uuid[]) order by "number" /* kept prepared */',
  ])
})

test('without the mark, or asked by more than ids, nothing is', async () => {
  const db = await doors()
  await each((number) => db.selectFrom('door').select('name').where('id', '=', idOf(number)).execute())
  await each((number) => db.selectFrom('door').select('name').where('number', '=', number).modifyEnd(keptPrepared).execute())
  await each((number) => db.selectFrom('door').select('name').where('name', '=', `Door ${number}`).modifyEnd(keptPrepared).execute())
  expect(await preparedBy(db)).toEqual([])
})

test('only so many are kept; the others are asked as before', async () => {
  const db = await doors()
  const named = (name: string) =>
    db
      .selectFrom('door')
      .select(sql<string>`name`.as(name))
      .where('id', '=', idOf(1))
      .modifyEnd(keptPrepared)
      .execute()
  for (let at = 1; at <= 60; at++) expect(await named(`n${at}`)).toEqual([{ [`n${at}`]: 'Door 1' }])
  expect(await preparedBy(db)).toHaveLength(50)
})

test('after a migration, or where somebody in between let go of it, it is answered all the same', async () => {
  const db = await doors()
  const numberOf = (from: Kysely<Doors>) =>
    from.selectFrom('door').select('number').where('id', '=', idOf(7)).modifyEnd(keptPrepared).execute()
  await numberOf(db)
  await sql`ALTER TABLE door ALTER COLUMN number TYPE text`.execute(db)
  expect(await numberOf(db)).toEqual([{ number: '7' }])
  expect(await db.transaction().execute(numberOf)).toEqual([{ number: '7' }])
  await kept(db, 1)
  await sql`DEALLOCATE ALL`.execute(db)
  expect(await kept(db, 2)).toEqual([{ name: 'Door 2' }])
})

test('in a transaction the first such failure is told, and the next transaction goes on', async () => {
  const db = await doors()
  await kept(db, 1)
  await sql`DEALLOCATE ALL`.execute(db)
  await expect(db.transaction().execute((tx) => kept(tx, 1))).rejects.toMatchObject({ code: '26000' })
  expect(await db.transaction().execute((tx) => kept(tx, 1))).toEqual([{ name: 'Door 1' }])
})

test('a failure of a kept statement is the one it is without', async () => {
  const db = await doors()
  const wrong = sql`SELECT 1 / (SELECT 0 FROM door WHERE id = ${idOf(1)}) AS wrong ${keptPrepared}`
  for (let time = 0; time < 3; time++) await expect(wrong.execute(db)).rejects.toMatchObject({ code: '22012' })
  expect(await kept(db, 3)).toEqual([{ name: 'Door 3' }])
})
