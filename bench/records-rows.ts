/** Millions of access records written directly into the tables, while their server is stopped: a campus of many doors over ninety days. */
import pg from 'pg'
import { rowId } from './row-ids.ts'

export const DAYS = 90
export const DOORS = 120
const PERSONS = 20_000
const GROUPS = 60
const DAY = 86_400_000

const SURNAMES = `(ARRAY['王','李','张','刘','陈','杨','赵','黄'])`
const GIVEN = `(ARRAY['伟','芳','娜','敏','静','秀英','丽','强','磊','军','洋','勇','艳','杰','娟','涛','明','超','秀兰','霞'])`
/** Hours of the day, each as often as people pass in it. */
const HOURS = `(ARRAY[0,1,5,6,6,7,7,7,7,8,8,8,8,8,8,9,9,9,10,10,11,11,12,12,12,12,13,13,13,14,14,15,15,16,16,17,17,17,17,17,18,18,18,
  18,19,19,20,21,22,23])`
const REASONS = '(ARRAY[6,6,6,19,19,8,2,902,7])'
const MIXED = '(n * 7919::bigint)'

const personIdOf = (number: number): string => rowId(`'person${number}'`)
const groupIdOf = (number: number): string => rowId(`'group${number}'`)

/** Return a person who has passages, and their group: ids as the rows have them. */
export async function someoneOf(connectionString: string): Promise<{ personId: string; groupId: string }> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<{ personId: string; groupId: string }>(
      `SELECT ${personIdOf(7)} AS "personId", ${groupIdOf(7)} AS "groupId"`,
    )
    return rows[0]!
  } finally {
    await client.end()
  }
}

/**
 * Fill a database whose server is stopped, one month at a time; the indexes of a month are created when it is complete. @param until the
 * last time
 */
export async function insertRecords(
  connectionString: string,
  park: { id: string; zone: string },
  deviceIds: readonly string[],
  count: number,
  until: number,
): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(`SET timezone = 'UTC'`)
    await client.query(`SET maintenance_work_mem = '256MB'`)
    const first = until - DAYS * DAY
    for (
      let month = new Date(first);
      month.getTime() <= until;
      month = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1))
    ) {
      const [from, to] = [Date.UTC(month.getUTCFullYear(), month.getUTCMonth()), Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1)]
      const days = { from: Math.max(0, Math.ceil((from - first) / DAY)), to: Math.min(DAYS, Math.ceil((to - first) / DAY)) }
      const name = `access_record_${month.toISOString().slice(0, 7).replace('-', '_')}`
      await client.query(`DROP TABLE IF EXISTS ${name}`)
      await client.query(`CREATE TABLE ${name} (LIKE access_record INCLUDING DEFAULTS)`)
      await client.query(
        `INSERT INTO ${name} (id, park_id, occurred_at, received_at, clock_offset_ms, zone, local_date, local_hour, device_id,
          device_name, person_id, person_name, work_number,
          direction, verify_type, result, fail_reason, score, temperature, temperature_status, checks, settings_revision,
            person_group_id, contact_id, contact_name, contact_relation)
        SELECT ${rowId(`'record' || n`)}, $1, at, at + interval '2 seconds', 40, $2, (at AT TIME ZONE $2)::date, extract(hour
          FROM at AT TIME ZONE $2), ($3::uuid[])[1 + door], 'Door ' || door,
          CASE WHEN NOT stranger THEN ${rowId(`'person' || person`)} END,
          CASE WHEN stranger THEN '' ELSE ${SURNAMES}[1 + person % 8] || ${GIVEN}[1 + person / 8 % 20] || CASE WHEN person % 5 = 0
            THEN ' ' || person ELSE '' END END,
          CASE WHEN stranger THEN '' ELSE 'W' || lpad(person::text, 6, '0') END, 1 + n % 2, CASE WHEN n % 9 = 0 THEN 2 ELSE 1 END, CASE
            WHEN stranger OR refused THEN 0 ELSE 1 END,
          CASE WHEN stranger THEN 904 WHEN refused THEN ${REASONS}[1 + n % 9] END, 60 + n % 40,
          CASE WHEN door < 20 THEN 36 + (n % 25) / 10.0 END, CASE WHEN door < 20 THEN CASE WHEN n % 25 > 22 THEN 1 ELSE 2 END END,
          '[{"code":"face","ok":true,"score":91,"threshold":70,"distance":0.3}]', 'revision-1', CASE WHEN NOT stranger
            THEN ${rowId(`'group' || person % ${GROUPS}`)} END,
          CASE WHEN contact THEN ${rowId(`'contact' || person`)} END, CASE WHEN contact THEN 'Wang Fang ' || person ELSE '' END, CASE
            WHEN contact THEN 2 END
        FROM (SELECT *, NOT stranger AND person % 4 = 0 AND n % 11 = 0 AS contact FROM (
          SELECT n, $4::timestamptz + (n / $5) * interval '1 day' + (${HOURS}[1 + ${MIXED} % 50] * 3600 + ${MIXED} / 50 % 3600) *
            interval '1 second' AS at,
            (${MIXED} / 7 % ${DOORS})::integer AS door, (${MIXED} / 11 % ${PERSONS})::integer AS person, n % 53 = 0 AS stranger,
              n % 19 = 0 AS refused
          FROM generate_series($6::bigint, $7::bigint) n
        ) AS moved) AS passed`,
        [
          park.id,
          park.zone,
          deviceIds,
          new Date(Math.floor(first / DAY) * DAY),
          Math.ceil(count / DAYS),
          days.from * Math.ceil(count / DAYS),
          days.to * Math.ceil(count / DAYS) - 1,
        ],
      )
      await client.query(
        `ALTER TABLE access_record ATTACH PARTITION ${name} FOR VALUES
          FROM ('${new Date(from).toISOString()}') TO ('${new Date(to).toISOString()}')`,
      )
      await client.query(`VACUUM ANALYZE ${name}`)
    }
    await client.query('ANALYZE access_record')
    await client.query('INSERT INTO passage_backlog VALUES ($1) ON CONFLICT DO NOTHING', [park.id])
  } finally {
    await client.end()
  }
}
