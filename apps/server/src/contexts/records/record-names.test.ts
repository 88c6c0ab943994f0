import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import { csvRowsOf, csvTextOf } from '@gatehouse/contract/files'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { startWorld, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'
import pg from 'pg'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { until } from '../../../../../tests/support/until.ts'
import { newId } from '../../platform/database/ids.ts'
import { noKeys } from '../../platform/database/migrations.ts'
import { exported } from '../exports/testing/exports.ts'
import { createPartitionsJob } from './partitions-job.ts'
import { recordNameMigrations } from './record-names-schema.ts'
import { passage, sentBy } from './testing/records.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const DAY = 86_400_000

let world: World
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => NOW } })
})
afterAll(() => world?.stop())

const area = () => world.server.contexts.records
const send = (site: Site, door: MadeDevice, records: RecordObject[]) =>
  area().ingest({ deviceId: door.id, parkId: site.park.id }, sentBy(records, { sentAt: NOW }))
const total = async (site: Site, personName: string) =>
  (await site.call(recordCalls.find, { body: { personName, startTime: NOW - 300 * DAY } })).total

async function query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
  const client = new pg.Client(world.connectionString)
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}
const namesOf = async (site: Site) =>
  (await query<{ name: string }>('SELECT person_name AS name FROM record_name WHERE park_id = $1 ORDER BY 1', [site.park.id])).map(
    ({ name }) => name,
  )
const daysAgo = (site: Site, days: number) =>
  query('UPDATE record_name SET last_on = last_on - $2::integer WHERE park_id = $1', [site.park.id, days])

test('records are found by what somebody was called then, also where only the terminal knew a name', async () => {
  const site = await world.addPark()
  const door = await site.device()
  const person = await site.person({ name: '王伟' })
  await send(site, door, [
    passage(1, { occurredAt: NOW - DAY, personId: person.id }),
    passage(2, { occurredAt: NOW - DAY, personName: '王师傅', result: 0, failReason: 19 }),
  ])
  const { version } = await site.call(peopleCalls.read, { query: { id: person.id } })
  await site.call(peopleCalls.change, {
    body: { id: person.id, version, name: '李伟', groupId: person.groupId, workNumber: person.workNumber },
  })
  await send(site, door, [passage(3, { occurredAt: NOW, personId: person.id })])
  expect(await Promise.all(['王', '王伟', '李伟', '伟', '师傅', '张'].map((name) => total(site, name)))).toEqual([2, 1, 1, 2, 1, 0])
  expect(await namesOf(site)).toEqual(['李伟', '王伟'].toSorted((one, other) => (one < other ? -1 : 1)))
})

test('a name that no record has any more is forgotten, others stay', async () => {
  const site = await world.addPark()
  const door = await site.device()
  const [gone, stays] = [await site.person({ name: 'Gone' }), await site.person({ name: 'Stays' })]
  await send(site, door, [
    passage(1, { occurredAt: Date.parse('2026-01-10T10:00:00Z'), personId: gone.id }),
    passage(2, { occurredAt: NOW, personId: stays.id }),
  ])
  const run = () => createPartitionsJob(world.server.platform, { retentionMonths: 9 }).run()
  await run()
  // The record is deleted; its name arrived today and stays, because another record with it may be arriving now.
  expect(await namesOf(site)).toEqual(['Gone', 'Stays'])
  await daysAgo(site, 3)
  await run()
  expect(await namesOf(site)).toEqual(['Stays'])
  await send(site, door, [passage(3, { occurredAt: NOW, personId: gone.id })])
  expect(await total(site, 'gone')).toBe(1)
})

test('names of records from before they were kept are found, first in the records, then by their names', async () => {
  const site = await world.addPark()
  const door = await site.device()
  const person = await site.person({ name: '陈静' })
  await send(site, door, [
    passage(1, { occurredAt: NOW - 40 * DAY, personId: person.id }),
    passage(2, { occurredAt: NOW, personId: person.id }),
  ])
  await query('DELETE FROM record_name WHERE park_id = $1', [site.park.id])
  await site.call(statisticsCalls.recountStatistics, {})
  expect(await total(site, '陈静')).toBe(2)
  await until('all to be counted', async () => (await site.call(statisticsCalls.statistics, { query: {} })).complete)
  expect(await namesOf(site)).toEqual(['陈静'])
  expect(await total(site, '陈静')).toBe(2)
})

test('of somebody erased only the pseudonym is kept', async () => {
  const site = await world.addPark()
  const door = await site.device()
  const person = await site.person({ name: '赵敏' })
  await send(site, door, [passage(1, { occurredAt: NOW, personId: person.id })])
  const scope = { parkId: site.park.id }
  await world.server.platform.transaction((tx) => area().erasure.pseudonymise(tx, scope, person.id))
  const { name } = area().erasure.pseudonymOf(scope, person.id)
  expect(await namesOf(site)).toEqual([name])
  expect(await Promise.all(['赵敏', name].map((asked) => total(site, asked)))).toEqual([0, 1])
})

describe('who came in the place of a person', () => {
  const contactNamesOf = async (site: Site) =>
    (
      await query<{ name: string }>('SELECT contact_name AS name FROM record_contact_name WHERE park_id = $1 ORDER BY 1', [site.park.id])
    ).map(({ name }) => name)

  /** Create a child who passed once and for whom both parents have come, and a person for whom no contact came. */
  async function family() {
    const site = await world.addPark()
    const door = await site.device()
    const [child, other] = [await site.person({ name: '李雷' }), await site.person({ name: '王强' })]
    const by = (contactId: string, contactName: string) => ({ personId: child.id, contactId, contactName })
    const [mother, father] = [newId(), newId()]
    await send(site, door, [
      passage(1, { occurredAt: NOW - DAY, personId: child.id }),
      passage(2, { occurredAt: NOW - DAY, ...by(mother, 'Wang Fang') }),
      passage(3, { occurredAt: NOW, ...by(father, '李明') }),
      passage(4, { occurredAt: NOW, personId: other.id }),
      passage(5, { occurredAt: NOW - 40 * DAY, ...by(mother, 'Wang Fang') }),
    ])
    return { site, door, child, other }
  }

  test('is found by the name as the person is, only where that one came, within whatever else is asked for', async () => {
    const { site, child, other, door } = await family()
    const totals = await Promise.all(['Wang Fang', 'wang', '李', '李明', '李雷', '王', 'nobody'].map((name) => total(site, name)))
    expect(totals).toEqual([2, 2, 4, 1, 4, 1, 0])
    const { content } = await site.call(recordCalls.find, { body: { personName: 'Fang', startTime: NOW - 2 * DAY } })
    expect(content).toMatchObject([{ personName: '李雷', contactName: 'Wang Fang' }])
    const narrowed = async (body: object) =>
      (await site.call(recordCalls.find, { body: { personName: 'Fang', startTime: NOW - 300 * DAY, ...body } })).total
    expect(await Promise.all([{ personId: child.id }, { personId: other.id }, { deviceId: door.id }, { result: 0 }].map(narrowed))).toEqual(
      [2, 0, 2, 0],
    )
    expect(await contactNamesOf(site)).toEqual(['Wang Fang', '李明'])
  })

  test('stands in a file of the same filter, and nobody else', async () => {
    const { site } = await family()
    const filter = { personName: 'wang fang', startTime: NOW - 300 * DAY }
    const listed = await site.call(recordCalls.find, { body: filter })
    const [heading, ...rows] = csvRowsOf(csvTextOf((await exported(site.client, { format: 'csv', ...filter })).bytes)!) as [
      string[],
      ...string[][],
    ]
    expect(rows.map((row) => row[heading.indexOf('Contact who came instead')])).toEqual(listed.content.map(() => 'Wang Fang'))
  })

  test('is found in records of before names were kept: first in the records, then by the name', async () => {
    const { site } = await family()
    await query('DELETE FROM record_contact_name WHERE park_id = $1', [site.park.id])
    expect(await total(site, 'Wang Fang')).toBe(0)
    await query('INSERT INTO passage_backlog VALUES ($1)', [site.park.id])
    expect(await total(site, 'Wang Fang')).toBe(2)
    await site.call(statisticsCalls.recountStatistics, {})
    await until('all to be counted', async () => (await site.call(statisticsCalls.statistics, { query: {} })).complete)
    expect(await contactNamesOf(site)).toEqual(['Wang Fang', '李明'])
    expect(await total(site, 'Wang Fang')).toBe(2)
  })

  test('is filled in by the migration for the records that are there', async () => {
    const { site } = await family()
    await query('DELETE FROM record_contact_name WHERE park_id = $1', [site.park.id])
    const { up } = recordNameMigrations.at(-1)!
    await expect(
      world.server.platform.db.transaction().execute(async (tx) => {
        await sql`DROP INDEX access_record_contact, access_record_contact_newest`.execute(tx)
        await sql`DROP TABLE record_contact_name`.execute(tx)
        await up(tx, noKeys)
        const { rows } = await sql<{
          name: string
        }>`SELECT contact_name AS name FROM record_contact_name WHERE park_id = ${site.park.id} ORDER BY 1`.execute(tx)
        throw new Error(rows.map(({ name }) => name).join())
      }),
    ).rejects.toThrow('Wang Fang,李明')
  })

  test('is forgotten with the last record, and with the person who is erased', async () => {
    const { site, door, child } = await family()
    await send(site, door, [
      passage(6, { occurredAt: Date.parse('2026-01-10T10:00:00Z'), personId: child.id, contactId: newId(), contactName: 'Long ago' }),
    ])
    const run = () => createPartitionsJob(world.server.platform, { retentionMonths: 9 }).run()
    await run()
    await query('UPDATE record_contact_name SET last_on = last_on - 3 WHERE park_id = $1', [site.park.id])
    await run()
    expect(await contactNamesOf(site)).toEqual(['Wang Fang', '李明'])
    await world.server.platform.transaction((tx) => area().erasure.pseudonymise(tx, { parkId: site.park.id }, child.id))
    expect(await contactNamesOf(site)).toEqual([])
    expect(await total(site, 'Wang Fang')).toBe(0)
  })
})
