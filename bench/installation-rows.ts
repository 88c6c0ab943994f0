/**
 * A large installation written directly into the tables, while its server is stopped: partners, companies and parks, accounts with their
 * roles, API users, and their entries of the log. Entering it by hand would take years.
 */
import pg from 'pg'
import { rowId } from './row-ids.ts'

export const PARTNERS = 3
export const COMPANIES_EACH = 20
export const PARKS_EACH = 50
export const USERS = 5_000
const ROLES = 60
const API_USERS = 200
export const ENTRIES = 1_000_000
const READ_ENTRIES = 200_000

/** Entries per statement: limited by the size of a temporary file of the database. */
const AT_ONCE = 100_000

const ID = 'gen_random_uuid()'
const ZONE = 'Asia/Shanghai'
/** The benchmark searches for the second of them. */
const SURNAMES = `(ARRAY['Wang','Li','Zhang','Liu','Chen','Yang','Zhao','Huang'])`

/** Fill a database whose server is stopped. @param home the park that has most of the log, where measurements begin */
export async function insertInstallation(connectionString: string, home: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const query = (text: string, values: unknown[] = []) => client.query(text, values)
    const root = `(SELECT id FROM organisation WHERE parent_id IS NULL)`
    const nodes = (from: string, columns: string) =>
      query(`INSERT INTO organisation (id, area_code, name, code, type, park_type, parent_id, zone, verification_code, created_at,
        updated_at)
        SELECT ${ID}, made.area_code, made.name, '', made.type, made.park_type, made.parent_id, '${ZONE}', made.verification_code,
          now(), now() FROM (${columns} ${from}) made`)
    await nodes(
      `FROM generate_series(1, ${PARTNERS}) n`,
      `SELECT '91' || lpad(n::text, 5, '0') AS area_code, 'Partner ' || n AS name, 100 AS type,
        NULL::smallint AS park_type, ${root} AS parent_id, NULL::text AS verification_code`,
    )
    await nodes(
      `FROM organisation p, generate_series(1, ${COMPANIES_EACH}) n WHERE p.name LIKE 'Partner %'`,
      `SELECT '92' || p.area_code || lpad(n::text, 3, '0') AS area_code, p.name || ' Company ' || n AS name, 200 AS type,
        NULL::smallint AS park_type, p.id AS parent_id, NULL::text AS verification_code`,
    )
    await nodes(
      `FROM organisation c, generate_series(1, ${PARKS_EACH}) n WHERE c.name LIKE 'Partner % Company %'`,
      `SELECT '93' || c.area_code || lpad(n::text, 3, '0') AS area_code, c.name || ' Park ' || n AS name, 300 AS type,
        1::smallint AS park_type, c.id AS parent_id, upper(left(md5(c.area_code || n), 10)) AS verification_code`,
    )
    await query(`INSERT INTO role (id, name, role_sign, permissions, created_at, role_label, organisation_id)
      SELECT ${ID}, 'Role ' || n, 'other', (SELECT permissions FROM role WHERE role_sign = 'admin' LIMIT 1), now(),
        2, ${root} FROM generate_series(1, ${ROLES}) n`)
    await query(`INSERT INTO user_account (id, account, real_name, email, password_hash, organisation_id, enabled, created_at, updated_at)
      SELECT ${ID}, 'user' || n, ${SURNAMES}[1 + n % 8] || ' ' || n, 'user' || n || '@example.org', 'none', o.id, n % 20 <> 0,
        now() - n * interval '1 minute', now()
      FROM generate_series(1, ${USERS}) n JOIN (SELECT id, row_number() OVER (ORDER BY area_code) AS place, count(*) OVER () AS all_of
        FROM organisation) o ON o.place = 1 + n % o.all_of`)
    await query(`INSERT INTO user_role (user_id, role_id)
      SELECT u.id, r.id FROM (SELECT id, row_number() OVER (ORDER BY account) AS place FROM user_account WHERE account LIKE 'user%') u
      JOIN (SELECT id, row_number() OVER (ORDER BY name) - 1 AS place FROM role WHERE name LIKE 'Role %') r
        ON r.place IN (u.place % ${ROLES}, (u.place * 7 + 1) % ${ROLES})`)
    await query(`INSERT INTO api_client (id, name, api_key, secret_hash, purpose, permissions, organisation_id, enabled,
      access_seconds, refresh_seconds, created_at, updated_at)
      SELECT ${ID}, 'Interface ' || n, 'key-' || n, '', 'other', '{}', ${root}, true, 7200, 604800, now(), now()
        FROM generate_series(1, ${API_USERS}) n`)

    // Full-text indexes are expensive while rows are inserted one by one: created afterwards, in one go, they are the same.
    const { rows: words } = await client.query<{ name: string; definition: string }>(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes WHERE tablename IN ('operation_log', 'read_log')
        AND indexdef LIKE '%USING gin%'`,
    )
    for (const { name } of words) await query(`DROP INDEX ${name}`)

    // Half of it in the one park, the rest in forty others; by a hundred operators; over the last year.
    const actor =
      `CASE WHEN n % 2 = 0 THEN $1::uuid ELSE p.id END, NULL, 'user' || (n % 100), ${SURNAMES}[1 + n % 8] || ' ' || ` +
      `(n % 100), CASE WHEN n % 10 = 0 THEN 'thirdParty' ELSE 'local' END`
    const parks =
      '(SELECT id, row_number() OVER (ORDER BY area_code) - 1 AS place FROM organisation WHERE type = 300 ORDER BY ' +
      'area_code LIMIT 40) p'
    const moment = `now() - n * interval '30 seconds'`
    for (let from = 1; from <= ENTRIES; from += AT_ONCE)
      await query(
        `INSERT INTO operation_log (id, park_id, user_id, account, operator, source, module, method, url, ip, changes, occurred_at)
        SELECT ${ID}, ${actor}, (ARRAY['person', 'device', 'access', 'system'])[1 + n % 4], 'PUT', '/bizService/uface/v1/person/base',
          '10.0.0.' || n % 250,
          jsonb_build_array(jsonb_build_object('entity', 'person', 'id', ${rowId(`'person' || n % 20000`)},
            'label', ${SURNAMES}[1 + n % 8] || ' ' || n % 20000, 'labelMask', 'name', 'kind', 'changed', 'personal', true,
            'sealed', encode(decode(repeat(md5(n::text), 5), 'hex'), 'base64'))),
          ${moment}
        FROM generate_series(${from}, ${Math.min(ENTRIES, from + AT_ONCE - 1)}) n JOIN ${parks} ON p.place = n % 40`,
        [home],
      )
    for (let from = 1; from <= READ_ENTRIES; from += AT_ONCE)
      await query(
        `INSERT INTO read_log (id, park_id, user_id, account, operator, source, method, url, ip, subjects, occurred_at)
        SELECT ${ID}, ${actor}, 'GET', '/bizService/uface/v1/person/base/list', '10.0.0.' || n % 250,
          ARRAY(SELECT ${rowId(`'person' || (n * 20 + k) % 20000`)}::text FROM generate_series(1, 20) k), ${moment}
        FROM generate_series(${from}, ${Math.min(READ_ENTRIES, from + AT_ONCE - 1)}) n JOIN ${parks} ON p.place = n % 40`,
        [home],
      )
    await query(`SET maintenance_work_mem = '256MB'`)
    for (const { definition } of words) await query(definition)
    await query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}
