/** What the register stores of a person, and what it refuses. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { portrait } from '@gatehouse/dev-env/portraits'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { drawnFace } from '../../../../../tests/support/fixtures.ts'
import { openedLog } from '../../../../../tests/support/opened-log.ts'
import { formOf, personsOf } from '../../../../../tests/support/persons.ts'
import { fieldsRefused } from '../../../../../tests/support/users.ts'

let world: World
let persons: ReturnType<typeof personsOf>
beforeAll(async () => {
  world = await startWorld()
  persons = personsOf(world)
})
afterAll(() => world?.stop())

/** Return the expected business refusal at a field. */
const at = (path: string, code: number) => ({ status: 200, code, data: { fields: [{ path, rule: `code.${code}` }] } })

const RESIDENT_ID = '110101199003074477'

test('what is read of a person can be sent back as it is, and changes nothing', async () => {
  for (const overrides of [
    { name: 'Back', workNumber: 'BACK-1' },
    { name: 'Forth', faceConsent: true },
    { name: 'Again', faceConsent: false },
  ]) {
    const { version, updatedAt: _, ...before } = await persons.read(await persons.made(overrides))
    expect(await world.ask(peopleCalls.change, { body: { ...before, version } as never })).toMatchObject({ status: 200, code: 0 })
    expect(await persons.read(before.id)).toMatchObject(before)
  }
})

describe('the name of a person', () => {
  test('has at most 32 characters [VAL-040]', async () => {
    expect(await persons.create({ name: '王'.repeat(33) })).toMatchObject(at('name', 200225))
    expect(await persons.create({ name: '王'.repeat(32) })).toMatchObject({ status: 200, code: 0 })
    expect(fieldsRefused(await persons.create({ name: '  ' }))).toEqual(['name required'])
  })

  test('holds none of \\ / : * ? " < > | [VAL-041, VAL-042, VAL-043, VAL-044, VAL-045, VAL-046, VAL-047, VAL-048]', async () => {
    for (const character of '\\/:*?"<>|')
      expect(fieldsRefused(await persons.create({ name: `Ada${character}Lovelace` })), character).toEqual(['name name'])
    const id = await persons.made({ name: 'Ada' })
    for (const character of '\\/:*?"<>|')
      expect(fieldsRefused(await persons.change(id, { name: character })), character).toEqual(['name name'])
    expect(await persons.read(id)).toMatchObject({ name: 'Ada', version: 1 })
  })

  test('may be any other people have, blanks and rare characters among them', async () => {
    for (const name of ["Jean-Luc d'Ormesson", '欧阳·阿依古丽', '𠮷野家', 'Nguyễn Thị Minh Khai'])
      expect(await persons.read(await persons.made({ name }))).toMatchObject({ name })
  })
})

describe('the phone number of a person', () => {
  test('keeps to digits and + * # [VAL-050]', async () => {
    for (const phone of ['010 123', '010-123', 'abc', '１２３４', '12', '1'.repeat(33)])
      expect(await persons.create({ phone }), phone).toMatchObject(at('phone', 900114))
    expect(await persons.create({ phone: '+86*10#1' })).toMatchObject({ code: 0 })
    expect(await persons.create({ phone: '' })).toMatchObject({ code: 0 })
  })

  test('is told with every other field that is wrong, whether that has a code or not', async () => {
    expect(await persons.create({ phone: 'abc', name: 'x'.repeat(33) })).toMatchObject({
      status: 200,
      code: 200225,
      data: {
        fields: [
          { path: 'name', rule: 'code.200225' },
          { path: 'phone', rule: 'code.900114' },
        ],
      },
    })
    const answer = await persons.create({ phone: 'abc', birthday: '1990-02-30' })
    expect(answer).toMatchObject({ status: 200, code: 900114 })
    expect(fieldsRefused(answer).toSorted()).toEqual(['birthday date', 'phone code.900114'])
  })
})

describe('what one person alone has', () => {
  const values = { phone: '13800138000', workNumber: 'W-1', idNumber: RESIDENT_ID, cardNumber: '4711' }
  const refusals = [
    ['phone', 200005],
    ['workNumber', 200215],
    ['idNumber', 200214],
    ['cardNumber', 200207],
  ] as const

  test('is his over staff, customers and watch list, and free in another park [VAL-051, VAL-052, VAL-053, VAL-054]', async () => {
    const site = await world.addPark()
    const here = personsOf(site)
    const watched = (await site.personGroup({ type: 2 })).id
    const first = await here.made(values)
    for (const [field, code] of refusals) {
      for (const overrides of [{}, { kind: 'customer' }, { kind: 'special', groupId: watched }])
        expect(await here.create({ ...overrides, [field]: values[field] })).toMatchObject(at(field, code))
      const other = await here.made()
      expect(await here.change(other, { [field]: values[field] })).toMatchObject(at(field, code))
    }
    expect(await personsOf(await world.addPark()).create(values)).toMatchObject({ code: 0 })
    // A person's own values do not conflict with them, and are available again once they are deleted.
    expect(await here.change(first, { remark: 'changed' })).toMatchObject({ code: 0 })
    await site.call(peopleCalls.delete, { query: { ids: [first] } })
    expect(await here.create({ ...values, kind: 'special', groupId: watched })).toMatchObject({ code: 0 })
  })

  test('goes to one of several who ask at the same time', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => persons.create({ workNumber: 'RACE' })))
    expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 200215, 200215])
  })

  test('is an ID number whichever way its last letter is written', async () => {
    await persons.made({ idNumber: '11010519491231002x' })
    expect(await persons.create({ idNumber: '11010519491231002X' })).toMatchObject(at('idNumber', 200214))
  })
})

describe('a card', () => {
  test('is written in the digits of its format', async () => {
    for (const cardNumber of ['12AF', '12 3', '-1', '1.0', '१२'])
      expect(fieldsRefused(await persons.create({ cardNumber })), cardNumber).toEqual(['cardNumber decimalDigits'])
    for (const cardNumber of ['12AG', '0x12', '12 AF'])
      expect(fieldsRefused(await persons.create({ cardNumber, cardNumberFormat: 'hex' })), cardNumber).toEqual(['cardNumber hexDigits'])
    expect(await persons.create({ cardNumber: '9'.repeat(33) })).toMatchObject(at('cardNumber', 200225))
    const id = await persons.made({ cardType: 2, cardNumber: '00c0ffee', cardNumberFormat: 'hex' })
    expect(await persons.read(id)).toMatchObject({ cardType: 2, cardNumber: '00c0ffee', cardNumberFormat: 'hex' })
  })

  test('is one card however its number is written, and two numbers are never one', async () => {
    await persons.made({ cardNumber: '0000175' })
    for (const overrides of [
      { cardNumber: '175' },
      { cardNumber: 'AF', cardNumberFormat: 'hex' },
      { cardNumber: '00af', cardNumberFormat: 'hex' },
    ])
      expect(await persons.create(overrides)).toMatchObject(at('cardNumber', 200207))
    // Truncated to 32 or 64 bits, or with their bytes reversed, these would be equal.
    const longest = '9'.repeat(32)
    for (const cardNumber of ['1750', '571', '4294967471', '18446744073709551791', longest, longest.replace(/9$/, '8')])
      expect(await persons.create({ cardNumber }), cardNumber).toMatchObject({ code: 0 })
  })

  test('is found by its number, whichever way it is written, and by the last four digits of it', async () => {
    const id = await persons.made({ name: 'Holder', cardNumber: '31415926' })
    for (const cardNumber of ['31415926', '1DF5E76', '5926'])
      expect(
        (await world.call(peopleCalls.list, { query: { cardNumber } })).content.map((person) => person.id),
        cardNumber,
      ).toEqual([id])
    for (const cardNumber of ['1592', '926', '415926'])
      expect((await world.call(peopleCalls.list, { query: { cardNumber } })).content, cardNumber).toEqual([])
  })
})

describe('the password a person types at a door', () => {
  test('has 4 to 10 digits [VAL-026]', async () => {
    for (const personalPassword of ['123', '1'.repeat(11), '12a4', '12 34', '１２３４'])
      expect(fieldsRefused(await persons.create({ personalPassword })), personalPassword).toEqual(['personalPassword digits'])
    for (const personalPassword of ['1234', '0123456789']) expect(await persons.create({ personalPassword })).toMatchObject({ code: 0 })
  })

  test('belongs to one person of the park', async () => {
    const id = await persons.made({ personalPassword: '246810' })
    expect(fieldsRefused(await persons.create({ personalPassword: '246810' }))).toEqual(['personalPassword passwordTaken'])
    expect(await personsOf(await world.addPark()).create({ personalPassword: '246810' })).toMatchObject({ code: 0 })
    expect(await persons.change(id, { personalPassword: '246810' })).toMatchObject({ code: 0 })
    expect(await persons.change(id, { personalPassword: '' })).toMatchObject({ code: 0 })
    expect(await persons.read(id)).toMatchObject({ hasPersonalPassword: false })
    expect(await persons.create({ personalPassword: '246810' })).toMatchObject({ code: 0 })
  })

  test('stays where a form leaves it out, is encrypted where it lies and in no answer and no log', async () => {
    const id = await persons.made({ personalPassword: '97531864', idNumber: RESIDENT_ID })
    expect(await persons.change(id, { remark: 'Other', personalPassword: undefined })).toMatchObject({ code: 0 })
    const answer = await persons.read(id)
    expect(answer).toMatchObject({ hasPersonalPassword: true, remark: 'Other' })
    await persons.change(id, { personalPassword: '97531865' })
    const noted = (await openedLog(world)).filter((change) => change.id === id)
    const rows = [await query(world.connectionString, 'select person::text as text from person where id = $1', [id]), noted]
    expect(noted.length).toBeGreaterThan(2)
    for (const secret of ['97531864', '97531865', RESIDENT_ID])
      expect(JSON.stringify([secret === RESIDENT_ID ? null : answer, rows])).not.toContain(secret)
  })
})

describe('the data of a person', () => {
  const given = {
    name: 'Ada Lovelace',
    workNumber: 'AL-1',
    phone: '+44123',
    gender: 2,
    cardType: 1,
    cardNumberFormat: 'hex',
    cardNumber: 'C0DE',
    idType: 'passport',
    idNumber: 'P1234567',
    nationality: 'British',
    birthday: '1815-12-10',
    validFrom: 1_700_000_000_000,
    validTo: 4_000_000_000_000,
    remark: 'Analytical engine',
    kind: 'customer',
  }

  test('come back as they were given, on being read, in the list and after a change', async () => {
    const id = await persons.made(given)
    expect(await persons.read(id)).toMatchObject({
      ...given,
      status: 1,
      version: 1,
      idPhoto: '',
      registrationPhoto: '',
      faceConsent: 'none',
      consentAt: null,
      customFields: [],
    })
    expect((await world.call(peopleCalls.find, { body: { workNumber: 'AL-1' } })).content).toMatchObject([given])
    const other = {
      ...given,
      name: 'Ada',
      cardNumber: '4321',
      cardNumberFormat: 'decimal',
      idType: 'other',
      nationality: '',
      birthday: '1815-12-11',
      validTo: null,
      gender: 3,
      cardType: 0,
    }
    expect(await persons.change(id, other)).toMatchObject({ code: 0 })
    expect(await persons.read(id)).toMatchObject({ ...other, version: 2 })
  })

  test('keep a validity that a change leaves out: nobody is let in longer by what is not said', async () => {
    const id = await persons.made({ validFrom: 1_000, validTo: 2_000 })
    const { validFrom: _, validTo: _to, ...form } = formOf(await persons.read(id))
    expect(await world.ask(peopleCalls.change, { body: form })).toMatchObject({ code: 0 })
    expect(await persons.read(id)).toMatchObject({ validFrom: 1_000, validTo: 2_000 })
    expect(await persons.change(id, { validFrom: null, validTo: null })).toMatchObject({ code: 0 })
    expect(await persons.read(id)).toMatchObject({ validFrom: null, validTo: null })
  })

  test('stand in the operation log with what each was before', async () => {
    const id = await persons.made({ nationality: 'British', cardType: 1 })
    await persons.change(id, { nationality: 'French', cardType: 2, idType: 'passport' })
    const { content } = await world.call(auditCalls.operations, { query: {} })
    const { changes } = await world.call(auditCalls.operation, { params: { id: content[0]!.id } })
    const fields = Object.fromEntries(changes[0]!.fields.map(({ field, before, after }) => [field, [before, after]]))
    expect(fields).toEqual({ nationality: ['British', 'French'], cardType: [1, 2], idType: [null, 'passport'] })
  })

  test('that came masked stay what they were when they are sent back', async () => {
    const id = await persons.made({ name: 'Grace Hopper', phone: '13900139000', idNumber: 'G7654321', nationality: 'American' })
    const blinkered = await world.session({ masking: true })
    expect(await persons.read(id, blinkered)).toMatchObject({ name: 'G********r', phone: '139****9000', nationality: 'American' })
    expect(await persons.change(id, { remark: 'seen' }, blinkered)).toMatchObject({ code: 0 })
    expect(await persons.read(id)).toMatchObject({ name: 'Grace Hopper', phone: '13900139000', idNumber: 'G7654321', remark: 'seen' })
  })

  test('changed by two at once are the first one’s; the second hears which fields differ', async () => {
    const id = await persons.made({ remark: 'before' })
    const form = formOf(await persons.read(id))
    expect(await world.ask(peopleCalls.change, { body: { ...form, nationality: 'first' } })).toMatchObject({ code: 0 })
    const late = await world.ask(peopleCalls.change, { body: { ...form, nationality: 'second' } })
    expect(late).toMatchObject({ status: 409, data: { fields: [{ path: 'nationality', rule: 'conflict' }] } })
    expect(await persons.read(id)).toMatchObject({ nationality: 'first' })
  })
})

describe('pictures of papers and of the day of registration', () => {
  test('are kept while the person has them, and go with their place', async () => {
    const [idPhoto, registrationPhoto] = [await persons.picture(await drawnFace()), await persons.picture(await portrait('registration'))]
    const id = await persons.made({ idPhoto, registrationPhoto })
    const person = await persons.read(id)
    for (const address of [person.idPhoto, person.registrationPhoto]) expect((await fetch(world.url + address)).status).toBe(200)
    // A form that sends back what it was shown, or nothing, changes nothing.
    const fileOf = (address: string) => address.split('/')[2]
    await persons.change(id, { registrationPhoto: undefined })
    const same = await persons.read(id)
    expect([fileOf(same.idPhoto), fileOf(same.registrationPhoto)]).toEqual([fileOf(person.idPhoto), fileOf(person.registrationPhoto)])
    await persons.change(id, { idPhoto: await persons.picture(await portrait('another')), registrationPhoto: '' })
    await world.server.platform.storage.sweep()
    const after = await persons.read(id)
    expect(after.registrationPhoto).toBe('')
    expect((await fetch(world.url + after.idPhoto)).status).toBe(200)
    for (const address of [person.idPhoto, person.registrationPhoto]) expect((await fetch(world.url + address)).status).toBe(404)
  })

  test('of two persons do not go with one of them', async () => {
    const idPhoto = await persons.picture(await drawnFace())
    const [one, other] = [await persons.made({ idPhoto }), await persons.made({ idPhoto })]
    await world.call(peopleCalls.delete, { query: { ids: [one] } })
    await world.server.platform.storage.sweep()
    expect((await fetch(world.url + (await persons.read(other)).idPhoto)).status).toBe(200)
  })

  test('are pictures of this park', async () => {
    const foreign = await personsOf(await world.addPark()).picture(await drawnFace())
    for (const idPhoto of [foreign, '/files/x', 'https://example.org/a.png', `${(await persons.picture(await drawnFace())).slice(0, -1)}!`])
      expect(fieldsRefused(await persons.create({ idPhoto })), idPhoto).toEqual(['idPhoto picture'])
  })
})

test('deleting a person leaves no photograph, template or picture of theirs, in no table and not on the disk [FIELD-22]', async () => {
  const [facePhotos, idPhoto, registrationPhoto] = [
    [await persons.face(await drawnFace())],
    await persons.picture(await drawnFace()),
    await persons.picture(await drawnFace()),
  ]
  const contact = { name: 'Byron', phone: '123', gender: 1, relation: 1, photo: await persons.face(await portrait('byron')) }
  const id = await persons.made({ facePhotos, idPhoto, registrationPhoto, contacts: [contact] })
  const files = (
    await query<{ id: string }>(
      world.connectionString,
      `select file_id as id from face where id = any($1) 
        union select unnest(array[id_photo, registration_photo]) from person where id = $2`,
      [[...facePhotos, contact.photo], id],
    )
  ).map((row) => row.id)
  expect(files).toHaveLength(4)
  const onDisk = () =>
    readdirSync(join(world.dataDir, 'files'), { recursive: true }).filter((name) => files.some((file) => String(name).includes(file)))
  expect(onDisk().length).toBeGreaterThanOrEqual(12)
  await world.call(peopleCalls.delete, { query: { ids: [id] } })
  await world.server.platform.storage.sweep()
  expect(onDisk()).toEqual([])
  const left = await query<{ count: string }>(
    world.connectionString,
    `select (select count(*) from face where id = any($1)) + (select count(*) from face_template where face_id = any($1))
      + (select count(*) from file where id = any($2)) + (select count(*) from person_contact where person_id = $3) as count`,
    [[...facePhotos, contact.photo], files, id],
  )
  expect(Number(left[0]!.count)).toBe(0)
})
