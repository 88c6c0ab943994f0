import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { RecordsMessage } from '@gatehouse/contract/device/protocol-records'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { startWorld, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'
import pg from 'pg'
import { recordId } from '../../platform/database/ids.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { createIngest } from './ingest.ts'
import { createPartitions } from './partitions.ts'
import { passage, passages, sentBy } from './testing/records.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const MINUTE = 60_000

let world: World
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => NOW } })
})
afterAll(() => world?.stop())

const area = () => world.server.contexts.records
const ingest = (park: Site, device: MadeDevice, message: RecordsMessage) =>
  area().ingest({ deviceId: device.id, parkId: park.park.id }, message)

/** Create the ingestion of another node of the same installation. */
function otherNode(): typeof ingest {
  const { people, devices, organisation } = world.server.contexts
  const taking = createIngest(world.server.platform, {
    people: people.service,
    devices: devices.service,
    organisation: organisation.service,
    pseudonymised: async () => new Set(),
    homeOf: ({ parkId }) => parkId,
  })
  return (park, device, message) => taking({ deviceId: device.id, parkId: park.park.id }, message)
}
const database = () => world.server.platform.db
const find = (park: Site, body: object = {}) => park.call(recordCalls.find, { body })

async function doorOf(options: Parameters<World['addPark']>[0] = {}) {
  const park = await world.addPark(options)
  return { park, door: await park.device({ name: 'Main door' }) }
}

const receivedEvents = (park: Site) =>
  database().selectFrom('outbox').select('payload').where('name', '=', 'records.received').where('parkId', '=', park.park.id).execute()

/** Return the announced record ids, in the order of the events. */
async function announced(park: Site): Promise<string[]> {
  const rows = await receivedEvents(park)
  return rows.flatMap((row) => (row.payload as { recordIds: string[] }).recordIds)
}

const minutesAgo = (count: number) =>
  passages(Array.from({ length: count }, (_, index) => ({ occurredAt: NOW - (count - index) * MINUTE })))

/** Open a separate connection, for what another node or a vacuum would do. */
async function connection(): Promise<pg.Client> {
  const client = new pg.Client(world.connectionString)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const months = async (pattern: string): Promise<string[]> => {
  const client = await connection()
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'access_record'::regclass AND relname LIKE $1 ORDER BY 1`,
    [pattern],
  )
  return rows.map((row) => row.name)
}

describe('records of a device', () => {
  test('are stored once and acknowledged by the last number', async () => {
    const { park, door } = await doorOf()
    expect(await area().ackSeq(door.id, 'boot-1')).toBe(0)
    expect(await ingest(park, door, sentBy(minutesAgo(3)))).toBe(3)
    expect(await area().ackSeq(door.id, 'boot-1')).toBe(3)
    const { content, total } = await find(park)
    expect(total).toBe(3)
    expect(content.map((record) => record.id)).toEqual([3, 2, 1].map((seq) => recordId(door.id, 'boot-1', seq)))
  })

  test('sent again change nothing and are not announced again', async () => {
    const { park, door } = await doorOf()
    const records = minutesAgo(3)
    await ingest(park, door, sentBy(records))
    expect(await ingest(park, door, sentBy(records.slice(0, 2)))).toBe(3)
    expect(await ingest(park, door, sentBy([...records, passage(4, { occurredAt: NOW })]))).toBe(4)
    expect((await find(park)).total).toBe(4)
    expect(await announced(park)).toHaveLength(4)
  })

  test('wait for the one that is missing', async () => {
    const { park, door } = await doorOf()
    const [first, second, third, fourth] = minutesAgo(4)
    expect(await ingest(park, door, sentBy([first!, third!, fourth!]))).toBe(1)
    expect((await find(park)).total).toBe(1)
    expect(await ingest(park, door, sentBy([third!]))).toBe(1)
    expect(await ingest(park, door, sentBy([fourth!, second!, third!]))).toBe(4)
    expect((await find(park)).total).toBe(4)
  })

  test('are numbered anew in each boot epoch', async () => {
    const { park, door } = await doorOf()
    await ingest(park, door, sentBy(minutesAgo(2)))
    expect(await ingest(park, door, sentBy(minutesAgo(1), { epoch: 'boot-2' }))).toBe(1)
    expect(await area().ackSeq(door.id, 'boot-1')).toBe(2)
    expect((await find(park)).total).toBe(3)
  })

  test('that come twice at the same time are stored once', async () => {
    const { park, door } = await doorOf()
    const message = sentBy(minutesAgo(50))
    expect(await Promise.all([1, 2, 3].map(() => ingest(park, door, message)))).toEqual([50, 50, 50])
    expect((await find(park)).total).toBe(50)
    const ids = await announced(park)
    expect(ids).toHaveLength(50)
    expect(new Set(ids).size).toBe(50)
  })

  test('that come in a short and a long message at once are acknowledged by the long one', async () => {
    const { park, door } = await doorOf()
    const records = minutesAgo(30)
    await ingest(park, door, sentBy(records.slice(0, 1)))
    const client = await connection()
    const watch = await connection()
    const waiting = async () =>
      (
        await watch.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%device_epoch%'`,
        )
      ).rowCount
    await client.query('BEGIN')
    await client.query('SELECT 1 FROM device_epoch WHERE device_id = $1 FOR UPDATE', [door.id])
    const long = ingest(park, door, sentBy(records))
    await expect.poll(waiting, { interval: 20 }).toBe(1)
    const short = otherNode()(park, door, sentBy(records.slice(0, 10)))
    await expect.poll(waiting, { interval: 20 }).toBe(2)
    await client.query('ROLLBACK')
    // Whichever is processed first: an acknowledgement is never lowered.
    expect(await long).toBe(30)
    await short
    expect(await area().ackSeq(door.id, 'boot-1')).toBe(30)
    expect(new Set(await announced(park)).size).toBe((await announced(park)).length)
  })

  test('are announced by ids in events under 2 kB', async () => {
    const { park, door } = await doorOf()
    await ingest(park, door, sentBy(minutesAgo(100)))
    const rows = await receivedEvents(park)
    expect(rows.length).toBeGreaterThan(1)
    for (const { payload } of rows) expect(Buffer.byteLength(JSON.stringify(payload))).toBeLessThan(2_048)
    expect(new Set(await announced(park)).size).toBe(100)
  })

  test('keep the names of person and device when those change or go', async () => {
    const { park, door } = await doorOf()
    const person = await park.person({ name: '王芳', workNumber: 'A-17' })
    await ingest(park, door, sentBy(passages([{ occurredAt: NOW, personId: person.id, personName: 'as the device knew her' }])))
    await park.call(peopleCalls.delete, { query: {}, body: { ids: [person.id] } })
    await park.call(deviceCalls.delete, { query: { ids: [door.id] } })
    const [record] = (await find(park)).content
    expect(record).toMatchObject({
      personId: person.id,
      personName: '王芳',
      workNumber: 'A-17',
      deviceName: 'Main door',
      registeredImage: '',
    })
  })

  test('name whom the device named where the register no longer knows him', async () => {
    const { park, door } = await doorOf()
    const foreign = await world.person({ name: 'Elsewhere' })
    await ingest(park, door, sentBy(passages([{ occurredAt: NOW, personId: foreign.id, personName: 'Gone' }])))
    expect((await find(park)).content[0]).toMatchObject({ personName: 'Gone', workNumber: '' })
  })

  test('hold when they arrived, how far the clock of the device was off, and the local day', async () => {
    const { park, door } = await doorOf({ zone: 'Asia/Shanghai' })
    const occurredAt = Date.parse('2026-11-18T23:30:00Z')
    await ingest(park, door, sentBy(passages([{ occurredAt }]), { sentAt: NOW - 90_000 }))
    const stored = await database().selectFrom('accessRecord').selectAll().where('parkId', '=', park.park.id).executeTakeFirstOrThrow()
    expect(stored).toMatchObject({
      occurredAt,
      receivedAt: NOW,
      clockOffsetMs: 90_000,
      zone: 'Asia/Shanghai',
      localDate: '2026-11-19',
      localHour: 7,
    })
  })

  test('whose content no column takes are set aside word for word, and those behind them stored', async () => {
    const { park, door } = await doorOf()
    const records = passages([
      { occurredAt: NOW },
      { occurredAt: NOW, personId: 'no id of ours' },
      { occurredAt: NOW, personName: 'N\0L' },
      { occurredAt: 8_640_000_000_000_000 },
      { occurredAt: NOW, verifyType: 1e9 },
      { occurredAt: NOW },
    ])
    expect(await ingest(park, door, sentBy(records))).toBe(6)
    expect((await find(park)).content.map((record) => record.id).sort()).toEqual(
      [1, 6].map((seq) => recordId(door.id, 'boot-1', seq)).sort(),
    )
    const aside = await database().selectFrom('unstorableRecord').selectAll().where('deviceId', '=', door.id).orderBy('seq').execute()
    expect(aside.map((row) => JSON.parse(row.content))).toEqual(records.slice(1, 5))
    expect(await announced(park)).toHaveLength(2)
    expect(await ingest(park, door, sentBy(records))).toBe(6)
  })
})

describe('messages of many devices at once', () => {
  test('are stored together, each with its own park, names and number', async () => {
    const parks = await Promise.all(['Asia/Shanghai', 'America/New_York'].map((zone) => world.addPark({ zone })))
    const doors = await Promise.all(parks.flatMap((park) => Array.from({ length: 5 }, async () => ({ park, door: await park.device() }))))
    const acknowledged = await Promise.all(doors.map(({ park, door }, index) => ingest(park, door, sentBy(minutesAgo(index + 1)))))
    expect(acknowledged).toEqual(doors.map((_, index) => index + 1))
    for (const park of parks) {
      const own = doors.filter((one) => one.park === park)
      const { content } = await find(park, { size: 100 })
      for (const { door } of own) {
        const records = content.filter((record) => record.deviceId === door.id)
        expect(records).toHaveLength(doors.findIndex((one) => one.door === door) + 1)
        expect(records[0]).toMatchObject({ deviceName: door.name })
      }
      expect((await announced(park)).toSorted()).toEqual(content.map((record) => record.id).sort())
      const stored = await database().selectFrom('accessRecord').select('zone').distinct().where('parkId', '=', park.park.id).execute()
      expect(stored).toEqual([{ zone: park.park.zone }])
    }
  })

  test('of one device are one run in the order they came', async () => {
    const { park, door } = await doorOf()
    const records = minutesAgo(9)
    const parts = [records.slice(0, 3), records.slice(3, 6), records.slice(6)]
    const acknowledged = await Promise.all(parts.map((part) => ingest(park, door, sentBy(part))))
    expect(acknowledged.at(-1)).toBe(9)
    expect((await find(park)).total).toBe(9)
  })

  test('are stored once where two nodes take the same ones', async () => {
    const park = await world.addPark()
    const doors = await Promise.all(Array.from({ length: 6 }, () => park.device()))
    const nodes = [ingest, otherNode(), otherNode()]
    const sendings = nodes.flatMap((node, turn) =>
      (turn % 2 === 0 ? doors : doors.toReversed()).map((door) => node(park, door, sentBy(minutesAgo(20)))),
    )
    expect(new Set(await Promise.all(sendings))).toEqual(new Set([20]))
    expect((await find(park)).total).toBe(120)
    const ids = await announced(park)
    expect(ids).toHaveLength(120)
    expect(new Set(ids).size).toBe(120)
  })

  test('of a device whose rows the database refuses stop nobody else', async () => {
    const park = await world.addPark()
    const [good, bad, worse] = await Promise.all([park.device(), park.device(), park.device()])
    const client = await connection()
    await client.query(`CREATE FUNCTION refuse_some() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.person_name = 'no data' THEN RAISE EXCEPTION 'refused' USING ERRCODE = '22023'; END IF;
      IF NEW.person_name = 'no row' THEN RAISE EXCEPTION 'refused' USING ERRCODE = 'P0001'; END IF;
      RETURN NEW; END $$`)
    await client.query('CREATE TRIGGER refuse_some BEFORE INSERT ON access_record FOR EACH ROW EXECUTE FUNCTION refuse_some()')
    onTestFinished(async () => {
      await client.query('DROP FUNCTION refuse_some CASCADE')
    })
    const outcomes = await Promise.allSettled([
      ingest(park, good!, sentBy(minutesAgo(3))),
      ingest(park, bad!, sentBy(passages([{ occurredAt: NOW }, { occurredAt: NOW, personName: 'no data' }, { occurredAt: NOW }]))),
      ingest(park, worse!, sentBy(passages([{ occurredAt: NOW, personName: 'no row' }]))),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(outcomes.slice(0, 2)).toMatchObject([{ value: 3 }, { value: 3 }])
    expect((await find(park)).total).toBe(5)
    const aside = await database()
      .selectFrom('unstorableRecord')
      .select(['deviceId', 'seq', 'reason'])
      .where('parkId', '=', park.park.id)
      .execute()
    expect(aside).toEqual([{ deviceId: bad!.id, seq: 2, reason: 'refused' }])
    expect(await area().ackSeq(worse!.id, 'boot-1')).toBe(0)
  })

  test('of a park nobody knows fail by themselves', async () => {
    const { park, door } = await doorOf()
    const nowhere = '00000000-0000-7000-8000-000000000000'
    const outcomes = await Promise.allSettled([
      ingest(park, door, sentBy(minutesAgo(2))),
      area().ingest({ deviceId: nowhere, parkId: nowhere }, sentBy(minutesAgo(2))),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect((await find(park)).total).toBe(2)
  })

  test.each(['a\0b', '\ud800'])('under an epoch that is no text are refused', async (epoch) => {
    const { park, door } = await doorOf()
    await expect(ingest(park, door, sentBy(minutesAgo(1), { epoch }))).rejects.toThrow(InvalidRequest)
    expect((await find(park)).total).toBe(0)
  })
})

describe('numbers that are gone at the device', () => {
  const gaps = (door: MadeDevice) =>
    database().selectFrom('recordGap').select(['fromSeq', 'toSeq', 'parkId']).where('deviceId', '=', door.id).orderBy('fromSeq').execute()

  test('are not waited for, and written down', async () => {
    const { park, door } = await doorOf()
    await ingest(park, door, sentBy(minutesAgo(2)))
    expect(await ingest(park, door, sentBy([passage(10, { occurredAt: NOW }), passage(11, { occurredAt: NOW })], { oldestSeq: 10 }))).toBe(
      11,
    )
    expect((await find(park)).total).toBe(4)
    expect(await gaps(door)).toEqual([{ fromSeq: 3, toSeq: 9, parkId: park.park.id }])
  })

  test('are given up even where what follows is missing still', async () => {
    const { park, door } = await doorOf()
    expect(await ingest(park, door, sentBy([passage(10, { occurredAt: NOW })], { oldestSeq: 5 }))).toBe(4)
    expect((await find(park)).total).toBe(0)
    expect(await gaps(door)).toEqual([{ fromSeq: 1, toSeq: 4, parkId: park.park.id }])
    expect(await ingest(park, door, sentBy([passage(3, { occurredAt: NOW })], { oldestSeq: 1 }))).toBe(4)
    expect((await find(park)).total).toBe(0)
  })

  test('may be as many as there are numbers', async () => {
    const { park, door } = await doorOf()
    const last = Number.MAX_SAFE_INTEGER
    expect(await ingest(park, door, sentBy([passage(last, { occurredAt: NOW })], { oldestSeq: last }))).toBe(last)
    expect(await gaps(door)).toEqual([{ fromSeq: 1, toSeq: last - 1, parkId: park.park.id }])
    expect(await ingest(park, door, sentBy([passage(last, { occurredAt: NOW })], { oldestSeq: last }))).toBe(last)
    expect((await find(park)).content.map((record) => record.id)).toEqual([recordId(door.id, 'boot-1', last)])
  })
})

describe('months of the record table', () => {
  test('are made as records need them, however old, to the first and last millisecond', async () => {
    const { park, door } = await doorOf()
    const moments = [
      '2031-01-31T23:59:59.999Z',
      '2031-02-01T00:00:00.000Z',
      '2031-12-31T23:59:59.999Z',
      '2032-01-01T00:00:00.000Z',
      '1970-01-01T00:00:00.000Z',
    ]
    expect(await ingest(park, door, sentBy(passages(moments.map((moment) => ({ occurredAt: Date.parse(moment) })))))).toBe(5)
    expect(await months('access\\_record\\_203%')).toEqual([
      'access_record_2031_01',
      'access_record_2031_02',
      'access_record_2031_12',
      'access_record_2032_01',
    ])
    expect(await months('access\\_record\\_1970%')).toEqual(['access_record_1970_01'])
    const inRange = await find(park, { startTime: Date.parse(moments[0]!), endTime: Date.parse(moments[1]!) })
    expect(inRange.content.map((record) => record.time)).toEqual([Date.parse(moments[1]!), Date.parse(moments[0]!)])
  })

  test('have the indexes of the whole table', async () => {
    const { park, door } = await doorOf()
    await ingest(park, door, sentBy(passages([{ occurredAt: Date.parse('2033-03-05T00:00:00Z') }])))
    const client = await connection()
    const count = async (table: string) => (await client.query('SELECT 1 FROM pg_index WHERE indrelid = $1::regclass', [table])).rowCount
    expect(await count('access_record_2033_03')).toBe(await count('access_record'))
    expect((await client.query(`SELECT 1 FROM pg_index WHERE indrelid = 'access_record'::regclass AND NOT indisvalid`)).rowCount).toBe(0)
  })

  test('are made once when several devices bring the first record together', async () => {
    const park = await world.addPark()
    const doors = await Promise.all([1, 2, 3, 4].map(() => park.device()))
    const occurredAt = Date.parse('2034-06-15T00:00:00Z')
    expect(await Promise.all(doors.map((door) => ingest(park, door, sentBy(passages([{ occurredAt }])))))).toEqual([1, 1, 1, 1])
    expect((await find(park, { startTime: occurredAt, endTime: occurredAt })).total).toBe(4)
  })

  test('are made once when several nodes find the same one missing', async () => {
    const moment = Date.parse('2038-09-15T00:00:00Z')
    const nodes = Array.from({ length: 6 }, () => createPartitions(world.server.platform))
    await Promise.all(nodes.map((node) => node.ensure([moment, moment])))
    expect(await months('access\\_record\\_2038%')).toEqual(['access_record_2038_09'])
  })

  test('that another node has made meanwhile are used', async () => {
    const { park, door } = await doorOf()
    const client = await connection()
    await client.query(
      `CREATE TABLE access_record_2035_07 PARTITION OF access_record FOR VALUES FROM ('2035-07-01+00') TO ('2035-08-01+00')`,
    )
    expect(await ingest(park, door, sentBy(passages([{ occurredAt: Date.parse('2035-07-09T00:00:00Z') }])))).toBe(1)
  })

  test('do not wait for a transaction that is busy in another month', async () => {
    const { park, door } = await doorOf()
    await ingest(park, door, sentBy(minutesAgo(1)))
    const client = await connection()
    await client.query('BEGIN')
    await client.query('UPDATE access_record SET score = 1 WHERE park_id = $1', [park.park.id])
    expect(await ingest(park, door, sentBy([passage(2, { occurredAt: Date.parse('2036-02-01T00:00:00Z') })]))).toBe(2)
    await client.query('ROLLBACK')
  })

  test('that cannot be made yet hold up the device that needs them, in its order, and nobody else', async () => {
    const park = await world.addPark()
    const [late, other] = await Promise.all([park.device(), park.device()])
    await Promise.all([late, other].map((door) => ingest(park, door!, sentBy([passage(1, { occurredAt: NOW })]))))
    const client = await connection()
    await client.query('BEGIN')
    await client.query('LOCK TABLE access_record IN SHARE UPDATE EXCLUSIVE MODE')
    let stored = false
    const moments = [Date.parse('2039-05-01T00:00:00Z'), NOW]
    const pending = moments.map((occurredAt, index) => ingest(park, late!, sentBy([passage(index + 2, { occurredAt })])))
    void pending[0]!.then(() => (stored = true))
    expect(await ingest(park, other!, sentBy([passage(2, { occurredAt: NOW })]))).toBe(2)
    expect(stored).toBe(false)
    await client.query('ROLLBACK')
    expect((await Promise.all(pending)).at(-1)).toBe(3)
  })

  test('are tried again while the table is locked for longer than one wait', { tags: 'extended' }, async () => {
    const { park, door } = await doorOf()
    const client = await connection()
    const watch = await connection()
    const waiting = async () =>
      (await watch.query(`SELECT 1 FROM pg_locks WHERE relation = 'access_record'::regclass AND NOT granted`)).rowCount! > 0
    // The lock that a vacuum takes.
    await client.query('BEGIN')
    await client.query('LOCK TABLE access_record IN SHARE UPDATE EXCLUSIVE MODE')
    const acknowledged = ingest(park, door, sentBy(passages([{ occurredAt: Date.parse('2037-04-01T00:00:00Z') }])))
    await expect.poll(waiting, { interval: 20 }).toBe(true)
    await expect.poll(waiting, { interval: 20 }).toBe(false)
    await client.query('ROLLBACK')
    expect(await acknowledged).toBe(1)
  })
})

test('what sensors told stands in the record, marks included, and stays empty where none told anything', async () => {
  const { park, door } = await doorOf()
  const measurements = [{ temperature: 36.6, temperatureStatus: 2, mask: 1, helmet: 0 }, { temperature: -1, temperatureStatus: 4 }, {}]
  await ingest(
    park,
    door,
    sentBy(passages(measurements.map((measured, place) => ({ occurredAt: NOW - (place + 1) * MINUTE, ...measured })))),
  )
  const { content } = await find(park)
  expect(content.map(({ temperature, temperatureStatus, mask, helmet }) => [temperature, temperatureStatus, mask, helmet])).toEqual([
    [36.6, 2, 1, 0],
    [-1, 4, null, null],
    [null, null, null, null],
  ])
})
