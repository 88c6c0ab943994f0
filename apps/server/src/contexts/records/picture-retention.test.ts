import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import pg from 'pg'
import sharp from 'sharp'
import { recordId } from '../../platform/database/ids.ts'
import { createPictureRetention } from './picture-retention.ts'
import { passages, sentBy } from './testing/records.ts'

const START = Date.parse('2026-11-20T12:00:00Z')
const DAY = 86_400_000

let world: World
let picture: Buffer
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => START } })
  picture = await sharp({ create: { width: 200, height: 200, channels: 3, background: 'green' } })
    .webp()
    .toBuffer()
})
afterAll(() => world?.stop())

/** Run the job of the night `later` days on. */
const run = (later = 0) =>
  createPictureRetention(
    { ...world.server.platform, clock: { now: () => START + later * DAY } },
    { organisation: world.server.contexts.organisation.service },
  ).run()
const keepFor = async (site: Site, days: number) => {
  const { version } = await site.call(parkSettingCalls.pictureRetention, {})
  await site.call(parkSettingCalls.savePictureRetention, { body: { days, version } })
}

async function keptFiles(site: Site): Promise<number> {
  const client = new pg.Client(world.connectionString)
  await client.connect()
  try {
    const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM file WHERE park_id = $1 AND kept', [
      site.park.id,
    ])
    return rows[0]!.count
  } finally {
    await client.end()
  }
}

/** Create a park with records of these ages in days, with pictures; `attach` uploads a record's picture, as its device would. */
async function parkWith(ages: readonly number[], pictured: readonly number[] = ages) {
  const site = await world.addPark()
  const door = await site.device()
  const { ingest, records: kept } = world.server.contexts.records
  await ingest(
    { deviceId: door.id, parkId: site.park.id },
    sentBy(passages(ages.map((age) => ({ occurredAt: START - age * DAY, hasPicture: true }))), { sentAt: START }),
  )
  const attach = (age: number) =>
    kept.attachPicture({ parkId: site.park.id }, { deviceId: door.id }, recordId(door.id, 'boot-1', ages.indexOf(age) + 1), picture)
  for (const age of pictured) await attach(age)
  /** Return by age how many days after the passage the picture was kept, or whether there is one. */
  const pictures = async () => {
    const { content } = await site.call(recordCalls.find, { body: { startTime: START - 300 * DAY } })
    return content.map(({ time, captureImage, pictureKeptUntil }) => [
      (START - time) / DAY,
      pictureKeptUntil === null ? captureImage !== '' : (pictureKeptUntil - time) / DAY,
    ])
  }
  return { site, attach, pictures }
}

// First in the file: if the row of another park were read, it would say 30 days.
test('how far other parks have come says nothing of a park that begins later', async () => {
  const other = await parkWith([40])
  for (const site of [world, other.site]) await keepFor(site, 30)
  await run()
  expect(await other.pictures()).toEqual([[40, 30]])
  const { site, pictures } = await parkWith([40, 25, 5])
  await keepFor(site, 20)
  await run()
  expect(await pictures()).toEqual([
    [5, true],
    [25, 20],
    [40, 20],
  ])
})

test('pictures stay as long as their records unless the park says otherwise', async () => {
  const { site, pictures } = await parkWith([200, 1])
  await run()
  expect(await pictures()).toEqual([
    [1, true],
    [200, true],
  ])
  expect(await keptFiles(site)).toBe(2)
})

test('pictures past their time go, their records stay and say until when there was one', async () => {
  const { site, pictures } = await parkWith([200, 31, 29, 1], [200, 31, 29])
  await keepFor(site, 30)
  expect(await run()).toMatchObject({ outcome: 'success' })
  // Where no picture arrived, none was kept.
  expect(await pictures()).toEqual([
    [1, false],
    [29, true],
    [31, 30],
    [200, 30],
  ])
  expect(await keptFiles(site)).toBe(1)
  expect(await run()).toMatchObject({ outcome: 'skipped' })
  expect(await run(2)).toMatchObject({ outcome: 'success' })
  expect(await pictures()).toEqual([
    [1, false],
    [29, 30],
    [31, 30],
    [200, 30],
  ])
  expect(await keptFiles(site)).toBe(0)
})

test('a picture that comes too late is taken and not kept, however often it is sent', async () => {
  const { site, attach, pictures } = await parkWith([40, 3], [3])
  await keepFor(site, 30)
  await attach(40)
  await attach(40)
  expect(await pictures()).toEqual([
    [3, true],
    [40, 30],
  ])
  expect(await keptFiles(site)).toBe(1)
})

test('pictures that came while they were kept for longer go too', async () => {
  const { site, attach, pictures } = await parkWith([90, 60, 5], [90])
  await keepFor(site, 30)
  await run()
  await keepFor(site, 0)
  await attach(60)
  await run()
  expect(await pictures()).toEqual([
    [5, false],
    [60, true],
    [90, 30],
  ])
  await keepFor(site, 30)
  await run()
  expect(await pictures()).toEqual([
    [5, false],
    [60, 30],
    [90, 30],
  ])
  await keepFor(site, 50)
  await run()
  await keepFor(site, 30)
  await run(1)
  expect(await pictures()).toEqual([
    [5, false],
    [60, 30],
    [90, 30],
  ])
  expect(await keptFiles(site)).toBe(0)
})

test('how long is between none and ten years', async () => {
  const site = await world.addPark()
  const { version } = await site.call(parkSettingCalls.pictureRetention, {})
  expect((await site.ask(parkSettingCalls.savePictureRetention, { body: { days: -1, version } })).status).toBe(400)
  expect((await site.ask(parkSettingCalls.savePictureRetention, { body: { days: 3_661, version } })).status).toBe(400)
  expect(await site.call(parkSettingCalls.pictureRetention, {})).toEqual({ days: 0, version })
})
