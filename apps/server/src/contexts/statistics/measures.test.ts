/** What sensors of a park have measured: screens omit columns and figures that are always empty. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { csvRowsOf, csvTextOf } from '@gatehouse/contract/files'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { exported } from '../exports/testing/exports.ts'
import { statisticsMigrations } from './schema.ts'
import { passages, sentBy } from '../records/testing/records.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const NOTHING = { temperature: false, mask: false, helmet: false }
const MEASURED = ['Temperature', 'Mask', 'Helmet']

const measuresOf = async (site: Pick<Site, 'call'>) => (await site.call(organisationCalls.parkInfo, {})).measures

/** Send records of a new device of the park. */
async function sendRecords(site: Site, records: Partial<RecordObject>[]): Promise<void> {
  const { id } = await site.device()
  const sent = passages(records.map((record, at) => ({ occurredAt: Date.now() - 1000 * (at + 1), ...record })))
  await world.server.contexts.records.ingest({ deviceId: id, parkId: site.park.id }, sentBy(sent, { sentAt: Date.now() }))
}

const headingsOfExport = async (site: Site): Promise<string[]> =>
  csvRowsOf(csvTextOf((await exported(site.client, { format: 'csv' })).bytes)!)[0]!

async function headingsOfStatistics({ client }: Site): Promise<string[]> {
  const { bearer } = client.credentials as { bearer: string }
  const response = await fetch(`${client.url}${statisticsCalls.exportStatistics.url}?format=csv`, {
    headers: { authorization: `Bearer ${bearer}`, 'accept-language': 'en' },
  })
  return csvRowsOf(csvTextOf(new Uint8Array(await response.arrayBuffer()))!)[0]!
}

test('a park measures what a record of it has told once; a blank is nothing told', async () => {
  const [site, other] = [await world.addPark(), await world.addPark()]
  expect(await measuresOf(site)).toEqual(NOTHING)
  await sendRecords(site, [{}, { temperature: -2 }])
  expect(await measuresOf(site)).toEqual(NOTHING)
  await sendRecords(site, [{ temperature: -1 }])
  expect(await measuresOf(site)).toEqual({ ...NOTHING, temperature: true })
  await sendRecords(site, [{ mask: 0 }, { temperature: 36.4, helmet: 1 }])
  expect(await measuresOf(site)).toEqual({ temperature: true, mask: true, helmet: true })
  expect(await measuresOf(other)).toEqual(NOTHING)
})

test('or what the park or one of its devices is set to look at', async () => {
  const [site, other] = [await world.addPark(), await world.addPark()]
  const device = await site.device()
  await site.call(configurationCalls.add, { body: { deviceId: device.id, settings: { helmetRule: 'prompt', maskRule: 'off' } } })
  expect(await measuresOf(site)).toEqual({ ...NOTHING, helmet: true })
  await site.call(configurationCalls.changePark, { body: { settings: { temperatureCheck: 1 } } })
  expect(await measuresOf(site)).toEqual({ ...NOTHING, temperature: true, helmet: true })
  expect(await measuresOf(other)).toEqual(NOTHING)
})

test('files have columns only of what is measured', async () => {
  const site = await world.addPark()
  await sendRecords(site, [{}])
  expect((await headingsOfExport(site)).filter((heading) => MEASURED.includes(heading))).toEqual([])
  expect(await headingsOfStatistics(site)).toEqual(['Day', 'Access events', 'Admitted', 'Refused', 'In', 'Out'])
  await sendRecords(site, [{ temperature: 36.4, mask: 1 }])
  expect((await headingsOfExport(site)).filter((heading) => MEASURED.includes(heading))).toEqual(['Temperature', 'Mask'])
  expect((await headingsOfStatistics(site)).slice(-2)).toEqual(['Temperature checked', 'Fever'])
})

test('records that were there before are looked through once', async () => {
  const [site, other] = [await world.addPark(), await world.addPark()]
  await sendRecords(site, [{ temperature: -1 }, { helmet: 1 }, {}])
  await sendRecords(other, [{ temperature: -2 }])
  const migration = statisticsMigrations.find(({ name }) => name.endsWith('-access-measures'))!
  const { db, crypto } = world.server.platform
  await db.schema.dropTable('park_measure').execute()
  await migration.up(db.withoutPlugins(), async () => crypto)
  expect([await measuresOf(site), await measuresOf(other)]).toEqual([{ temperature: true, mask: false, helmet: true }, NOTHING])
})
