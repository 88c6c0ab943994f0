/** What a device is to store, requested as a device does: over HTTP with its own credentials. */
import { gunzipSync } from 'node:zlib'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf } from '@gatehouse/contract'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import type { ChangesPage } from '@gatehouse/contract/device/protocol-persons'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient } from '@gatehouse/dev-env/client'
import { ALWAYS_OPEN } from '@gatehouse/dev-env/site'
import { startWorld, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'
import { sql } from '../../platform/database/database.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { COMPARE_ABOVE } from './change-log.ts'

const DAY = 86_400_000
let world: World
let offset = 0
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + offset } })
})
afterAll(() => world?.stop())

const synchronisation = () => world.server.contexts.synchronisation.service
const { manifest, changes, digest, versions, shelf, persons } = deviceProtocolCalls

async function settled(): Promise<void> {
  await world.server.platform.events.settled()
  await synchronisation().settled()
}

const as = (device: MadeDevice) => createClient(world.url, { basic: [device.code, device.secret] })

/** Return the present desired state of the device. */
async function desiredState(device: MadeDevice) {
  await settled()
  const { audience, revision } = await as(device).call(manifest, {})
  const { head, buckets, persons: count } = await as(device).call(digest, { params: { audience } })
  return { audience, revision, head, digest: buckets.join(), count }
}

const pull = (device: MadeDevice, audience: string, after: number): Promise<ChangesPage> =>
  as(device).call(changes, { params: { audience }, query: { after, modelId: 'm' } })
const sum = (words: readonly string[]) =>
  BigInt.asUintN(
    64,
    words.reduce((total, word) => total + BigInt(`0x${word}`), 0n),
  )
    .toString(16)
    .padStart(16, '0')

/** Create a park with a door that one group may pass. */
async function office() {
  const park = await world.addPark()
  const group = await park.personGroup()
  const door = await park.device()
  const rule = await park.timeRule()
  const strategy = await park.strategy({ personGroups: [group], devices: [door], timeRules: [rule] })
  const first = await park.person({ groupId: group.id })
  return { park, group, door, rule, strategy, first }
}

/** Insert persons of a group directly into the table: thousands through public calls would take minutes. */
async function crowd(park: Site, groupId: string, count: number): Promise<void> {
  await sql`INSERT INTO person (id, park_id, group_id, kind, name, work_number, gender, created_at, updated_at)
    SELECT gen_random_uuid(), ${park.park.id}::uuid, ${groupId}::uuid, 'staff', 'Person ' || n, 'C' || n, 3, now(), now()
    FROM generate_series(1, ${count}::int) AS n`.execute(world.server.platform.db)
  synchronisation().mark({ parkId: park.park.id }, { everything: true })
  await settled()
}

describe('changes', () => {
  test('come once each, latest state or gone, and end in the digest', async () => {
    const { park, group, door, first } = await office()
    const before = await desiredState(door)
    const second = await park.person({ groupId: group.id, name: 'Second' })
    await park.call(peopleCalls.delete, { query: {}, body: { ids: [first.id] } })
    await settled()
    const page = await pull(door, before.audience, before.head)
    expect(page).toMatchObject({
      compare: false,
      more: false,
      gone: [first.id],
      persons: [{ id: second.id, name: 'Second', enabled: true, faces: [] }],
    })
    const after = await desiredState(door)
    expect(page.head).toBe(after.head)
    expect(sum(page.persons.map(({ version }) => version))).toBe(page.digest)
    expect(sum(after.digest.split(','))).toBe(page.digest)
    expect(await pull(door, before.audience, page.head)).toMatchObject({ persons: [], gone: [], head: page.head })
  })

  test('of one rule are one new manifest and touch nobody', async () => {
    const { park, rule, door } = await office()
    const before = await desiredState(door)
    await park.call(timeRuleCalls.change, { body: { id: rule.id, name: rule.name, periods: ALWAYS_OPEN.slice(0, 5) } })
    const after = await desiredState(door)
    expect(after.revision).not.toBe(before.revision)
    expect({ ...after, revision: '' }).toEqual({ ...before, revision: '' })
  })

  test('of a strategy’s persons reach only the devices it names', async () => {
    const { park, group, door, first } = await office()
    const gate = await park.device()
    await park.strategy({ persons: [first], devices: [gate] })
    const [atDoor, atGate] = [await desiredState(door), await desiredState(gate)]
    await park.person({ groupId: group.id })
    expect((await desiredState(door)).head).toBe(atDoor.head + 1)
    expect(await desiredState(gate)).toEqual(atGate)
  })

  test('that follow on one another are one for who comes late', async () => {
    const { park, door, first, group } = await office()
    const before = await desiredState(door)
    for (const name of ['One', 'Two', 'Three']) {
      const { version } = await park.call(peopleCalls.read, { query: { id: first.id } })
      await park.call(peopleCalls.change, {
        body: { id: first.id, version, name, workNumber: first.workNumber, groupId: group.id, facePhotos: [] },
      })
      await settled()
    }
    const page = await pull(door, before.audience, before.head)
    expect(page.persons.map(({ name }) => name)).toEqual(['Three'])
    expect(page.head).toBe(before.head + 3)
  })

  test('of many come in pages without a gap or a repeat', async () => {
    const { park, door, group } = await office()
    await crowd(park, group.id, 1_200)
    const { audience, head } = await desiredState(door)
    const { persons: all } = await as(door).call(shelf, { params: { audience, first: 0, count: 256 }, query: { modelId: 'm' } })
    const ids = all.map(({ id }) => id)
    for (let from = 0; from < ids.length; from += 1_000)
      await park.call(peopleCalls.status, { body: { ids: ids.slice(from, from + 1_000), status: 0 } })
    await settled()
    const receivedIds: string[] = []
    let page: ChangesPage
    let after = head
    do {
      page = await pull(door, audience, after)
      receivedIds.push(...page.persons.map(({ id }) => id))
      after = page.head
      expect(page.persons.length).toBeLessThanOrEqual(500)
      expect(page.persons.every(({ enabled }) => !enabled)).toBe(true)
    } while (page.more)
    expect(receivedIds.toSorted()).toEqual(ids.toSorted())
  })

  test('of more than five thousand at once are a comparison', async () => {
    const { park, door, group, first } = await office()
    await crowd(park, group.id, COMPARE_ABOVE + 1)
    const before = await desiredState(door)
    expect(before.count).toBe(COMPARE_ABOVE + 2)
    // All persons of the group the strategy names are removed: it names another group from now on.
    const { strategies } = await as(door).call(manifest, {})
    const fields = await park.call(strategyCalls.read, { query: { id: strategies[0]!.id } })
    await park.call(strategyCalls.change, {
      body: {
        id: fields.id,
        name: fields.name,
        personIds: [first.id],
        personGroupIds: [],
        deviceIds: fields.deviceIds,
        timeRuleIds: fields.timeRuleIds,
        methods: fields.methods,
      },
    })
    const after = await desiredState(door)
    expect(after).toMatchObject({ count: 1, head: before.head + 1, audience: before.audience })
    expect(await pull(door, after.audience, before.head)).toMatchObject({ compare: true, head: after.head, persons: [], gone: [] })
    expect(await pull(door, after.audience, after.head)).toMatchObject({ compare: false })
  })

  test('made while the server could not log them are a comparison after its start', async () => {
    const { door, first } = await office()
    const before = await desiredState(door)
    await world.interrupted(() => query(world.connectionString, `UPDATE person SET name = 'Changed meanwhile' WHERE id = '${first.id}'`))
    const after = await desiredState(door)
    expect(after.digest).not.toBe(before.digest)
    expect(await pull(door, after.audience, before.head)).toMatchObject({ compare: true, head: before.head + 1 })
  })

  test('are not made by a start alone', async () => {
    const { door } = await office()
    const before = await desiredState(door)
    await world.interrupted(async () => {})
    expect(await desiredState(door)).toEqual(before)
  })

  test('asked for from a number that was never given are a comparison', async () => {
    const { door } = await office()
    const { audience, head } = await desiredState(door)
    expect(await pull(door, audience, head + 1)).toMatchObject({ compare: true, head })
  })
})

describe('a person', () => {
  test('enters seven days before the validity begins and leaves when it is over', async () => {
    const { park, group, door } = await office()
    const now = world.clock.now()
    const guest = await park.person({ groupId: group.id, name: 'Guest', validFrom: now + 10 * DAY, validTo: now + 12 * DAY })
    const early = await desiredState(door)
    expect(early.count).toBe(1)
    offset += 4 * DAY
    synchronisation().passTime()
    const entered = await desiredState(door)
    expect(entered.count).toBe(2)
    expect((await pull(door, early.audience, early.head)).persons).toMatchObject([
      { id: guest.id, validFrom: now + 10 * DAY, validTo: now + 12 * DAY },
    ])
    offset += 9 * DAY
    synchronisation().passTime()
    await settled()
    expect((await pull(door, early.audience, entered.head)).gone).toContain(guest.id)
  })

  test('carries the strategies that hold at this device only', async () => {
    const { park, strategy, door, first } = await office()
    const own = await park.strategy({ persons: [first], devices: [door] })
    await park.strategy({ persons: [first], devices: [await park.device()] })
    const { audience } = await desiredState(door)
    const {
      persons: [stored],
    } = await as(door).call(persons, { params: { audience }, body: { ids: [first.id], modelId: 'm' } })
    expect(stored!.strategyIds.toSorted()).toEqual([strategy.id, own.id].toSorted())
  })
})

describe('an audience', () => {
  test('is another once a device has another strategy, and is refused to who is not of it', async () => {
    const { park, door, first } = await office()
    const before = await desiredState(door)
    const other = await park.device()
    expect(await as(other).ask(changes, { params: { audience: before.audience }, query: { after: 0, modelId: 'm' } })).toMatchObject({
      status: 404,
    })
    await park.strategy({ persons: [first], devices: [door] })
    const after = await desiredState(door)
    expect(after.audience).not.toBe(before.audience)
    for (const call of [digest, changes, versions, shelf] as const) {
      const input = { params: { audience: before.audience, first: 0, count: 256 }, query: { after: 0, modelId: 'm', buckets: '0' } }
      expect(await as(door).ask(call, input as never)).toMatchObject({ status: 404 })
    }
  })

  test('is told by buckets: their digests are the sums of the versions in them', async () => {
    const { park, door, group } = await office()
    await crowd(park, group.id, 300)
    const { audience } = await desiredState(door)
    const { buckets } = await as(door).call(digest, { params: { audience } })
    const { versions: all } = await as(door).call(versions, {
      params: { audience },
      query: { buckets: buckets.map((_, bucket) => bucket).join() },
    })
    expect(all).toHaveLength(301)
    const counted = buckets.map((_, bucket) =>
      sum(all.filter(([id]) => Number.parseInt(id.slice(-2), 16) === bucket).map(([, version]) => version)),
    )
    expect(counted).toEqual(buckets)
    const { persons: shelved } = await as(door).call(shelf, { params: { audience, first: 64, count: 64 }, query: { modelId: 'm' } })
    const expected = all.filter(([id]) => Math.floor(Number.parseInt(id.slice(-2), 16) / 64) === 1)
    expect(new Map(shelved.map(({ id, version }) => [id, version]))).toEqual(new Map(expected))
  })

  test('refuses shelves that do not stand where all devices ask for them', async () => {
    const { door } = await office()
    const { audience } = await desiredState(door)
    for (const [first, count] of [
      [1, 2],
      [0, 3],
      [64, 128],
    ] as const)
      expect(await as(door).ask(shelf, { params: { audience, first, count }, query: { modelId: 'm' } })).toMatchObject({ status: 400 })
    expect(await as(door).ask(versions, { params: { audience }, query: { buckets: '0,256' } })).toMatchObject({ status: 400 })
  })
})

/** Return the raw answer, as it is sent. */
function bare(
  device: MadeDevice,
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }> {
  const authorization = `Basic ${Buffer.from(`${device.code}:${device.secret}`).toString('base64')}`
  return new Promise((resolve, reject) => {
    const asked = request(world.url + path, { headers: { authorization, ...headers } }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(parts) }))
    })
    asked.on('error', reject)
    asked.end()
  })
}

test('a page is compressed, named, and goes on where it was broken off', async () => {
  const { park, door, group } = await office()
  await crowd(park, group.id, 200)
  const { audience } = await desiredState(door)
  const path = `${addressOf(shelf, { audience, first: 0, count: 256 })}?modelId=m`
  const whole = await bare(door, path, { 'accept-encoding': 'gzip' })
  expect(whole.headers).toMatchObject({ 'content-encoding': 'gzip', etag: expect.stringMatching(/^"/), 'accept-ranges': 'bytes' })
  const { data } = JSON.parse(gunzipSync(whole.bytes).toString()) as { data: { persons: unknown[] } }
  expect(data.persons).toHaveLength(201)

  const etag = String(whole.headers['etag'])
  const half = Math.floor(whole.bytes.length / 2)
  const rest = await bare(door, path, { 'accept-encoding': 'gzip', range: `bytes=${half}-`, 'if-range': etag })
  expect(rest.status).toBe(206)
  expect(rest.headers['content-range']).toBe(`bytes ${half}-${whole.bytes.length - 1}/${whole.bytes.length}`)
  expect(Buffer.concat([whole.bytes.subarray(0, half), rest.bytes]).equals(whole.bytes)).toBe(true)
  // Content that has changed since is sent completely.
  expect((await bare(door, path, { 'accept-encoding': 'gzip', range: `bytes=${half}-`, 'if-range': '"other"' })).status).toBe(200)
  expect((await bare(door, path, { 'accept-encoding': 'gzip', 'if-none-match': etag })).status).toBe(304)
  expect((JSON.parse((await bare(door, path, {})).bytes.toString()) as { data: unknown }).data).toEqual(data)
})

test('settings are kept by the name a record cites, without names of anything', async () => {
  const { park, door, rule } = await office()
  const { revision } = await desiredState(door)
  await park.call(timeRuleCalls.change, { body: { id: rule.id, name: 'Renamed', periods: ALWAYS_OPEN.slice(0, 1) } })
  expect((await desiredState(door)).revision).not.toBe(revision)
  const scope = { parkId: park.park.id }
  const kept = await synchronisation().settingsOf(scope, revision)
  expect(kept).toMatchObject({ settings: { deviceId: door.id, zone: park.park.zone }, timeRules: [{ id: rule.id, periods: ALWAYS_OPEN }] })
  expect(JSON.stringify(kept)).not.toContain(rule.name)
  expect(JSON.stringify(kept)).not.toContain(door.name)
  expect(await synchronisation().settingsOf(scope, 'never.given')).toBeNull()
  expect(await synchronisation().settingsOf({ parkId: world.park.id }, revision)).toBeNull()
})

test('what a device cannot take is named, and stays since when it was first said', async () => {
  const { park, door, first } = await office()
  const { audience, head } = await desiredState(door)
  const say = (reason: string) =>
    as(door).call(deviceProtocolCalls.exceptions, {
      body: {
        audience,
        cursor: head,
        exceptions: [
          { personId: first.id, version: '00000000000000ff', reason },
          { personId: 'nobody', version: '00000000000000ff', reason },
        ],
      },
    })
  expect(await say('noFace')).toEqual({ taken: 1 })
  const db = world.server.platform.db
  const rows = () => db.selectFrom('syncException').selectAll().where('deviceId', '=', door.id).execute()
  const [said] = await rows()
  expect(said).toMatchObject({ personId: first.id, reason: 'noFace', parkId: park.park.id })
  offset += 1_000
  await say('noFace')
  expect((await rows())[0]!.since).toEqual(said!.since)
  await say('noRoom')
  expect((await rows())[0]).toMatchObject({ reason: 'noRoom' })
  expect((await rows())[0]!.since).not.toEqual(said!.since)
  await as(door).call(deviceProtocolCalls.exceptions, { body: { audience, cursor: head, exceptions: [] } })
  expect(await rows()).toEqual([])
})

test('a deleted device leaves nothing behind', async () => {
  const { park, door } = await office()
  const { audience, head } = await desiredState(door)
  synchronisation().noteHoldings(
    { deviceId: door.id, code: door.code, parkId: park.park.id },
    { revision: 'r', audience, cursor: head, digest: '0000000000000000', persons: 0, failed: 0 },
  )
  await settled()
  expect((await synchronisation().holdings({ parkId: park.park.id }, [door.id])).get(door.id)).toMatchObject({ personsDesired: 1 })
  await park.call(deviceCalls.delete, { query: { ids: [door.id] } })
  await settled()
  const db = world.server.platform.db
  expect(await db.selectFrom('syncDevice').selectAll().where('deviceId', '=', door.id).execute()).toEqual([])
  expect(await as(door).ask(manifest, {})).toMatchObject({ status: 401 })
})
