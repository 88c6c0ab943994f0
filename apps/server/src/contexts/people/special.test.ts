/** Persons of the watch list: a register of its own, which no other calls open and no door admits. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { personGroupType } from '@gatehouse/contract/enums/people'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { PersonGroupNode } from '@gatehouse/contract/people/groups'
import { specialCalls } from '@gatehouse/contract/people/special'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { sql } from '../../platform/database/database.ts'
import { startCore } from '../../../../../tests/support/device.ts'
import { scratchFolder } from '../../../../../tests/support/scratch-folder.ts'
import { until } from '../../../../../tests/support/until.ts'
import { fieldsRefused } from '../../../../../tests/support/users.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name).toSorted()
const drawn = (nodes: readonly PersonGroupNode[]): string =>
  nodes.map(({ name, children }) => (children.length > 0 ? `${name}(${drawn(children)})` : name)).join(' ')

/** Create a park with a person of the watch list and a member of staff. */
async function register() {
  const park = await world.addPark()
  const { id: groupId } = await park.call(specialCalls.createGroup, { body: { name: 'Watched' } })
  const { id } = await park.call(specialCalls.create, { body: { name: 'Moriarty', groupId, remark: 'Stole a crown', workNumber: 'S-1' } })
  const staff = await park.person({ name: 'Holmes' })
  return { park, groupId, id, staff }
}
type Register = Awaited<ReturnType<typeof register>>
const list = async (park: Pick<Site, 'call'>, query = {}) => names((await park.call(specialCalls.list, { query })).content)

describe('somebody to look out for', () => {
  test('is added, read, changed, found, disabled, moved and deleted', async () => {
    const { park, groupId, id } = await register()
    const read = await park.call(specialCalls.read, { query: { id } })
    expect(read).toMatchObject({ name: 'Moriarty', kind: 'special', groupId, groupName: 'Watched', remark: 'Stole a crown', status: 1 })
    await park.call(specialCalls.change, { body: { id, version: read.version, name: 'James Moriarty', groupId, remark: 'Again' } })
    expect(await list(park, { name: 'james' })).toEqual(['James Moriarty'])
    expect(await list(park, { name: 'nobody' })).toEqual([])
    const { id: other } = await park.call(specialCalls.createGroup, { body: { name: 'Wanted' } })
    expect(await park.call(specialCalls.move, { body: { ids: [id], groupId: other } })).toEqual({ moved: 1 })
    expect(await list(park, { groupId })).toEqual([])
    expect(await list(park, { groupId: other })).toEqual(['James Moriarty'])
    expect(await park.call(specialCalls.status, { body: { ids: [id], status: 0 } })).toEqual({ changed: 1 })
    expect(await list(park, { status: 0 })).toEqual(['James Moriarty'])
    // Disabled persons are neither moved, changed nor deleted.
    const current = await park.call(specialCalls.read, { query: { id } })
    expect(await park.ask(specialCalls.change, { body: { id, version: current.version, name: 'X', groupId: other } })).toMatchObject({
      code: 200224,
    })
    expect(await park.ask(specialCalls.move, { body: { ids: [id], groupId } })).toMatchObject({ code: 200224 })
    expect(await park.ask(specialCalls.deleteBatch, { query: {}, body: { ids: [id] } })).toMatchObject({ code: 200224 })
    await park.call(specialCalls.status, { body: { ids: [id], status: 1 } })
    expect(await park.call(specialCalls.deleteBatch, { query: { ids: [id] } })).toEqual({ deleted: 1 })
    expect(await list(park)).toEqual([])
  })

  test('is of no other kind', async () => {
    const { park, groupId } = await register()
    const asStaff = await park.ask(specialCalls.create, { body: { name: 'Moran', groupId, kind: 'staff' as never } })
    expect(fieldsRefused(asStaff)).toEqual(['kind oneOf'])
    const { id } = await park.call(specialCalls.create, { body: { name: 'Moran', groupId, kind: 'special' } })
    expect((await park.call(specialCalls.read, { query: { id } })).kind).toBe('special')
    expect(await list(park, { kind: 'staff' })).toEqual(['Moran', 'Moriarty'])
  })

  test('is not changed over what somebody else has written meanwhile', async () => {
    const { park, groupId, id } = await register()
    const { version } = await park.call(specialCalls.read, { query: { id } })
    await park.call(specialCalls.change, { body: { id, version, name: 'First', groupId } })
    expect(await park.ask(specialCalls.change, { body: { id, version, name: 'Second', groupId } })).toMatchObject({ status: 409 })
  })

  test('has a number, a card and a phone that nobody else has, staff neither', async () => {
    const { park, groupId } = await register()
    await park.person({ name: 'Watson', workNumber: 'W-7', phone: '13800138000', cardNumber: '77' })
    const ask = (more: object) => park.ask(specialCalls.create, { body: { name: 'Milverton', groupId, ...more } })
    expect(await ask({ workNumber: 'W-7' })).toMatchObject({ code: 200215 })
    expect(await ask({ phone: '13800138000' })).toMatchObject({ code: 200005 })
    expect(await ask({ cardNumber: '77' })).toMatchObject({ code: 200207 })
    expect(await ask({})).toMatchObject({ code: 0 })
  })

  test('has what is to be done when they appear, which stays unless it is changed, and is nobody else’s', async () => {
    const { park, groupId, staff } = await register()
    const body = { name: 'Moran', groupId, instruction: 'Call the yard' }
    const { id } = await park.call(specialCalls.create, { body })
    const instruction = async (of = id) => (await park.call(specialCalls.read, { query: { id: of } })).instruction
    expect(await instruction()).toBe('Call the yard')
    expect((await park.call(specialCalls.list, { query: { name: 'Moran' } })).content[0]!.instruction).toBe('Call the yard')
    await park.call(specialCalls.change, { body: { id, name: 'Moran', groupId } })
    expect(await instruction()).toBe('Call the yard')
    await park.call(specialCalls.change, { body: { id, name: 'Moran', groupId, instruction: 'Lock the doors' } })
    expect(await instruction()).toBe('Lock the doors')
    const { content } = await park.call(auditCalls.operations, { query: { subject: 'Moran', size: 1 } })
    const { changes } = await park.call(auditCalls.operation, { params: { id: content[0]!.id } })
    expect(changes[0]!.fields).toContainEqual(
      expect.objectContaining({ field: 'instruction', before: 'Call the yard', after: 'Lock the doors' }),
    )

    const { id: wanted } = await park.call(specialCalls.createGroup, { body: { name: 'Wanted' } })
    await park.call(peopleCalls.copy, { body: { ids: [id], groupId: wanted } })
    const [copy] = (await park.call(specialCalls.list, { query: { groupId: wanted } })).content
    expect(await instruction(copy!.id)).toBe('Lock the doors')

    const refused = { status: 400, data: { fields: [expect.objectContaining({ path: 'instruction', rule: 'watchListOnly' })] } }
    expect(await park.ask(peopleCalls.create, { body: { name: 'Watson', groupId: staff.groupId, instruction: 'Greet' } })).toMatchObject(
      refused,
    )
    const change = { id: staff.id, name: 'Holmes', workNumber: staff.workNumber, groupId: staff.groupId }
    expect(await park.ask(peopleCalls.change, { body: { ...change, instruction: 'Greet' } })).toMatchObject(refused)
    expect(await park.ask(peopleCalls.change, { body: { ...change, instruction: '' } })).toMatchObject({ code: 0 })
    await park.call(peopleCalls.change, { body: { id, name: 'Moran', groupId: staff.groupId, kind: 'staff' } })
    expect(await park.call(peopleCalls.read, { query: { id } })).toMatchObject({ kind: 'staff', instruction: '' })
    await park.call(specialCalls.change, { body: { id: copy!.id, name: 'Moran', groupId: wanted, instruction: '' } })
    expect(await instruction(copy!.id)).toBe('')
  })

  test('stands in the operation log with what was done', async () => {
    const { park, id } = await register()
    await park.call(specialCalls.status, { body: { ids: [id], status: 0 } })
    await world.server.platform.audit.settled()
    const { content } = await park.call(auditCalls.operations, { query: { size: 10 } })
    expect(
      content.filter(({ url }) => url.includes('/person/special')).map(({ method, url }) => `${method} ${url.replace(/.*\/person\//, '')}`),
    ).toEqual(['PUT special/status', 'POST special', 'POST special/group'])
  })
})

describe('the two registers', () => {
  const everyCallOf = ({ park, groupId }: Pick<Register, 'park' | 'groupId'>, id: string) => [
    park.ask(specialCalls.read, { query: { id } }),
    park.ask(specialCalls.change, { body: { id, name: 'X', groupId } }),
    park.ask(specialCalls.status, { body: { ids: [id], status: 0 } }),
    park.ask(specialCalls.move, { body: { ids: [id], groupId } }),
    park.ask(specialCalls.deleteBatch, { query: { ids: [id] } }),
  ]

  test('know nothing of each other: a member of staff is 404 here, and nothing happens to him', async () => {
    const there = await register()
    const { park, staff, id } = there
    for (const answer of await Promise.all(everyCallOf(there, staff.id))) expect(answer.status).toBe(404)
    expect((await park.ask(specialCalls.status, { body: { ids: [id, staff.id], status: 0 } })).status).toBe(404)
    expect(await park.call(peopleCalls.read, { query: { id: staff.id } })).toMatchObject({ name: 'Holmes', kind: 'staff', status: 1 })
    expect((await park.call(specialCalls.read, { query: { id } })).status).toBe(1)
  })

  test('are listed apart', async () => {
    const { park } = await register()
    expect(names((await park.call(peopleCalls.list, { query: {} })).content)).toEqual(['Holmes'])
    expect(names((await park.call(peopleCalls.find, { body: {} })).content)).toEqual(['Holmes'])
    expect(await list(park)).toEqual(['Moriarty'])
  })

  test('share no group', async () => {
    const { park, groupId, id, staff } = await register()
    const refused = { status: 400, data: { fields: [expect.objectContaining({ path: 'groupId', rule: 'kindOfGroup' })] } }
    expect(await park.ask(peopleCalls.create, { body: { name: 'X', groupId } })).toMatchObject(refused)
    expect(await park.ask(peopleCalls.move, { body: { ids: [staff.id], groupId } })).toMatchObject(refused)
    expect(await park.ask(specialCalls.create, { body: { name: 'X', groupId: staff.groupId } })).toMatchObject(refused)
    expect(await park.ask(specialCalls.move, { body: { ids: [id], groupId: staff.groupId } })).toMatchObject(refused)
  })

  test('have trees of their own: a group of staff is not there for these calls', async () => {
    const { park, staff, groupId } = await register()
    const id = staff.groupId
    expect((await park.ask(specialCalls.createGroup, { body: { name: 'Below', parentId: id } })).status).toBe(404)
    expect((await park.ask(specialCalls.changeGroup, { body: { id, name: 'Mine' } })).status).toBe(404)
    expect((await park.ask(specialCalls.changeGroup, { body: { id: groupId, parentId: id } })).status).toBe(404)
    expect((await park.ask(specialCalls.topGroup, { body: { id } })).status).toBe(404)
    expect((await park.ask(specialCalls.deleteGroup, { params: { id } })).status).toBe(404)
    expect(names(await park.call(specialCalls.groupTree, {}))).toEqual(['Watched'])
  })
})

describe('their groups', () => {
  test('are added below each other, renamed, moved, put on top and deleted', async () => {
    const { park, groupId, id } = await register()
    const tree = async () => drawn(await park.call(specialCalls.groupTree, {}))
    const { id: wanted } = await park.call(specialCalls.createGroup, { body: { name: 'Wanted' } })
    const { id: thieves } = await park.call(specialCalls.createGroup, { body: { name: 'Thieves', parentId: groupId } })
    expect(await tree()).toBe('Watched(Thieves) Wanted')
    expect(await park.ask(specialCalls.createGroup, { body: { name: 'wanted' } })).toMatchObject({ code: 200107 })
    await park.call(specialCalls.topGroup, { body: { id: wanted } })
    await park.call(specialCalls.changeGroup, { body: { id: thieves, name: 'Robbers' } })
    expect(await tree()).toBe('Wanted Watched(Robbers)')
    await park.call(specialCalls.changeGroup, { body: { id: thieves, parentId: null } })
    expect(await tree()).toBe('Wanted Watched Robbers')
    await park.call(specialCalls.changeGroup, { body: { id: thieves, parentId: wanted } })
    expect(await park.ask(specialCalls.deleteGroup, { params: { id: wanted } })).toMatchObject({ code: 200102 })
    expect(await park.ask(specialCalls.deleteGroup, { params: { id: groupId } })).toMatchObject({ code: 900109 })
    await park.call(specialCalls.deleteBatch, { query: { ids: [id] } })
    await park.call(specialCalls.deleteGroup, { params: { id: groupId } })
    expect(await tree()).toBe('Wanted(Robbers)')
  })

  test('come to a picker without one at the top that only holds the others', async () => {
    const { park, groupId, id } = await register()
    const picker = async () => drawn(await park.call(specialCalls.pickerTree, {}))
    expect(await picker()).toBe('Watched')
    const { id: inner } = await park.call(specialCalls.createGroup, { body: { name: 'Thieves', parentId: groupId } })
    await park.call(specialCalls.createGroup, { body: { name: 'Forgers', parentId: groupId } })
    // The group is not empty.
    expect(await picker()).toBe('Watched(Thieves Forgers)')
    await park.call(specialCalls.move, { body: { ids: [id], groupId: inner } })
    expect(await picker()).toBe('Thieves Forgers')
    await park.call(specialCalls.createGroup, { body: { name: 'Others' } })
    expect(await picker()).toBe('Watched(Thieves Forgers) Others')
  })
})

describe('for role sign other', () => {
  test('neither they nor their groups are there, by whatever call', async () => {
    const { park, groupId, id, staff } = await register()
    const other = await world.session({ park: park.park, roleSign: 'other' })
    for (const call of [
      other.ask(specialCalls.list, { query: {} }),
      other.ask(specialCalls.read, { query: { id } }),
      other.ask(specialCalls.groupTree, {}),
      other.ask(specialCalls.pickerTree, {}),
      other.ask(specialCalls.create, { body: { name: 'X', groupId } }),
    ])
      expect((await call).status).toBe(403)
    for (const kind of [undefined, 'special'] as const)
      expect(names((await other.call(peopleCalls.list, { query: { kind } })).content)).not.toContain('Moriarty')
    expect(drawn(await other.call(peopleCalls.groupTree, { query: {} }))).not.toContain('Watched')
    expect(await other.call(peopleCalls.groupTree, { query: { type: personGroupType.blacklist } })).toEqual([])
    const body = { id, name: 'X', groupId: staff.groupId }
    const asked = [
      other.ask(peopleCalls.read, { query: { id } }),
      other.ask(peopleCalls.change, { body }),
      other.ask(peopleCalls.status, { body: { ids: [staff.id, id], status: 0 } }),
      other.ask(peopleCalls.delete, { query: { ids: [id] } }),
      other.ask(peopleCalls.confirm, { query: { ids: [id] } }),
      other.ask(peopleCalls.move, { body: { ids: [id], groupId: staff.groupId } }),
      other.ask(peopleCalls.copy, { body: { ids: [id], groupId: staff.groupId } }),
      other.ask(peopleCalls.changeGroup, { body: { id: groupId, name: 'Mine' } }),
      other.ask(peopleCalls.createGroup, { body: { name: 'Below', parentId: groupId } }),
      other.ask(peopleCalls.topGroup, { body: { id: groupId } }),
      other.ask(peopleCalls.deleteGroup, { query: { id: groupId } }),
    ]
    for (const [at, answer] of (await Promise.all(asked)).entries()) expect(answer.status, `call ${at}`).toBe(404)
    expect((await other.ask(peopleCalls.createGroup, { body: { name: 'Own', type: personGroupType.blacklist } })).status).toBe(400)
    expect((await other.ask(peopleCalls.create, { body: { name: 'X', kind: 'special', groupId } })).status).toBe(400)
    expect(await park.call(specialCalls.read, { query: { id } })).toMatchObject({ name: 'Moriarty', status: 1 })
    // The people of that park are unaffected.
    expect((await other.call(peopleCalls.read, { query: { id: staff.id } })).name).toBe('Holmes')
  })
})

describe('at a door', () => {
  test('nobody to look out for is named by a strategy, nor is their group', async () => {
    const { park, groupId, id, staff } = await register()
    const device = await park.device()
    const rule = await park.timeRule()
    const body = { name: 'Open', timeRuleIds: [rule.id], methods: [1, 4], deviceIds: [device.id] }
    const refused = (path: string) => ({ status: 400, data: { fields: [expect.objectContaining({ path, rule: 'specialMember' })] } })
    expect(await park.ask(strategyCalls.create, { body: { ...body, personIds: [staff.id, id] } })).toMatchObject(refused('personIds'))
    expect(await park.ask(strategyCalls.create, { body: { ...body, personGroupIds: [groupId] } })).toMatchObject(refused('personGroupIds'))
    const strategy = await park.strategy({ persons: [staff], devices: [device] })
    const { version } = await park.call(strategyCalls.read, { query: { id: strategy.id } })
    expect(await park.ask(strategyCalls.change, { body: { ...body, id: strategy.id, version, personGroupIds: [groupId] } })).toMatchObject(
      refused('personGroupIds'),
    )
  })

  test('a terminal never holds them, not even where a strategy names them all the same', async () => {
    const { park, groupId, id, staff } = await register()
    const door = await park.device()
    const strategy = await park.strategy({ persons: [staff], devices: [door] })
    // No call does this; restoring a database may.
    await sql`INSERT INTO strategy_member (park_id, strategy_id, kind, member_id)
      VALUES (${park.park.id}::uuid, ${strategy.id}::uuid, 'person', ${id}::uuid),
      (${park.park.id}::uuid, ${strategy.id}::uuid, 'personGroup', ${groupId}::uuid)`.execute(world.server.platform.db)
    const synchronisation = world.server.contexts.synchronisation.service
    synchronisation.mark({ parkId: park.park.id }, { everything: true })
    await world.settled()
    const core = startCore({
      server: world.url,
      code: door.code,
      secret: door.secret,
      clock: () => world.clock.now(),
      folder: scratchFolder(),
    })
    onTestFinished(() => core.stop())
    await until('the terminal to hold somebody', () => core.store.holdings.person(staff.id) !== undefined)
    expect([...core.store.holdings.versions()].map(([personId]) => personId)).toEqual([staff.id])
  })

  test('whoever registers a photograph of them is told', async () => {
    const { park, groupId } = await register()
    const [known] = world.photographs.people
    const { faceId } = await park.call(faceCalls.cache, { body: {}, file: await known!.photo(1) })
    const { id } = await park.call(specialCalls.create, { body: { name: 'Adler', groupId, facePhotos: [faceId] } })
    const similar = await until('the look-alike to be named', async () => {
      const kept = await park.call(faceCalls.cache, { body: {}, file: await known!.photo(2) })
      return kept.similar!.length > 0 && kept.similar
    })
    expect(similar).toMatchObject([{ personId: id, personName: 'Adler' }])
  })
})
