/** How single persons are compared, as set by administrators and applied by terminals. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { failReason } from '@gatehouse/contract/enums'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { facePolicyCalls } from '@gatehouse/contract/faces/policy'
import { DEFAULT_PROMISES } from '@gatehouse/contract/faces/promise'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient } from '@gatehouse/dev-env/client'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { portraitVariant } from '@gatehouse/dev-env/portraits'
import { DISTINCT_PORTRAITS } from '@gatehouse/face-engine'
import { newId } from '../../platform/database/ids.ts'

/** Drawn people: the last two are similar enough to count as one person at registration, but too different for a door. */
const [THIRD, FIFTH, FOURTH, SIXTH, FIRST, SECOND] = DISTINCT_PORTRAITS

const photographs = openPhotographs()
const isReal = photographs.kind === 'real'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const read = (site: Pick<Site, 'call'>, id: string) => site.call(faceCalls.matching, { params: { id } })
const setThreshold = (site: Pick<Site, 'ask'>, id: string, threshold: number | null) =>
  site.ask(faceCalls.setThreshold, { params: { id }, body: { threshold } })
const setAside = (site: Pick<Site, 'ask'>, id: string, aside = true) =>
  site.ask(faceCalls.setAside, { params: { id }, body: { setAside: aside } })
const addPair = (site: Pick<Site, 'ask'>, personId: string, otherId: string) => site.ask(faceCalls.addPair, { body: { personId, otherId } })
const removePair = (site: Pick<Site, 'ask'>, id: string) => site.ask(faceCalls.removePair, { params: { id } })
const historyOf = (site: Site, id: string) => world.server.platform.history.at({ parkId: site.park.id }, 'personMatching', id, Date.now())
const done = { status: 200, code: 0 }

describe('a threshold of one person', () => {
  test('is asked at doors of that person alone, until it is the park’s again', async () => {
    const [first, second] = await Promise.all([portraitVariant(THIRD, 0), portraitVariant(FIFTH, 0)])
    const terminal = await world.terminal()
    const [strict, usual] = [
      await world.person({ photo: first, permittedAt: terminal.device }),
      await world.person({ photo: second, permittedAt: terminal.device }),
    ]
    const shown = await portraitVariant(THIRD, 1)
    await world.settled()
    const before = await terminal.show(shown)
    expect(before).toMatchObject({ verdict: 'allowed', personId: strict.id })
    expect(await read(world, strict.id)).toMatchObject({ threshold: null, parkThreshold: expect.closeTo(73, 0) })

    expect(await setThreshold(world, strict.id, 250)).toMatchObject({ ...done, data: { id: strict.id } })
    expect((await read(world, strict.id)).threshold).toBe(250)
    expect((await historyOf(world, strict.id))?.content).toEqual({ threshold: 250, loosens: false, lookAlikes: [], setAside: [] })
    await world.settled()
    expect(await terminal.show(shown)).toMatchObject({ verdict: 'rejected' })
    expect(await terminal.show(await portraitVariant(FIFTH, 1))).toMatchObject({ verdict: 'allowed', personId: usual.id })

    expect(await setThreshold(world, strict.id, null)).toMatchObject(done)
    expect(await historyOf(world, strict.id)).toBeNull()
    await world.settled()
    expect(await terminal.show(shown)).toMatchObject({ verdict: 'allowed', personId: strict.id })
    await terminal.stop()
  })

  test('is a score, of somebody of this park', async () => {
    const person = await world.person()
    const abroad = await world.addPark()
    for (const threshold of [0, 251])
      expect(await setThreshold(world, person.id, threshold)).toMatchObject({ status: 400, data: { fields: [{ path: 'threshold' }] } })
    for (const id of [newId(), 'nobody']) expect(await setThreshold(world, id, 80)).toMatchObject({ status: 404 })
    expect(await setThreshold(abroad, person.id, 80)).toMatchObject({ status: 404 })
    expect(await abroad.ask(faceCalls.matching, { params: { id: person.id } })).toMatchObject({ status: 404 })
    expect((await read(world, person.id)).threshold).toBeNull()
  })

  test('asks for less than doors do only where that is said, and then they are told', async () => {
    const device = await world.device()
    const person = await world.person({ photo: await portraitVariant(SIXTH, 1), permittedAt: device })
    await world.settled()
    const storedPerson = async () => {
      await world.settled()
      const client = createClient(world.url, { basic: [device.code, device.secret] })
      const { audience } = await client.call(deviceProtocolCalls.manifest, {})
      const { persons } = await client.call(deviceProtocolCalls.persons, {
        params: { audience },
        body: { ids: [person.id], modelId: world.server.contexts.faces.service.modelId },
      })
      return persons[0]!
    }
    const first = await storedPerson()
    expect(await setThreshold(world, person.id, 60)).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'threshold', rule: 'lessThanDoors' }] },
    })
    expect(await read(world, person.id)).toMatchObject({ threshold: null, loosens: false })
    const loosened = await world.ask(faceCalls.setThreshold, { params: { id: person.id }, body: { threshold: 60, loosens: true } })
    expect(loosened).toMatchObject(done)
    expect(await read(world, person.id)).toMatchObject({ threshold: 60, loosens: true })
    const second = await storedPerson()
    expect(second).toMatchObject({ faceThreshold: 60, faceThresholdLoosens: true })
    expect(second.version).not.toBe(first.version)

    // A threshold above that of doors needs no confirmation and no longer loosens.
    expect(await setThreshold(world, person.id, 90)).toMatchObject(done)
    const third = await storedPerson()
    expect(third.faceThreshold).toBe(90)
    expect(third).not.toHaveProperty('faceThresholdLoosens')
    expect(new Set([first, second, third].map(({ version }) => version)).size).toBe(3)
  })
})

describe('a photograph set aside', () => {
  test('is shown to people and compared with nobody; the last one cannot be', async () => {
    const terminal = await world.terminal()
    // Similar enough to count as one person, but too different for a door.
    const person = await world.person({
      photo: [await portraitVariant(FIRST, 1), await portraitVariant(SECOND, 0)],
      permittedAt: terminal.device,
    })
    const [own, other] = person.faceIds
    const shown = await portraitVariant(SECOND, 2)
    await world.settled()
    expect(await terminal.show(shown)).toMatchObject({ verdict: 'allowed', personId: person.id })

    expect(await setAside(world, other!)).toMatchObject({ ...done, data: { id: other } })
    const { photos } = await read(world, person.id)
    expect(photos).toMatchObject([
      { faceId: own, setAsideAt: null, current: true },
      { faceId: other, setAsideAt: expect.any(Number), current: true },
    ])
    expect((await fetch(world.url + photos[1]!.url)).status).toBe(200)
    expect((await world.call(peopleCalls.read, { query: { id: person.id } })).facePhotos).toEqual([own, other])
    expect((await historyOf(world, person.id))?.content).toMatchObject({ setAside: [other] })
    await world.settled()
    expect(await terminal.show(shown)).toMatchObject({ verdict: 'rejected', failReason: failReason.notRegistered })
    expect(await terminal.show(await portraitVariant(FIRST, 2))).toMatchObject({ verdict: 'allowed', personId: person.id })

    expect(await setAside(world, own!)).toMatchObject({ status: 200, code: 200201, data: { fields: [{ path: 'setAside' }] } })
    // Nor can the person keep only the photo set aside.
    const { version, name, groupId } = await world.call(peopleCalls.read, { query: { id: person.id } })
    const keep = (facePhotos: string[]) => world.ask(peopleCalls.change, { body: { id: person.id, version, name, groupId, facePhotos } })
    expect(await keep([other!])).toMatchObject({ status: 200, code: 200201, data: { fields: [{ path: 'facePhotos' }] } })

    // Setting it aside again keeps the first time.
    expect(await setAside(world, other!)).toMatchObject(done)
    expect((await read(world, person.id)).photos[1]!.setAsideAt).toBe(photos[1]!.setAsideAt)
    expect(await setAside(world, other!, false)).toMatchObject(done)
    await world.settled()
    expect(await terminal.show(shown)).toMatchObject({ verdict: 'allowed', personId: person.id })
    await terminal.stop()
  })

  test('is one that somebody of this park has', async () => {
    const person = await world.person({ photo: [await portraitVariant(FOURTH, 0), await portraitVariant(FOURTH, 1)] })
    const { faceId: nobodys } = await world.call(faceCalls.cache, { body: {}, file: await portraitVariant(SIXTH, 0) })
    for (const id of [nobodys, newId(), 'none']) expect(await setAside(world, id)).toMatchObject({ status: 404 })
    expect(await setAside(await world.addPark(), person.faceIds[0]!)).toMatchObject({ status: 404 })
    expect((await read(world, person.id)).photos.map((photo) => photo.setAsideAt)).toEqual([null, null])
  })
})

describe('persons who look alike', () => {
  // Sisters, if real photos are available: the right one is nearest, the other is close behind.
  const likely = isReal
    ? {
        enrolled: () => photographs.person('serena_williams').photo(3),
        shown: () => photographs.person('serena_williams').photo(1),
        other: () => photographs.person('venus_williams').photo(5),
      }
    : { enrolled: () => portraitVariant(9, 0), shown: () => portraitVariant(9, 2), other: () => portraitVariant(20, 2) }

  test('are told apart at doors by a wider lead, as long as it is remembered', async () => {
    const park = await world.addPark()
    expect(await park.call(facePolicyCalls.read, {})).toMatchObject({ margin: 5 })
    await park.call(facePolicyCalls.change, {
      body: { ...DEFAULT_PROMISES, margin: 5, lookAlikeMargin: 40, photosWanted: 2, liveness: { mode: 'off' } },
    })
    const door = await park.device()
    const [person, other] = [
      await park.person({ photo: await likely.enrolled(), permittedAt: door }),
      await park.person({ photo: await likely.other(), permittedAt: door }),
    ]
    const terminal = await world.terminal(door)
    terminal.showCheckDetails(true)
    const shown = await likely.shown()
    await world.settled()
    expect(await terminal.show(shown)).toMatchObject({ verdict: 'allowed', personId: person.id })

    const added = await addPair(park, other.id, person.id)
    expect(added).toMatchObject(done)
    await world.settled()
    const refused = await terminal.show(shown)
    expect(refused).toMatchObject({ verdict: 'rejected', failReason: failReason.faceVerifyFailed })
    expect(refused.checks).toContainEqual(expect.objectContaining({ code: 'runnerUp', ok: false, margin: 40 }))

    expect(await removePair(park, added.data!.id)).toMatchObject(done)
    await world.settled()
    expect(await terminal.show(shown)).toMatchObject({ verdict: 'allowed', personId: person.id })
    await terminal.stop()
  })

  test('are one pair however often and in whatever order they are named', async () => {
    const [one, two, three] = [
      await world.person(),
      await world.person({ name: 'Second', photo: await portraitVariant(SIXTH, 0) }),
      await world.person(),
    ]
    const first = await addPair(world, one.id, two.id)
    expect(await addPair(world, two.id, one.id)).toMatchObject({ ...done, data: { id: first.data!.id } })
    const together = await Promise.all([addPair(world, one.id, three.id), addPair(world, three.id, one.id)])
    expect(new Set(together.map(({ data }) => data!.id)).size).toBe(1)
    const { lookAlikes } = await read(world, one.id)
    expect(lookAlikes).toMatchObject([
      { pairId: first.data!.id, personId: two.id, personName: 'Second', origin: 'hand' },
      { personId: three.id, thumbnail: '' },
    ])
    expect((await fetch(world.url + lookAlikes[0]!.thumbnail)).status).toBe(200)
    expect((await read(world, two.id)).lookAlikes).toMatchObject([{ pairId: first.data!.id, personId: one.id }])
    expect((await historyOf(world, two.id))?.content).toMatchObject({ lookAlikes: [one.id] })
  })

  test('are two different persons of this park', async () => {
    const [one, two] = [await world.person(), await world.person()]
    const abroad = await world.addPark()
    const stranger = await abroad.person()
    expect(await addPair(world, one.id, one.id)).toMatchObject({ status: 400, data: { fields: [{ path: 'otherId', rule: 'invalid' }] } })
    expect(await addPair(world, one.id, stranger.id)).toMatchObject({ status: 404 })
    expect(await addPair(world, stranger.id, one.id)).toMatchObject({ status: 404 })
    const { data } = await addPair(world, one.id, two.id)
    expect(await removePair(abroad, data!.id)).toMatchObject({ status: 404 })
    expect(await removePair(world, newId())).toMatchObject({ status: 404 })
    expect((await read(world, one.id)).lookAlikes).toHaveLength(1)
  })

  test('are forgotten with the person, and with the park', async () => {
    const park = await world.addPark()
    const [stays, gone, third] = [await park.person(), await park.person(), await park.person()]
    await addPair(park, stays.id, gone.id)
    await addPair(park, stays.id, third.id)
    await setThreshold(park, gone.id, 90)
    await park.call(peopleCalls.delete, { query: { ids: [gone.id] }, body: undefined })
    expect((await read(park, stays.id)).lookAlikes).toMatchObject([{ personId: third.id }])
    const { matching } = world.server.contexts.faces.service
    const scope = { parkId: park.park.id }
    expect(await matching.of(scope, [gone.id, stays.id, newId()])).toEqual(
      new Map([[stays.id, { threshold: null, loosens: false, lookAlikes: [third.id] }]]),
    )
    expect(await historyOf(park, gone.id)).toBeNull()

    await setThreshold(park, stays.id, 80)
    await world.server.platform.transaction((tx) => world.server.contexts.faces.erasePark!(tx, scope))
    expect(await matching.of(scope, [stays.id, third.id])).toEqual(new Map())
    expect(await historyOf(park, stays.id)).toBeNull()
  })
})

test('only who may see persons reads or changes any of it', async () => {
  const person = await world.person()
  const guard = await world.session({ permissions: ['access.record'] })
  expect(await guard.ask(faceCalls.matching, { params: { id: person.id } })).toMatchObject({ status: 403 })
  expect(await setThreshold(guard, person.id, 80)).toMatchObject({ status: 403 })
})
