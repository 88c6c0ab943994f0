/**
 * The analysis of wrong matches, on a real terminal that mistakes one person for another, and its bookkeeping on records as terminals send
 * them.
 */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InputOf } from '@gatehouse/contract'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { statisticsCalls } from '@gatehouse/contract/statistics/calls'
import { clinicCalls } from '@gatehouse/contract/clinic/calls'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { facePolicyCalls } from '@gatehouse/contract/faces/policy'
import { recordedScore } from '@gatehouse/contract/score'
import { DEFAULT_PROMISES } from '@gatehouse/contract/faces/promise'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { startWorld, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'
import { portraitVariant } from '@gatehouse/dev-env/portraits'
import { DISTINCT_PORTRAITS } from '@gatehouse/face-engine'
import { newId, recordId } from '../../platform/database/ids.ts'
import { until } from '../../../../../tests/support/until.ts'
import { recordCompanions } from '../records/index.ts'
import { passages, sentBy } from '../records/testing/records.ts'

/** Drawn people: the last two are similar enough to count as one person at registration, but too different for a door. */
const [LIKELY, ABROAD, , , OWN, OTHER] = DISTINCT_PORTRAITS

const photographs = openPhotographs()
const isReal = photographs.kind === 'real'
const MINUTE = 60_000
const DAY = 86_400_000

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

type Corrected = InputOf<(typeof clinicCalls)['correct']['body']>
const analyse = (site: Pick<Site, 'call'>, id: string) => site.call(clinicCalls.analyse, { params: { id } })
const correct = (site: Pick<Site, 'ask'>, id: string, body: Corrected = {}) => site.ask(clinicCalls.correct, { params: { id }, body })
const undo = (site: Pick<Site, 'ask'>, id: string) => site.ask(clinicCalls.undo, { params: { id } })
const corrections = (site: Pick<Site, 'call'>, query: object = {}) => site.call(clinicCalls.list, { query })
const matching = (site: Pick<Site, 'call'>, id: string) => site.call(faceCalls.matching, { params: { id } })
const done = { status: 200, code: 0 }
const area = () => world.server.contexts.records

describe('a person taken for another', () => {
  // A photo of another person that passes the check at registration can also pass a door: this is how wrong matches happen.
  const story = isReal
    ? {
        own: () => photographs.person('halle_berry').photo(4),
        misplaced: () => photographs.person('condoleezza_rice').photo(4),
        others: () => photographs.person('condoleezza_rice').photo(1),
        shown: () => photographs.person('condoleezza_rice').photo(5),
      }
    : {
        own: () => portraitVariant(OWN, 0),
        misplaced: () => portraitVariant(OTHER, 2),
        others: () => portraitVariant(OTHER, 0),
        shown: () => portraitVariant(OTHER, 2),
      }

  test('is seen to come from one photograph; set aside, the terminal no longer errs, until that is undone', async () => {
    const park = await world.addPark()
    const { margin, version, lookAlikeMargin } = await park.call(facePolicyCalls.read, {})
    await park.call(facePolicyCalls.change, {
      body: {
        ...DEFAULT_PROMISES,
        margin: Math.min(1, margin),
        lookAlikeMargin,
        photosWanted: 2,
        liveness: { mode: 'off' },
        version,
      },
    })
    const door = await park.device()
    const wronged = await park.person({ name: 'Wronged', photo: [await story.own(), await story.misplaced()], permittedAt: door })
    const actual = await park.person({ name: 'Actual', photo: await story.others(), permittedAt: door })
    const [own, misplaced] = wronged.faceIds
    const terminal = await world.terminal(door)
    terminal.showCheckDetails(true)
    const shown = await story.shown()
    await world.settled()

    const mistaken = await terminal.show(shown)
    expect(mistaken).toMatchObject({ verdict: 'allowed', personId: wronged.id })
    const id = mistaken.recordId!
    await until('the picture of the passage', async () => (await park.call(recordCalls.read, { params: { id } })).captureImage !== '')
    const today = await park.call(statisticsCalls.today, {})

    const before = await analyse(park, id)
    expect(before).toMatchObject({
      recordId: id,
      personId: wronged.id,
      personName: 'Wronged',
      recordScore: mistaken.score,
      unavailable: null,
      correction: null,
      photos: [
        { faceId: own, carried: false, setAsideAt: null },
        { faceId: misplaced, carried: true, setAsideAt: null },
      ],
      next: [{ personId: actual.id, personName: 'Actual', workNumber: actual.workNumber, faceId: actual.faceIds[0], lookAlike: false }],
    })
    // Doors compare both photos as one: the score lies between those of the single photos.
    expect(before.score).toBeLessThan(before.photos[1]!.score!)
    expect(before.score).toBeGreaterThan(before.photos[0]!.score!)
    expect(before.photos[0]!.score).toBe(before.scoreWithout)
    expect(before.score).toBeGreaterThan(before.threshold)
    // The picture is a smaller crop of what the terminal saw: its score is about the same.
    expect(Math.abs(recordedScore(before.score!) - mistaken.score!)).toBeLessThan(5)
    expect(before.scoreWithout).toBeLessThan(before.threshold)
    expect(before.next![0]!.score).toBeGreaterThan(before.threshold)
    expect((await fetch(world.url + before.next![0]!.thumbnail)).status).toBe(200)

    const said = await correct(park, id, { actualPersonId: actual.id, setAside: [misplaced!], note: 'Wrong photograph' })
    expect(said).toMatchObject(done)
    await world.settled()
    expect(await terminal.show(shown)).toMatchObject({ verdict: 'allowed', personId: actual.id })

    const after = await analyse(park, id)
    expect(after).toMatchObject({
      recordScore: mistaken.score,
      score: before.scoreWithout,
      scoreWithout: null,
      photos: [{ carried: true }, { carried: false, score: before.photos[1]!.score, setAsideAt: expect.any(Number) }],
      next: [{ personId: actual.id, lookAlike: true }],
      correction: {
        id: said.data!.id,
        recordId: id,
        recordTime: mistaken.occurredAt,
        deviceName: door.name,
        personName: 'Wronged',
        actualPersonId: actual.id,
        actualPersonName: 'Actual',
        score: mistaken.score,
        setAside: [misplaced],
        threshold: null,
        note: 'Wrong photograph',
        createdBy: 'admin',
      },
    })
    expect(await matching(park, actual.id)).toMatchObject({ lookAlikes: [{ personId: wronged.id, origin: 'clinic' }] })
    const corrected = async () =>
      (await park.call(recordCalls.find, { body: {} })).content.filter((record) => record.corrected).map((record) => record.id)
    expect(await corrected()).toEqual([id])
    expect(await park.call(recordCalls.read, { params: { id } })).toMatchObject({
      corrected: true,
      personId: wronged.id,
      score: mistaken.score,
    })

    expect(await undo(park, id)).toMatchObject({ ...done, data: { id: said.data!.id } })
    await world.settled()
    expect(await terminal.show(shown)).toMatchObject({ verdict: 'allowed', personId: wronged.id })
    expect(await corrected()).toEqual([])
    // The analysis is as before, and passages are counted as if nothing had been corrected: three now instead of one.
    expect(await analyse(park, id)).toEqual(before)
    await until('the last passage to arrive', async () => (await park.call(statisticsCalls.today, {})).allowed === today.allowed + 2)
    await terminal.stop()
  })

  test('who is unknown there is compared with everybody, and what cannot be compared says why', async () => {
    const { park, door, ids } = await parkWith([
      { result: 0, failReason: 904, hasPicture: true },
      { result: 0, failReason: 904, hasPicture: true },
      { result: 0, failReason: 904 },
    ])
    const likely = await park.person({ name: 'Likely', photo: await portraitVariant(LIKELY, 0) })
    await world.server.platform.events.settled()
    await put(park, door, ids[0]!, await portraitVariant(LIKELY, 1))
    await put(park, door, ids[1]!, await flat())

    const { door: parkThreshold } = await world.server.contexts.faces.service.thresholdsOf({ parkId: park.park.id })
    expect(await analyse(park, ids[0]!)).toMatchObject({
      personId: null,
      unavailable: { reason: 'noPerson', code: null },
      threshold: parkThreshold,
      score: null,
      scoreWithout: null,
      photos: [],
      next: [{ personId: likely.id, personName: 'Likely' }],
    })
    for (const permissions of [['access.record'], ['access.record', 'person.list'], ['access.record', 'own:person.edit']]) {
      const lookingOn = await world.session({ park: park.park, permissions })
      const analysis = await analyse(lookingOn, ids[0]!)
      expect(analysis).toMatchObject({ unavailable: { reason: 'noPerson' }, photos: [], next: null })
      for (const value of [likely.id, likely.name, likely.workNumber]) expect(JSON.stringify(analysis)).not.toContain(value)
    }
    const searching = await world.session({ park: park.park, permissions: ['access.record', 'basic.person.search'] })
    expect(await analyse(searching, ids[0]!)).toMatchObject({ next: [{ personId: likely.id }] })
    expect(await analyse(park, ids[1]!)).toMatchObject({ unavailable: { reason: 'refused', code: 200204 }, score: null, next: [] })
    expect(await analyse(park, ids[2]!)).toMatchObject({ unavailable: { reason: 'noPicture', code: null }, score: null, next: [] })
  })

  test('photographs are shown where there is nothing to compare them with, and a deleted person is nobody', async () => {
    const { park, person, ids, door } = await parkWithPerson([{}, { hasPicture: true }])
    expect(await analyse(park, ids[0]!)).toMatchObject({
      unavailable: { reason: 'noPicture' },
      photos: person.faceIds.map((faceId) => ({ faceId, score: null, carried: false })),
    })
    await put(park, door, ids[1]!, await portraitVariant(OTHER, 2))
    await park.call(peopleCalls.delete, { query: { ids: [person.id] }, body: undefined })
    expect(await analyse(park, ids[1]!)).toMatchObject({ personId: person.id, unavailable: { reason: 'noPerson' }, photos: [] })
    expect(await correct(park, ids[1]!)).toMatchObject({ status: 400, data: { fields: [{ path: 'id', rule: 'invalid' }] } })
  })
})

const flat = (): Promise<Buffer> =>
  sharp({ create: { width: 320, height: 320, channels: 3, background: 'grey' } })
    .webp()
    .toBuffer()
const put = (park: Site, door: MadeDevice, id: string, picture: Buffer) =>
  area().records.attachPicture({ parkId: park.park.id }, { deviceId: door.id }, id, picture)

/** Create a park with a door that has sent these passages, a minute apart. */
async function parkWith(records: readonly Partial<RecordObject>[], park?: Site) {
  const site = park ?? (await world.addPark())
  const door = await site.device()
  const now = Date.now()
  const sent = passages(records.map((fields, index) => ({ occurredAt: now - (records.length - index) * MINUTE, ...fields })))
  await area().ingest({ deviceId: door.id, parkId: site.park.id }, sentBy(sent, { sentAt: now }))
  return { park: site, door, ids: records.map((_, index) => recordId(door.id, 'boot-1', index + 1)) }
}

/** The same with passages of a person who has two photos. */
async function parkWithPerson(records: readonly Partial<RecordObject>[]) {
  const park = await world.addPark()
  const person = await park.person({ name: 'Taken for', photo: [await portraitVariant(OTHER, 0), await portraitVariant(OTHER, 1)] })
  return {
    ...(await parkWith(
      records.map((fields) => ({ personId: person.id, ...fields })),
      park,
    )),
    person,
  }
}

describe('a correction', () => {
  test('gives a threshold, remembers a pair and sets aside; said again it is another, and undone nothing of either is left', async () => {
    const { park, person, ids } = await parkWithPerson([{}])
    const [first, second] = [await park.person(), await park.person()]
    await park.call(faceCalls.setThreshold, { params: { id: person.id }, body: { threshold: 75 } })
    const before = await matching(park, person.id)

    const said = await correct(park, ids[0]!, { actualPersonId: first.id, threshold: 85, setAside: [person.faceIds[0]!] })
    expect(await matching(park, person.id)).toMatchObject({
      threshold: 85,
      lookAlikes: [{ personId: first.id, origin: 'clinic' }],
      photos: [{ setAsideAt: expect.any(Number) }, { setAsideAt: null }],
    })
    expect((await analyse(park, ids[0]!)).threshold).toBe(85)

    // The other photo this time: the first is restored before, or this would be the last one.
    const again = await correct(park, ids[0]!, { actualPersonId: second.id, setAside: [person.faceIds[1]!] })
    expect(again.data!.id).toBe(said.data!.id)
    expect(await matching(park, person.id)).toMatchObject({
      threshold: 75,
      lookAlikes: [{ personId: second.id }],
      photos: [{ setAsideAt: null }, { setAsideAt: expect.any(Number) }],
    })
    expect((await corrections(park)).content).toMatchObject([{ actualPersonId: second.id, threshold: null, setAside: [person.faceIds[1]] }])

    expect(await undo(park, ids[0]!)).toMatchObject(done)
    expect(await matching(park, person.id)).toEqual(before)
    expect(await undo(park, ids[0]!)).toMatchObject({ status: 404 })
    expect(await corrections(park)).toMatchObject({ total: 0, content: [] })
  })

  test('asks for more than doors do or for nothing, and gives nobody back what once asked for less', async () => {
    const { park, person, ids } = await parkWithPerson([{}])
    const actual = await park.person()
    const { threshold: asked } = await analyse(park, ids[0]!)
    const loosened = { threshold: asked - 15, loosens: true }
    await park.call(faceCalls.setThreshold, { params: { id: person.id }, body: loosened })
    expect((await analyse(park, ids[0]!)).threshold).toBe(loosened.threshold)

    await correct(park, ids[0]!, { actualPersonId: actual.id, threshold: asked - 5 })
    expect(await matching(park, person.id)).toMatchObject({ threshold: asked - 5, loosens: false })
    expect((await analyse(park, ids[0]!)).threshold).toBe(asked)
    await undo(park, ids[0]!)
    // The person was mistaken for another: the threshold no longer loosens.
    expect(await matching(park, person.id)).toMatchObject({ threshold: loosened.threshold, loosens: false })
    expect((await analyse(park, ids[0]!)).threshold).toBe(asked)
  })

  test('undone leaves alone what was so before, and what was changed by hand since', async () => {
    const { park, person, ids } = await parkWithPerson([{}, {}])
    const [known, other] = [await park.person(), await park.person()]
    const [first, second] = person.faceIds
    const aside = (id: string, setAside: boolean) => park.call(faceCalls.setAside, { params: { id }, body: { setAside } })
    const threshold = (value: number | null) => park.call(faceCalls.setThreshold, { params: { id: person.id }, body: { threshold: value } })

    // Before: a photo that is set aside and an existing pair.
    await aside(first!, true)
    await park.call(faceCalls.addPair, { body: { personId: known.id, otherId: person.id } })
    await correct(park, ids[0]!, { actualPersonId: known.id, setAside: [first!], threshold: 85 })
    expect((await corrections(park)).content[0]).toMatchObject({ setAside: [], threshold: 85 })
    await undo(park, ids[0]!)
    expect(await matching(park, person.id)).toMatchObject({
      threshold: null,
      lookAlikes: [{ personId: known.id, origin: 'hand' }],
      photos: [{ setAsideAt: expect.any(Number) }, { setAsideAt: null }],
    })
    await aside(first!, false)

    // Since: another threshold, the photo included and set aside again, the pair deleted and added again.
    const { data } = await correct(park, ids[1]!, { actualPersonId: other.id, setAside: [second!], threshold: 85 })
    expect(data).not.toBeNull()
    await threshold(90)
    await aside(second!, false)
    await aside(second!, true)
    const { pairId } = (await matching(park, person.id)).lookAlikes.find((pair) => pair.personId === other.id)!
    await park.call(faceCalls.removePair, { params: { id: pairId } })
    await park.call(faceCalls.addPair, { body: { personId: person.id, otherId: other.id } })
    const byHand = await matching(park, person.id)
    await undo(park, ids[1]!)
    expect(await matching(park, person.id)).toEqual(byHand)
  })

  test('undone leaves what another correction says too', async () => {
    const { park, person, ids } = await parkWithPerson([{}, {}, {}])
    const actual = await park.person()
    const [first] = person.faceIds
    await correct(park, ids[0]!, { actualPersonId: actual.id, setAside: [first!], threshold: 80 })
    await correct(park, ids[1]!, { actualPersonId: actual.id, setAside: [first!], threshold: 85 })
    const both = await matching(park, person.id)
    await undo(park, ids[0]!)
    expect(await matching(park, person.id)).toEqual(both)
    await undo(park, ids[1]!)
    expect(await matching(park, person.id)).toMatchObject({
      threshold: null,
      lookAlikes: [],
      photos: [{ setAsideAt: null }, { setAsideAt: null }],
    })

    // Undone in reverse order, each correction restores what it found.
    await correct(park, ids[0]!, { threshold: 80 })
    await correct(park, ids[1]!, { threshold: 85 })
    await correct(park, ids[2]!, { threshold: 90 })
    const thresholdAfterUndo = async (id: string) => {
      await undo(park, id)
      return (await matching(park, person.id)).threshold
    }
    expect(await thresholdAfterUndo(ids[1]!)).toBe(90)
    expect(await thresholdAfterUndo(ids[2]!)).toBe(80)
    expect(await thresholdAfterUndo(ids[0]!)).toBeNull()
  })

  test('of two who look like each other holds for both, whoever was taken for whom', async () => {
    const { park, person, ids } = await parkWithPerson([{}])
    const other = await park.person()
    const { ids: others } = await parkWith([{ personId: other.id }], park)
    await correct(park, ids[0]!, { actualPersonId: other.id })
    await correct(park, others[0]!, { actualPersonId: person.id })
    await undo(park, ids[0]!)
    expect((await matching(park, other.id)).lookAlikes).toMatchObject([{ personId: person.id }])
    await undo(park, others[0]!)
    expect((await matching(park, other.id)).lookAlikes).toEqual([])
  })

  test('is refused where it makes no sense, and then nothing has changed', async () => {
    const { park, person, ids } = await parkWithPerson([{}, { personId: null }])
    const [other, abroad] = [await park.person({ photo: await portraitVariant(ABROAD, 0) }), await world.addPark()]
    const stranger = await abroad.person()
    const before = await matching(park, person.id)
    const refused = async (body: Corrected, path: string, rule: string) =>
      expect(await correct(park, ids[0]!, { threshold: 99, ...body })).toMatchObject({ status: 400, data: { fields: [{ path, rule }] } })
    await refused({ actualPersonId: person.id }, 'actualPersonId', 'invalid')
    for (const actualPersonId of [stranger.id, newId()]) await refused({ actualPersonId }, 'actualPersonId', 'unknown')
    for (const faceId of [other.faceIds[0]!, newId()]) await refused({ setAside: [faceId] }, 'setAside', 'unknown')
    await refused({ threshold: 251 }, 'threshold', 'max.number')
    expect(await correct(park, ids[0]!, { threshold: 99, setAside: person.faceIds })).toMatchObject({
      status: 200,
      code: 200201,
      data: { fields: [{ path: 'setAside' }] },
    })
    expect(await correct(park, ids[1]!)).toMatchObject({ status: 400, data: { fields: [{ path: 'id', rule: 'invalid' }] } })
    for (const id of [newId(), 'none']) expect(await correct(park, id)).toMatchObject({ status: 404 })
    expect(await correct(abroad, ids[0]!)).toMatchObject({ status: 404 })
    expect(await matching(park, person.id)).toEqual(before)
    expect((await corrections(park)).total).toBe(0)
    // The earlier correction stays in force.
    await correct(park, ids[0]!, { threshold: 80 })
    expect(await correct(park, ids[0]!, { setAside: person.faceIds })).toMatchObject({ code: 200201 })
    expect((await matching(park, person.id)).threshold).toBe(80)
    expect(await undo(abroad, ids[0]!)).toMatchObject({ status: 404 })
    expect(await abroad.ask(clinicCalls.analyse, { params: { id: ids[0]! } })).toMatchObject({ status: 404 })
  })

  test('by two at once is one', async () => {
    const { park, person, ids } = await parkWithPerson([{}])
    const others = [await park.person(), await park.person(), await park.person()]
    const said = await Promise.all(others.map(({ id }) => correct(park, ids[0]!, { actualPersonId: id, setAside: [person.faceIds[1]!] })))
    expect(new Set(said.map(({ data }) => data!.id)).size).toBe(1)
    const { content } = await corrections(park)
    expect(content).toHaveLength(1)
    expect((await matching(park, person.id)).lookAlikes.map((pair) => pair.personId)).toEqual([content[0]!.actualPersonId])
  })

  test('goes with its record, what it did stays', async () => {
    const { park, person, ids } = await parkWithPerson([{}])
    const actual = await park.person()
    await correct(park, ids[0]!, { actualPersonId: actual.id, threshold: 85 })
    await park.call(recordCalls.delete, { params: { id: ids[0]! } })
    expect((await corrections(park)).content).toEqual([])
    expect(await undo(park, ids[0]!)).toMatchObject({ status: 404 })
    expect(await matching(park, person.id)).toMatchObject({ threshold: 85, lookAlikes: [{ personId: actual.id }] })
  })

  test('outlives the persons it names, with the name the record keeps', async () => {
    const { park, person, ids } = await parkWithPerson([{}])
    const actual = await park.person()
    await correct(park, ids[0]!, { actualPersonId: actual.id, threshold: 85, setAside: [person.faceIds[0]!] })
    await park.call(peopleCalls.delete, { query: { ids: [person.id, actual.id] }, body: undefined })
    expect((await corrections(park)).content).toMatchObject([{ personName: 'Taken for', actualPersonId: actual.id, actualPersonName: '' }])
    expect(await undo(park, ids[0]!)).toMatchObject(done)
    expect(await world.server.contexts.faces.service.matching.of({ parkId: park.park.id }, [person.id, actual.id])).toEqual(new Map())
  })

  test('is listed newest first, by person and by device, for those who may see records', async () => {
    const { park, person, ids, door } = await parkWithPerson([{}, {}])
    const other = await park.person({ name: 'Somebody else' })
    const { ids: elsewhere, door: back } = await parkWith([{ personId: person.id }, { personId: other.id }], park)
    for (const id of [...ids, ...elsewhere]) await correct(park, id)
    const listed = async (query: object) => (await corrections(park, query)).content.map(({ recordId: id }) => id)
    expect(await listed({})).toEqual([elsewhere[1], elsewhere[0], ids[1], ids[0]])
    expect(await listed({ personId: person.id })).toEqual([elsewhere[0], ids[1], ids[0]])
    expect(await listed({ deviceId: back.id })).toEqual([elsewhere[1], elsewhere[0]])
    expect(await listed({ deviceId: door.id, personId: other.id })).toEqual([])
    expect(await listed({ page: 2, size: 3 })).toEqual([ids[0]])
    expect(await corrections(park, { size: 3 })).toMatchObject({ total: 4, page: 1, size: 3 })
    expect((await corrections(world, { personId: person.id })).total).toBe(0)

    const guard = await world.session({ permissions: ['access.record'], park: park.park })
    expect((await corrections(guard)).total).toBe(4)
    expect(await correct(guard, ids[0]!)).toMatchObject({ status: 403 })
    expect(await undo(guard, ids[0]!)).toMatchObject({ status: 403 })
    await world.server.platform.transaction((tx) => world.server.contexts.clinic.erasePark!(tx, { parkId: park.park.id }))
    expect((await corrections(park)).total).toBe(0)
  })

  test('goes with the months of records that are dropped', async () => {
    const { park, ids } = await parkWithPerson([{ occurredAt: Date.now() - 40 * DAY }, {}])
    for (const id of ids) await correct(park, id)
    for (const companion of world.server.platform.extensions.all(recordCompanions)) await companion.dropped?.(Date.now() - 30 * DAY)
    expect((await corrections(park)).content.map((row) => row.recordId)).toEqual([ids[1]])
  })
})
