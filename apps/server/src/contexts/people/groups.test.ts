/** The trees of person groups, as a user who manages persons sees them. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { PERSON_GROUP_DEPTH } from '@gatehouse/contract'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { personGroupType } from '@gatehouse/contract/enums/people'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { PersonGroupNode } from '@gatehouse/contract/people/groups'
import { specialCalls } from '@gatehouse/contract/people/special'
import { startWorld, type Made, type Site, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { drawnFace } from '../../../../../tests/support/fixtures.ts'
import { startCore } from '../../../../../tests/support/device.ts'
import { scratchFolder } from '../../../../../tests/support/scratch-folder.ts'
import { until } from '../../../../../tests/support/until.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const { staff, blacklist } = personGroupType
const treeOf = (park: Site, type: 1 | 2 | 3 = staff) => park.call(peopleCalls.groupTree, { query: { type } })
/** Return names from the top down, with those below in parentheses. */
const drawn = (nodes: readonly PersonGroupNode[]): string =>
  nodes.map(({ name, children }) => (children.length > 0 ? `${name}(${drawn(children)})` : name)).join(' ')
const add = (park: Site, name: string, parent?: Made, more: object = {}) =>
  park.ask(peopleCalls.createGroup, { body: { name, parentId: parent?.id, ...more } })
const change = (park: Site, group: Made, body: object) => park.ask(peopleCalls.changeGroup, { body: { id: group.id, ...body } })
const remove = (park: Site, group: Made) => park.ask(peopleCalls.deleteGroup, { query: { id: group.id } })
const top = (park: Site, group: Made) => park.call(peopleCalls.topGroup, { body: { id: group.id } })
const invalid = (path: string, rule: string) => ({ status: 400, data: { fields: [expect.objectContaining({ path, rule })] } })

describe('the name of a group', () => {
  const OTHERS = [
    'A B',
    '研发 部',
    'A-1',
    'A,B',
    'A=B',
    'A/B',
    'A.B',
    "A'B",
    '%',
    '😀',
    'Büro',
    'Ω',
    'Отдел',
    'カナ',
    '서울',
    '７',
    '٧',
    '⼀',
  ]

  test('is made of Chinese, English, digits and underscores, and of nothing else [VAL-055]', async () => {
    const park = await world.addPark()
    for (const name of ['研发部', '研發部', '二〇二六', '人々', 'A_1', '7']) expect((await add(park, name)).code, name).toBe(0)
    for (const name of OTHERS) expect(await add(park, name), name).toMatchObject(invalid('name', 'groupName'))
    expect(await add(park, ' ')).toMatchObject({ status: 400 })
    expect(drawn(await treeOf(park))).toBe('研发部 研發部 二〇二六 人々 A_1 7')
    const [first] = await treeOf(park)
    for (const name of OTHERS) expect(await change(park, first!, { name }), name).toMatchObject(invalid('name', 'groupName'))
    expect(await park.ask(specialCalls.createGroup, { body: { name: 'Büro' } })).toMatchObject(invalid('name', 'groupName'))
    const { id } = await park.call(specialCalls.createGroup, { body: { name: 'Wanted' } })
    expect(await park.ask(specialCalls.changeGroup, { body: { id, name: 'A B' } })).toMatchObject(invalid('name', 'groupName'))
  })

  test('stays where it is another from before, and is taken as long as it is the same [VAL-055]', async () => {
    const park = await world.addPark()
    const [group, above] = [await park.personGroup({ name: 'Buero' }), await park.personGroup({ name: 'Above' })]
    const watched = await park.personGroup({ name: 'Watched', type: blacklist })
    await query(world.connectionString, `UPDATE person_group SET name = 'Büro 1' WHERE id = ANY($1)`, [[group.id, watched.id]])
    expect(await change(park, group, { name: 'Büro 1', parentId: above.id })).toMatchObject({ code: 0 })
    const [
      {
        children: [read],
      },
    ] = (await treeOf(park)) as [PersonGroupNode]
    expect(await change(park, group, { ...read, parentId: null })).toMatchObject({ code: 0 })
    expect(await park.ask(specialCalls.changeGroup, { body: { id: watched.id, name: 'Büro 1' } })).toMatchObject({ code: 0 })
    expect(drawn(await treeOf(park))).toBe('Büro 1 Above')
    expect(await change(park, group, { name: 'Büro 2' })).toMatchObject(invalid('name', 'groupName'))
    expect(await change(park, group, { name: 'Buero_2' })).toMatchObject({ code: 0 })
  })

  test('is taken once among those below one group, whatever its case, and free elsewhere [VAL-056]', async () => {
    const park = await world.addPark()
    const sales = await park.personGroup({ name: 'Sales' })
    const office = await park.personGroup({ name: 'Office' })
    const refused = { status: 200, code: 200107, data: { fields: [expect.objectContaining({ path: 'name' })] } }
    expect(await add(park, 'sales')).toMatchObject(refused)
    const inner = await park.personGroup({ name: 'Sales', parentId: office.id })
    expect(await add(park, 'SALES', office)).toMatchObject(refused)
    // By renaming and by moving too.
    expect(await change(park, office, { name: 'Sales' })).toMatchObject(refused)
    expect(await change(park, inner, { parentId: null })).toMatchObject(refused)
    expect(await change(park, sales, { name: 'SALES' })).toMatchObject({ code: 0 })
    // Another tree, and another park.
    expect((await add(park, 'Sales', undefined, { type: blacklist })).code).toBe(0)
    expect((await add(await world.addPark(), 'Sales')).code).toBe(0)
    expect(drawn(await treeOf(park))).toBe('SALES Office(Sales)')
  })
})

describe('the tree', () => {
  test('takes the type of the group above, whatever is sent', async () => {
    const park = await world.addPark()
    const watched = await park.personGroup({ name: 'Watched', type: blacklist })
    await park.personGroup({ name: 'Below', parentId: watched.id, type: staff })
    expect(drawn(await treeOf(park))).toBe('')
    expect(drawn(await treeOf(park, blacklist))).toBe('Watched(Below)')
  })

  test('takes no group of another type, none below itself and none too deep', async () => {
    const park = await world.addPark()
    const [office, watched] = [await park.personGroup({ name: 'Office' }), await park.personGroup({ name: 'Watched', type: blacklist })]
    const sales = await park.personGroup({ name: 'Sales', parentId: office.id })
    expect(await change(park, sales, { parentId: watched.id })).toMatchObject(invalid('parentId', 'groupKind'))
    expect(await change(park, office, { parentId: office.id })).toMatchObject(invalid('parentId', 'groupBelowItself'))
    expect(await change(park, office, { parentId: sales.id })).toMatchObject(invalid('parentId', 'groupBelowItself'))
    const levels = [await park.personGroup({ name: 'Level_1' })]
    for (let level = 2; level <= PERSON_GROUP_DEPTH; level++)
      levels.push(await park.personGroup({ name: `Level_${level}`, parentId: levels.at(-1)!.id }))
    const [above, lowest] = levels.slice(-2)
    const tooDeep = {
      status: 400,
      data: { fields: [expect.objectContaining({ path: 'parentId', rule: 'depth', params: { limit: PERSON_GROUP_DEPTH } })] },
    }
    expect(await add(park, 'Too_deep', lowest)).toMatchObject(tooDeep)
    // A group is moved together with everything below it.
    expect(await change(park, office, { parentId: above!.id })).toMatchObject(tooDeep)
    expect(await change(park, sales, { parentId: above!.id })).toMatchObject({ code: 0 })
  })

  test('answers 404 for what it does not have: unknown, of another park', async () => {
    const [park, other] = [await world.addPark(), await world.addPark()]
    const foreign = await other.personGroup({ name: 'Foreign' })
    const own = await park.personGroup({ name: 'Own' })
    for (const id of [foreign.id, crypto.randomUUID(), '00000000-0000-0000-0000-000000000000']) {
      const group = { id, name: '' }
      expect((await add(park, 'Child', group)).status).toBe(404)
      expect((await change(park, own, { parentId: id })).status).toBe(404)
      expect((await change(park, group, { name: 'Mine' })).status).toBe(404)
      expect((await park.ask(peopleCalls.topGroup, { body: { id } })).status).toBe(404)
      expect((await remove(park, group)).status).toBe(404)
    }
    expect(drawn(await treeOf(other))).toBe('Foreign')
    expect(await park.ask(peopleCalls.groupTree, { query: { parkId: '00000000-0000-0000-0000-000000000000' } })).toMatchObject({
      status: 404,
    })
  })

  test('puts the last one that was put on top first, keeps the others as they stood, and sorts a moved one by its age', async () => {
    const park = await world.addPark()
    const [a, b, c] = [await park.personGroup({ name: 'A' }), await park.personGroup({ name: 'B' }), await park.personGroup({ name: 'C' })]
    const inner = await park.personGroup({ name: 'Inner', parentId: a.id })
    expect(drawn(await treeOf(park))).toBe('A(Inner) B C')
    await top(park, c)
    expect(drawn(await treeOf(park))).toBe('C A(Inner) B')
    await top(park, b)
    await top(park, b)
    expect(drawn(await treeOf(park))).toBe('B C A(Inner)')
    await park.personGroup({ name: 'D' })
    await change(park, b, { name: 'B2' })
    expect(drawn(await treeOf(park))).toBe('B2 C A(Inner) D')
    await top(park, inner)
    expect(drawn(await treeOf(park))).toBe('B2 C A(Inner) D')
    await change(park, b, { parentId: a.id })
    expect(drawn(await treeOf(park))).toBe('C A(B2 Inner) D')
  })

  test('counts persons below a group with those in it', async () => {
    const park = await world.addPark()
    const office = await park.personGroup({ name: 'Office' })
    const sales = await park.personGroup({ name: 'Sales', parentId: office.id })
    await park.person({ groupId: office.id })
    await park.person({ groupId: sales.id })
    await park.person({ groupId: sales.id, kind: 'customer' })
    const [top1] = await treeOf(park)
    expect(top1).toMatchObject({ name: 'Office', personCount: 3, children: [{ name: 'Sales', personCount: 2, parentId: office.id }] })
  })

  test('comes whole with 300 groups at one level [FIELD-3]', { tags: 'extended' }, async () => {
    const park = await world.addPark()
    const names = Array.from({ length: 300 }, (_, at) => `Group_${at}`)
    await Promise.all(names.map((name) => park.personGroup({ name })))
    expect((await treeOf(park)).map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  })

  test('stays a tree when two groups are moved below each other at once', async () => {
    const park = await world.addPark()
    const [a, b] = [await park.personGroup({ name: 'A' }), await park.personGroup({ name: 'B' })]
    const answers = await Promise.all([change(park, a, { parentId: b.id }), change(park, b, { parentId: a.id })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400])
    expect(['A(B)', 'B(A)']).toContain(drawn(await treeOf(park)))
  })
})

describe('a group that is deleted', () => {
  test('has no group below it [VAL-076]', async () => {
    const park = await world.addPark()
    const office = await park.personGroup({ name: 'Office' })
    const sales = await park.personGroup({ name: 'Sales', parentId: office.id })
    expect(await remove(park, office)).toMatchObject({ status: 200, code: 200102 })
    expect(drawn(await treeOf(park))).toBe('Office(Sales)')
    expect((await remove(park, sales)).code).toBe(0)
    expect((await remove(park, office)).code).toBe(0)
    expect(drawn(await treeOf(park))).toBe('')
  })

  test('has nobody in it, not even somebody disabled', async () => {
    const park = await world.addPark()
    const office = await park.personGroup({ name: 'Office' })
    const { id } = await park.person({ groupId: office.id })
    await park.call(peopleCalls.status, { body: { ids: [id], status: 0 } })
    expect(await remove(park, office)).toMatchObject({ status: 200, code: 900109 })
    await park.call(peopleCalls.status, { body: { ids: [id], status: 1 } })
    await park.call(peopleCalls.delete, { query: { ids: [id] } })
    expect((await remove(park, office)).code).toBe(0)
  })

  test('is not one somebody is put into at the same time', async () => {
    const park = await world.addPark()
    const groups = await Promise.all(Array.from({ length: 6 }, () => park.personGroup()))
    const answers = await Promise.all(
      groups.flatMap((group) => [remove(park, group), park.ask(peopleCalls.create, { body: { name: 'Late', groupId: group.id } })]),
    )
    const codes = answers.map(({ status, code }) => (status === 200 ? code : status))
    expect(
      codes.every((code) => [0, 900109, 400].includes(code)),
      String(codes),
    ).toBe(true)
    const left = new Set((await treeOf(park)).map(({ id }) => id))
    const { content } = await park.call(peopleCalls.list, { query: {} })
    expect(content.every(({ groupId }) => left.has(groupId))).toBe(true)
  })

  test('A_B takes neither AxB nor who is in it along: an underscore stands for itself [FIELD-1]', async () => {
    const park = await world.addPark()
    const [wild, plain] = [await park.personGroup({ name: 'A_B' }), await park.personGroup({ name: 'AxB' })]
    const person = await park.person({ groupId: plain.id, name: 'PxQ' })
    await park.person({ groupId: plain.id, name: 'P_Q' })
    expect((await remove(park, wild)).code).toBe(0)
    expect(await treeOf(park)).toMatchObject([{ id: plain.id, name: 'AxB', personCount: 2 }])
    expect((await park.call(peopleCalls.read, { query: { id: person.id } })).groupId).toBe(plain.id)
    // A search for it does not find others either.
    expect((await park.call(peopleCalls.list, { query: { name: 'P_Q' } })).content.map(({ name }) => name)).toEqual(['P_Q'])
  })

  test('leaves the strategies that named it', async () => {
    const park = await world.addPark()
    const [going, staying] = [await park.personGroup(), await park.personGroup()]
    const strategy = await park.strategy({ personGroups: [going, staying], devices: [await park.device()] })
    const named = async () => (await park.call(strategyCalls.read, { query: { id: strategy.id } })).personGroups
    expect(await named()).toHaveLength(2)
    await remove(park, going)
    await until('the strategy to name one group', async () => (await named()).length === 1)
    expect(await named()).toEqual([{ id: staying.id, name: staying.name }])
  })
})

test('what is done with groups stands in the operation log', async () => {
  const park = await world.addPark()
  const office = await park.personGroup({ name: 'Office' })
  const sales = await park.personGroup({ name: 'Sales', parentId: office.id })
  await change(park, sales, { name: 'Trade', parentId: null })
  await top(park, sales)
  await remove(park, sales)
  await world.server.platform.audit.settled()
  const { content } = await park.call(auditCalls.operations, { query: { size: 10 } })
  const entries = content
    .filter(({ url }) => url.includes('/person/group'))
    .map(({ method, url }) => `${method} ${url.replace(/.*\/person\//, '')}`)
  expect(entries).toEqual(['DELETE group', 'PUT group/topping', 'PUT group', 'POST group', 'POST group'])
})

test('a name and a work number with , and = reach a terminal as they are, and a group with them is refused [FIELD-4]', async () => {
  const park = await world.addPark()
  for (const name of ['A,B', 'A=B']) expect(await add(park, name)).toMatchObject(invalid('name', 'groupName'))
  const door = await park.device()
  const group = await park.personGroup()
  await park.strategy({ personGroups: [group], devices: [door] })
  const name = 'Miller, Ann = 1,2;&'
  const person = await park.person({ groupId: group.id, name, workNumber: 'W=1,2', photo: await drawnFace() })
  const core = startCore({
    server: world.url,
    code: door.code,
    secret: door.secret,
    clock: () => world.clock.now(),
    folder: scratchFolder(),
  })
  onTestFinished(() => core.stop())
  await until('the terminal to know the person', () => core.names().length === 1)
  expect(core.store.holdings.person(person.id)).toMatchObject({ name, workNumber: 'W=1,2' })
})
