/**
 * Entries from before values were sealed: they are shown unchanged after the migration, and no file of the table contains their values
 * any more.
 */
import { expect, onTestFinished, test } from 'vitest'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { scratchFolder } from '../../../../../tests/support/scratch-folder.ts'
import { openChanges, type StoredChange } from './sealed.ts'
import { auditSealedMigration } from './sealed-migration.ts'
import { openCrypto } from '../encryption/crypto.ts'
import { openDatabase } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import { migrate, noKeys } from '../database/migrations.ts'
import { scratchDatabase } from '../postgres/scratch.ts'
import { openSecrets } from '../encryption/secrets.ts'
import { composeUnstarted, migrationsOf } from '../../contexts.ts'

/** Entries of the measurement `ENTRIES=100000`; else enough for several batches. */
const ENTRIES = Number(process.env.ENTRIES ?? 250)
const PHONE = '13987650123'
const REMARK = 'walks with a limp'

const earlier = migrationsOf(composeUnstarted().list).filter(({ name }) => name < auditSealedMigration.name)

/** A database as an earlier release left it. */
async function formerDatabase() {
  const scratch = await scratchDatabase()
  const { db, close } = openDatabase(scratch.connectionString)
  onTestFinished(async () => {
    await close()
    await scratch.drop()
  })
  await migrate(db, earlier, noKeys)
  const secrets = openSecrets(scratchFolder())
  const keys = (tx: unknown) => openCrypto(tx as never, secrets, null)
  return {
    connectionString: scratch.connectionString,
    up: () => migrate(db, [...earlier, auditSealedMigration], keys),
    crypto: () => keys(db),
  }
}

const COLUMNS = 'park_id, user_id, account, operator, source, module, method, url, ip, occurred_at, changes'

function insertEntry(connectionString: string, park: string, id: string, changes: readonly object[]) {
  return query(
    connectionString,
    `INSERT INTO operation_log (id, ${COLUMNS})
      VALUES ($1, $2, NULL, 'ada', 'Ada Lovelace', 'local', 'person', 'PUT', '/x', '10.0.0.1', now(), $3)`,
    [id, park, JSON.stringify(changes)],
  )
}

const rowOf = async (connectionString: string, id: string) =>
  (
    await query<{ changes: StoredChange[]; labels: string; account: string }>(
      connectionString,
      'SELECT changes, labels, account FROM operation_log WHERE id = $1',
      [id],
    )
  )[0]!

const indexesOf = (connectionString: string) =>
  query(connectionString, `SELECT indexdef FROM pg_indexes WHERE tablename = 'operation_log' ORDER BY indexname`)

/** Return the relations of the log whose files contain a text. */
async function filesHolding(connectionString: string, text: string): Promise<string[]> {
  const url = new URL(process.env.SCRATCH_SERVER_URL!)
  url.pathname = new URL(connectionString).pathname
  await query(url.href, 'CHECKPOINT')
  const rows = await query<{ name: string }>(
    url.href,
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'i', 't')
      AND relname <> 'pg_statistic' AND relname NOT LIKE 'pg_toast_2619%'
      AND position($1::bytea IN pg_read_binary_file(pg_relation_filepath(oid))) > 0 ORDER BY 1`,
    [Buffer.from(text)],
  )
  return rows.map(({ name }) => name)
}

test('entries tell what they told, by the same names, and hold no value in clear', async () => {
  const { connectionString, up, crypto } = await formerDatabase()
  const [park, other] = [newId(), newId()]
  const [changed, watched, plain] = [newId(), newId(), newId()]
  const phone = [{ field: 'phone', before: PHONE, after: '13987650124', mask: 'phone' }]
  await insertEntry(connectionString, park, changed, [
    {
      entity: 'person',
      id: 'p',
      label: 'Grace Hopper',
      labelMask: 'name',
      kind: 'changed',
      fields: [...phone, { field: 'remark', before: null, after: REMARK }],
    },
    { entity: 'card', id: 'c', kind: 'deleted', fields: phone },
    { entity: 'person', id: 'gone', fields: [] },
  ])
  await insertEntry(connectionString, other, watched, [
    { entity: 'person', id: 'w', label: 'Moriarty', labelMask: 'name', fields: [{ field: 'kind', before: 'staff', after: 'special' }] },
    { entity: 'person', id: 'v', watched: true, fields: [] },
  ])
  await insertEntry(connectionString, park, plain, [
    { entity: 'role', id: 'r', label: 'Guard', kind: 'created', fields: [{ field: 'name', before: null, after: 'Guard' }] },
  ])
  await query(
    connectionString,
    `INSERT INTO operation_log (${COLUMNS}, id)
      SELECT ${COLUMNS}, gen_random_uuid() FROM operation_log, generate_series(1, $2::int) WHERE id = $1`,
    [changed, ENTRIES],
  )
  const indexes = await indexesOf(connectionString)
  expect(await filesHolding(connectionString, PHONE)).toContain('operation_log')

  const begin = performance.now()
  expect(await up()).toEqual([auditSealedMigration.name])
  if (process.env.ENTRIES) console.log(`${ENTRIES} entries of three changes: ${Math.round(performance.now() - begin)} ms`)

  expect(await query(connectionString, 'SELECT count(*)::int AS n FROM operation_log')).toEqual([{ n: ENTRIES + 3 }])
  expect(await indexesOf(connectionString)).toEqual(indexes)
  for (const value of [PHONE, '13987650124', REMARK]) expect(await filesHolding(connectionString, value), value).toEqual([])

  // Samples of the columns are removed by the nightly job.
  expect(await query(connectionString, 'SELECT 1 FROM leftovers')).toHaveLength(1)

  const keys = await crypto()
  const row = await rowOf(connectionString, changed)
  expect(row).toMatchObject({ account: 'ada', labels: 'Grace Hopper' })
  expect(row.changes.map(({ personal }) => personal)).toEqual([true, true, undefined])
  expect(await openChanges(keys, park, changed, row.changes)).toMatchObject([
    {
      entity: 'person',
      id: 'p',
      label: 'Grace Hopper',
      labelMask: 'name',
      kind: 'changed',
      fields: [...phone, { field: 'remark', before: null, after: REMARK }],
    },
    { entity: 'card', id: 'c', kind: 'deleted', fields: phone },
    { entity: 'person', id: 'gone', fields: [] },
  ])
  const marked = await rowOf(connectionString, watched)
  expect(marked.changes.map((change) => change.watched)).toEqual([true, true])
  expect((await openChanges(keys, other, watched, marked.changes))[0]).toMatchObject({
    fields: [{ field: 'kind', before: 'staff', after: 'special' }],
  })
  const role = await rowOf(connectionString, plain)
  expect(role.changes).toEqual([{ entity: 'role', id: 'r', label: 'Guard', kind: 'created', sealed: expect.any(String) }])
}, 600_000)
