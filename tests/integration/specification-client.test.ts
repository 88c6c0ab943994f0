/**
 * A program written from the specification alone, with its addresses and field names, and none of ours. Each thing it creates does what was
 * requested.
 */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { tarOf } from '@gatehouse/dev-env/packages'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { clockAhead } from '../support/clock-ahead.ts'
import { drawnFace } from '../support/fixtures.ts'
import { bearerOf, integratorOf, type Integrator } from '../support/specified/specified.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE

const ahead = clockAhead()
let world: World
let park: Site
let other: Site
beforeAll(async () => {
  world = await startWorld({ clock: ahead.clock })
  park = await world.addPark()
  other = await world.addPark()
})
afterAll(() => world.stop())

/** The administrator of a park. */
const by = (site: Site): Integrator => integratorOf(world.url, bearerOf(site.client))

/** Return who may pass a door at a time, as the console asks it. */
async function passing(at: Site, deviceId: string, moment: number): Promise<unknown> {
  const { content } = await by(at).done('biz', 'POST', '/access/question/persons', { deviceIds: [deviceId], at: moment })
  return (content as { name: string }[]).map(({ name }) => name)
}

test('a user is created with administrator name, phone, roles and an expiry, after which the account lets nobody in', async () => {
  const { id: roleId } = await by(park).done('as', 'POST', '/roles', { name: 'Reception', permissions: { person: ['person.list'] } })
  const expiry = world.clock.now() + 5 * MINUTE
  const { id } = await by(park).done('as', 'POST', '/users', {
    account: 'reception1',
    administratorName: '前台',
    realName: '王小明',
    roles: [roleId],
    phone: '+8613800138000',
    email: 'reception@example.org',
    idCard: '',
    organisationId: park.park.id,
    expiry,
    passwordValidity: '6m',
  })
  const read = await by(park).done('as', 'GET', `/users/${String(id)}`)
  expect(read).toMatchObject({
    id,
    account: 'reception1',
    administratorName: '前台',
    realName: '王小明',
    roles: [roleId],
    status: 1,
    lastLogin: null,
    email: 'reception@example.org',
    phone: '+8613800138000',
    organisationId: park.park.id,
    expiry,
    passwordValidity: '6m',
  })
  // What was read can be sent back unchanged.
  await by(park).done('as', 'PUT', '/users', { ...read, realName: '王大明' })
  expect(await by(park).done('as', 'GET', `/users/${String(id)}`)).toMatchObject({ realName: '王大明', phone: '+8613800138000', expiry })
  expect((await ahead.after(6 * MINUTE, () => by(park).done('as', 'GET', `/users/${String(id)}`)))['state']).toBe('expired')
  // An unknown field name is refused rather than ignored.
  expect(
    await by(park).ask('as', 'POST', '/users', {
      account: 'reception2',
      realName: 'A',
      roles: [roleId],
      organisationId: park.park.id,
      expires: 1,
    }),
  ).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'expires', rule: 'unknownField' }] },
  })
})

test('a strategy lets person and contacts pass from tomorrow on', async () => {
  const [door, rule, group] = [await park.device(), await park.timeRule(), await park.personGroup()]
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(await drawnFace())]), 'face.png')
  const { faceId } = await by(park).done('biz', 'POST', '/face/cache', form)
  const { id: personId } = await by(park).done('biz', 'POST', '/person/base', {
    name: 'Li Hua',
    workNumber: 'S-1',
    groupId: group.id,
    cardNumber: '778899',
    contacts: [{ relation: 2, name: 'Li Mei', phone: '13900139000', gender: 2, photo: faceId }],
  })
  const { id } = await by(park).done('biz', 'POST', '/access/record/addAccessStrategy', {
    name: 'School run',
    personIds: [personId],
    deviceIds: [door.id],
    timeRuleIds: [rule.id],
    kind: 'staff',
    accessType: 1,
    methods: [accessMethod.face, accessMethod.card],
    authorizedObject: 'both',
    effective: 'tomorrow',
  })
  const read = await by(park).done('biz', 'GET', `/access/record/findAccessStrategyById?id=${String(id)}`)
  expect(read).toMatchObject({ name: 'School run', personIds: [personId], authorizedObject: 'both', effective: 'tomorrow', accessType: 1 })
  await expect.poll(() => passing(park, door.id, world.clock.now() + DAY)).toEqual(['Li Hua'])
  expect(await passing(park, door.id, world.clock.now())).toEqual([])
  await by(park).done('biz', 'POST', '/access/record/updateAccessStrategy', { ...read, name: 'School' })
  expect(await by(park).done('biz', 'GET', `/access/record/findAccessStrategyById?id=${String(id)}`)).toMatchObject({
    name: 'School',
    authorizedObject: 'both',
    effective: 'tomorrow',
    personIds: [personId],
  })
})

test('a rule about a linked park lets the one person pass whom it names', async () => {
  const group = await other.personGroup()
  const [named, unnamed] = [await other.person({ groupId: group.id, name: 'Ann' }), await other.person({ groupId: group.id, name: 'Bea' })]
  const { verificationCode } = await by(park).done('biz', 'GET', '/areaCodes/getVerificationCode')
  const { id: relation } = await by(other).done('biz', 'POST', '/relation/config', {
    authorisationCode: verificationCode,
    personIds: [named.id, unnamed.id],
  })
  await by(park).done('biz', 'PUT', '/relation/config', { id: relation, status: 'agreed' })
  const [door, rule] = [await park.device(), await park.timeRule()]
  const { id } = await by(park).done('biz', 'POST', '/access/park/addAccessParkData', {
    name: 'Guests',
    parkId: other.park.id,
    personIds: [named.id],
    deviceIds: [door.id],
    timeRuleIds: [rule.id],
    kind: 'staff',
    methods: [accessMethod.face, accessMethod.card],
  })
  expect(await by(park).done('biz', 'GET', `/access/park/findAccessParkById?id=${String(id)}`)).toMatchObject({
    parkId: other.park.id,
    personIds: [named.id],
    everybody: false,
  })
  await expect.poll(() => passing(park, door.id, world.clock.now())).toEqual(['Ann'])
})

test('the configuration of parking is taken with its six fields, and tells no secret', async () => {
  const fields = { key: 'key-11', appId: 'app-1', secret: 'secret-22', account: 'park', password: 'word-33', merchantCode: 'm-1' }
  await by(park).done('biz', 'POST', '/carPark/config', fields)
  const read = await by(park).done('biz', 'GET', '/carPark/config')
  expect(read).toMatchObject({ appId: 'app-1', account: 'park', merchantCode: 'm-1' })
  for (const secret of ['key-11', 'secret-22', 'word-33']) expect(JSON.stringify(read)).not.toContain(secret)
})

test('an upgrade is added with version number, content, type, MD5 and file', async () => {
  await park.device({ name: 'North', type: 4 })
  const bytes = tarOf({ 'reader.bin': 'a program of another maker' })
  const form = new FormData()
  for (const [name, value] of Object.entries({
    versionNumber: '20261',
    content: 'New firmware',
    type: '0',
    md5: createHash('md5').update(bytes).digest('hex'),
  }))
    form.append(name, value)
  form.append('file', new Blob([new Uint8Array(bytes)]), 'reader.tar')
  const { id } = await by(park).done('biz', 'POST', '/device/upgrade/add', form)
  expect(await by(park).done('biz', 'GET', `/device/upgrade?id=${String(id)}`)).toMatchObject({
    versionNumber: '20261',
    content: 'New firmware',
    type: 0,
  })
})
