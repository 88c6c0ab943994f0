/** Records belong to the day and hour at their door, whatever zone the park changes to later. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import { timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { startWorld, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'
import { sql } from '../../platform/database/database.ts'
import { recordId } from '../../platform/database/ids.ts'
import { passages, sentBy } from '../records/testing/records.ts'

const NOW = Date.parse('2026-11-20T22:30:00Z')

let now = NOW
let world: World
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => now } })
})
afterEach(() => {
  now = NOW
})
afterAll(() => world?.stop())

const EPOCH = 'boot-1'
const send = (park: Site, door: MadeDevice, moments: readonly string[], epoch = EPOCH) =>
  world.server.contexts.records.ingest(
    { deviceId: door.id, parkId: park.park.id },
    { ...sentBy(passages(moments.map((moment) => ({ occurredAt: Date.parse(moment) }))), { epoch, sentAt: NOW }), oldestSeq: 1 },
  )
const moveTo = (park: Site, zone: string) => world.server.contexts.organisation.service.change(park.park.id, { name: park.park.name, zone })

/** Return the local time at the door, as it is shown to a user. */
async function localOf(park: Site, door: MadeDevice, seq: number, epoch = EPOCH) {
  const { local } = await park.call(recordCalls.why, { params: { id: recordId(door.id, epoch, seq) } })
  return `${local.date} ${local.time} ${local.zone} ${local.offset}`
}
async function daysOf(park: Site): Promise<unknown[]> {
  const { rows } = await sql`SELECT local_date AS date, local_hour AS hour, zone FROM access_record
    WHERE park_id = ${park.park.id}::uuid ORDER BY occurred_at`.execute(world.server.platform.db)
  return rows
}

test('a record shows the offset of its own moment: summer, winter and both passes of the repeated hour [FIELD-10]', async () => {
  const park = await world.addPark({ zone: 'Europe/Berlin' })
  const door = await park.device()
  await send(park, door, ['2026-07-01T22:30:00Z', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-11-20T22:30:00Z'])
  expect(await Promise.all([1, 2, 3, 4].map((seq) => localOf(park, door, seq)))).toEqual([
    '2026-07-02 00:30:00 Europe/Berlin 120',
    '2026-10-25 02:30:00 Europe/Berlin 120',
    '2026-10-25 02:30:00 Europe/Berlin 60',
    '2026-11-20 23:30:00 Europe/Berlin 60',
  ])
  expect(await daysOf(park)).toMatchObject([
    { date: '2026-07-02', hour: 0 },
    { date: '2026-10-25', hour: 2 },
    { date: '2026-10-25', hour: 2 },
    { date: '2026-11-20', hour: 23 },
  ])
})

test('records keep their day and hour when the park moves to another zone [FIELD-10]', async () => {
  const park = await world.addPark({ zone: 'Asia/Shanghai' })
  const door = await park.device()
  // 00:10 of the 21st in Shanghai, still the 20th in Berlin.
  await send(park, door, ['2026-11-20T16:10:00Z'])
  const before = [await daysOf(park), await localOf(park, door, 1)]
  expect(before).toEqual([[{ date: '2026-11-21', hour: 0, zone: 'Asia/Shanghai' }], '2026-11-21 00:10:00 Asia/Shanghai 480'])
  await moveTo(park, 'Europe/Berlin')
  expect([await daysOf(park), await localOf(park, door, 1)]).toEqual(before)
  // In the new zone it is still the 20th, and the record of the 21st does not count for today.
  expect(await park.call(statisticsCalls.today, {})).toMatchObject({ allowed: 0 })
})

test('each park has its own zone, and a new one holds from the next record on, without a restart [FIELD-11]', async () => {
  const [east, west] = [await world.addPark({ zone: 'Asia/Kathmandu' }), await world.addPark({ zone: 'America/St_Johns' })]
  const [eastDoor, westDoor] = [await east.device(), await west.device()]
  await send(east, eastDoor, ['2026-11-20T22:00:00Z'])
  await send(west, westDoor, ['2026-11-20T22:00:00Z'])
  expect(await localOf(east, eastDoor, 1)).toBe('2026-11-21 03:45:00 Asia/Kathmandu 345')
  expect(await localOf(west, westDoor, 1)).toBe('2026-11-20 18:30:00 America/St_Johns -210')
  await moveTo(east, 'Pacific/Auckland')
  await send(east, eastDoor, ['2026-11-20T22:01:00Z'], 'boot-2')
  expect(await localOf(east, eastDoor, 1, 'boot-2')).toBe('2026-11-21 11:01:00 Pacific/Auckland 780')
  expect(await localOf(east, eastDoor, 1)).toBe('2026-11-21 03:45:00 Asia/Kathmandu 345')
})

test('every answer says the offset of its park at that moment, on both sides of a change of the clocks [FIELD-10] [FIELD-11]', async () => {
  const [berlin, kathmandu] = [await world.addPark({ zone: 'Europe/Berlin' }), await world.addPark({ zone: 'Asia/Kathmandu' })]
  const offsetIn = async ({ park }: Site, moment: string): Promise<string | null> => {
    now = Date.parse(moment)
    const client = await world.session({ park })
    return (await client.ask(timeRuleCalls.all, {})).headers.get('X-Timezone-Offset')
  }
  expect(await offsetIn(berlin, '2027-03-28T00:59:59Z')).toBe('60')
  expect(await offsetIn(berlin, '2027-03-28T01:00:00Z')).toBe('120')
  expect(await offsetIn(kathmandu, '2027-03-28T01:00:00Z')).toBe('345')
  await moveTo(kathmandu, 'America/St_Johns')
  expect(await offsetIn(kathmandu, '2027-03-28T01:00:00Z')).toBe('-150')
})
