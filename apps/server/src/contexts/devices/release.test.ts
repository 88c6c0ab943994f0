/** Whether persons are sent to a device: who may receive its secret, who may release it, and what is recorded of it. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { InputOf } from '@gatehouse/contract'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { questionCalls } from '@gatehouse/contract/questions/calls'
import { writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { deviceAuthorisationStatus } from '@gatehouse/contract/enums/devices'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { topics } from '@gatehouse/contract/realtime'
import type { Client } from '@gatehouse/dev-env/client'
import { listen } from '@gatehouse/dev-env/live'
import { secretOf } from '@gatehouse/dev-env/secret'
import { startWorld, type Made, type SessionOptions, type Site, type World } from '@gatehouse/dev-env/world'
import { askToPair, wireClient } from '../../../../../tests/support/wire-device.ts'
import { createReleases } from './release.ts'

const { unauthorised, authorising } = deviceAuthorisationStatus

let world: World
/** Milliseconds added to the time of the world. */
let ahead = 0
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + ahead } })
})
afterAll(() => world?.stop())

const KEEPS = ['device', 'device.list', 'own:device.edit']
const PAIRS = [...KEEPS, 'own:device.pair', 'person.list']
let codes = 0
const fields = (more: { groupId?: string } = {}) => ({ code: `RELEASE-${++codes}`, name: `Release ${codes}`, ...more })
const read = (site: Pick<Site, 'call'>, { id }: { id: string }) => site.call(deviceCalls.read, { params: { id } })
const release = (client: Pick<Client, 'ask'>, { id }: { id: string }) => client.ask(deviceCalls.release, { params: { id } })
const renew = (client: Pick<Client, 'ask'>, { id }: { id: string }, body: { release?: boolean } = {}) =>
  client.ask(deviceCalls.resetSecret, { params: { id }, body })

/** Create a park with a person whom a strategy lets pass at every door of a group. */
async function place() {
  const site = await world.addPark()
  const doors = await site.deviceGroup('Doors')
  const person = await site.person({ name: 'Vera Victim' })
  await site.strategy({ persons: [person], deviceGroups: [doors] })
  const session = (permissions: readonly string[], more: SessionOptions = {}) =>
    world.session({ park: site.park, permissions, roleSign: 'other', ...more })
  return { site, doors, person, session }
}

const settled = async (): Promise<void> => {
  await world.server.platform.events.settled()
  await world.server.contexts.synchronisation.service.settled()
}

/** Return the names of persons that are sent to a device that pairs with a secret and requests this person; it receives no other person. */
async function sent({ code, secret }: { code: string; secret: string | null }, { id }: Made): Promise<string[]> {
  const http = wireClient(world.url, { code, secret: secretOf({ code, secret }) })
  expect((await askToPair(http)).code).toBe(0)
  await settled()
  const { audience } = await http.call(deviceProtocolCalls.manifest, {})
  const { persons } = await http.call(deviceProtocolCalls.persons, { params: { audience }, body: { ids: [id], modelId: 'none' } })
  expect((await http.call(deviceProtocolCalls.digest, { params: { audience } })).persons).toBe(persons.length)
  return persons.map(({ name }) => name)
}

describe('the secret of a device', () => {
  test('is not for whoever may only look after devices or sees personal data masked: the device waits', async () => {
    const { site, doors, session } = await place()
    const unseeing = [
      await session(KEEPS, { masking: true }),
      await session([...KEEPS, 'own:device.pair']),
      await session([...KEEPS, 'person.list', 'access.rule']),
      await session([...PAIRS, 'access.rule'], { masking: true }),
    ]
    for (const client of unseeing) {
      const added = await client.call(deviceCalls.create, { body: fields({ groupId: doors.id }) })
      const [other] = await client.call(deviceCalls.createMany, { body: { devices: [fields({ groupId: doors.id })] } })
      for (const device of [added, other!]) {
        expect(device.secret).toBeNull()
        expect(await read(site, device)).toMatchObject({ authorisationStatus: unauthorised, pairedBy: '' })
        expect(await renew(client, device)).toMatchObject({ status: 403, code: 100510 })
      }
    }
    await settled()
    expect((await site.call(deviceCalls.list, { query: { size: 100 } })).content.every(({ personsHeld }) => personsHeld === 0)).toBe(true)
  })

  test('may be made by somebody who sees whom it brings, and is kept under their name', async () => {
    const { site, session } = await place()
    const pairs = await session(PAIRS)
    const { realName } = await pairs.call(identityCalls.profile, {})
    const waiting = await (await session(KEEPS)).call(deviceCalls.create, { body: fields() })
    expect(waiting.secret).toBeNull()
    expect((await renew(pairs, waiting)).data.secret).toHaveLength(32)
    expect(await read(site, waiting)).toMatchObject({ authorisationStatus: authorising, pairedBy: realName, released: false })
    const added = await pairs.call(deviceCalls.create, { body: fields() })
    expect(secretOf(added)).toHaveLength(32)
    expect(await read(site, added)).toMatchObject({ authorisationStatus: authorising, pairedBy: realName })
  })
})

describe('a device', () => {
  test('is sent nobody until somebody who decides who passes has released it', async () => {
    const { site, doors, person, session } = await place()
    const device = await (await session(PAIRS)).call(deviceCalls.create, { body: fields({ groupId: doors.id }) })
    expect(await sent(device, person)).toEqual([])
    expect(await read(site, device)).toMatchObject({ released: false, releasedBy: '', personsDesired: 0 })

    expect(await release(await session(PAIRS), device)).toMatchObject({ status: 403, code: 100510 })
    const decides = await session(['access.rule'])
    expect(await decides.call(deviceCalls.releaseEffect, { params: { id: device.id } })).toEqual({ persons: 1 })
    expect((await release(decides, device)).code).toBe(0)
    expect(await sent(device, person)).toEqual(['Vera Victim'])
    const { realName } = await decides.call(identityCalls.profile, {})
    expect(await read(site, device)).toMatchObject({ released: true, releasedBy: realName, personsDesired: 1 })
    // Repeating it changes nothing, whoever does it.
    expect((await release(site, device)).code).toBe(0)
    expect(await read(site, device)).toMatchObject({ released: true, releasedBy: realName })
  })

  test('gives nobody away in the moment between another secret and the register’s hearing of it', async () => {
    const { site, doors, person, session } = await place()
    const device = await site.device({ groupId: doors.id })
    expect(await sent(device, person)).toEqual(['Vera Victim'])
    const http = wireClient(world.url, device)
    const { audience } = await http.call(deviceProtocolCalls.manifest, {})
    // The register is not notified in the meantime.
    const heard = vi.spyOn(world.server.contexts.synchronisation.service, 'mark').mockImplementation(() => {})
    onTestFinished(() => heard.mockRestore())
    const { data } = await renew(await session(PAIRS), device)
    await world.server.platform.events.settled()
    expect(heard).toHaveBeenCalled()
    const thief = wireClient(world.url, { code: device.code, secret: data.secret })
    const params = { audience }
    const modelId = 'none'
    for (const answer of [
      await thief.ask(deviceProtocolCalls.manifest, {}),
      await thief.ask(deviceProtocolCalls.shelf, { params: { ...params, first: 0, count: 256 }, query: { modelId } }),
      await thief.ask(deviceProtocolCalls.changes, { params, query: { after: 0, modelId } }),
      await thief.ask(deviceProtocolCalls.persons, { params, body: { ids: [person.id], modelId } }),
      await thief.ask(deviceProtocolCalls.digest, { params }),
    ])
      expect(answer).toMatchObject({ status: 404 })
  })

  test('is brought to where more rules reach it by somebody who decides who passes, and by nobody else', async () => {
    const { site, doors, session } = await place()
    const [looksAfter, decides] = [await session(KEEPS), await session([...KEEPS, 'access.rule'])]
    const [device, waiting, inside] = [await site.device(), await site.device(), await site.device({ groupId: doors.id })]
    await site.call(deviceCalls.resetSecret, { params: { id: waiting.id }, body: { release: false } })
    const [own, plain, below] = [await site.deviceGroup('Own'), await site.deviceGroup('Plain'), await site.deviceGroup('Below')]
    await site.call(deviceCalls.changeGroup, { body: { id: below.id, parentId: doors.id } })
    const move = (client: Client, ids: string[], groupId: string | null) => client.ask(deviceCalls.move, { body: { ids, groupId } })
    const refused = (path: string) => ({ status: 403, code: 100510, data: { fields: [{ path, rule: 'reachesMore' }] } })

    for (const groupId of [doors.id, below.id]) expect(await move(looksAfter, [device.id], groupId)).toMatchObject(refused('groupId'))
    const { code: _, ...change } = { ...(await read(site, device)), groupId: doors.id }
    const fieldsOf = ({ id, version, name, type, model, groupId }: typeof change) =>
      ({ id, version, name, type, model, groupId }) as InputOf<(typeof deviceCalls)['change']['body']>
    expect(await looksAfter.ask(deviceCalls.change, { body: fieldsOf(change) })).toMatchObject(refused('groupId'))
    expect((await move(looksAfter, [device.id], own.id)).code).toBe(0)
    expect(await looksAfter.ask(deviceCalls.changeGroup, { body: { id: own.id, parentId: doors.id } })).toMatchObject(refused('parentId'))
    // A change by which a device receives no further persons needs no such permission.
    expect((await move(looksAfter, [waiting.id], doors.id)).code).toBe(0)
    expect((await move(looksAfter, [inside.id], below.id)).code).toBe(0)
    expect((await move(looksAfter, [inside.id], plain.id)).code).toBe(0)
    expect((await looksAfter.ask(deviceCalls.changeGroup, { body: { id: own.id, parentId: plain.id } })).code).toBe(0)
    expect((await move(decides, [device.id], doors.id)).code).toBe(0)
  })

  test('is released as it is added by somebody who might do so anyway, unless they say otherwise', async () => {
    const { site, session } = await place()
    const [pairs, decides] = [await session(PAIRS), await session([...PAIRS, 'access.rule'])]
    const releasedBy = async (client: Client, options: { release?: boolean }) => {
      const added = await client.call(deviceCalls.create, { body: { ...fields(), ...options } })
      const many = await client.call(deviceCalls.createMany, { body: { devices: [fields(), fields()], ...options } })
      return Promise.all([added, ...many].map(async (device) => (await read(site, device)).released))
    }
    expect(await releasedBy(decides, {})).toEqual([true, true, true])
    expect(await releasedBy(decides, { release: true })).toEqual([true, true, true])
    expect(await releasedBy(decides, { release: false })).toEqual([false, false, false])
    expect(await releasedBy(pairs, {})).toEqual([false, false, false])
    expect(await releasedBy(pairs, { release: false })).toEqual([false, false, false])
    const { total } = await site.call(deviceCalls.list, { query: {} })
    const forbidden = { status: 403, code: 100510, data: { fields: [{ path: 'release' }] } }
    expect(await pairs.ask(deviceCalls.create, { body: { ...fields(), release: true } })).toMatchObject(forbidden)
    expect(await pairs.ask(deviceCalls.createMany, { body: { devices: [fields()], release: true } })).toMatchObject(forbidden)
    expect((await site.call(deviceCalls.list, { query: {} })).total).toBe(total)
  })

  test('loses its persons with another secret, unless whoever makes it releases it again', async () => {
    const { site, doors, person, session } = await place()
    const pairs = await session(PAIRS)
    const device = await site.device({ groupId: doors.id })
    expect(await sent(device, person)).toEqual(['Vera Victim'])

    const forbidden = await renew(pairs, device, { release: true })
    expect(forbidden).toMatchObject({ status: 403, code: 100510, data: { fields: [{ path: 'release' }] } })
    expect(await sent(device, person)).toEqual(['Vera Victim'])

    const taken = (await renew(pairs, device)).data
    expect(await sent(taken, person)).toEqual([])
    expect(await read(site, device)).toMatchObject({ released: false, personsDesired: 0 })
    const kept = (await renew(site, device, { release: false })).data
    expect(await sent(kept, person)).toEqual([])
    const given = (await renew(site, device)).data
    expect(await sent(given, person)).toEqual(['Vera Victim'])
    expect(await read(site, device)).toMatchObject({ released: true, personsDesired: 1 })
  })

  test('that waits for its release is found by that, and shows it on live screens', async () => {
    const { site, session } = await place()
    const device = await (await session(PAIRS)).call(deviceCalls.create, { body: fields() })
    await site.device()
    const waiting = async () => (await site.call(deviceCalls.list, { query: { attention: 'notReleased' } })).content.map(({ id }) => id)
    expect(await waiting()).toEqual([device.id])
    expect((await site.call(deviceCalls.summary, {})).notReleased.map(({ id }) => id)).toEqual([device.id])
    const live = await site.listen(topics.deviceStatus)
    await release(site, device)
    expect(await live.row('the released device', ({ id, released }) => id === device.id && released)).toMatchObject({ personsDesired: 0 })
    await live.stop()
    expect(await waiting()).toEqual([])
  })

  test('lets nobody pass before, now and as history tells it, and may be named by strategies', async () => {
    const { site, doors, person, session } = await place()
    const device = await (await session(PAIRS)).call(deviceCalls.create, { body: fields({ groupId: doors.id }) })
    const passers = async (at?: number) =>
      (await site.call(questionCalls.whoCanPass, { body: { deviceIds: [device.id], ...(at && { at }) } })).content.map(({ name }) => name)
    const before = world.clock.now()
    expect(await passers()).toEqual([])
    ahead += 10_000
    await release(site, device)
    expect(await passers()).toEqual(['Vera Victim'])
    expect(await passers(before)).toEqual([])
    ahead += 10_000
    const released = world.clock.now() - 5_000
    // Moved and changed, it keeps its state.
    await renew(site, device, { release: false })
    await site.call(deviceCalls.move, { body: { ids: [device.id], groupId: doors.id } })
    expect(await passers()).toEqual([])
    expect(await passers(released)).toEqual(['Vera Victim'])
    const { id: timeRuleId } = await site.timeRule()
    const draft = { personIds: [person.id], deviceIds: [device.id], timeRuleIds: [timeRuleId], methods: [accessMethod.card] }
    expect(await site.call(questionCalls.strategyEffect, { body: draft })).toMatchObject({ gain: 0 })
    expect((await site.ask(strategyCalls.create, { body: { name: 'Named', ...draft } })).code).toBe(0)
  })

  test('is released only where no written rule stands against it', async () => {
    const { site, doors, person, session } = await place()
    const device = await (await session(PAIRS)).call(deviceCalls.create, { body: fields() })
    await site.call(writtenRuleCalls.create, {
      body: { name: 'Vera stays out', personGroupIds: [person.groupId], deviceGroupIds: [doors.id] },
    })
    const byRule = { status: 409, data: { fields: [{ rule: 'writtenRule', params: { name: 'Vera stays out', persons: 1 } }] } }
    expect(await site.ask(deviceCalls.create, { body: fields({ groupId: doors.id }) })).toMatchObject(byRule)
    // It lets no person pass, in any group.
    const waiting: Made & { secret: string | null } = {
      name: '',
      ...(await site.call(deviceCalls.create, { body: { ...fields({ groupId: doors.id }), release: false } })),
    }
    expect((await site.ask(deviceCalls.move, { body: { ids: [device.id], groupId: doors.id } })).code).toBe(0)
    for (const one of [device, waiting]) {
      expect(await release(site, one)).toMatchObject(byRule)
      expect(await renew(site, one)).toMatchObject(byRule)
      expect(await read(site, one)).toMatchObject({ released: false, personsDesired: 0 })
      expect((await renew(site, one, { release: false })).code).toBe(0)
    }
    await site.call(deviceCalls.move, { body: { ids: [device.id], groupId: null } })
    expect((await release(site, device)).code).toBe(0)
    expect(await site.ask(deviceCalls.move, { body: { ids: [device.id], groupId: doors.id } })).toMatchObject(byRule)
  })

  test('stands in the operation log with its release', async () => {
    const { site } = await place()
    const device = await site.call(deviceCalls.create, { body: { ...fields(), release: false } })
    await release(site, device)
    await renew(site, device, { release: false })
    const { content } = await site.call(auditCalls.operations, { query: {} })
    const changes = await Promise.all(
      content.slice(0, 3).map(async ({ id }) => (await site.call(auditCalls.operation, { params: { id } })).changes[0]!.fields),
    )
    const released = changes.map((all) => all.find(({ field }) => field === 'released'))
    expect(released).toEqual([
      { field: 'released', before: true, after: false },
      { field: 'released', before: false, after: true },
      { field: 'released', before: null, after: false },
    ])
  })
})

describe('the first persons that a device is sent', () => {
  /** Create a device that was added by a user who may pair, with its state at the server. */
  async function paired() {
    const { site, session } = await place()
    const pairs = await session(PAIRS)
    const profile = await pairs.call(identityCalls.profile, {})
    const device = await pairs.call(deviceCalls.create, { body: fields() })
    return { site, pairs, profile, device, principal: { deviceId: device.id, code: device.code, parkId: site.park.id } }
  }
  const readsIn = async (site: Site) => (await site.call(auditCalls.reads, { query: {} })).content.filter(({ persons }) => persons !== null)

  test('are noted once for each secret, under whoever made it, and told to those who may pair', async () => {
    const { site, pairs, profile, device, principal } = await paired()
    const { service } = world.server.contexts.devices
    const { name } = await read(site, device)
    const live = await site.listen(topics.deviceFetched)
    await service.noteFetched(principal, 0)
    expect(await readsIn(site)).toEqual([])
    await Promise.all([service.noteFetched(principal, 195), service.noteFetched(principal, 195)])
    await service.noteFetched(principal, 3)
    expect(await readsIn(site)).toEqual([
      expect.objectContaining({
        account: profile.username,
        operator: profile.realName,
        source: 'local',
        method: deviceProtocolCalls.changes.method,
        url: deviceProtocolCalls.changes.url,
        subjects: [{ id: device.id, name }],
        persons: 195,
      }),
    ])
    expect(await live.row('the fetch', ({ id }) => id === device.id)).toMatchObject({
      name,
      pairedBy: profile.realName,
      pairedById: profile.id,
      persons: 195,
    })

    await renew(pairs, device)
    await service.noteFetched(principal, 7)
    expect((await readsIn(site)).map(({ persons }) => persons)).toEqual([7, 195])
    await live.row('the fetch with the other secret', ({ persons }) => persons === 7)
    await live.stop()
  })

  test('are noted once by several nodes', async () => {
    const { site, principal } = await paired()
    const { platform } = world.server
    const { secretHash } = (await world.server.contexts.devices.service.credentialOf(principal.code))!
    const entry = {
      id: principal.deviceId,
      code: principal.code,
      parkId: principal.parkId,
      secretHash: Buffer.from(secretHash, 'hex'),
      released: true,
    }
    const admission = {
      release: (_scope: unknown, _id: string, write: Parameters<typeof platform.transaction>[0]) => platform.transaction(write),
    }
    const nodes = [1, 2, 3].map(() => createReleases(platform, { byCode: async () => entry, refresh: async () => {} }, admission as never))
    await Promise.all(nodes.map((node) => node.noteFetched(principal, 5)))
    expect(await readsIn(site)).toHaveLength(1)
  })

  test('are none of the business of somebody who may not pair', async () => {
    const { site, session } = await place()
    const bearerOf = async (client: Promise<Client>) => ((await client).credentials as { bearer: string }).bearer
    const listening = async (permissions: readonly string[]) =>
      listen({ url: world.url, bearer: await bearerOf(session(permissions)), areaCode: site.park.areaCode }, topics.deviceFetched)
    await expect(listening(['device', 'device.list'])).rejects.toThrow('the server refuses')
    await (await listening(['own:device.pair'])).stop()
  })
})
