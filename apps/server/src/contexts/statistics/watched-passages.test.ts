/** No figure includes passages of the watch list for users who may not see that list, whatever happens to its persons. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PERMISSION_CODES, type Call } from '@gatehouse/contract'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { specialCalls } from '@gatehouse/contract/people/special'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { CallInput, Client } from '@gatehouse/dev-env/client'
import { startWorld, type MadePerson, type World } from '@gatehouse/dev-env/world'
import { recordId } from '../../platform/database/ids.ts'
import { sql } from '../../platform/database/database.ts'
import { countWatchedApart } from '../statistics/schema.ts'
import { until } from '../../../../../tests/support/until.ts'
import { passage, sentBy } from '../records/testing/records.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const MINUTE = 60_000

let world: World
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => NOW } })
})
afterAll(() => world?.stop())

const area = () => world.server.contexts.records

async function fileOf({ url, credentials }: Client, call: Call, query: Record<string, string>): Promise<string> {
  const { bearer } = credentials as { bearer: string }
  const address = `${url}${call.url}?${new URLSearchParams({ ...query, format: 'csv' }).toString()}`
  const response = await fetch(address, { headers: { authorization: `Bearer ${bearer}` } })
  expect(response.status).toBe(200)
  return response.text()
}

/** Return all figures as a user sees them. */
async function figures(client: Client): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {}
  for (const [name, call] of Object.entries(statisticsCalls) as [string, Call][]) {
    if (call.method !== 'GET') continue
    for (const by of ['hour', 'day', 'month', 'device', 'group']) {
      const query = { by, from: '2026-11-19', to: '2026-11-20' }
      answers[`${name} by ${by}`] =
        call.produces === 'file' ? await fileOf(client, call, query) : await client.call(call, { query } as CallInput<Call>)
    }
  }
  answers['today'] = await client.call(statisticsCalls.today, {})
  answers['devices'] = (await client.call(deviceCalls.list, { query: {} })).content.map(({ code, todayAccessCount, totalAccessCount }) => [
    code,
    todayAccessCount,
    totalAccessCount,
  ])
  answers['records'] = (await client.call(recordCalls.find, { body: {} })).total
  return answers
}

/** Create a park with a door that a member of staff passes, as may other persons. */
async function place() {
  const park = await world.addPark({ zone: 'UTC' })
  const [door, staff] = [await park.device(), await park.personGroup({ name: 'Staff' })]
  const ordinary = await park.person({ groupId: staff.id })
  const other = await park.person({ name: 'Moriarty', workNumber: 'M-1', groupId: staff.id })
  const { id: list } = await park.call(specialCalls.createGroup, { body: { name: 'Watched' } })
  const session = (roleSign: string) => world.session({ park: park.park, roleSign, permissions: PERMISSION_CODES })
  const [limited, full] = [await session('other'), await session('parkAdmin')]
  let seq = 0
  const sent: RecordObject[] = []
  return {
    park,
    door,
    ordinary,
    other,
    limited,
    full,
    async passes(person: MadePerson, count: number) {
      for (let made = 0; made < count; made++)
        sent.push(
          passage(++seq, {
            occurredAt: NOW - seq * MINUTE,
            personId: person.id,
            direction: 1,
            result: seq % 3 === 0 ? 0 : 1,
            failReason: seq % 3 === 0 ? 6 : null,
            temperature: 38.2,
            temperatureStatus: 1,
          }),
        )
      await area().ingest({ deviceId: door.id, parkId: park.park.id }, sentBy(sent, { epoch: 'boot-1', sentAt: NOW }))
      await world.settled()
    },
    async becomes(kind: 'staff' | 'special') {
      const { version } = await park.call(peopleCalls.read, { query: { id: other.id } })
      await park.call(peopleCalls.change, {
        body: {
          id: other.id,
          version,
          name: other.name,
          workNumber: other.workNumber,
          groupId: kind === 'special' ? list : staff.id,
          kind,
        },
      })
      await world.settled()
    },
  }
}

test('they count for whom the list exists, and for nobody else', async () => {
  const { limited, full, ordinary, other, passes, becomes } = await place()
  await passes(ordinary, 4)
  const [seen, all] = [await figures(limited), await figures(full)]
  expect(seen).toEqual(all)
  await becomes('special')
  await passes(other, 5)
  expect(await figures(limited)).toEqual(seen)
  const now = await figures(full)
  for (const [name, figure] of Object.entries(now)) expect(figure, name).not.toEqual(all[name])
  // After adding up and recounting, the figures are the same.
  await world.server.contexts.statistics.counting.add()
  expect([await figures(limited), await figures(full)]).toEqual([seen, now])
})

test('whoever comes upon the list later takes their passages along, and brings them back', async () => {
  const { limited, full, ordinary, other, passes, becomes } = await place()
  await passes(ordinary, 2)
  const without = await figures(limited)
  await passes(other, 4)
  await world.server.contexts.statistics.counting.add()
  const all = await figures(full)
  expect(await figures(limited)).toEqual(all)
  await becomes('special')
  expect(await figures(limited)).toEqual(without)
  expect(await figures(full)).toEqual(all)
  await world.server.contexts.statistics.counting.add()
  expect(await figures(limited)).toEqual(without)
  await becomes('staff')
  expect(await figures(limited)).toEqual(all)
})

test('they stay unseen once their person is deleted, also those that come late', async () => {
  const { park, limited, full, ordinary, other, passes, becomes } = await place()
  await passes(ordinary, 2)
  const without = await figures(limited)
  await becomes('special')
  await passes(other, 3)
  await park.call(specialCalls.deleteBatch, { query: { ids: [other.id] }, body: undefined })
  await world.settled()
  expect(await figures(limited)).toEqual(without)
  const all = await figures(full)
  await passes(other, 2)
  expect(await figures(limited)).toEqual(without)
  expect(await figures(full)).not.toEqual(all)
})

test('a record that is deleted counts no more for those for whom it did', async () => {
  const { park, door, limited, full, ordinary, other, passes, becomes } = await place()
  await passes(ordinary, 1)
  await becomes('special')
  await passes(other, 1)
  const statistic = async (client: Client) => (await client.call(statisticsCalls.statistics, { query: { by: 'day' } })).summary.total
  expect([await statistic(limited), await statistic(full)]).toEqual([1, 2])
  await park.call(recordCalls.delete, { params: { id: recordId(door.id, 'boot-1', 2) } })
  expect([await statistic(limited), await statistic(full)]).toEqual([1, 1])
  await world.server.contexts.statistics.counting.add()
  expect([await statistic(limited), await statistic(full)]).toEqual([1, 1])
})

test('a record of theirs that is deleted raises no total, neither of a device nor any other', async () => {
  const { park, door, limited, full, ordinary, other, passes, becomes } = await place()
  await passes(ordinary, 2)
  const seen = await figures(limited)
  await becomes('special')
  await passes(other, 2)
  const total = async (client: Client) => (await client.call(deviceCalls.list, { query: {} })).content[0]!.totalAccessCount
  expect([await total(limited), await total(full)]).toEqual([2, 4])
  await park.call(recordCalls.delete, { params: { id: recordId(door.id, 'boot-1', 3) } })
  expect(await figures(limited)).toEqual(seen)
  await world.server.contexts.statistics.counting.add()
  expect(await figures(limited)).toEqual(seen)
  // The total of a device includes deleted records of the watch list for users who may see that list.
  expect([await total(limited), await total(full)]).toEqual([2, 4])
  await park.call(statisticsCalls.recountStatistics, {})
  await until('all to be counted', async () => (await full.call(statisticsCalls.statistics, { query: {} })).complete)
  expect(await figures(limited)).toEqual(seen)
})

test('counted anew they are counted as what they are', async () => {
  const { park, limited, full, ordinary, other, passes, becomes } = await place()
  await passes(ordinary, 3)
  await becomes('special')
  await passes(other, 3)
  const [seen, all] = [await figures(limited), await figures(full)]
  await park.call(statisticsCalls.recountStatistics, {})
  await until('all to be counted', async () => (await full.call(statisticsCalls.statistics, { query: {} })).complete)
  expect([await figures(limited), await figures(full)]).toEqual([seen, all])
})

test('those that an earlier version counted as anybody’s are counted apart after the upgrade', async () => {
  const { park, limited, full, ordinary, other, passes, becomes } = await place()
  await passes(ordinary, 3)
  await becomes('special')
  await passes(other, 3)
  const [seen, all] = [await figures(limited), await figures(full)]
  // The state as stored and counted by earlier versions.
  const { db } = world.server.platform
  await sql`UPDATE access_record SET watched = false WHERE park_id = ${park.park.id}`.execute(db)
  await park.call(statisticsCalls.recountStatistics, {})
  await until('all to be counted', async () => (await full.call(statisticsCalls.statistics, { query: {} })).complete)
  expect(await figures(limited)).not.toEqual(seen)
  await countWatchedApart(db)
  expect([await figures(limited), await figures(full)]).toEqual([seen, all])
})
