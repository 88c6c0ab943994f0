/** The privacy settings of a park: the policy, consent and its consequences, and which persons are erased when their time is over. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { startWorld, type MadePerson, type Site, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { until } from '../../../../../tests/support/until.ts'

const DAY = 86_400_000
const UNCHANGED = { staff: null, customer: null, special: null, visitor: 90 }
const FIELDS = { consentRequired: false, consentText: {}, recordsOnErasure: 'pseudonymise' as const, retention: UNCHANGED }
let world: World
let offset = 0
let photos: Buffer[]
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + offset } })
  const [one] = world.photographs.people
  photos = await Promise.all([one!.photo(1), one!.photo(2)])
})
afterAll(() => world?.stop())

describe('the policy', () => {
  test('is of one park, and of two who change it at once the second is told', async () => {
    const elsewhere = await world.addPark()
    const before = await world.call(privacyCalls.policy, {})
    expect(before).toEqual({ ...FIELDS, version: 0 })
    const changed = await world.call(privacyCalls.changePolicy, {
      body: {
        ...FIELDS,
        recordsOnErasure: 'keep',
        consentText: { en: 'Known by the face.', 'zh-CN': '同意人脸识别' },
        retention: { ...UNCHANGED, customer: 30 },
        version: before.version,
      },
    })
    expect(changed).toMatchObject({ recordsOnErasure: 'keep', retention: { ...UNCHANGED, customer: 30 }, version: 1 })
    expect(await world.call(privacyCalls.policy, {})).toEqual(changed)
    expect(await world.ask(privacyCalls.changePolicy, { body: { ...FIELDS, version: before.version } })).toMatchObject({ status: 409 })
    expect(await elsewhere.call(privacyCalls.policy, {})).toEqual({ ...FIELDS, version: 0 })
    expect(await world.ask(privacyCalls.changePolicy, { body: { ...FIELDS, retention: { ...UNCHANGED, staff: 0 } } })).toMatchObject({
      status: 400,
    })
    await world.call(privacyCalls.changePolicy, { body: FIELDS })
  })

  test('leaves an entry with what was before and after', async () => {
    await world.call(privacyCalls.changePolicy, { body: { ...FIELDS, consentRequired: true } })
    const { content } = await world.call(auditCalls.operations, { query: { size: 1 } })
    const { changes } = await world.call(auditCalls.operation, { params: { id: content[0]!.id } })
    expect(changes).toMatchObject([{ entity: 'setting', label: 'privacy.policy' }])
    expect(JSON.stringify(changes[0]!.fields)).toContain('consentRequired')
    await world.call(privacyCalls.changePolicy, { body: FIELDS })
  })
})

describe('consent', () => {
  const consents = (site: Pick<Site, 'ask' | 'call'>, id: string) => site.call(privacyCalls.consents, { params: { id } })

  test('withdrawn takes the photographs everywhere and leaves the person with his card', async () => {
    const door = await world.terminal()
    const person = await world.person({ name: 'Consenting Cora', cardNumber: '20010', photo: photos[0]!, permittedAt: door.device })
    await world.settled()
    expect((await door.show(photos[1]!)).personId).toBe(person.id)
    const [file] = await query<{ id: string }>(world.connectionString, 'SELECT file_id AS id FROM face WHERE person_id = $1', [person.id])

    const given = await world.call(privacyCalls.noteConsent, { params: { id: person.id }, body: { state: 'given', note: 'signed' } })
    expect(given).toMatchObject({ state: 'given', channel: 'form', note: 'signed', notedBy: expect.any(String) })
    const withdrawn = await world.call(privacyCalls.noteConsent, { params: { id: person.id }, body: { state: 'withdrawn' } })
    expect(await consents(world, person.id)).toEqual([withdrawn, given])

    const after = await world.call(peopleCalls.read, { query: { id: person.id } })
    expect(after).toMatchObject({ faceConsent: 'withdrawn', faces: [], cardNumber: '20010' })
    await world.settled()
    expect(await door.show(photos[1]!)).toMatchObject({ verdict: 'rejected', personId: null })
    await world.server.platform.storage.sweep()
    expect(await query(world.connectionString, 'SELECT 1 FROM file WHERE id = $1', [file!.id])).toEqual([])
    expect(
      await query(world.connectionString, 'SELECT 1 FROM face_template JOIN face ON face.id = face_id WHERE person_id = $1', [person.id]),
    ).toEqual([])
    await door.stop()
  })

  test('is asked for before a photograph is taken over, where the park requires it', async () => {
    await world.call(privacyCalls.changePolicy, { body: { ...FIELDS, consentRequired: true } })
    const person = await world.person({ name: 'Careful Carl' })
    const { faceId } = await world.call(faceCalls.cache, { body: {}, file: photos[0]! })
    const change = (fields: object) =>
      world.ask(peopleCalls.change, {
        body: { id: person.id, name: person.name, workNumber: person.workNumber, groupId: person.groupId, facePhotos: [faceId], ...fields },
      })
    expect((await change({})).status).toBe(400)
    expect(await change({ faceConsent: true })).toMatchObject({ status: 200, code: 0 })
    expect(await consents(world, person.id)).toMatchObject([{ state: 'given', channel: 'form' }])
    await world.call(privacyCalls.changePolicy, { body: FIELDS })
  })

  test('is of a person of this park', async () => {
    const elsewhere = await world.addPark()
    const theirs = await elsewhere.person()
    expect(await world.ask(privacyCalls.consents, { params: { id: theirs.id } })).toMatchObject({ status: 404 })
    expect(await world.ask(privacyCalls.noteConsent, { params: { id: theirs.id }, body: { state: 'withdrawn' } })).toMatchObject({
      status: 404,
    })
    expect(await consents(elsewhere, theirs.id)).toEqual([])
  })
})

describe('retention', () => {
  const job = () => world.server.contexts.privacy.jobs!.find(({ name }) => name === 'privacy.eraseOld')!
  const isThere = async (site: Pick<Site, 'ask'>, { id }: { id: string }) =>
    (await site.ask(peopleCalls.read, { query: { id } })).status === 200

  test('erases who has been over for as long as the park said, by kind, and nobody else', async () => {
    const [park, other] = [await world.addPark(), await world.addPark()]
    const now = world.clock.now()
    const ending = (site: Site, kind: 'staff' | 'customer', days: number): Promise<MadePerson> =>
      site.person({ kind, validFrom: now - 400 * DAY, validTo: now - days * DAY })
    const [old, recent, customer, endless] = [
      await ending(park, 'staff', 31),
      await ending(park, 'staff', 29),
      await ending(park, 'customer', 300),
      await park.person(),
    ]
    const elsewhere = await ending(other, 'staff', 31)
    await park.call(privacyCalls.changePolicy, { body: { ...FIELDS, retention: { ...UNCHANGED, staff: 30 } } })

    expect(await job().run()).toMatchObject({ outcome: 'success' })
    expect(await Promise.all([old, recent, customer, endless].map((person) => isThere(park, person)))).toEqual([false, true, true, true])
    expect(await isThere(other, elsewhere)).toBe(true)
    const { content } = await park.call(privacyCalls.list, { query: {} })
    expect(content).toMatchObject([{ personId: old.id, origin: 'retention', requestedBy: '', reason: '' }])
    await until(
      'the receipt to be complete',
      async () => (await park.call(privacyCalls.read, { params: { id: content[0]!.id } })).completedAt !== null,
    )
    const log = await park.call(auditCalls.operations, { query: { size: 10 } })
    expect(log.content.some(({ url, account }) => url === privacyCalls.erase.url && account === 'retention')).toBe(true)

    expect(await job().run()).toMatchObject({ outcome: 'skipped' })
    offset = 2 * DAY
    expect(await job().run()).toMatchObject({ outcome: 'success' })
    expect(await isThere(park, recent)).toBe(false)
    offset = 0
  })

  test('of a watch list counts from the last change', async () => {
    const park = await world.addPark()
    const group = await park.personGroup({ name: 'Watched', type: 2 })
    const watched = await park.person({ kind: 'special', groupId: group.id })
    await park.call(privacyCalls.changePolicy, { body: { ...FIELDS, retention: { ...UNCHANGED, special: 10 } } })
    await job().run()
    expect(await query(world.connectionString, 'SELECT 1 FROM person WHERE id = $1', [watched.id])).toHaveLength(1)
    offset = 11 * DAY
    await job().run()
    offset = 0
    expect(await query(world.connectionString, 'SELECT 1 FROM person WHERE id = $1', [watched.id])).toHaveLength(0)
  })

  test('goes through more than one batch', { tags: 'extended' }, async () => {
    const park = await world.addPark()
    const now = world.clock.now()
    const first = await park.person({ validFrom: now - 9 * DAY, validTo: now - 8 * DAY })
    await query(
      world.connectionString,
      `INSERT INTO person (id, park_id, group_id, kind, name, gender, valid_to, created_at, updated_at)
       SELECT gen_random_uuid(), park_id, group_id, kind, 'Many ' || n, 3, valid_to, now(), now() FROM person, generate_series(1, 60) AS n
       WHERE id = $1`,
      [first.id],
    )
    await park.call(privacyCalls.changePolicy, { body: { ...FIELDS, retention: { ...UNCHANGED, staff: 7 } } })
    await job().run()
    expect(await query(world.connectionString, 'SELECT 1 FROM person WHERE park_id = $1', [park.park.id])).toHaveLength(0)
    expect((await park.call(privacyCalls.list, { query: {} })).total).toBe(61)
  })
})
