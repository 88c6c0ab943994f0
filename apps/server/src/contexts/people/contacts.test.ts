/** Contacts of a person, and the photos by which a door may recognise them. */
import type { Context } from '../../platform/context.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contactCalls } from '@gatehouse/contract/people/contacts'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { createClient } from '@gatehouse/dev-env/client'
import { portrait } from '@gatehouse/dev-env/portraits'
import { type FacePool, PhotoRefusal } from '@gatehouse/face-engine'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { drawnFace } from '../../../../../tests/support/fixtures.ts'
import { personsOf } from '../../../../../tests/support/persons.ts'
import { until } from '../../../../../tests/support/until.ts'
import { fieldsRefused } from '../../../../../tests/support/users.ts'
import { testingPool } from '../faces/testing/pool.ts'

let world: World
let persons: ReturnType<typeof personsOf>
beforeAll(async () => {
  world = await startWorld()
  persons = personsOf(world)
})
afterAll(() => world?.stop())

const face = async () => persons.face(await drawnFace())
const fields = async (overrides: Record<string, unknown> = {}) =>
  ({ relation: 2, name: 'Anne Byron', phone: '+44 1'.replace(' ', ''), gender: 2, photo: await face(), ...overrides }) as never as {
    relation: 2
    name: string
    phone: string
    gender: 2
    photo: string
  }
const add = async (personId: string, overrides: Record<string, unknown> = {}) =>
  world.ask(contactCalls.create, { body: { personId, ...(await fields(overrides)) } })
const listOf = (personId: string) => world.call(contactCalls.list, { query: { personId } })

describe('a contact', () => {
  test('has a name, within the rules of names [VAL-063]', async () => {
    const id = await persons.made()
    expect(fieldsRefused(await add(id, { name: undefined }))).toEqual(['name required'])
    expect(fieldsRefused(await add(id, { name: ' ' }))).toEqual(['name required'])
    expect(fieldsRefused(await add(id, { name: 'A*e' }))).toEqual(['name name'])
    expect(await add(id, { name: 'x'.repeat(33) })).toMatchObject({ status: 200, code: 200225, data: { fields: [{ path: 'name' }] } })
  })

  test('has a phone number [VAL-064]', async () => {
    const id = await persons.made()
    expect(fieldsRefused(await add(id, { phone: undefined }))).toEqual(['phone required'])
    for (const phone of ['', 'abc'])
      expect(await add(id, { phone })).toMatchObject({ status: 200, code: 900114, data: { fields: [{ path: 'phone' }] } })
  })

  test('has a gender [VAL-065]', async () => {
    const id = await persons.made()
    expect(fieldsRefused(await add(id, { gender: undefined }))).toEqual(['gender required'])
    expect(fieldsRefused(await add(id, { gender: 4 }))).toHaveLength(1)
  })

  test('has a photograph that shows a face [VAL-066]', async () => {
    const id = await persons.made()
    expect(fieldsRefused(await add(id, { photo: undefined }))).toEqual(['photo required'])
    expect(fieldsRefused(await add(id, { photo: '' }))).toEqual(['photo required'])
    for (const photo of ['01900000-0000-7000-8000-000000000000', 'nothing']) expect((await add(id, { photo })).code, photo).not.toBe(0)
    expect(await listOf(id)).toEqual([])
  })

  test('has a relation [VAL-067]', async () => {
    const id = await persons.made()
    expect(fieldsRefused(await add(id, { relation: undefined }))).toEqual(['relation required'])
    expect(fieldsRefused(await add(id, { relation: 8 }))).toHaveLength(1)
  })

  test('comes back as it was given, and as it was changed', async () => {
    const id = await persons.made()
    const given = await fields()
    const { id: contactId } = await world.call(contactCalls.create, { body: { personId: id, ...given } })
    const contact = await world.call(contactCalls.read, { query: { id: contactId } })
    expect(contact).toMatchObject({ ...given, id: contactId, personId: id, face: { faceId: given.photo } })
    expect((await fetch(world.url + contact.face.url)).status).toBe(200)
    const other = await fields({ name: 'George Byron', relation: 1, gender: 1, photo: await persons.face(await portrait('george')) })
    await world.call(contactCalls.change, { body: { id: contactId, ...other } })
    expect(await listOf(id)).toMatchObject([{ ...other, id: contactId }])
    await world.server.platform.storage.sweep()
    expect((await fetch(world.url + contact.face.url)).status).toBe(404)
    await world.call(contactCalls.delete, { query: { id: contactId } })
    expect(await listOf(id)).toEqual([])
    expect(await world.ask(contactCalls.read, { query: { id: contactId } })).toMatchObject({ status: 404 })
  })

  test('that came masked stays what it was when it is sent back', async () => {
    const id = await persons.made()
    const { id: contactId } = await world.call(contactCalls.create, { body: { personId: id, ...(await fields({ phone: '13900139000' })) } })
    const blinkered = await world.session({ masking: true })
    const { relation, name, phone, gender, photo } = await blinkered.call(contactCalls.read, { query: { id: contactId } })
    expect({ name, phone }).toEqual({ name: 'A********n', phone: '139****9000' })
    await blinkered.call(contactCalls.change, { body: { id: contactId, relation: 7, name, phone, gender: gender as 2, photo } })
    expect(relation).toBe(2)
    expect(await listOf(id)).toMatchObject([{ name: 'Anne Byron', phone: '13900139000', relation: 7 }])
  })
})

describe('of a person', () => {
  test('there are at most four contacts, however often and at once they are sent [VAL-062]', async () => {
    const id = await persons.made()
    const given = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => fields({ name: `Contact ${number}` })))
    const answers = await Promise.all(given.map((one) => world.ask(contactCalls.create, { body: { personId: id, ...one } })))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(4)
    expect(answers.filter(({ code }) => code !== 0).map(fieldsRefused)).toEqual([['personId contactsFull'], ['personId contactsFull']])
    expect(await listOf(id)).toHaveLength(4)
    const five = await Promise.all([1, 2, 3, 4, 5].map(() => fields()))
    expect(fieldsRefused(await persons.create({ contacts: five }))).toEqual(['contacts max.array'])
  })

  test('the same contact sent again is refused: its photograph is taken', async () => {
    const id = await persons.made()
    const given = await fields()
    const answers = await Promise.all([1, 2].map(() => world.ask(contactCalls.create, { body: { personId: id, ...given } })))
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 200201])
    expect(await listOf(id)).toHaveLength(1)
  })

  test('contacts are registered with the person, or nobody is', async () => {
    const [one, other] = [await fields({ name: 'One' }), await fields({ name: 'Other' })]
    const id = await persons.made({ contacts: [one, other] })
    expect((await listOf(id)).map(({ name }) => name)).toEqual(['One', 'Other'])
    const before = await world.call(peopleCalls.summary, {})
    expect(await persons.create({ contacts: [await fields(), one] })).toMatchObject({
      code: 200201,
      data: { fields: [{ path: 'contacts.1.photo' }] },
    })
    expect(fieldsRefused(await persons.create({ contacts: [await fields({ name: 'A:B' })] }))).toEqual(['contacts.0.name name'])
    expect(await world.call(peopleCalls.summary, {})).toEqual(before)
  })

  test('who is disabled contacts stay as they are', async () => {
    const id = await persons.made({ contacts: [await fields()] })
    const [contact] = await listOf(id)
    await world.call(peopleCalls.status, { body: { ids: [id], status: 0 } })
    expect(await add(id)).toMatchObject({ code: 200224 })
    expect(await world.ask(contactCalls.change, { body: { id: contact!.id, ...(await fields()) } })).toMatchObject({ code: 200224 })
    expect(await world.ask(contactCalls.delete, { query: { id: contact!.id } })).toMatchObject({ code: 200224 })
  })

  test('of another park nobody learns anything', async () => {
    const id = await persons.made({ contacts: [await fields()] })
    const [contact] = await listOf(id)
    const foreign = await world.session({ park: (await world.addPark()).park })
    expect(await foreign.ask(contactCalls.list, { query: { personId: id } })).toMatchObject({ status: 404 })
    expect(await foreign.ask(contactCalls.read, { query: { id: contact!.id } })).toMatchObject({ status: 404 })
  })
})

describe('the photograph of a contact', () => {
  test('is in no comparison of persons, at no door and not for a person to take', async () => {
    const site = await world.addPark()
    const here = personsOf(site)
    const [contact, somebody] = world.photographs.people
    const photo = await contact!.photo(1)
    const faceId = await here.face(photo)
    const device = await site.device()
    const person = await site.person({ photo: await somebody!.photo(1), permittedAt: device })
    await site.call(contactCalls.create, { body: { personId: person.id, ...(await fields({ photo: faceId })) } })
    await world.settled()
    expect((await site.call(faceCalls.cache, { body: {}, file: photo })).similar).toEqual([])
    const door = createClient(world.url, { basic: [device.code, device.secret] })
    const { audience } = await door.call(deviceProtocolCalls.manifest, {})
    const { persons: stored } = await door.call(deviceProtocolCalls.shelf, {
      params: { audience, first: 0, count: 256 },
      query: { modelId: '' },
    })
    expect(stored).toHaveLength(1)
    expect(JSON.stringify(stored)).not.toContain(faceId)
    expect(await here.create({ facePhotos: [faceId] })).toMatchObject({ code: 200201, data: { fields: [{ path: 'facePhotos' }] } })
  })

  test('is not taken for abandoned', async () => {
    const id = await persons.made({ contacts: [await fields()] })
    const loose = await face()
    const [contact] = await listOf(id)
    await query(world.connectionString, `update face set created_at = created_at - interval '2 days' where id = any($1)`, [
      [contact!.photo, loose],
    ])
    await world.server.contexts.faces.service.dropAbandoned()
    const left = await query<{ id: string }>(world.connectionString, 'select id from face where id = any($1)', [[contact!.photo, loose]])
    expect(left.map((row) => row.id)).toEqual([contact!.photo])
  })

  test('is made a template of by another model, as those of persons are', async () => {
    const id = await persons.made({ contacts: [await fields()] })
    const [contact] = await listOf(id)
    const real = testingFacePool({ workers: 1 })
    const other = testingPool(real, 'of-a-test')
    const models = async () =>
      (
        await query<{ model: string }>(
          world.connectionString,
          'select model_id as model from face_template where face_id = $1 order by 1',
          [contact!.photo],
        )
      ).map(({ model }) => model)
    const before = await models()
    expect(before).toHaveLength(1)
    const device = await world.device()
    await world.strategy({ persons: [{ id, name: '' }], devices: [device], authorizedObject: 'contact' })
    await world.settled()
    /** Whether a terminal of the other model gets a template of the contact. */
    const hasTemplate = async () => {
      const door = createClient(world.url, { basic: [device.code, device.secret] })
      const { audience } = await door.call(deviceProtocolCalls.manifest, {})
      const {
        persons: [stored],
      } = await door.call(deviceProtocolCalls.shelf, { params: { audience, first: 0, count: 256 }, query: { modelId: 'of-a-test' } })
      return stored!.contacts!.map(({ faces }) => faces.map(({ template }) => template !== null))
    }
    expect(await hasTemplate()).toEqual([[false]])
    await world.interrupted(async () => expect(await models()).toEqual(before), { facePool: other as unknown as FacePool })
    await until('the template of the other model', async () => (await models()).includes('of-a-test'))
    expect(await models()).toEqual([...before, 'of-a-test'].toSorted())
    await world.settled()
    expect(await hasTemplate()).toEqual([[true]])
    await world.interrupted(async () => {}, { facePool: real })
    await world.settled()
    expect((await listOf(id))[0]).toMatchObject({ photo: contact!.photo })
  })

  test('that another model refuses is listed with its reason, the person and the contact, as those of persons are', async () => {
    const site = await world.addPark()
    const here = personsOf(site)
    const id = await here.made({ contacts: [await fields({ photo: await here.face(await drawnFace()) })] })
    const real = testingFacePool({ workers: 1 })
    const refusing = testingPool(real, 'of-a-test-that-refuses-all')
    refusing.before = () => {
      throw new PhotoRefusal('blur', {})
    }
    const engine = () => site.call(faceCalls.engine, {})
    expect(await engine()).toMatchObject({ photos: 1, current: 1, refused: 0 })
    await world.interrupted(async () => {}, { facePool: refusing as unknown as FacePool })
    await until('the refusal', async () => (await engine()).refused === 1)
    expect(await engine()).toMatchObject({ photos: 1, current: 0, refused: 1 })
    const { content, total } = await site.call(faceCalls.refusedPhotos, { query: {} })
    expect(total).toBe(1)
    const [person, contact] = [
      await site.call(peopleCalls.read, { query: { id } }),
      (await site.call(contactCalls.list, { query: { personId: id } }))[0]!,
    ]
    expect(content).toMatchObject([
      { faceId: contact.photo, personId: id, personName: person.name, contactName: contact.name, code: 201222 },
    ])
    await world.interrupted(async () => {}, { facePool: real })
    await world.settled()
    expect(await engine()).toMatchObject({ photos: 1, current: 1, refused: 0 })
  })

  test('goes with the contact, with the person and with the park', async () => {
    const site = await world.addPark()
    const here = personsOf(site)
    const with4 = async () =>
      here.made({ contacts: await Promise.all([1, 2].map(async () => fields({ photo: await here.face(await drawnFace()) }))) })
    const count = async () =>
      Number(
        (
          await query<{ count: string }>(world.connectionString, 'select count(*) as count from face where park_id = $1', [site.park.id])
        )[0]!.count,
      )
    const [one, other] = [await with4(), await with4()]
    expect(await count()).toBe(4)
    await site.call(contactCalls.delete, { query: { id: (await site.call(contactCalls.list, { query: { personId: one } }))[0]!.id } })
    expect(await count()).toBe(3)
    await site.call(peopleCalls.delete, { query: { ids: [one] } })
    expect(await count()).toBe(2)
    expect(await site.call(contactCalls.list, { query: { personId: other } })).toHaveLength(2)
    await world.server.platform.transaction(async (tx) => {
      for (const context of Object.values<Context>(world.server.contexts)) await context.erasePark?.(tx as never, { parkId: site.park.id })
    })
    expect(await count()).toBe(0)
    expect(await query(world.connectionString, 'select id from person_contact where park_id = $1', [site.park.id])).toEqual([])
  })
})
