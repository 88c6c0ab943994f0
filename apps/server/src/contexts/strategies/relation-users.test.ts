import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { startWorld, type Made, type World } from '@gatehouse/dev-env/world'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const METHODS = [1, 4]
const NOBODY = '00000000-0000-4000-8000-000000000000'

/** Create a park with nested groups on both sides, and two strategies that overlap at one door. */
async function campus() {
  const park = await world.addPark()
  const office = await park.personGroup({ name: 'Office' })
  const sales = await park.personGroup({ name: 'Sales', parentId: office.id })
  const site = await park.deviceGroup('Site')
  const lobby: Made = { id: (await park.call(deviceCalls.createGroup, { body: { name: 'Lobby', parentId: site.id } })).id, name: 'Lobby' }
  const chief = await park.person({ name: 'Chief', groupId: office.id, workNumber: 'C-1' })
  const seller = await park.person({ name: 'Ärmel', groupId: sales.id })
  const guest = await park.person({ name: 'Guest' })
  await park.person({ name: 'Nobody' })
  const [door, cellar] = [await park.device({ name: 'Door', groupId: lobby.id }), await park.device({ name: 'Cellar' })]
  const rule = await park.timeRule({ name: 'Office hours' })
  const wide = await park.strategy({ name: 'Wide', personGroups: [office], deviceGroups: [site], timeRules: [rule], methods: METHODS })
  const narrow = await park.strategy({ name: 'Narrow', persons: [guest, chief], devices: [door], methods: METHODS, kind: 'visitor' })
  return { park, chief, seller, guest, door, cellar, rule, wide, narrow }
}
type Campus = Awaited<ReturnType<typeof campus>>
const related = ({ park }: Pick<Campus, 'park'>, body: object = {}) => park.call(strategyCalls.relatedPersons, { body })
const names = async (at: Pick<Campus, 'park'>, body: object = {}) => (await related(at, body)).content.map(({ name }) => name)

describe('persons that strategies cover', () => {
  test('are those of the park, each once, by name, whether named or by their group', async () => {
    const at = await campus()
    expect(await related(at)).toEqual({
      total: 3,
      page: 1,
      size: 20,
      content: [
        { id: at.seller.id, name: 'Ärmel', workNumber: at.seller.workNumber },
        { id: at.chief.id, name: 'Chief', workNumber: 'C-1' },
        { id: at.guest.id, name: 'Guest', workNumber: at.guest.workNumber },
      ],
    })
    expect(await names({ park: await world.addPark() })).toEqual([])
  })

  test('are narrowed to a strategy, to those that hold at a door, and to both', async () => {
    const at = await campus()
    expect(await names(at, { strategyId: at.wide.id })).toEqual(['Ärmel', 'Chief'])
    expect(await names(at, { strategyId: at.narrow.id })).toEqual(['Chief', 'Guest'])
    expect(await names(at, { deviceId: at.door.id })).toEqual(['Ärmel', 'Chief', 'Guest'])
    expect(await names(at, { deviceId: at.cellar.id })).toEqual([])
    expect(await names(at, { deviceId: at.cellar.id, strategyId: at.wide.id })).toEqual([])
    expect(await names(at, { deviceId: at.door.id, strategyId: at.narrow.id })).toEqual(['Chief', 'Guest'])
  })

  test('are found by name or work number, and come page by page in both manners', async () => {
    const at = await campus()
    expect(await names(at, { name: 'c-1' })).toEqual(['Chief'])
    expect(await names(at, { name: '%' })).toEqual([])
    expect(await names(at, { page: 2, size: 2 })).toEqual(['Guest'])
    expect(await related(at, { pageNo: 1, pageSize: 1 })).toMatchObject({ total: 3, page: 2, content: [{ name: 'Chief' }] })
    expect(await names(at, { page: 1_000_000, size: 100 })).toEqual([])
  })

  test('never have whom to look out for among them', async () => {
    const at = await campus()
    const { id: groupId } = await at.park.call(specialCalls.createGroup, { body: { name: 'Watch' } })
    await at.park.call(specialCalls.create, { body: { name: 'Watched', groupId } })
    expect(await names(at, { name: 'Watched' })).toEqual([])
  })

  test('are asked of what the park has, by those who may see records', async () => {
    const at = await campus()
    const other = await campus()
    for (const id of [other.wide.id, NOBODY])
      expect(await at.park.ask(strategyCalls.relatedPersons, { body: { strategyId: id } })).toMatchObject({
        status: 200,
        code: 300101,
        data: { fields: [{ path: 'strategyId' }] },
      })
    for (const id of [other.door.id, NOBODY])
      expect(await at.park.ask(strategyCalls.relatedPersons, { body: { deviceId: id } })).toMatchObject({
        status: 400,
        data: { fields: [{ path: 'deviceId', rule: 'unknown' }] },
      })
    const planner = await world.session({ permissions: ['access.rule'] })
    expect(await planner.ask(strategyCalls.relatedPersons, { body: {} })).toMatchObject({ status: 403, code: 100510 })
    const masked = await world.session({ park: at.park.park, permissions: ['access.record'], masking: true })
    const { content } = await masked.call(strategyCalls.relatedPersons, { body: {} })
    expect(content).toHaveLength(3)
    expect(content.some(({ name }) => name === 'Guest')).toBe(false)
  })
})

describe('strategies of a device', () => {
  const at = ({ park }: Campus, { id }: Made) => park.call(strategyCalls.ofDevice, { query: { deviceId: id } })

  test('are those that name it or a group above it, by name, with the names of their rules', async () => {
    const there = await campus()
    expect(await at(there, there.door)).toEqual([
      { ...there.narrow, kind: 'visitor', timeRules: [expect.objectContaining({ name: 'Always' })] },
      { ...there.wide, kind: 'staff', timeRules: [there.rule] },
    ])
    expect(await at(there, there.cellar)).toEqual([])
  })

  test('are asked of a device of the park, by those who may see devices', async () => {
    const [there, other] = [await campus(), await campus()]
    for (const id of [other.door.id, NOBODY])
      expect(await there.park.ask(strategyCalls.ofDevice, { query: { deviceId: id } })).toMatchObject({ status: 404 })
    const guard = await world.session({ park: there.park.park, permissions: ['access.rule'] })
    expect(await guard.ask(strategyCalls.ofDevice, { query: { deviceId: there.door.id } })).toMatchObject({
      status: 403,
      code: 100510,
    })
  })
})
