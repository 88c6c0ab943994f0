/** Personal data of users whose profile requires masking: on every screen, in pushes, and in what their forms send back. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isWrite, type Call } from '@gatehouse/contract'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { clinicCalls } from '@gatehouse/contract/clinic/calls'
import { synchronisationCalls } from '@gatehouse/contract/synchronisation/calls'
import { calls as contract } from '@gatehouse/contract/calls'
import { faceReportCalls } from '@gatehouse/contract/faces/report'
import { accessResult } from '@gatehouse/contract/enums'
import { passage } from '@gatehouse/server/contexts/records/testing/records'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { userCalls } from '@gatehouse/contract/identity/users'
import { mask } from '@gatehouse/contract/masking'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { topics } from '@gatehouse/contract/realtime'
import type { Answer, CallInput, Client } from '@gatehouse/dev-env/client'
import { startSimulatedDevice } from '@gatehouse/dev-env/demo/simulated-device'
import { listen } from '@gatehouse/dev-env/live'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { portraitVariant } from '@gatehouse/dev-env/portraits'
import { DISTINCT_PORTRAITS } from '@gatehouse/face-engine'
import { ask } from '../support/all-calls.ts'
import { createFixtures, type Fixtures } from '../support/fixtures.ts'
import { requestFor, type Given } from '../support/requests.ts'
import { until } from '../support/until.ts'
import { givenFor } from '../support/cases/all.ts'

let world: World
let here: Fixtures
let masking: Client
let plain: Client
/** Every name, phone, ID number and card number of the park, none of which is part of any other text. */
const personal: string[] = []

/** Return a site that gives its persons unique names. */
const named = (site: Site): Site => ({
  ...site,
  person(options = {}) {
    const number = 100 + personal.length
    const person = {
      name: `Zacharias Q${number}`,
      phone: `1390000${number}7`,
      idNumber: `11010119900307${number}X`,
      cardNumber: `77001234${number}5`,
    }
    personal.push(person.name, person.phone, person.idNumber, person.cardNumber)
    return site.person({ ...person, ...options })
  },
})

beforeAll(async () => {
  world = await startWorld()
  const site = named(world)
  // Two look-alikes, so that the report finds a pair and a photo its likeness.
  await site.person({ photo: await portraitVariant(DISTINCT_PORTRAITS[0], 0) })
  await site.person({ photo: await portraitVariant(DISTINCT_PORTRAITS[0], 1) })
  here = await createFixtures(world, site)
  await world.call(clinicCalls.correct, { params: { id: here.recordId }, body: { actualPersonId: here.otherPerson.id } })
  masking = await world.session({ masking: true, roleSign: 'admin' })
  plain = await world.session({ roleSign: 'admin' })
})
afterAll(() => world?.stop())

const reveals = (answer: Answer): boolean => personal.some((value) => JSON.stringify(answer.data ?? null).includes(value))

const reading = contract.filter(
  (call) => !isWrite(call) && !['public', 'basic', 'device'].includes(call.permission) && call.produces !== 'file',
)

describe('what calls answer', () => {
  const nameOf = (call: Call) => `${call.method} ${call.url}`
  const revealing = async (client: Client): Promise<string[]> => {
    const found: string[] = []
    for (const call of reading) {
      if (reveals(await client.ask(call, requestFor(call, await givenFor(call, here, world)) as CallInput<Call>))) found.push(nameOf(call))
    }
    return found
  }

  test(
    'no call tells a name, a phone, an ID number or a card number to whom they are masked; those that know them tell others ' +
      'in full [BEH-010, BEH-013]',
    async () => {
      expect(await revealing(masking)).toEqual([])
      const full = await revealing(plain)
      const expected = [
        peopleCalls.list,
        peopleCalls.find,
        peopleCalls.read,
        recordCalls.find,
        recordCalls.read,
        recordCalls.ofPerson,
        strategyCalls.read,
        clinicCalls.analyse,
        clinicCalls.list,
        synchronisationCalls.persons,
        synchronisationCalls.devicesOfPerson,
        synchronisationCalls.personsOfDevice,
        faceCalls.matching,
        faceReportCalls.read,
      ]
      expect(full).toEqual(expect.arrayContaining(expected.map(nameOf)))
    },
  )

  test('a masked value shows enough to know whom it is about', async () => {
    const { id, name } = here.person
    const [before, after] = [await plain.call(peopleCalls.read, { query: { id } }), await masking.call(peopleCalls.read, { query: { id } })]
    expect(after).toMatchObject({
      name: mask('name', name),
      phone: mask('phone', before.phone),
      idNumber: mask('idNumber', before.idNumber),
      cardNumber: `********${before.cardNumber.slice(-4)}`,
      workNumber: before.workNumber,
      groupName: before.groupName,
    })
    expect(after.name).toMatch(/^Z\*+\d$/)
  })

  test('e-mail addresses of accounts are masked like their names and phones, and shown in full to others [BEH-010, BEH-013]', async () => {
    const personalOf = { realName: 'Theodora Quill', email: 'theodora@example.org', phone: '13711112222', idCard: '110101198001010011' }
    const [role] = (await world.call(userCalls.list, { query: {} })).content.flatMap(({ roles }) => roles)
    const { id } = await world.call(userCalls.create, {
      body: { ...personalOf, account: 'theodora', organisationId: world.park.id, roles: [role!] },
    })
    const shown = { realName: 'T************l', email: 't***@example.org', phone: '137****2222', idCard: '110********11' }
    const find = async (client: Client) =>
      (await client.call(userCalls.list, { query: { account: 'theodora' } })).content.find((user) => user.id === id)
    expect(await find(plain)).toMatchObject(personalOf)
    expect(await find(masking)).toMatchObject({
      realName: mask('name', personalOf.realName),
      email: shown.email,
      phone: shown.phone,
      idCard: mask('idNumber', personalOf.idCard),
    })
  })

  test('a photograph that looks like somebody else says so without the name', async () => {
    const file = await portraitVariant(DISTINCT_PORTRAITS[0], 2)
    const similarTo = async (client: Client) =>
      (await client.call(faceCalls.cache, { body: {}, file })).similar!.map(({ personName }) => personName)
    const names = await similarTo(plain)
    expect(personal).toEqual(expect.arrayContaining(names))
    expect(await similarTo(masking)).toEqual(names.map((name) => mask('name', name)))
    expect(names).not.toEqual([])
  })

  test('who knows the whole name still finds by it', async () => {
    const found = async (client: Client) =>
      (await client.call(peopleCalls.list, { query: { name: here.person.name } })).content.map(({ id }) => id)
    expect(await found(masking)).toEqual([here.person.id])
    expect(await found(masking)).toEqual(await found(plain))
  })
})

test('no call that changes something answers in full either', async () => {
  const there = await createFixtures(world, named(await world.addPark()))
  const { park } = there.site
  const writing = contract
    // These end the session of the caller.
    .filter((call) => isWrite(call) && !['public', 'basic', 'device'].includes(call.permission) && call.url !== identityCalls.revoke.url)
  // Before one of them deletes what another needs.
  const given = new Map<Call, Given>()
  for (const call of writing) given.set(call, await givenFor(call, there, world))
  const found: string[] = []
  for (const call of writing) {
    const client = await world.session({
      park,
      organisationId: world.server.contexts.organisation.service.root().id,
      masking: true,
      roleSign: 'admin',
    })
    if (reveals(await ask(world, call, client.credentials, given.get(call)))) found.push(`${call.method} ${call.url}`)
  }
  expect(writing.length).toBeGreaterThan(150)
  expect(found).toEqual([])
})

describe('a push', () => {
  const listening = (client: Client) =>
    listen(
      { url: world.url, bearer: (client.credentials as { bearer: string }).bearer, areaCode: world.park.areaCode },
      topics.accessRecord,
    )

  /** Record a passage of the person of the record, as a device in that epoch sends it. */
  async function pass(epoch: string): Promise<void> {
    const { device, person } = here
    const simulated = await startSimulatedDevice({ server: world.url, code: device.code, secret: device.secret, epoch, modelId: 'none' })
    const revision = simulated.manifest().revision
    await simulated.send([passage(1, { occurredAt: world.clock.now(), personId: person.id, personName: person.name, revision })])
    await simulated.stop()
  }
  const nameIn = async (rows: Awaited<ReturnType<typeof listening>>) =>
    (await rows.row('the record', ({ personId, result }) => personId === here.person.id && result === accessResult.allowed)).personName

  test('is masked for whom everything is, and for nobody else on the same topic', async () => {
    const [masked, full] = [await listening(masking), await listening(plain)]
    await pass('pushed')
    expect(await nameIn(full)).toBe(here.person.name)
    expect(await nameIn(masked)).toBe(mask('name', here.person.name))
    expect(JSON.stringify(masked.rows)).not.toContain(here.person.name)
    await Promise.all([masked.stop(), full.stop()])
  })

  test('is masked from the moment on at which a user is to see everything masked', async () => {
    const client = await world.session()
    const { id } = await client.call(identityCalls.profile, {})
    const rows = await listening(client)
    const { realName, organisationId, roles, version } = await world.call(userCalls.read, { params: { id } })
    await world.call(userCalls.change, {
      body: { id, version, realName, organisationId, roles, enablePageDataMasking: true },
    })
    expect((await client.call(peopleCalls.read, { query: { id: here.person.id } })).name).toBe(mask('name', here.person.name))
    // The server checks the connection again after the change, not before its answer.
    await until('a masked row', async () => {
      await pass(`masked later ${rows.rows.length}`)
      return (await rows.row('a row', () => rows.rows.length > 0)) && rows.rows.at(-1)!.personName === mask('name', here.person.name)
    })
    await rows.stop()
  })
})

describe('what a form of masked values sends back', () => {
  /** Open the form of a person as a user, change fields, and save. */
  async function save(client: Client, id: string, change: object) {
    const {
      name,
      workNumber,
      phone,
      email,
      gender,
      groupId,
      cardNumber,
      idNumber,
      birthday,
      validFrom,
      validTo,
      facePhotos,
      remark,
      version,
    } = await client.call(peopleCalls.read, { query: { id } })
    const form = {
      name,
      workNumber,
      phone,
      email,
      gender: gender as 1 | 2 | 3,
      groupId,
      cardNumber,
      idNumber,
      birthday,
      validFrom,
      validTo,
      facePhotos,
      remark,
    }
    return client.ask(peopleCalls.change, { body: { ...form, id, version, ...change } })
  }
  const stored = (id: string) => plain.call(peopleCalls.read, { query: { id } })
  const person = () => named(world).person()

  test('leaves what it did not touch as it was', async () => {
    const { id } = await person()
    const before = await stored(id)
    expect(await save(masking, id, { remark: 'Badge lost' })).toMatchObject({ status: 200, code: 0 })
    const after = await stored(id)
    const { name, phone, email, idNumber, cardNumber } = before
    expect(after).toMatchObject({ name, phone, email, idNumber, cardNumber, remark: 'Badge lost' })
  })

  test('changes what was typed, and clears what was cleared', async () => {
    const { id } = await person()
    const { name } = await stored(id)
    expect(await save(masking, id, { phone: '+8613812349999', idNumber: '' })).toMatchObject({ code: 0 })
    expect(await stored(id)).toMatchObject({ name, phone: '+8613812349999', idNumber: '' })
    // The ID number is available to another person.
    expect((await save(masking, (await person()).id, { idNumber: 'ABC-1' })).code).toBe(0)
  })

  test.each([
    ['name', 'Z********x'],
    ['phone', '138****0000'],
    ['idNumber', '110***'],
    ['cardNumber', '****9999'],
  ])('is refused at its field where a %s has asterisks of its own', async (field, value) => {
    const { id } = await person()
    const before = await stored(id)
    expect(await save(masking, id, { [field]: value })).toMatchObject({
      status: 400,
      code: 400,
      data: { fields: [{ path: field, rule: 'masked' }] },
    })
    const fields = { name: 'Somebody new', groupId: here.group.id, [field]: value }
    expect(await masking.ask(peopleCalls.create, { body: fields })).toMatchObject({
      status: 400,
      data: { fields: [{ path: field, rule: 'masked' }] },
    })
    expect(await stored(id)).toEqual(before)
  })

  test('may hold a phone with one asterisk of its own', async () => {
    const { id } = await person()
    expect(await save(masking, id, { phone: '*31#5550100' })).toMatchObject({ code: 0 })
    expect((await stored(id)).phone).toBe('*31#5550100')
    // Once more, unchanged.
    expect(await save(masking, id, { remark: 'again' })).toMatchObject({ code: 0 })
    expect((await stored(id)).phone).toBe('*31#5550100')
  })

  test('is no name for anybody whose data are not masked', async () => {
    const { id, name } = await person()
    expect(await save(plain, id, { name: mask('name', name) })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'name', rule: 'name' }] },
    })
    expect(await plain.ask(peopleCalls.create, { body: { name: 'Z*', groupId: here.group.id } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'name', rule: 'name' }] },
    })
    expect((await stored(id)).name).toBe(name)
  })

  test('does not restore a name that was changed meanwhile', async () => {
    const { id } = await person()
    const { version, groupId } = await masking.call(peopleCalls.read, { query: { id } })
    const shown = await masking.call(peopleCalls.read, { query: { id } })
    expect(await save(plain, id, { name: 'Renamed meanwhile' })).toMatchObject({ code: 0 })
    expect(await masking.ask(peopleCalls.change, { body: { id, version, name: shown.name, groupId } })).toMatchObject({
      status: 409,
      data: { fields: [{ path: 'version', rule: 'conflict' }] },
    })
    expect((await stored(id)).name).toBe('Renamed meanwhile')
  })
})
