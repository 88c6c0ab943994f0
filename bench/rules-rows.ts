/** Strategies between a large register of persons and one of devices, written directly into the tables while the server is stopped. */
import pg from 'pg'
import { DEVICES, GROUPS as DEVICE_GROUPS, insertDevices } from './devices-rows.ts'
import { GROUPS as PERSON_GROUPS, PERSONS, insertRegister } from './people-rows.ts'
import { rowId } from './row-ids.ts'

export const STRATEGIES = 500
const TIME_RULES = 50
/** Groups of persons and of devices in a strategy; single persons and devices beside them. */
const GROUPS_EACH = 20
const SINGLE_EACH = 40
/** One strategy in this many has a whole branch of the tree, a hundred groups with everything in them. */
const BRANCH_EVERY = 10
const BRANCHES = 50

/** Fill a database whose server is stopped: 100,000 persons and 4,000 devices, each in 5,000 groups. */
export async function insertRules(connectionString: string, park: string): Promise<void> {
  await insertRegister(connectionString, park)
  await insertDevices(connectionString, park, 1)
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const query = (text: string) => client.query(text, [park])
    const members = (kind: string, name: string, places: number, all: number, step: number) =>
      query(
        `INSERT INTO strategy_member (strategy_id, park_id, kind, member_id)
        SELECT ${rowId(`'strategy' || n`)}, $1::uuid, '${kind}', ${rowId(`'${name}' || 1 + (n::bigint * ${step} + place * 37) % ${all}`)}
        FROM generate_series(1, ${STRATEGIES}) n, generate_series(1, ${places}) place ON CONFLICT DO NOTHING`,
      )
    await query(
      `INSERT INTO time_rule (id, park_id, name, periods, allowed_dates, forbidden_dates, created_at, updated_at)
      SELECT ${rowId(`'rule' || n`)}, $1::uuid, 'Hours ' || n,
        (SELECT jsonb_agg(jsonb_build_object('weekday', day, 'start', lpad((6 + n % 6)::text, 2, '0') || ':00', 'end',
          lpad((14 + n % 9)::text, 2, '0') || ':30')) FROM generate_series(1, 5 + n % 3) day),
        ARRAY[]::text[], ARRAY[]::text[], now(), now() FROM generate_series(1, ${TIME_RULES}) n`,
    )
    await query(
      `INSERT INTO strategy (id, park_id, name, kind, methods, created_at, updated_at)
      SELECT ${rowId(`'strategy' || n`)}, $1::uuid, 'Strategy ' || n, 'staff', ARRAY[1, 2]::smallint[], now() - n * interval '1 hour',
        now() FROM generate_series(1, ${STRATEGIES}) n`,
    )
    await client.query(
      `INSERT INTO strategy_time_rule (strategy_id, time_rule_id)
        SELECT ${rowId(`'strategy' || n`)}, ${rowId(`'rule' || 1 + n % ${TIME_RULES}`)} FROM generate_series(1, ${STRATEGIES}) n`,
    )
    await members('personGroup', 'group', GROUPS_EACH, PERSON_GROUPS, 131)
    await members('deviceGroup', 'devices', GROUPS_EACH, DEVICE_GROUPS, 173)
    await members('person', 'person', SINGLE_EACH, PERSONS, 1_009)
    await members('device', 'device', SINGLE_EACH, DEVICES, 97)
    for (const [kind, name] of [
      ['personGroup', 'group'],
      ['deviceGroup', 'devices'],
    ] as const)
      await query(
        `INSERT INTO strategy_member (strategy_id, park_id, kind, member_id)
        SELECT ${rowId(`'strategy' || n`)}, $1::uuid, '${kind}', ${rowId(`'${name}' || 1 + n / ${BRANCH_EVERY} % ${BRANCHES}`)}
        FROM generate_series(${BRANCH_EVERY}, ${STRATEGIES}, ${BRANCH_EVERY}) n ON CONFLICT DO NOTHING`,
      )
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}
