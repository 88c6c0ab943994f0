/**
 * People with one photo: how often doors need a second attempt, which passage is offered as their second one, and the effect of the answer.
 */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeChecks } from '@gatehouse/access-rules'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { clinicCalls } from '@gatehouse/contract/clinic/calls'
import { secondPhotographCalls } from '@gatehouse/contract/records/second-photographs'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { accessResult, failReason, verifyType } from '@gatehouse/contract/enums'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import type { Client } from '@gatehouse/dev-env/client'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { startWorld, type Made, type MadePerson, type Site, type World } from '@gatehouse/dev-env/world'
import { recordId } from '../../platform/database/ids.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { withRoles } from '../../../../../tests/support/out-of-reach.ts'
import { deleteNotesUnscoped } from './partitions-data.ts'
import { passage, sentBy } from './testing/records.ts'

const SECOND = 1_000
const MINUTE = 60_000
const DAY = 86_400_000

const NOBODY = { result: accessResult.rejected, failReason: failReason.notRegistered, score: null } as const
const faceOf = (score: number) => encodeChecks([{ code: 'face', ok: true, score, threshold: 70, distance: 0.3 }])

const photographs = openPhotographs()
const isReal = photographs.kind === 'real'

let world: World
/** Pictures of one person, on file and at doors, and of another person. */
let onFile: Buffer
let atDoor: Buffer
let later: Buffer
let somebodyElse: Buffer
beforeAll(async () => {
  world = await startWorld()
  if (!isReal) console.log('What a passage offers is not tried: two pictures of a drawn person are too near to be told from one.')
  const [own, other] = isReal ? ['colin_powell', 'hu_jintao'].map((name) => photographs.person(name)) : photographs.people.slice(0, 2)
  onFile = await own!.photo(1)
  atDoor = await shown(await own!.photo(2))
  later = await shown(await own!.photo(3))
  somebodyElse = await shown(await other!.photo(1))
})
afterAll(() => world?.stop())

/** Return a picture in the form in which a terminal sends it. */
const shown = (photo: Buffer): Promise<Buffer> =>
  sharp(photo).resize(320, 320, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 82 }).toBuffer()

const flat = (): Promise<Buffer> =>
  sharp({ create: { width: 320, height: 320, channels: 3, background: 'grey' } })
    .webp()
    .toBuffer()
const blurred = (): Promise<Buffer> => sharp(atDoor).blur(12).webp().toBuffer()

type Asker = Pick<Client, 'call' | 'ask'>
const area = () => world.server.contexts.records
const list = async (by: Asker, filter: object = {}) => by.call(secondPhotographCalls.list, { query: filter })
const offer = async (by: Asker, { id }: { id: string }) => (await by.call(secondPhotographCalls.offer, { params: { id } })).offer
const answer = (by: Asker, { id }: { id: string }, record: string, take: boolean) =>
  by.ask(secondPhotographCalls.answer, { params: { id }, body: { recordId: record, take } })
const photosOf = async (by: Asker, { id }: { id: string }) => (await by.call(peopleCalls.read, { query: { id } })).facePhotos
const answers = (park: Site) =>
  query(world.connectionString, 'SELECT record_id, face_id FROM second_photograph WHERE park_id = $1', [park.park.id])
const done = { status: 200, code: 0 }
/** Return the expected refusal of an answer: its code, and the field. */
const refusedAt = (path: string, code: number) => ({ code, data: { fields: [{ path }] } })

/** Create a park with a door that sends the given records. */
async function parkWithDoor() {
  const park = await world.addPark()
  const door = await park.device()
  const seqs = new Map<string, number>()
  return {
    park,
    door,
    /** @returns the id of the record */
    async sends(fields: Partial<RecordObject>, { at = door, picture = null as Buffer | null } = {}): Promise<string> {
      const seq = (seqs.get(at.id) ?? 0) + 1
      seqs.set(at.id, seq)
      const record = passage(seq, { occurredAt: Date.now(), hasPicture: picture !== null, ...fields })
      await area().ingest({ deviceId: at.id, parkId: park.park.id }, sentBy([record], { sentAt: Date.now() }))
      const id = recordId(at.id, 'boot-1', seq)
      if (picture !== null) await area().records.attachPicture({ parkId: park.park.id }, { deviceId: at.id }, id, picture)
      return id
    },
  }
}

const comes = ({ id, name }: Made, fields: Partial<RecordObject> = {}): Partial<RecordObject> => ({
  personId: id,
  personName: name,
  checks: faceOf(91),
  ...fields,
})

describe('how often people with one photograph are asked twice', () => {
  let place: Awaited<ReturnType<typeof parkWithDoor>>
  let often: MadePerson
  let once: MadePerson
  let never: MadePerson
  let grouped: Made
  beforeAll(async () => {
    place = await parkWithDoor()
    const { park, door, sends } = place
    grouped = await park.personGroup({ name: 'Night_shift' })
    const face = await sharp(onFile).jpeg().toBuffer()
    often = await park.person({ name: 'Often', photo: face })
    once = await park.person({ name: 'Once', photo: face, groupId: grouped.id })
    never = await park.person({ name: 'Never', photo: face })
    const two = await park.person({ name: 'Two', photo: [face, await sharp(atDoor).jpeg().toBuffer()] })
    const off = await park.person({ name: 'Off', photo: face })
    await park.person({ name: 'None' })
    const { id: groupId } = await park.call(specialCalls.createGroup, { body: { name: 'Burglars' } })
    await park.person({ name: 'Watched', kind: 'special', groupId, photo: face })
    await park.call(peopleCalls.status, { body: { ids: [off.id], status: 0 } })
    const other = await park.device()
    const start = Date.now() - 5 * DAY
    const again = async (minute: number, who: Made, fields: Partial<RecordObject> = {}, { after = 10 * SECOND, at = door } = {}) => {
      await sends({ ...NOBODY, occurredAt: start + minute * MINUTE })
      await sends(comes(who, { occurredAt: start + minute * MINUTE + after, ...fields }), { at })
    }
    await again(1, often)
    await sends({ ...NOBODY, occurredAt: start + 2 * MINUTE - 5 * SECOND })
    await again(2, often)
    await again(3, once)
    await again(4, two)
    await again(5, off)
    // Too late, at another door, and by card: whether it was the same person is not certain.
    await again(6, never, {}, { after: 31 * SECOND })
    await again(7, never, {}, { at: other })
    await again(8, never, { verifyType: verifyType.card })
    // Another person was admitted before.
    await sends({ ...NOBODY, occurredAt: start + 9 * MINUTE })
    await sends(comes(two, { occurredAt: start + 9 * MINUTE + 5 * SECOND }))
    await sends(comes(never, { occurredAt: start + 9 * MINUTE + 9 * SECOND }))
    // No face was shown, or it was refused for another reason.
    await sends({ ...NOBODY, verifyType: verifyType.card, occurredAt: start + 10 * MINUTE })
    await sends({
      ...comes(never),
      result: accessResult.rejected,
      failReason: failReason.livenessCheckFailed,
      occurredAt: start + 10 * MINUTE,
    })
    await sends(comes(never, { occurredAt: start + 10 * MINUTE + 5 * SECOND }))
    // More than thirty days ago.
    await sends({ ...NOBODY, occurredAt: Date.now() - 31 * DAY })
    await sends(comes(never, { occurredAt: Date.now() - 31 * DAY + 5 * SECOND }))
  })

  test('is counted by who was let in next at the door, the most often first', async () => {
    const { park } = place
    const { content, total } = await list(park)
    expect(total).toBe(3)
    const start = content[0]!.lastRefusedAt! - 2 * MINUTE
    expect(content).toMatchObject([
      { id: often.id, personName: 'Often', workNumber: often.workNumber, refused: 3, passages: 2, lastRefusedAt: start + 2 * MINUTE },
      { id: once.id, groupName: 'Night_shift', refused: 1, passages: 1, lastRefusedAt: start + 3 * MINUTE },
      { id: never.id, refused: 0, passages: 4, lastRefusedAt: null },
    ])
    expect((await fetch(world.url + content[0]!.thumbnail)).status).toBe(200)
  })

  test('is found by name and group, page by page', async () => {
    const { park } = place
    const named = async (filter: object) => (await list(park, filter)).content.map(({ personName }) => personName)
    expect(await named({ name: 'EVER' })).toEqual(['Never'])
    expect(await named({ groupId: grouped.id })).toEqual(['Once'])
    expect(await list(park, { size: 1, page: 2 })).toMatchObject({ total: 3, content: [{ personName: 'Once' }] })
    expect((await park.ask(secondPhotographCalls.list, { query: { groupId: crypto.randomUUID() } })).status).toBe(404)
  })

  test('counts the one photograph that is compared, whatever is set aside', async () => {
    const { park } = place
    const person = await park.person({
      name: 'Aside',
      photo: [await sharp(onFile).jpeg().toBuffer(), await sharp(atDoor).jpeg().toBuffer()],
    })
    expect((await list(park, { name: 'Aside' })).total).toBe(0)
    await park.call(faceCalls.setAside, { params: { id: person.faceIds[0]! }, body: { setAside: true } })
    expect(await list(park, { name: 'Aside' })).toMatchObject({ content: [{ id: person.id }] })
    await park.call(peopleCalls.delete, { query: { ids: [person.id] }, body: undefined })
  })

  test('is told to whoever may see people and records, names as they are shown', async () => {
    const { park } = place
    const elsewhere = await world.session({ park: park.park, permissions: ['person.list', 'access.record'], masking: true })
    const { content } = await list(elsewhere)
    expect(content.map(({ id }) => id)).toEqual([often.id, once.id, never.id])
    expect(JSON.stringify(content)).not.toContain('Often')
    for (const permissions of [['person.list'], ['access.record']])
      expect((await (await world.session({ park: park.park, permissions })).ask(secondPhotographCalls.list, { query: {} })).status).toBe(
        403,
      )
  })
})

test.runIf(isReal)('doors that somebody is not shown count nothing for them, and offer nothing', async () => {
  const [shownGroup, door] = [await world.deviceGroup(), await world.device()]
  const person = await world.person({ name: 'Behind a door', photo: onFile })
  const now = Date.now()
  const sent = [
    passage(1, { ...NOBODY, occurredAt: now - MINUTE }),
    passage(2, comes(person, { occurredAt: now - MINUTE + SECOND, hasPicture: true })),
  ]
  await area().ingest({ deviceId: door.id, parkId: world.park.id }, sentBy(sent, { sentAt: now }))
  await area().records.attachPicture({ parkId: world.park.id }, { deviceId: door.id }, recordId(door.id, 'boot-1', 2), atDoor)
  await world.server.platform.events.settled()
  const permissions = ['person.list', 'access.record', 'own:person.edit']
  const limited = await withRoles(world, [{ permissions, deviceGroupIds: [shownGroup.id] }])
  const filter = { name: 'Behind a door' }
  expect(await list(world, filter)).toMatchObject({ content: [{ refused: 1, passages: 1 }] })
  expect(await list(limited, filter)).toMatchObject({ content: [{ refused: 0, passages: 0, lastRefusedAt: null }] })
  expect((await offer(world, person))?.recordId).toBe(recordId(door.id, 'boot-1', 2))
  expect(await offer(limited, person)).toBeNull()
  expect((await answer(limited, person, recordId(door.id, 'boot-1', 2), true)).status).toBe(400)
})

/** Create a park with a person who has one photo. */
async function parkWithOne(options: { photo?: Buffer } = {}) {
  const place = await parkWithDoor()
  const person = await place.park.person({ name: 'Ada', photo: options.photo ?? onFile, permittedAt: place.door })
  await world.server.platform.events.settled()
  return {
    ...place,
    person,
    passes: (picture: Buffer | null, more: Partial<RecordObject> = {}) => place.sends(comes(person, more), { picture }),
  }
}

describe.runIf(isReal)('the picture of a passage', () => {
  test('is offered where it is clear, new and of the person, the newest first', async () => {
    const { park, door, person, passes } = await parkWithOne()
    expect(await offer(park, person)).toBeNull()
    const first = await passes(atDoor, { occurredAt: Date.now() - 2 * MINUTE })
    expect(await park.call(secondPhotographCalls.offer, { params: { id: person.id } })).toMatchObject({
      personId: person.id,
      personName: 'Ada',
      registered: { faceId: person.faceIds[0] },
      offer: { recordId: first, deviceName: door.name, url: expect.stringMatching(/^\/files\//) },
    })
    const second = await passes(later, { occurredAt: Date.now() - MINUTE })
    const offered = await offer(park, person)
    expect(offered!.recordId).toBe(second)
    expect((await fetch(world.url + offered!.thumbnail)).status).toBe(200)
    expect(await photosOf(park, person)).toEqual(person.faceIds)
  })

  test.each<[string, () => Partial<RecordObject>, () => Buffer | null | Promise<Buffer>]>([
    ['of a narrow passage', () => ({ checks: faceOf(74) }), () => atDoor],
    ['of a refusal', () => ({ result: accessResult.rejected, failReason: failReason.livenessCheckFailed }), () => atDoor],
    ['of a card', () => ({ verifyType: verifyType.card }), () => atDoor],
    ['of a month ago', () => ({ occurredAt: Date.now() - 31 * DAY }), () => atDoor],
    ['there is none of', () => ({}), () => null],
    ['of the photograph itself', () => ({}), () => shown(onFile)],
    ['of somebody else', () => ({}), () => somebodyElse],
    ['without a face', () => ({}), () => flat()],
    ['too blurred', () => ({}), () => blurred()],
  ])('is not offered %s', async (_, fieldsOf, picture) => {
    const { park, person, passes } = await parkWithOne()
    await passes(await picture(), fieldsOf())
    expect(await offer(park, person)).toBeNull()
  })

  test('is not offered of a passage that was somebody else’s', async () => {
    const { park, person, passes } = await parkWithOne()
    const id = await passes(atDoor)
    await park.call(clinicCalls.correct, { params: { id }, body: {} })
    expect(await offer(park, person)).toBeNull()
  })

  test('is not offered where the face is nearer to another person, nor to whoever is disabled or well known', async () => {
    const { park, person, passes } = await parkWithOne()
    const id = await passes(atDoor)
    expect((await offer(park, person))?.recordId).toBe(id)
    const twin = await park.person({ name: 'Twin', photo: atDoor })
    await world.server.platform.events.settled()
    expect(await offer(park, person)).toBeNull()
    await park.call(peopleCalls.delete, { query: { ids: [twin.id] }, body: undefined })
    await world.server.platform.events.settled()
    expect((await offer(park, person))?.recordId).toBe(id)
    await park.call(peopleCalls.status, { body: { ids: [person.id], status: 0 } })
    expect(await offer(park, person)).toBeNull()
    const known = await parkWithOne()
    const taken = await known.passes(atDoor)
    await known.passes(later)
    expect(await answer(known.park, known.person, taken, true)).toMatchObject(done)
    expect(await known.park.call(secondPhotographCalls.offer, { params: { id: known.person.id } })).toMatchObject({
      registered: null,
      offer: null,
    })
  })
})

describe.runIf(isReal)('an offered picture', () => {
  test('becomes the second photograph once somebody says so, and stays one however often that is said', async () => {
    const { park, person, passes } = await parkWithOne()
    const id = await passes(atDoor)
    const { version } = await park.call(peopleCalls.read, { query: { id: person.id } })
    const said = await Promise.all([1, 2].map(() => answer(park, person, id, true)))
    expect(said).toMatchObject([done, done])
    expect(await answer(park, person, id, true)).toMatchObject({ ...done, data: { id: person.id } })
    const after = await park.call(peopleCalls.read, { query: { id: person.id } })
    expect(after.facePhotos).toEqual([person.faceIds[0], expect.any(String)])
    expect(after.version).toBe(version + 1)
    // Intermediate photos without an owner are deleted.
    expect(await query(world.connectionString, 'SELECT 1 FROM face WHERE park_id = $1', [park.park.id])).toHaveLength(2)
    expect((await list(park)).total).toBe(0)
    const { content } = await park.call(auditCalls.operations, { query: { subject: 'Ada', size: 1 } })
    expect(content[0]).toMatchObject({ url: expect.stringContaining('/access/secondPhotograph/') })
    // If its photo was removed since, the same answer creates it again.
    const { facePhotos: _, ...kept } = { facePhotos: after.facePhotos, id: person.id, version: after.version }
    await park.call(peopleCalls.change, { body: { ...kept, facePhotos: person.faceIds } })
    expect(await answer(park, person, id, true)).toMatchObject(done)
    expect(await photosOf(park, person)).toHaveLength(2)
  })

  test('reaches the terminals, which then know the person by both', async () => {
    const { park, door, person, passes } = await parkWithOne()
    const id = await passes(atDoor)
    const terminal = await world.terminal(door)
    await world.settled()
    await answer(park, person, id, true)
    await world.settled()
    expect(await terminal.show(later)).toMatchObject({ verdict: 'allowed', personId: person.id })
    const stored = await world.server.contexts.faces.service.storedFacesOf({ parkId: park.park.id }, [person.id])
    expect(stored.get(person.id)!.faceIds).toEqual(await photosOf(park, person))
    await terminal.stop()
  })

  test('is never offered again once somebody says no, and the one before it is', async () => {
    const { park, person, passes } = await parkWithOne()
    const first = await passes(atDoor, { occurredAt: Date.now() - 2 * MINUTE })
    const second = await passes(later, { occurredAt: Date.now() - MINUTE })
    expect([await answer(park, person, second, false), await answer(park, person, second, false)]).toMatchObject([done, done])
    expect((await offer(park, person))?.recordId).toBe(first)
    expect(await answer(park, person, first, false)).toMatchObject(done)
    expect(await offer(park, person)).toBeNull()
    expect(await photosOf(park, person)).toEqual(person.faceIds)
    // A refusal can be changed to acceptance; after that, a refusal changes nothing.
    expect(await answer(park, person, first, true)).toMatchObject(done)
    expect(await answer(park, person, first, false)).toMatchObject(done)
    expect(await photosOf(park, person)).toHaveLength(2)
  })

  test('is refused as a form would refuse it, at the record that was named', async () => {
    const { park, person, passes } = await parkWithOne()
    const [foreign, good] = [await passes(somebodyElse), await passes(atDoor)]
    expect(await answer(park, person, foreign, true)).toMatchObject(refusedAt('recordId', 200203))
    const unclear = await passes(await blurred())
    expect(await answer(park, person, unclear, true)).toMatchObject({ data: { fields: [{ path: 'recordId' }] } })
    const { version, ...policy } = await park.call(privacyCalls.policy, {})
    await park.call(privacyCalls.changePolicy, { body: { ...policy, consentRequired: true, version } })
    expect(await answer(park, person, good, true)).toMatchObject({ status: 400, data: { fields: [{ path: 'recordId', rule: 'consent' }] } })
    await park.call(privacyCalls.noteConsent, { params: { id: person.id }, body: { state: 'given' } })
    expect(await answer(park, person, good, true)).toMatchObject(done)
    const third = await passes(later)
    expect(await answer(park, person, third, true)).toMatchObject({ status: 409 })
    expect(await query(world.connectionString, 'SELECT 1 FROM face WHERE park_id = $1', [park.park.id])).toHaveLength(2)
  })

  test('is of that person, of that park, and answered by whoever may change people', async () => {
    const { park, person, passes } = await parkWithOne()
    const { park: there, person: stranger } = await parkWithOne()
    const id = await passes(atDoor)
    const other = await park.person({ name: 'Other', photo: somebodyElse })
    for (const record of [crypto.randomUUID(), await passes(null)])
      expect(await answer(park, person, record, true)).toMatchObject({
        status: 400,
        data: { fields: [{ path: 'recordId', rule: 'unknown' }] },
      })
    expect((await answer(park, other, id, true)).status).toBe(400)
    expect((await answer(there, person, id, true)).status).toBe(404)
    expect((await answer(there, stranger, id, true)).status).toBe(400)
    const looking = await world.session({ park: park.park, permissions: ['person.list', 'access.record'] })
    expect((await offer(looking, person))?.recordId).toBe(id)
    for (const take of [true, false]) expect((await answer(looking, person, id, take)).status).toBe(403)
    expect(await answers(park)).toEqual([])
  })
})

describe('what was said of a passage', () => {
  test.each([
    ['the record', async (park: Site, _: Made, id: string) => park.call(recordCalls.delete, { params: { id } })],
    ['the person', async (park: Site, { id }: Made) => park.call(peopleCalls.delete, { query: { ids: [id] }, body: undefined })],
    [
      'the erased person',
      async (park: Site, { id }: Made) => park.call(privacyCalls.erase, { body: { personIds: [id], reason: 'asked for' } }),
    ],
    ['the month', async () => deleteNotesUnscoped(world.server.platform.db, Date.now() + DAY)],
  ])('goes with %s', async (_, removed) => {
    const { park, person, passes } = await parkWithOne()
    const id = await passes(atDoor)
    await answer(park, person, id, false)
    expect(await answers(park)).toHaveLength(1)
    await removed(park, person, id)
    await world.server.platform.events.settled()
    expect(await answers(park)).toEqual([])
  })
})
