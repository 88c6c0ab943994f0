/**
 * A large register of devices written directly into the tables, while its server is stopped: in a tree of groups, with the last report of
 * each on what it stores.
 */
import pg from 'pg'
import { rowId } from './row-ids.ts'

export const DEVICES = 4_000
export const GROUPS = 5_000
const TOP_GROUPS = 50

/** Fill a database whose server is stopped. @param share of the devices and groups; 1: all */
export async function insertDevices(connectionString: string, park: string, share: number): Promise<void> {
  const [devices, groups] = [Math.ceil(DEVICES * share), Math.ceil(GROUPS * share)]
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const query = (text: string, values: unknown[] = []) => client.query(text, values)
    const group = (from: number, to: number, parent: string) =>
      query(
        `INSERT INTO device_group (id, park_id, name, parent_id, created_at)
        SELECT ${rowId(`'devices' || n`)}, $1::uuid, 'Doors ' || n, ${parent}, now() FROM generate_series(${from}, ${to}) n`,
        [park],
      )
    await group(1, TOP_GROUPS, 'NULL')
    await group(TOP_GROUPS + 1, groups, rowId(`'devices' || 1 + n % ${TOP_GROUPS}`))
    await query(
      `INSERT INTO device (id, park_id, code, name, type, model, group_id, direction, secret_hash, online, authorisation, last_seen_at,
        ip, firmware_version, model_id, facts, digital_code, released_at, created_at, updated_at)
      SELECT ${rowId(`'device' || n`)}, $1::uuid, 'DOOR-' || n, 'Door ' || n, (ARRAY[1, 3, 3, 12])[1 + n % 4], CASE WHEN n % 4 = 0
        THEN 1 ELSE 4 END, ${rowId(`'devices' || 1 + n % ${groups}`)}, 1 + n % 2,
        decode(md5('secret' || n), 'hex') || decode(md5('more' || n), 'hex'), false, CASE WHEN n % 50 = 0 THEN 2 ELSE 1 END,
          now() - n * interval '1 minute', '10.0.' || n / 250 || '.' || n % 250, '2.4.0', 'none',
        jsonb_build_object('apkName', 'gate', 'platform', 'linux', 'capacity', 50000), (100000 + n)::text, now(),
          now() - n * interval '3 minutes', now()
      FROM generate_series(1, ${devices}) n`,
      [park],
    )
    await query(
      `INSERT INTO sync_device (device_id, park_id, persons, failed, held_at, assigned_at) SELECT id, park_id, 0, 0, now(), now()
        FROM device WHERE park_id = $1::uuid`,
      [park],
    )
    await query(
      `INSERT INTO device_epoch (device_id, epoch, park_id, ack_seq, updated_at) SELECT id, 'bench', park_id, 2500, now() FROM device
        WHERE park_id = $1::uuid`,
      [park],
    )
    await query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}
