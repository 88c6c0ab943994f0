/**
 * A large register written directly into the tables, while its server is stopped: persons of three registers in a tree of groups, with
 * photos.
 */
import pg from 'pg'
import { SERVER_EXPORT_RECORDS } from '@gatehouse/contract'
import type { World } from '@gatehouse/dev-env/world'
import { sealedDetailsOf } from '@gatehouse/server/contexts/people/details'
import { forRows, setRows } from '@gatehouse/server/platform/storage/bound-migration'
import { sql } from '@gatehouse/server/platform/database/database'
import { rowId } from './row-ids.ts'

export const PERSONS = 100_000
export const GROUPS = 5_000
/** As many customers as one export takes; of the rest a few are on the watch list. */
const CUSTOMERS = SERVER_EXPORT_RECORDS
const SPECIAL = 2_000
const TOP_GROUPS = 50

const SURNAMES = `(ARRAY['王','李','张','刘','陈','杨','赵','黄'])`
const GIVEN = `(ARRAY['伟','芳','娜','敏','静','秀英','丽','强','磊','军','洋','勇','艳','杰','娟','涛','明','超','秀兰','霞'])`

/** Return a time within some days of now, spread over all persons. */
const within = (days: number): string =>
  `now() + ((n * 7919) % ${days * 2} - ${days}) * interval '1 day' + (n % 1000) * interval '1 minute'`

/** Fill a database whose server is stopped. */
export async function insertRegister(connectionString: string, park: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const query = (text: string, values: unknown[] = []) => client.query(text, values)
    const groups = (from: number, to: number, parent: string) =>
      query(
        `INSERT INTO person_group (id, park_id, name, parent_id, type, position, created_at)
        SELECT ${rowId(`'group' || n`)}, $1::uuid, 'Group_' || n, ${parent}, 1, 0, now() FROM generate_series(${from}, ${to}) n`,
        [park],
      )
    await groups(1, TOP_GROUPS, 'NULL')
    await groups(TOP_GROUPS + 1, GROUPS, rowId(`'group' || 1 + n % ${TOP_GROUPS}`))
    await query(
      `INSERT INTO person (id, park_id, group_id, kind, name, work_number, gender, valid_from, valid_to, enabled, face_count,
        nationality, consent, custom_fields, created_at, updated_at)
      SELECT ${rowId(`'person' || n`)}, $1::uuid, ${rowId(`'group' || 1 + n % ${GROUPS}`)},
        CASE WHEN n <= ${CUSTOMERS} THEN 'customer' WHEN n > ${PERSONS - SPECIAL} THEN 'special' ELSE 'staff' END,
        ${SURNAMES}[1 + n % 8] || ${GIVEN}[1 + n / 8 % 20] || CASE WHEN n % 3 = 0 THEN ${GIVEN}[1 + n / 160 % 20] ELSE '' END || CASE
          WHEN n % 5 = 0 THEN ' ' || n ELSE '' END,
        'W' || lpad(n::text, 6, '0'), 1 + n % 3, CASE WHEN n % 4 = 0 THEN ${within(400)} - interval '2 years' END, CASE WHEN n % 4 = 0
          THEN ${within(400)} END,
        n % 20 <> 0, n % 4, 'China', (ARRAY['none', 'given', 'given', 'withdrawn'])[1 + n % 4], '{}',
        now() - n * interval '7 minutes', now()
      FROM generate_series(1, ${PERSONS}) n`,
      [park],
    )
    await query(
      `INSERT INTO face (id, park_id, person_id, position, file_id, quality, created_at)
      SELECT gen_random_uuid(), $1::uuid, ${rowId(`'person' || n`)}, place - 1, gen_random_uuid(), '{}', now()
        FROM generate_series(1, ${PERSONS}) n, generate_series(1, 3) place WHERE place <= n % 4`,
      [park],
    )
    await query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}

/** Give the persons phones, cards, days of birth and remarks: those are encrypted, by the server that has the keys. */
export async function sealRegister({ park, server: { platform } }: World): Promise<void> {
  await platform.db
    .withoutPlugins()
    .transaction()
    .execute((tx) =>
      forRows<{ id: string; work_number: string }>(tx, 'person', ['id', 'work_number'], async (rows) => {
        const sealed = rows.map(async ({ id, work_number: number }) => {
          const n = Number(number.slice(1))
          const cardNumber = n % 2 === 0 ? String(4_000_000_000 + ((n * 104_729) % 1_000_000_000)) : null
          const details = {
            phone: `13${String((n * 7919) % 1_000_000_000).padStart(9, '0')}`,
            cardNumber,
            cardKey: cardNumber,
            birthday: new Date(Date.UTC(1960, 0, 1 + (n % 16_000))).toISOString().slice(0, 10),
            remark: n % 10 === 0 ? 'Came with the second move' : '',
            email: null,
            instruction: '',
          }
          return { id, ...(await sealedDetailsOf(platform.crypto, { parkId: park.id }, id, details)) }
        })
        await setRows(tx, 'person', ['id'], await Promise.all(sealed))
      }),
    )
  await sql`VACUUM ANALYZE person`.execute(platform.db)
}
