import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { statisticsCalls, temperatureMark, type Statistics } from '@gatehouse/contract/statistics/calls'
import type { InputOf } from '@gatehouse/contract'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { csvRowsOf, csvTextOf } from '@gatehouse/contract/files'
import { startWorld, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'
import pg from 'pg'
import { recordId } from '../../platform/database/ids.ts'
import { readXlsx } from '../../platform/documents/testing/xlsx.ts'
import { until } from '../../../../../tests/support/until.ts'
import { createPartitionsJob } from '../records/partitions-job.ts'
import { passage, passages, sentBy } from '../records/testing/records.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const HOUR = 3_600_000
const DAY = 24 * HOUR
const [ABNORMAL, OUTSIDE, UNKNOWN] = [8, 6, 904]

let world: World
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => NOW } })
})
afterAll(() => world?.stop())

type Query = InputOf<(typeof statisticsCalls)['statistics']['query']>
const area = () => world.server.contexts.records
const ask = (site: Site, query: Query = {}): Promise<Statistics> => site.call(statisticsCalls.statistics, { query })
const send = (site: Site, door: MadeDevice, records: RecordObject[], epoch = 'boot-1') =>
  area().ingest({ deviceId: door.id, parkId: site.park.id }, sentBy(records, { epoch, sentAt: NOW }))

async function rowsOf<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client(world.connectionString)
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Return a generator of numbers from 0 to below `limit`, the same in every run. */
function dice(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const LINE = `count(*)::int AS total, count(*) FILTER (WHERE result = 1)::int AS allowed,
  count(*) FILTER (WHERE result = 0)::int AS rejected,
  count(*) FILTER (WHERE result = 1 AND direction = 1)::int AS entries, count(*) FILTER (WHERE result = 1 AND direction = 2)::int AS exits,
  count(*) FILTER (WHERE temperature_status IS NOT NULL OR temperature > -2)::int AS checked,
  count(*) FILTER (WHERE temperature_status = 1)::int AS fever`
const KEYS = {
  hour: `to_char(local_date, 'YYYY-MM-DD') || 'T' || lpad(local_hour::text, 2, '0')`,
  day: `to_char(local_date, 'YYYY-MM-DD')`,
  month: `to_char(local_date, 'YYYY-MM')`,
  device: 'device_id::text',
  group: `coalesce(person_group_id::text, '')`,
}

/** Count the same from the records themselves. */
const overRecords = (site: Site, by: keyof typeof KEYS, where = 'true') =>
  rowsOf(`SELECT ${KEYS[by]} AS key, ${LINE} FROM access_record WHERE park_id = $1 AND ${where} GROUP BY 1 ORDER BY 1`, [site.park.id])

const linesOf = ({ rows }: Statistics) =>
  rows
    .filter(({ total }) => total > 0)
    .map(({ name: _, ...line }) => line)
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))

const WINDOW = { from: '2026-10-22', to: '2026-11-21' }

/** Expect that all statistics agree with the records. */
async function expectTruth(site: Site, door: MadeDevice, groupId: string): Promise<void> {
  for (const by of ['hour', 'day', 'month', 'device', 'group'] as const) {
    expect(linesOf(await ask(site, { ...WINDOW, by })), by).toEqual(await overRecords(site, by))
    expect(linesOf(await ask(site, { ...WINDOW, by, deviceId: door.id })), `${by} of a door`).toEqual(
      await overRecords(site, by, `device_id = '${door.id}'`),
    )
    expect(linesOf(await ask(site, { ...WINDOW, by, personGroupId: groupId })), `${by} of a group`).toEqual(
      await overRecords(site, by, `person_group_id = '${groupId}'`),
    )
    expect(linesOf(await ask(site, { ...WINDOW, by, personGroupId: groupId, deviceId: door.id, result: 1 })), `${by} of both`).toEqual(
      await overRecords(site, by, `person_group_id = '${groupId}' AND device_id = '${door.id}' AND result = 1`),
    )
    expect(linesOf(await ask(site, { ...WINDOW, by, failReason: OUTSIDE })), `${by} of a reason`).toEqual(
      await overRecords(site, by, `fail_reason = ${OUTSIDE}`),
    )
  }
}

describe('statistics agree with the records', () => {
  test(
    'after random arrivals, repeats, what came late, a deletion, an erasure and a restart [CALL-168]',
    { tags: 'extended' },
    async () => {
      const site = await world.addPark({ zone: 'Asia/Shanghai' })
      const roll = dice(7)
      const groups = [await site.personGroup(), await site.personGroup()]
      const persons: { id: string }[] = []
      for (let made = 0; made < 6; made++) persons.push(await site.person({ groupId: groups[made % 2]!.id }))
      const doors = [await site.device(), await site.device(), await site.device()]
      const door = doors[0]!
      const groupId = groups[0]!.id
      const random = (seq: number): RecordObject => {
        const refused = roll(4) === 0
        const reason = [OUTSIDE, ABNORMAL, UNKNOWN][roll(3)]!
        const person = reason === UNKNOWN && refused ? null : persons[roll(persons.length)]!.id
        const measured = [
          {},
          { temperature: 36.5, temperatureStatus: 2 },
          { temperature: 38.2, temperatureStatus: 1 },
          { temperature: -1 },
          { temperature: -2 },
          { temperature: 36.6 },
        ][roll(6)]!
        return passage(seq, {
          occurredAt: NOW - roll(29 * DAY),
          personId: person,
          direction: 1 + roll(2),
          result: refused ? 0 : 1,
          failReason: refused ? reason : null,
          ...measured,
        })
      }
      const sent = doors.map(() => Array.from({ length: 120 }, (_, index) => random(index + 1)))
      for (const [at, records] of sent.entries()) {
        for (let from = 0; from < 80; from += 20) await send(site, doors[at]!, records.slice(0, from + 20))
        // Pending cells are added while more arrive.
        await Promise.all([
          world.server.contexts.statistics.counting.add(),
          send(site, doors[at]!, records.slice(0, 100)),
          world.server.contexts.statistics.counting.add(),
        ])
      }
      await expectTruth(site, door, groupId)

      await world.interrupted(async () => {})
      // Records without a certain acknowledgement are sent again, together with those of a month without a network.
      for (const [at, records] of sent.entries()) await send(site, doors[at]!, records)
      const id = recordId(door.id, 'boot-1', 3)
      await site.call(recordCalls.delete, { params: { id } })
      await expectTruth(site, door, groupId)
      await world.server.contexts.statistics.counting.add()
      await world.server.contexts.statistics.counting.add()
      await expectTruth(site, door, groupId)

      const before = await ask(site, { ...WINDOW, by: 'group' })
      await world.server.platform.transaction((tx) => area().erasure.pseudonymise(tx as never, { parkId: site.park.id }, persons[0]!.id))
      expect(await ask(site, { ...WINDOW, by: 'group' })).toEqual(before)
    },
  )

  test('are counted anew while records arrive, what older ones were not counted among them', async () => {
    const site = await world.addPark()
    const door = await site.device()
    const moments = Array.from({ length: 60 }, (_, index) => NOW - index * 11 * HOUR)
    await send(site, door, passages(moments.map((occurredAt) => ({ occurredAt, result: 0, failReason: OUTSIDE }))))
    await world.server.contexts.statistics.counting.add()
    // The state of an installation with records from before statistics existed, some counted wrongly.
    await rowsOf('DELETE FROM passage_hour WHERE park_id = $1 AND local_date < $2', [site.park.id, '2026-11-10'])
    await rowsOf('UPDATE passage_hour SET count = count + 5 WHERE park_id = $1', [site.park.id])
    await rowsOf('INSERT INTO passage_backlog VALUES ($1)', [site.park.id])
    expect(await ask(site, WINDOW)).toMatchObject({ complete: false })
    // The work is requested when the server starts.
    await world.interrupted(async () => {})
    for (let seq = 61; seq <= 100; seq++) {
      await send(site, door, [passage(seq, { occurredAt: NOW - seq * 7 * HOUR })])
      if (seq % 7 === 0) await world.server.contexts.statistics.counting.add()
    }
    await until('all to be counted', async () => (await ask(site, WINDOW)).complete)
    expect(linesOf(await ask(site, { ...WINDOW, by: 'hour' }))).toEqual(await overRecords(site, 'hour'))
    expect((await ask(site, WINDOW)).summary.total).toBe(100)

    await rowsOf('UPDATE passage_hour SET count = count + 5 WHERE park_id = $1', [site.park.id])
    await site.call(statisticsCalls.recountStatistics, {})
    await until('all to be counted again', async () => (await ask(site, WINDOW)).complete)
    expect(linesOf(await ask(site, { ...WINDOW, by: 'hour' }))).toEqual(await overRecords(site, 'hour'))
  })

  test('outlive a month of records that is dropped, also when they are counted anew', async () => {
    const site = await world.addPark({ zone: 'UTC' })
    const door = await site.device()
    await send(
      site,
      door,
      passages(['2026-01-10', '2026-01-31', '2026-02-01', '2026-11-20'].map((date) => ({ occurredAt: Date.parse(`${date}T10:00:00Z`) }))),
    )
    await createPartitionsJob(world.server.platform, { retentionMonths: 9 }).run()
    const year = { from: '2026-01-01', to: '2026-11-20', by: 'month' } as const
    const kept = linesOf(await ask(site, year)).map(({ key, total }) => [key, total])
    expect(kept).toEqual([
      ['2026-01', 2],
      ['2026-02', 1],
      ['2026-11', 1],
    ])
    expect(await overRecords(site, 'month')).toHaveLength(2)
    await site.call(statisticsCalls.recountStatistics, {})
    await until('all to be counted again', async () => (await ask(site, year)).complete)
    expect(linesOf(await ask(site, year)).map(({ key, total }) => [key, total])).toEqual(kept)
  })
})

describe('a report', () => {
  let site: Site
  let doors: MadeDevice[]
  let deviceGroup: { id: string }
  let groups: { id: string; name: string }[]
  beforeAll(async () => {
    site = await world.addPark({ zone: 'Asia/Shanghai' })
    doors = [
      await site.device({ name: 'North gate' }),
      await site.device({ name: 'South gate', groupId: (deviceGroup = await site.deviceGroup()).id }),
    ]
    groups = [await site.personGroup({ name: 'Assembly' }), await site.personGroup({ name: 'Offices' })]
    const [worker, clerk] = [await site.person({ groupId: groups[0]!.id }), await site.person({ groupId: groups[1]!.id })]
    await send(
      site,
      doors[0]!,
      passages([
        { occurredAt: NOW - 2 * HOUR, personId: worker.id, temperature: 36.4, temperatureStatus: 2 },
        { occurredAt: NOW - 2 * HOUR, personId: worker.id, result: 0, failReason: ABNORMAL, temperature: 38.9, temperatureStatus: 1 },
        { occurredAt: NOW - HOUR, personId: clerk.id, direction: 2, temperature: -1 },
        // Yesterday in UTC, today in the park.
        { occurredAt: Date.parse('2026-11-19T16:30:00Z'), result: 0, failReason: UNKNOWN },
        { occurredAt: Date.parse('2026-11-19T15:30:00Z'), result: 0, failReason: UNKNOWN },
      ]),
    )
    await send(
      site,
      doors[1]!,
      passages([
        { occurredAt: NOW, personId: clerk.id },
        { occurredAt: NOW, result: 0, failReason: OUTSIDE, personId: worker.id },
      ]),
    )
  })

  test('is of today in the park unless told, hour by hour as far as the day is', async () => {
    const { from, to, summary, rows, complete } = await ask(site, { by: 'hour' })
    expect({ from, to, complete }).toEqual({ from: '2026-11-20', to: '2026-11-20', complete: true })
    expect(summary).toEqual({ total: 6, allowed: 3, rejected: 3, entries: 2, exits: 1, checked: 3, fever: 1 })
    expect(rows.map(({ key }) => key)).toEqual(Array.from({ length: 21 }, (_, hour) => `2026-11-20T${String(hour).padStart(2, '0')}`))
    expect(rows.filter(({ total }) => total > 0).map(({ key, total }) => [key.slice(11), total])).toEqual([
      ['00', 1],
      ['18', 2],
      ['19', 1],
      ['20', 2],
    ])
  })

  test('names doors and groups, most first, and whoever has none', async () => {
    const window = { from: '2026-11-01', to: '2026-11-20' }
    expect((await ask(site, { ...window, by: 'device' })).rows.map(({ key, name, total }) => [key, name, total])).toEqual([
      [doors[0]!.id, 'North gate', 5],
      [doors[1]!.id, 'South gate', 2],
    ])
    const byGroup = await ask(site, { ...window, by: 'group' })
    expect(byGroup.rows.map(({ name, total }) => [name, total])).toEqual(
      expect.arrayContaining([
        ['Assembly', 3],
        ['Offices', 2],
        ['', 2],
      ]),
    )
    expect((await ask(site, { ...window, by: 'month' })).rows.map(({ key, total }) => [key, total])).toEqual([['2026-11', 7]])
    expect((await ask(site, window)).rows).toHaveLength(20)
  })

  test('says why passages were refused and what was measured, marks among them', async () => {
    const { reasons, temperatures } = await ask(site, { from: '2026-11-19', to: '2026-11-20' })
    expect(reasons).toEqual([{ failReason: UNKNOWN, count: 2 }, ...[OUTSIDE, ABNORMAL].map((failReason) => ({ failReason, count: 1 }))])
    expect(new Map(temperatures.map(({ mark, count }) => [mark, count]))).toEqual(
      new Map([
        [temperatureMark.blank, 4],
        [temperatureMark.normal, 1],
        [temperatureMark.fever, 1],
        [temperatureMark.warning, 1],
      ]),
    )
  })

  test('is narrowed by verdict, reason, door and group', async () => {
    const totals = async (query: Query) => (await ask(site, { from: '2026-11-19', to: '2026-11-20', ...query })).summary.total
    expect(await totals({ result: 0 })).toBe(4)
    expect(await totals({ failReason: UNKNOWN })).toBe(2)
    expect(await totals({ deviceId: doors[1]!.id })).toBe(2)
    expect(await totals({ personGroupId: groups[0]!.id })).toBe(3)
    expect(await totals({ personGroupId: groups[0]!.id, deviceId: doors[1]!.id })).toBe(1)
    expect(await totals({ personGroupId: groups[0]!.id, deviceId: doors[1]!.id, by: 'hour' })).toBe(1)
    expect(await totals({ deviceGroupId: deviceGroup.id })).toBe(2)
    expect(await totals({ deviceGroupId: deviceGroup.id, deviceId: doors[0]!.id })).toBe(0)
    const other = await world.addPark()
    expect((await ask(other, { from: '2026-11-19', to: '2026-11-20', deviceId: doors[0]!.id })).summary.total).toBe(0)
  })

  test('refuses a window that ends before it begins or is too long [ERR-900007]', async () => {
    const refused = async (query: Query) => (await site.ask(statisticsCalls.statistics, { query })).code
    expect(await refused({ from: '2026-11-20', to: '2026-11-19' })).toBe(900007)
    expect(await refused({ from: '2025-11-19', to: '2026-11-20' })).toBe(900007)
    expect(await refused({ from: '2026-10-20', to: '2026-11-20', by: 'hour' })).toBe(900007)
    expect(await refused({ from: '2025-11-20', to: '2026-11-20' })).toBe(0)
    expect(await refused({ from: '2026-10-21', to: '2026-11-20', by: 'hour' })).toBe(0)
  })

  test('of checks leaves out passages nobody measured at [CALL-168]', async () => {
    const checked = await site.call(statisticsCalls.checkStatistics, { query: { from: '2026-11-19', to: '2026-11-20', by: 'device' } })
    expect(checked.summary).toMatchObject({ total: 3, checked: 3, fever: 1, rejected: 1 })
    expect(checked.temperatures.map(({ mark }) => mark)).not.toContain(temperatureMark.blank)
  })

  test('is had as a file in the words of the language, with a mark of its byte order or as a sheet [CALL-169]', async () => {
    const { bearer } = site.client.credentials as { bearer: string }
    const fetched = async (call: { url: string }, search: string, language = 'en') => {
      const response = await fetch(`${site.client.url}${call.url}?from=2026-11-19&to=2026-11-20&${search}`, {
        headers: { authorization: `Bearer ${bearer}`, 'accept-language': language },
      })
      expect(response.status).toBe(200)
      return new Uint8Array(await response.arrayBuffer())
    }
    const bytes = await fetched(statisticsCalls.exportStatistics, 'by=device&format=csv')
    expect(Buffer.from(bytes.subarray(0, 3)).toString('hex')).toBe('efbbbf')
    expect(csvRowsOf(csvTextOf(bytes)!)).toEqual([
      ['Door', 'Access events', 'Admitted', 'Refused', 'In', 'Out', 'Temperature checked', 'Fever'],
      ['North gate', '5', '2', '3', '1', '1', '3', '1'],
      ['South gate', '2', '1', '1', '1', '0', '0', '0'],
      ['All', '7', '3', '4', '2', '1', '3', '1'],
    ])
    const sheet = await readXlsx(await fetched(statisticsCalls.exportCheckStatistics, 'by=day', 'zh-CN'))
    const cells = sheet.rows.map((row) => row.map(({ value }) => value))
    expect(cells[0]).toEqual(['日期', '通行次数', '放行', '拒绝', '进', '出', '已测温', '发热'])
    expect(cells.at(-1)?.slice(0, 2)).toEqual(['合计', 3])
    // Day 46,345 is 19 November 2026: dates and hours are stored as numbers and shown by their formats.
    expect(cells.slice(1, -1).map(([day]) => day)).toEqual([46_345, 46_346])
    const hours = await readXlsx(await fetched(statisticsCalls.exportStatistics, 'by=hour'))
    expect(hours.rows[0]![0]!.value).toMatch(/^Hour \(.+\)$/)
    expect(hours.rows[6]![0]!.value).toBeCloseTo(46_345 + 5 / 24)
    expect(csvRowsOf(csvTextOf(await fetched(statisticsCalls.exportStatistics, 'by=hour&format=csv'))!)[6]![0]).toBe('2026-11-19 05:00')
  })
})
