/** What happens to persons in the course of time, and changes of several at once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { personFormCalls } from '@gatehouse/contract/people/form'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type MadeDevice, type World } from '@gatehouse/dev-env/world'
import { drawnFace } from '../../../../../tests/support/fixtures.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { personsOf } from '../../../../../tests/support/persons.ts'
import { fieldsRefused } from '../../../../../tests/support/users.ts'
import { newId } from '../../platform/database/ids.ts'

const [MINUTE, DAY] = [60_000, 86_400_000]
let now = Date.UTC(2026, 10, 21, 4)

let world: World
let persons: ReturnType<typeof personsOf>
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => now } })
  persons = personsOf(world)
})
afterAll(() => world?.stop())

const setStatus = (ids: string[], status: 0 | 1) => world.ask(peopleCalls.status, { body: { ids, status } })
const statusOf = async (id: string) => (await persons.read(id)).status
/** Return the persons a door would admit. */
async function letInAt(device: MadeDevice): Promise<string[]> {
  await world.settled()
  const door = createClient(world.url, { basic: [device.code, device.secret] })
  const { audience } = await door.call(deviceProtocolCalls.manifest, {})
  return (await door.call(deviceProtocolCalls.shelf, { params: { audience, first: 0, count: 256 }, query: { modelId: '' } })).persons
    .filter(({ enabled }) => enabled)
    .map(({ name }) => name)
}

describe('the status of a person', () => {
  test('person 1 → 0: disabled, no door lets him in [STATE:person:1>0]', async () => {
    const device = await world.device()
    const { id } = await world.person({ name: 'Disabled', permittedAt: device })
    expect(await letInAt(device)).toEqual(['Disabled'])
    expect(await setStatus([id], 0)).toMatchObject({ code: 0, data: { changed: 1 } })
    expect(await statusOf(id)).toBe(0)
    expect(await letInAt(device)).toEqual([])
    expect((await world.call(peopleCalls.list, { query: { status: 0 } })).content.map((person) => person.id)).toContain(id)
  })

  test('whether a person is enabled is answered by itself; why that was changed stands in the operation log', async () => {
    const { id } = await world.person({ name: 'Blocked for a reason' })
    expect(await world.call(peopleCalls.standing, { query: { id } })).toEqual({ kind: 'staff', enabled: true })
    await world.call(peopleCalls.status, { body: { ids: [id], status: 0, reason: 'Lost the key' } })
    expect(await world.call(peopleCalls.standing, { query: { id } })).toEqual({ kind: 'staff', enabled: false })
    const { content } = await world.call(auditCalls.operations, { query: {} })
    const { changes } = await world.call(auditCalls.operation, { params: { id: content[0]!.id } })
    expect(changes[0]!.fields).toContainEqual(expect.objectContaining({ field: 'reason', after: 'Lost the key' }))
    // A reason given for a person who is disabled already is stored too, in addition to those of changed persons.
    const other = await world.person({ name: 'Enabled until now' })
    const body = { ids: [id, other.id], status: 0 as const, reason: 'Left the company' }
    expect(await world.call(peopleCalls.status, { body })).toEqual({ changed: 1 })
    expect(await world.call(peopleCalls.status, { body: { ...body, ids: [id] } })).toEqual({ changed: 0 })
    const entries = (await world.call(auditCalls.operations, { query: {} })).content.slice(0, 2)
    const noted = await Promise.all(entries.map((entry) => world.call(auditCalls.operation, { params: { id: entry.id } })))
    const reason = { field: 'reason', before: null, after: 'Left the company' }
    const fieldsByLabel = noted.map((entry) => new Map(entry.changes.map(({ label, fields }) => [label, fields])))
    expect(fieldsByLabel).toEqual([
      new Map([['Blocked for a reason', [reason]]]),
      new Map([
        ['Blocked for a reason', [reason]],
        ['Enabled until now', [{ field: 'enabled', before: true, after: false }, reason]],
      ]),
    ])
    expect(await world.ask(peopleCalls.standing, { query: { id: newId() } })).toMatchObject({ status: 404 })
  })

  test('person 0 → 1: enabled again, doors let him in as before [STATE:person:0>1]', async () => {
    const device = await world.device()
    const { id } = await world.person({ name: 'Enabled', permittedAt: device })
    await setStatus([id], 0)
    expect(await setStatus([id], 1)).toMatchObject({ code: 0, data: { changed: 1 } })
    expect(await statusOf(id)).toBe(1)
    expect(await letInAt(device)).toEqual(['Enabled'])
  })

  test('person 1 → 2 → 1: expired when the validity ends, enabled when it is extended [STATE:person:1>2, STATE:person:2>1]', async () => {
    const id = await persons.made({ validTo: now + MINUTE })
    expect(await statusOf(id)).toBe(1)
    now += 2 * MINUTE
    expect(await statusOf(id)).toBe(2)
    expect((await world.call(peopleCalls.list, { query: { status: 2 } })).content.map((person) => person.id)).toEqual([id])
    expect(await persons.change(id, { validTo: now + DAY })).toMatchObject({ code: 0 })
    expect(await statusOf(id)).toBe(1)
  })

  test('disabled wins over expired; enabled, he is expired as he was', async () => {
    const id = await persons.made({ validTo: now - DAY })
    await setStatus([id], 0)
    expect(await statusOf(id)).toBe(0)
    await setStatus([id], 1)
    expect(await statusOf(id)).toBe(2)
  })
})

test('a disabled person is not edited, moved, copied or deleted, and is once enabled [VAL-073]', async () => {
  const [id, other] = [await persons.made({ name: 'Disabled' }), await persons.made()]
  const { id: groupId } = await world.personGroup()
  await setStatus([id], 0)
  const ids = [other, id]
  expect(await persons.change(id, { name: 'Other' })).toMatchObject({ status: 200, code: 200224 })
  expect(await world.ask(peopleCalls.delete, { query: { ids } })).toMatchObject({ code: 200224 })
  expect(await world.ask(peopleCalls.move, { body: { ids, groupId } })).toMatchObject({ code: 200224 })
  expect(await world.ask(peopleCalls.copy, { body: { ids, groupId } })).toMatchObject({ code: 200224 })
  expect(await persons.read(id)).toMatchObject({ name: 'Disabled' })
  expect((await persons.read(other)).groupId).toBe(await persons.groupId())
  await setStatus([id], 1)
  expect(await world.ask(peopleCalls.delete, { query: { ids } })).toMatchObject({ code: 0, data: { deleted: 2 } })
})

describe('a batch sent twice at once', () => {
  const several = () => Promise.all([1, 2, 3, 4, 5].map(() => persons.made()))

  test('changes status, group and register once, and says so [FIELD-17]', async () => {
    const ids = await several()
    const changed = await Promise.all([setStatus(ids, 0), setStatus(ids.toReversed(), 0)])
    expect(changed.map(({ data }) => data.changed).toSorted()).toEqual([0, 5])
    await setStatus(ids, 1)
    const versions = async () => (await Promise.all(ids.map((id) => persons.read(id)))).map(({ version }) => version)
    expect(new Set(await versions())).toEqual(new Set([3]))

    const { id: groupId } = await world.personGroup()
    const moved = await Promise.all([ids, ids.toReversed()].map((each) => world.ask(peopleCalls.move, { body: { ids: each, groupId } })))
    expect(moved.map(({ data }) => data.moved).toSorted()).toEqual([0, 5])
    expect(new Set(await versions())).toEqual(new Set([4]))

    const copied = await Promise.all(
      [ids, ids.toReversed()].map((each) => world.ask(peopleCalls.copy, { body: { ids: each, groupId: groupId } })),
    )
    expect(copied.map(({ data }) => data.copied).toSorted()).toEqual([0, 5])
    expect((await world.call(peopleCalls.list, { query: { groupId, size: 100 } })).total).toBe(10)

    const deleted = await Promise.all([ids, ids.toReversed()].map((each) => world.ask(peopleCalls.delete, { query: { ids: each } })))
    expect(deleted.map(({ status, data }) => (status === 200 ? data.deleted : status)).toSorted((a, b) => a - b)).toEqual([5, 404])
  })

  test('leaves one entry of each person in the log', async () => {
    const ids = await several()
    await Promise.all([setStatus(ids, 0), setStatus(ids, 0)])
    const rows = await query<{ count: string }>(
      world.connectionString,
      `select count(*) as count from operation_log, jsonb_array_elements(changes) as one
        where url like '%person/status' and one->>'id' = any($1)`,
      [ids],
    )
    expect(Number(rows[0]!.count)).toBe(5)
  })

  test('changes nobody where one is not there', async () => {
    const ids = await several()
    const gone = '01900000-0000-7000-8000-000000000000'
    const { id: groupId } = await world.personGroup()
    for (const answer of [
      await setStatus([...ids, gone], 0),
      await world.ask(peopleCalls.move, { body: { ids: [gone, ...ids], groupId } }),
      await world.ask(peopleCalls.delete, { query: { ids: [...ids, gone] } }),
    ])
      expect(answer).toMatchObject({ status: 404 })
    expect(new Set(await Promise.all(ids.map(statusOf)))).toEqual(new Set([1]))
  })
})

describe('moving persons', () => {
  test('gives them another group, and doors follow', async () => {
    const [from, to] = [await world.personGroup(), await world.personGroup()]
    const device = await world.device()
    await world.strategy({ personGroups: [to], devices: [device] })
    const [one, other] = [await world.person({ groupId: from.id, name: 'One' }), await world.person({ groupId: to.id, name: 'Other' })]
    expect(await world.call(peopleCalls.move, { body: { ids: [one.id, other.id], groupId: to.id } })).toEqual({ moved: 1 })
    expect(await persons.read(one.id)).toMatchObject({ groupId: to.id, groupName: to.name, version: 2 })
    expect(await persons.read(other.id)).toMatchObject({ version: 1 })
    expect((await letInAt(device)).toSorted()).toEqual(['One', 'Other'])
  })

  test('stays within a register: whom to look out for is in groups of its own', async () => {
    const watched = await world.personGroup({ type: 2 })
    const [id, special] = [await persons.made(), await persons.made({ kind: 'special', groupId: watched.id })]
    expect(fieldsRefused(await world.ask(peopleCalls.move, { body: { ids: [id], groupId: watched.id } }))).toEqual(['groupId kindOfGroup'])
    expect(fieldsRefused(await world.ask(peopleCalls.move, { body: { ids: [special], groupId: await persons.groupId() } }))).toEqual([
      'groupId kindOfGroup',
    ])
    const foreign = await (await world.addPark()).personGroup()
    expect(fieldsRefused(await world.ask(peopleCalls.move, { body: { ids: [id], groupId: foreign.id } }))).toEqual(['groupId unknown'])
  })
})

describe('copying persons', () => {
  const whole = (number: number) => ({
    name: 'Original',
    workNumber: `C-${number}`,
    phone: `555${number}`,
    cardNumber: `77${number}`,
    idNumber: `ID-${number}`,
    personalPassword: `99${number}99`,
    nationality: 'British',
    gender: 2,
    remark: 'kept',
    validTo: now + 300 * DAY,
  })
  const only = async (site: Pick<World, 'call'>, groupId: string) => (await site.call(peopleCalls.list, { query: { groupId } })).content

  test('within a park leaves what is theirs alone with the original, and photographs are new ones', async () => {
    const id = await persons.made({
      ...whole(1),
      facePhotos: [await persons.face(await drawnFace())],
      idPhoto: await persons.picture(await drawnFace()),
    })
    const { id: groupId } = await world.personGroup()
    expect(await world.call(peopleCalls.copy, { body: { ids: [id], groupId, kind: 'customer' } })).toEqual({ copied: 1 })
    const [copy] = await only(world, groupId)
    expect(copy).toMatchObject({
      name: 'Original',
      nationality: 'British',
      gender: 2,
      remark: 'kept',
      validTo: now + 300 * DAY,
      kind: 'customer',
      workNumber: '',
      phone: '',
      cardNumber: '',
      idNumber: '',
      hasPersonalPassword: false,
    })
    const original = await persons.read(id)
    expect(original).toMatchObject({ workNumber: 'C-1', phone: '5551', hasPersonalPassword: true, version: 1 })
    expect(copy!.facePhotos).toHaveLength(1)
    expect(copy!.facePhotos).not.toEqual(original.facePhotos)
    // The photos of one are not deleted with the other.
    await world.call(peopleCalls.delete, { query: { ids: [id] } })
    await world.server.platform.storage.sweep()
    for (const address of [copy!.faces[0]!.url, copy!.idPhoto]) expect((await fetch(world.url + address)).status).toBe(200)
    expect(await world.call(peopleCalls.copy, { body: { ids: [copy!.id], groupId: await persons.groupId() } })).toEqual({ copied: 1 })
  })

  test('a copy that is in the group already is passed over', async () => {
    const [id, other] = [await persons.made(), await persons.made()]
    const { id: groupId } = await world.personGroup()
    expect(await world.call(peopleCalls.copy, { body: { ids: [id], groupId } })).toEqual({ copied: 1 })
    expect(await world.call(peopleCalls.copy, { body: { ids: [id, other], groupId } })).toEqual({ copied: 1 })
    expect(await only(world, groupId)).toHaveLength(2)
  })

  test('into another park takes what is theirs along, sealed for that park, and faces are found there', async () => {
    const target = await world.addPark()
    const manager = await world.session({ organisationId: world.server.contexts.organisation.service.root().id })
    for (const site of [world, target]) await site.call(personFormCalls.change, { body: { fields: [{ title: 'Locker' }] } })
    const [locker] = (await world.call(personFormCalls.read, {})).fields
    const photo = await world.photographs.people[0]!.photo(1)
    const id = await persons.made({ ...whole(2), customFields: [{ id: locker!.id, value: '17' }], facePhotos: [await persons.face(photo)] })
    const { id: groupId } = await target.personGroup()
    const copy = { ids: [id], groupId, parkId: target.park.id }
    expect(await manager.call(peopleCalls.copy, { body: copy })).toEqual({ copied: 1 })
    const [there] = await only(target, groupId)
    const { personalPassword, ...shown } = whole(2)
    expect(there).toMatchObject({ ...shown, hasPersonalPassword: true, customFields: [{ title: 'Locker', value: '17' }] })
    expect((await fetch(world.url + there!.faces[0]!.url)).status).toBe(200)
    const here = personsOf(target)
    expect(fieldsRefused(await here.create({ personalPassword }))).toEqual(['personalPassword passwordTaken'])
    await world.settled()
    expect((await target.call(faceCalls.cache, { body: {}, file: photo })).similar).toMatchObject([{ personId: there!.id }])
    await world.call(personFormCalls.change, { body: { fields: [] } })
  })

  test('into another park is refused where a value is taken, and nobody is copied', async () => {
    const target = await world.addPark()
    const manager = await world.session({ organisationId: world.server.contexts.organisation.service.root().id })
    const ids = [await persons.made(), await persons.made(whole(3))]
    const { id: groupId } = await target.personGroup()
    for (const [field, code] of [
      ['workNumber', 200215],
      ['phone', 200005],
      ['idNumber', 200214],
      ['cardNumber', 200207],
    ] as const) {
      const taken = await personsOf(target).made({ [field]: whole(3)[field] })
      expect(await manager.ask(peopleCalls.copy, { body: { ids, groupId, parkId: target.park.id } })).toMatchObject({
        status: 200,
        code,
        data: { fields: [{ path: field }] },
      })
      await target.call(peopleCalls.delete, { query: { ids: [taken] } })
    }
    expect(await only(target, groupId)).toEqual([])
  })

  test('goes only to parks whose persons the caller may manage', async () => {
    const target = await world.addPark()
    const { id: groupId } = await target.personGroup()
    const ids = [await persons.made()]
    const local = await world.session()
    for (const parkId of [target.park.id, crypto.randomUUID(), world.server.contexts.organisation.service.root().id])
      expect(fieldsRefused(await local.ask(peopleCalls.copy, { body: { ids, groupId, parkId } })), parkId).toEqual(['parkId unknown'])
    expect(fieldsRefused(await local.ask(peopleCalls.copy, { body: { ids, groupId } }))).toEqual(['groupId unknown'])
  })
})

describe('sending persons again', () => {
  test('tells every device that is to hold them, and no other', async () => {
    const [gate, door, other] = [await world.device(), await world.device(), await world.device()]
    const person = await world.person({ permittedAt: [gate, door] })
    await world.person({ permittedAt: other })
    await world.settled()
    const synchronisation = world.server.contexts.synchronisation.service
    const headOf = ({ id, code }: MadeDevice) => synchronisation.current({ deviceId: id, code, parkId: world.park.id })!.head
    const before = [gate, door, other].map(headOf)
    expect(await world.call(peopleCalls.retrySend, { body: { ids: [person.id] } })).toEqual({ devices: 2 })
    const after = [gate, door, other].map(headOf)
    expect(after.map((head, index) => head > before[index]!)).toEqual([true, true, false])
    expect(await world.ask(peopleCalls.retrySend, { body: { ids: ['01900000-0000-7000-8000-000000000000'] } })).toMatchObject({
      status: 404,
    })
  })

  test('of somebody who is to be nowhere tells nobody', async () => {
    expect(await world.call(peopleCalls.retrySend, { body: { ids: [await persons.made()] } })).toEqual({ devices: 0 })
  })
})

test('the number of a resident identity card is checked by how it is made; whose it is cannot be told', async () => {
  const check = (idNumber: string) => world.call(peopleCalls.realidIdentity, { query: { name: '王伟', idNumber } })
  // The example of the standard, with its last letter in either case.
  for (const idNumber of ['11010519491231002X', '11010519491231002x', '440524188001010014'])
    expect(await check(idNumber), idNumber).toEqual({ agrees: null, checker: 'form' })
  // A wrong last digit, two transposed digits, and dates that do not exist.
  for (const idNumber of ['110105194912310021', '11010519491213002X', '110105194902300025', '110105194913010022'])
    expect(await check(idNumber), idNumber).toEqual({ agrees: false, checker: 'form' })
  expect(await check('P1234567')).toEqual({ agrees: null, checker: 'form' })
})

describe('whom to look out for', () => {
  test('is in no list and no count of staff and customers unless asked for', async () => {
    const site = await world.addPark()
    const watched = await site.personGroup({ type: 2 })
    await site.person({ name: 'Staff' })
    await site.person({ name: 'Customer', kind: 'customer' })
    const special = await site.person({ name: 'Watched', kind: 'special', groupId: watched.id })
    const names = async (kind?: 'special') =>
      (await site.call(peopleCalls.list, { query: { kind, sort: 'name' } })).content.map(({ name }) => name)
    expect(await names()).toEqual(['Customer', 'Staff'])
    expect(await names('special')).toEqual(['Watched'])
    expect(await site.call(peopleCalls.summary, {})).toMatchObject({ total: 2 })
    const clerk = await world.session({ park: site.park, roleSign: 'other' })
    expect((await clerk.call(peopleCalls.list, { query: { kind: 'special' } })).total).toBe(0)
    expect(await clerk.ask(peopleCalls.read, { query: { id: special.id } })).toMatchObject({ status: 404 })
    expect(await clerk.ask(peopleCalls.delete, { query: { ids: [special.id] } })).toMatchObject({ status: 404 })
    expect(fieldsRefused(await clerk.ask(peopleCalls.create, { body: { name: 'X', groupId: watched.id, kind: 'special' } }))).toEqual([
      'kind oneOf',
    ])
  })
})
