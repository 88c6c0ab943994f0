/** Values that were sealed before they were bound to their place open at their own place after the migration, and nowhere else. */
import { expect, onTestFinished, test } from 'vitest'
import { formerSeal } from '../../../../../tests/support/former-seal.ts'
import { scratchFolder } from '../../../../../tests/support/scratch-folder.ts'
import { boundMigration } from './bound-migration.ts'
import { openCrypto } from '../encryption/crypto.ts'
import { openDatabase, sql, type Database } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import { INSTALLATION_ID } from '../installation.ts'
import { migrate, noKeys, type ContextMigration } from '../database/migrations.ts'
import { scratchDatabase } from '../postgres/scratch.ts'
import { platformMigrations } from '../database/schema.ts'
import { placeOf, type SealedColumn } from '../encryption/sealed-column.ts'
import { openSecrets } from '../encryption/secrets.ts'

/** The error for a value opened at the wrong place. */
const REFUSED = 'unable to authenticate data'
const OF_PARK: SealedColumn = { table: 'kept', column: 'value', park: 'park_id', key: ['id'] }
const OF_INSTALLATION: SealedColumn = { table: 'kept', column: 'spare', park: null, key: ['id'] }
const OF_PAIR: SealedColumn = { table: 'pair', column: 'value', park: 'park_id', key: ['number', 'name'] }

const former: ContextMigration[] = [
  // Later migrations of the platform read tables of contexts, which do not exist here.
  platformMigrations[0]!,
  {
    name: '20261127T1201-former',
    async up(db) {
      await sql`CREATE TABLE kept (id uuid PRIMARY KEY, park_id uuid NOT NULL, value bytea, spare bytea, beside text NOT NULL)`.execute(db)
      await sql`CREATE TABLE pair (number integer, name text, park_id uuid NOT NULL, value bytea NOT NULL,
        PRIMARY KEY (number, name))`.execute(db)
    },
    columns: {},
  },
]
const bound = boundMigration('20261127T1202-bound', [OF_PARK, OF_INSTALLATION, OF_PAIR])

/** An installation of an earlier release, with two parks. */
async function formerInstallation() {
  const [scratch, dataDir] = [await scratchDatabase(), scratchFolder()]
  const { db, close } = openDatabase(scratch.connectionString)
  onTestFinished(async () => {
    await close()
    await scratch.drop()
  })
  await migrate(db, former, noKeys)
  const parks = [newId(), newId()] as const
  // Sequentially: the first creates the master key.
  const here = await formerSeal(db, dataDir, parks[0])
  const there = await formerSeal(db, dataDir, parks[1])
  const everywhere = await formerSeal(db, dataDir, INSTALLATION_ID)
  const sealFor = (parkId: string) => (parkId === parks[0] ? here : there)
  const keys = (tx: Database) => openCrypto(tx, openSecrets(dataDir), null)
  return {
    db,
    parks,
    sealFor,
    everywhere,
    crypto: await keys(db),
    up: () => migrate(db, [...former, bound], keys),
    async insert(rows: readonly { id: string; park: string; value: Buffer | null; spare: Buffer | null }[]) {
      const column = (name: 'id' | 'park' | 'value' | 'spare', type: string) =>
        sql`${sql.val(rows.map((row) => row[name]))}::${sql.raw(type)}[]`
      await sql`INSERT INTO kept (id, park_id, value, spare, beside) SELECT *, 'as it was' FROM
        unnest(${column('id', 'uuid')}, ${column('park', 'uuid')}, ${column('value', 'bytea')}, ${column('spare', 'bytea')})`.execute(db)
    },
  }
}

const keptRows = async (db: Database) =>
  (
    await sql<{ id: string; park: string; value: Buffer | null; spare: Buffer | null; beside: string }>`
      SELECT id, park_id AS park, value, spare, beside FROM kept ORDER BY id`.execute(db)
  ).rows

test('thousands of values of two parks and of the installation are bound to their rows, and what is empty stays so', async () => {
  const { db, parks, sealFor, everywhere, crypto, insert, up } = await formerInstallation()
  const ids = Array.from({ length: 2_345 }, newId).toSorted()
  const rows = ids.map((id, at) => ({
    id,
    park: parks[at % 2]!,
    value: at % 5 === 0 ? null : sealFor(parks[at % 2]!)(Buffer.from(`value ${id}`)),
    spare: at % 7 === 0 ? everywhere(Buffer.from(`spare ${id}`)) : null,
  }))
  await insert(rows)
  await up()

  const stored = await keptRows(db)
  expect(stored).toHaveLength(ids.length)
  for (const [at, { id, park, value, spare, beside }] of stored.entries()) {
    expect(beside).toBe('as it was')
    expect(value === null).toBe(at % 5 === 0)
    expect(spare === null).toBe(at % 7 !== 0)
    if (value !== null) expect((await crypto.open(park, placeOf(OF_PARK, id), value)).toString()).toBe(`value ${id}`)
    if (spare !== null) expect((await crypto.open(INSTALLATION_ID, placeOf(OF_INSTALLATION, id), spare)).toString()).toBe(`spare ${id}`)
  }
  const [one, other] = [stored[1]!, stored[3]!]
  await expect(crypto.open(one.park, placeOf(OF_PARK, other.id), one.value!)).rejects.toThrow(REFUSED)
  await expect(crypto.open(one.park, placeOf(OF_INSTALLATION, one.id), one.value!)).rejects.toThrow(REFUSED)
  await expect(crypto.openUnbound(one.park, one.value!)).rejects.toThrow(REFUSED)
})

test('a row that several columns tell is bound to all of them', async () => {
  const { db, parks, sealFor, crypto, up } = await formerInstallation()
  const [park] = parks
  for (const [number, name] of [
    [1, 'one'],
    [1, 'other'],
    [2, 'one'],
  ])
    await sql`INSERT INTO pair VALUES (${number}, ${name}, ${park}, ${sealFor(park)(Buffer.from(`${number} ${name}`))})`.execute(db)
  await up()
  const { rows } = await sql<{ number: number; name: string; value: Buffer }>`SELECT number, name, value FROM pair`.execute(db)
  expect(rows).toHaveLength(3)
  for (const { number, name, value } of rows) {
    expect((await crypto.open(park, placeOf(OF_PAIR, String(number), name), value)).toString()).toBe(`${number} ${name}`)
    await expect(crypto.open(park, placeOf(OF_PAIR, String(number), `${name}s`), value)).rejects.toThrow(REFUSED)
  }
})

test('one value that does not open leaves all rows as they were', async () => {
  const { db, parks, sealFor, insert, up } = await formerInstallation()
  const [park] = parks
  const rows = Array.from({ length: 1_500 }, () => ({ id: newId(), park, value: sealFor(park)(Buffer.from('good')), spare: null }))
  rows.at(-1)!.value[30]! ^= 1
  await insert(rows)
  const before = await keptRows(db)
  await expect(up()).rejects.toThrow(REFUSED)
  expect(await keptRows(db)).toEqual(before)
  expect((await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(db)).rows).toHaveLength(former.length)
})

test('without rows no key is asked for', async () => {
  const scratch = await scratchDatabase()
  const { db, close } = openDatabase(scratch.connectionString)
  onTestFinished(async () => {
    await close()
    await scratch.drop()
  })
  expect(await migrate(db, [...former, bound], noKeys)).toHaveLength(3)
})
