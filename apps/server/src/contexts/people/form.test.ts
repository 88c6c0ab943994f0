/** The person form of a park: its custom fields, and what it requires. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '@gatehouse/contract'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { personFormCalls } from '@gatehouse/contract/people/form'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { drawnFace } from '../../../../../tests/support/fixtures.ts'
import { personsOf } from '../../../../../tests/support/persons.ts'
import { fieldsRefused } from '../../../../../tests/support/users.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

type Change = InputOf<(typeof personFormCalls)['change']['body']>

async function park() {
  const site = await world.addPark()
  const change = (fields: Change['fields'], more: Partial<Change> = {}) => site.ask(personFormCalls.change, { body: { fields, ...more } })
  const read = () => site.call(personFormCalls.read, {})
  return { site, persons: personsOf(site), change, read }
}
const customOf = async (site: Site, id: string) =>
  Object.fromEntries((await site.call(peopleCalls.read, { query: { id } })).customFields.map(({ title, value }) => [title, value]))

test('two fields of one title are refused at the second [VAL-075, VAL-200]', async () => {
  const { change, read } = await park()
  for (const title of ['Locker', ' locker ', 'LOCKER']) {
    expect(await change([{ title: 'Locker' }, { title: 'Desk' }, { title }])).toMatchObject({
      status: 200,
      code: 900004,
      data: { fields: [{ path: 'fields.2.title', rule: 'code.900004' }] },
    })
  }
  expect((await read()).fields).toEqual([])
})

test('a title has 1 to 32 characters and no blanks inside [VAL-049]', async () => {
  const { change } = await park()
  for (const title of ['Locker number', 'a\tb', '储物 柜'])
    expect(fieldsRefused(await change([{ title }])), title).toEqual(['fields.0.title noBlanks'])
  expect(fieldsRefused(await change([{ title: ' ' }]))).toEqual(['fields.0.title required'])
  expect(fieldsRefused(await change([{ title: 'x'.repeat(33) }]))).toEqual(['fields.0.title max.string'])
  expect(await change([{ title: 'x'.repeat(32) }])).toMatchObject({ code: 0 })
})

test('fields keep the order they are sent in, and their ids while they are renamed', async () => {
  const { change, read } = await park()
  await change([{ title: 'A' }, { title: 'B', required: true }, { title: 'C', visible: false }])
  const [a, b, c] = (await read()).fields
  expect([a, b, c]).toMatchObject([
    { title: 'A', required: false, visible: true, order: 1 },
    { title: 'B', required: true, order: 2 },
    { title: 'C', visible: false, order: 3 },
  ])
  await change([{ id: c!.id, title: 'See' }, { id: a!.id, title: 'B' }, { title: 'New' }])
  expect((await read()).fields.map(({ id, title }) => [id, title])).toEqual([
    [c!.id, 'See'],
    [a!.id, 'B'],
    [expect.any(String), 'New'],
  ])
  expect(fieldsRefused(await change([{ id: b!.id, title: 'Gone' }]))).toEqual(['fields.0.id unknown'])
  expect(
    fieldsRefused(
      await change([
        { id: a!.id, title: 'A' },
        { id: a!.id, title: 'A2' },
      ]),
    ),
  ).toEqual(['fields.1.id duplicate'])
})

test('changed meanwhile by somebody else, it is a conflict', async () => {
  const { change, read } = await park()
  const { version } = await read()
  expect(await change([{ title: 'First' }], { version })).toMatchObject({ code: 0 })
  expect(await change([{ title: 'Second' }], { version })).toMatchObject({ status: 409, code: 409 })
  expect((await read()).fields).toMatchObject([{ title: 'First' }])
})

test('values of persons stand in the order of the form; those of a field that goes, go with it', async () => {
  const { site, persons, change, read } = await park()
  await change([{ title: 'Locker' }, { title: 'Desk' }])
  const [locker, desk] = (await read()).fields
  const id = await persons.made({
    customFields: [
      { id: desk!.id, value: ' 4.12 ' },
      { id: locker!.id, value: '17' },
    ],
  })
  expect((await persons.read(id)).customFields).toEqual([
    { id: locker!.id, title: 'Locker', value: '17' },
    { id: desk!.id, title: 'Desk', value: '4.12' },
  ])
  // Fields a form does not show are not sent, and not lost.
  await persons.change(id, { customFields: [{ id: locker!.id, value: '' }] })
  expect(await customOf(site, id)).toEqual({ Locker: '', Desk: '4.12' })
  await change([{ id: locker!.id, title: 'Locker' }])
  expect(await customOf(site, id)).toEqual({ Locker: '' })
  await change([{ id: locker!.id, title: 'Locker' }, { title: 'Desk' }])
  expect(await customOf(site, id)).toEqual({ Locker: '', Desk: '' })
})

test('a field that is not there, or not of this park, is refused at its id', async () => {
  const { persons } = await park()
  const other = await park()
  await other.change([{ title: 'Locker' }])
  const [foreign] = (await other.read()).fields
  for (const id of [crypto.randomUUID(), foreign!.id])
    expect(fieldsRefused(await persons.create({ customFields: [{ id, value: 'x' }] }))).toEqual([`customFields.${id} unknown`])
})

test('a required field is asked of staff and customers where the form shows it', async () => {
  const { site, persons, change, read } = await park()
  const before = await persons.made()
  await change([
    { title: 'Locker', required: true },
    { title: 'Hidden', required: true, visible: false },
  ])
  const [locker] = (await read()).fields
  const missing = [`customFields.${locker!.id} required`]
  for (const customFields of [[], [{ id: locker!.id, value: '  ' }]])
    expect(fieldsRefused(await persons.create({ customFields }))).toEqual(missing)
  expect(fieldsRefused(await persons.create({ kind: 'customer' }))).toEqual(missing)
  expect(fieldsRefused(await persons.change(before))).toEqual(missing)
  const watched = (await site.personGroup({ type: 2 })).id
  expect(await persons.create({ kind: 'special', groupId: watched })).toMatchObject({ code: 0 })
  expect(await persons.create({ customFields: [{ id: locker!.id, value: '17' }] })).toMatchObject({ code: 0 })
})

test('a photograph of the ID is asked for where the form demands it [VAL-068]', async () => {
  const { persons, change } = await park()
  const before = await persons.made()
  await change([], { idPhotoRequired: true })
  expect(fieldsRefused(await persons.create())).toEqual(['idPhoto required'])
  expect(fieldsRefused(await persons.create({ idPhoto: '' }))).toEqual(['idPhoto required'])
  expect(fieldsRefused(await persons.change(before))).toEqual(['idPhoto required'])
  const id = await persons.made({ idPhoto: await persons.picture(await drawnFace()) })
  expect(await persons.change(id)).toMatchObject({ code: 0 })
  expect(fieldsRefused(await persons.change(id, { idPhoto: '' }))).toEqual(['idPhoto required'])
  // What a change leaves out stays as it was.
  await change([])
  expect(fieldsRefused(await persons.change(id, { idPhoto: '' }))).toEqual(['idPhoto required'])
  await change([], { idPhotoRequired: false })
  expect(await persons.change(id, { idPhoto: '' })).toMatchObject({ code: 0 })
})

test('everybody of the park reads it; only who may set it changes it', async () => {
  const { site, change } = await park()
  await change([{ title: 'Locker' }])
  const reader = await world.session({ park: site.park, permissions: ['person'] })
  expect((await reader.call(personFormCalls.read, {})).fields).toMatchObject([{ title: 'Locker' }])
  expect(await reader.ask(personFormCalls.change, { body: { fields: [] } })).toMatchObject({ status: 403, code: 100510 })
})
