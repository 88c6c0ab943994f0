/** What a change of a person keeps, and what it removes: fields that are left out stay, null or an empty value removes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '@gatehouse/contract'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { contactCalls } from '@gatehouse/contract/people/contacts'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { PersonRecord } from '@gatehouse/contract/people/person'
import { personFormCalls } from '@gatehouse/contract/people/form'
import { specialCalls } from '@gatehouse/contract/people/special'
import type { Client } from '@gatehouse/dev-env/client'
import { portrait } from '@gatehouse/dev-env/portraits'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { drawnFace } from '../../../../../tests/support/fixtures.ts'
import { personsOf } from '../../../../../tests/support/persons.ts'
import { fieldsRefused } from '../../../../../tests/support/users.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const VALUES = {
  name: 'Ada Lovelace',
  workNumber: 'W-1',
  phone: '13800138000',
  gender: 2,
  cardType: 1,
  cardNumberFormat: 'hex',
  cardNumber: '00c0ffee',
  idType: 'passport',
  idNumber: 'P1234567',
  nationality: 'British',
  birthday: '1815-12-10',
  validFrom: 1_700_000_000_000,
  validTo: 4_000_000_000_000,
  remark: 'First of them all',
} as const

const contactOf = async (site: Site, picture: Promise<Uint8Array>, name = 'Anne Byron') => ({
  relation: 2 as const,
  name,
  phone: '13900139000',
  gender: 2 as const,
  photo: (await site.call(faceCalls.cache, { body: {}, file: await picture })).faceId,
})

/** Create a park with a person who has a value in every field. @param kind of the register the person is in */
async function personWithEveryField(kind: 'staff' | 'special' = 'staff') {
  const site = await world.addPark()
  const persons = personsOf(site)
  const { fields } = await site.call(personFormCalls.change, { body: { fields: [{ title: 'Desk' }, { title: 'Floor' }] } })
  const id = await persons.made({
    ...VALUES,
    kind,
    ...(kind === 'special' && { groupId: (await site.personGroup({ type: 2 })).id, instruction: 'Call the guard' }),
    facePhotos: [await persons.face(await drawnFace())],
    idPhoto: await persons.picture(await portrait('ada')),
    registrationPhoto: await persons.picture(await portrait('ada')),
    personalPassword: '123456',
    customFields: fields.map((field, at) => ({ id: field.id, value: `value ${at}` })),
    contacts: [await contactOf(site, portrait('anne'))],
  })
  const calls = kind === 'staff' ? peopleCalls : specialCalls
  const read = (by: Pick<Client, 'call'> = site): Promise<PersonRecord> => by.call(calls.read, { query: { id } })
  const change = (body: object, by: Pick<Client, 'ask'> = site) => by.ask(calls.change as Call, { body: { id, ...body } } as never)
  return { site, persons, id, fields, read, change }
}

/** Return an answer without the fields that differ after every change, and addresses without their signatures. */
const settled = ({ version: _version, updatedAt: _updatedAt, ...person }: PersonRecord): unknown =>
  JSON.parse(JSON.stringify(person).replaceAll(/\?e=[^"]*/g, ''))

describe.each(['staff', 'special'] as const)('a change of somebody of the kind %s', (kind) => {
  test('keeps what it leaves out', async () => {
    const { read, change } = await personWithEveryField(kind)
    const before = await read()
    expect(before).toMatchObject({ ...VALUES, hasPersonalPassword: true, contacts: [{ name: 'Anne Byron' }] })
    for (const body of [{}, { name: VALUES.name, groupId: before.groupId, workNumber: VALUES.workNumber }, { remark: VALUES.remark }]) {
      expect(await change(body)).toMatchObject({ status: 200, code: 0 })
      expect(settled(await read())).toEqual(settled(before))
    }
    expect(await change({ remark: 'changed' })).toMatchObject({ code: 0 })
    expect(settled(await read())).toEqual({ ...(settled(before) as object), remark: 'changed' })
  })

  test('removes what is null, one by one', async () => {
    const { site, read, change } = await personWithEveryField(kind)
    const removed = {
      workNumber: '',
      phone: '',
      cardNumber: '',
      idNumber: '',
      idType: '',
      nationality: '',
      birthday: '',
      validFrom: null,
      validTo: null,
      remark: '',
      idPhoto: '',
      registrationPhoto: '',
      facePhotos: [],
      contacts: [],
      gender: 3,
      cardType: 0,
      cardNumberFormat: 'decimal',
      ...(kind === 'special' && { instruction: '' }),
    }
    let before = await read()
    for (const [field, nothing] of Object.entries(removed)) {
      expect(await change({ [field]: null }), field).toMatchObject({ status: 200, code: 0 })
      const after = await read()
      expect(settled(after), field).toEqual({
        ...(settled(before) as object),
        [field]: nothing,
        ...(field === 'facePhotos' && { faces: [] }),
      })
      before = after
    }
    expect(await change({ personalPassword: null })).toMatchObject({ code: 0 })
    expect(await change({ customFields: [{ id: before.customFields[0]!.id, value: null }] })).toMatchObject({ code: 0 })
    expect(await read()).toMatchObject({ hasPersonalPassword: false, customFields: [{ value: '' }, { value: 'value 1' }] })
    expect(await change({ customFields: null })).toMatchObject({ code: 0 })
    expect((await read()).customFields.map(({ value }) => value)).toEqual(['', ''])
    for (const field of ['name', 'groupId'])
      for (const nothing of [null, '']) expect(fieldsRefused(await change({ [field]: nothing })), field).toEqual([`${field} required`])
    expect(await site.call(contactCalls.list, { query: { personId: before.id } })).toEqual([])
  })

  test('is taken where it is what was read, and changes nothing', async () => {
    const { site, read, change } = await personWithEveryField(kind)
    const masked = await world.session({ park: site.park, masking: true, roleSign: 'parkAdmin' })
    for (const by of [site, masked]) {
      const before = await read()
      expect(await change(await read(by), by)).toMatchObject({ status: 200, code: 0 })
      expect(settled(await read())).toEqual(settled(before))
    }
  })
})

describe('a change of a person', () => {
  test('is held to the rules between fields with what it keeps', async () => {
    const { read, change } = await personWithEveryField()
    expect(fieldsRefused(await change({ validTo: VALUES.validFrom - 1 }))).toEqual(['validTo periodOrder'])
    expect(fieldsRefused(await change({ validFrom: VALUES.validTo + 1 }))).toEqual(['validTo periodOrder'])
    expect(fieldsRefused(await change({ cardNumberFormat: 'decimal' }))).toEqual(['cardNumber decimalDigits'])
    expect(await change({ validFrom: null, validTo: VALUES.validFrom - 1 })).toMatchObject({ code: 0 })
    expect(await read()).toMatchObject({ validFrom: null, validTo: VALUES.validFrom - 1 })
  })

  test('does not enable, disable or say who is in a group: that is refused by name', async () => {
    const { read, change } = await personWithEveryField()
    const { version } = await read()
    expect(fieldsRefused(await change({ status: 0 }))).toEqual(['status readOnly'])
    expect(fieldsRefused(await change({ groupName: 'Elsewhere' }))).toEqual(['groupName readOnly'])
    expect(fieldsRefused(await change({ surname: 'Byron' }))).toEqual(['surname unknownField'])
    expect(await change({ status: 1 })).toMatchObject({ code: 0 })
    expect((await read()).version).toBe(version + 1)
  })

  test('replaces the contacts it names', async () => {
    const { site, id, read, change } = await personWithEveryField()
    const [anne] = (await read()).contacts
    const george = await contactOf(site, portrait('george'), 'George Byron')
    expect(await change({ contacts: [george, anne] })).toMatchObject({ code: 0 })
    const both = (await read()).contacts
    expect(both.map(({ name }) => name).toSorted()).toEqual(['Anne Byron', 'George Byron'])
    expect(both).toContainEqual(expect.objectContaining({ id: anne!.id, photo: anne!.photo }))
    // For a contact that is kept, fields that are left out stay.
    expect(await change({ contacts: [{ id: anne!.id, phone: '13900139001' }] })).toMatchObject({ code: 0 })
    expect((await read()).contacts).toMatchObject([{ id: anne!.id, name: 'Anne Byron', phone: '13900139001', photo: anne!.photo }])
    expect(fieldsRefused(await change({ contacts: [{ name: 'Nobody' }] })).toSorted()).toEqual([
      'contacts.0.gender required',
      'contacts.0.phone required',
      'contacts.0.photo required',
      'contacts.0.relation required',
    ])
    expect(fieldsRefused(await change({ contacts: [{ id: anne!.id, name: null }] }))).toEqual(['contacts.0.name required'])
    expect(fieldsRefused(await change({ contacts: [{ id }] }))).toEqual(['contacts.0.id unknown'])
    expect(fieldsRefused(await change({ contacts: [{ id: anne!.id }, { id: anne!.id }] }))).toEqual(['contacts.1.id duplicate'])
    expect(fieldsRefused(await change({ contacts: [{ id: anne!.id, personId: george.photo }] }))).toEqual(['contacts.0.personId readOnly'])
    expect((await read()).contacts).toHaveLength(1)
  })

  test('does not undo a contact that somebody has added meanwhile', async () => {
    const { site, id, read, change } = await personWithEveryField()
    const before = await read()
    await site.call(contactCalls.create, { body: { personId: id, ...(await contactOf(site, portrait('george'))) } })
    expect(await change(before)).toMatchObject({ status: 409 })
    expect((await read()).contacts).toHaveLength(2)
  })
})

test('a change of a contact keeps what it leaves out, and takes what was read', async () => {
  const { site, read } = await personWithEveryField()
  const [before] = (await read()).contacts
  const { id } = before!
  for (const body of [{}, before!, { name: 'Anne Isabella' }])
    expect(await site.ask(contactCalls.change, { body: { ...body, id } as never })).toMatchObject({ status: 200, code: 0 })
  expect(await site.call(contactCalls.read, { query: { id } })).toMatchObject({
    ...before!,
    name: 'Anne Isabella',
    face: expect.anything(),
  })
  expect(fieldsRefused(await site.ask(contactCalls.change, { body: { id, phone: null } as never }))).toEqual(['phone required'])
})

test('the form of a park is taken as it was read, and keeps what is left out of it', async () => {
  const { site, fields } = await personWithEveryField()
  const change = (body: object) => site.ask(personFormCalls.change as Call, { body } as never)
  const before = await site.call(personFormCalls.read, {})
  expect(await change(before)).toMatchObject({ code: 0 })
  expect(await change({ fields, idPhotoRequired: true })).toMatchObject({ code: 0 })
  expect(await change({ fields })).toMatchObject({ code: 0, data: { fields, idPhotoRequired: true } })
  // Fields with an order are sorted by it and numbered again; those without count by their place in the list.
  const [first, ...others] = fields
  const sorted = [...others, first!].map((field, at) => ({ ...field, order: at + 1 }))
  expect(await change({ fields: [{ ...first!, order: 70 }, ...others] })).toMatchObject({ code: 0, data: { fields: sorted } })
  const added = { title: 'Between', order: 1 }
  expect(await change({ fields: [...sorted, added] })).toMatchObject({ code: 0, data: { fields: [sorted[0], { title: 'Between' }, {}] } })
})
