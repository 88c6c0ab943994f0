/** Access strategies (M07), as point 7.5 of calls.txt and the entity AccessStrategy name them. */
import { expect } from 'vitest'
import { bears, type Ground, type Json, type SpecifiedCall } from './specified.ts'

const RULE_NOT_FOUND = 300001
const NOT_FOUND = 300101
const IS_DEFAULT = 300103
const ONLY_FACE = 300206
const NAME_TAKEN = 900004
const [FACE, CARD, CARD_PLUS_FACE, PERSONAL_PASSWORD] = [1, 4, 5, 15]

let strategies = 0
/** Create a strategy of one person, one door and one rule, with all its fields. Return what it consists of too. */
async function madeStrategy({ done, park }: Pick<Ground, 'done' | 'park'>, options: Json = {}) {
  const [person, door, rule] = [await park.person(), await park.device(), await park.timeRule()]
  const fields = {
    name: `Strategy of everything ${++strategies}`,
    personIds: [person.id],
    personGroupIds: [(await park.personGroup()).id],
    deviceIds: [door.id],
    deviceGroupIds: [(await park.deviceGroup()).id],
    timeRuleIds: [rule.id],
    kind: 'staff',
    accessType: CARD,
    methods: [CARD, PERSONAL_PASSWORD],
    authorizedObject: 'both',
    validFrom: Date.parse('2026-01-01T00:00:00Z'),
    validTo: Date.parse('2030-01-01T00:00:00Z'),
    ...options,
  }
  const { id } = await done<{ id: string }>('biz', 'POST', '/access/record/addAccessStrategy', fields)
  return { id, fields, person, door, rule }
}
const read = ({ done }: Pick<Ground, 'done'>, id: string) => done('biz', 'GET', `/access/record/findAccessStrategyById?id=${id}`)

/** Return the doors a person may pass, with the names of the strategies that open them. */
const doorsOf = async ({ done }: Pick<Ground, 'done'>, { id }: { id: string }) =>
  done<{ deviceId: string; strategies: { id: string; name: string }[] }[]>(
    'biz',
    'GET',
    `/access/record/findDeviceDataByPerson?personId=${id}`,
  )

export const strategyCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-172',
    service: 'biz',
    method: 'POST',
    path: '/access/record/findAccessStrategyList',
    does: 'lists strategies, in pages from 1 or from 0',
    async holds(ground) {
      const { id, fields } = await madeStrategy(ground)
      await madeStrategy(ground)
      const list = (page: Json) => ground.listed('biz', 'POST', '/access/record/findAccessStrategyList', page)
      const all = await list({ page: 1, size: 100 })
      const found = all.find((strategy) => strategy['id'] === id)!
      // A strategy may name ten thousand persons: a list shows their number, and the strategy itself their ids.
      bears(found, 'AccessStrategy', { without: ['personIds'] })
      const { personIds: _, ...shown } = fields
      expect(found).toMatchObject({ ...shown, isDefault: false, effective: 'today' })
      expect(await list({ page: 2, size: 1 })).toEqual([all[1]])
      expect(await list({ pageNo: 1, pageSize: 1 })).toEqual([all[1]])
    },
  },
  {
    id: 'CALL-173',
    service: 'biz',
    method: 'GET',
    path: '/access/record/deleteAccessStrategyById',
    does: 'deletes a strategy, whose persons no longer pass; the default one stays',
    async holds(ground) {
      const { id, person } = await madeStrategy(ground)
      await expect.poll(() => doorsOf(ground, person)).toHaveLength(1)
      const kept = await madeStrategy(ground, { isDefault: true })
      expect(await ground.ask('biz', 'GET', `/access/record/deleteAccessStrategyById?id=${kept.id}`)).toMatchObject({ code: IS_DEFAULT })
      await ground.done('biz', 'GET', `/access/record/deleteAccessStrategyById?id=${id}`)
      expect(await ground.ask('biz', 'GET', `/access/record/findAccessStrategyById?id=${id}`)).toMatchObject({ code: NOT_FOUND })
      await expect.poll(() => doorsOf(ground, person)).toEqual([])
      expect(await read(ground, kept.id)).toMatchObject({ isDefault: true })
    },
  },
  {
    id: 'CALL-174',
    service: 'biz',
    method: 'GET',
    path: '/access/record/findAccessStrategyById',
    does: 'reads one strategy; another park does not have it',
    async holds(ground) {
      const { id, fields } = await madeStrategy(ground)
      const answered = await read(ground, id)
      bears(answered, 'AccessStrategy')
      expect(answered).toMatchObject({ id, ...fields, isDefault: false, effective: 'today' })
      const other = await ground.elsewhere()
      expect(await other.ask('biz', 'GET', `/access/record/findAccessStrategyById?id=${id}`)).toMatchObject({ code: NOT_FOUND })
    },
  },
  {
    id: 'CALL-175',
    service: 'biz',
    method: 'POST',
    path: '/access/record/addAccessStrategy',
    does: 'lets persons pass doors; refuses ways in for faces alone, a rule there is not, a taken name, and no rule',
    async holds(ground) {
      const { id, fields, person, door } = await madeStrategy(ground)
      expect(await read(ground, id)).toMatchObject(fields)
      await expect.poll(() => doorsOf(ground, person)).toMatchObject([{ deviceId: door.id, strategies: [{ id, name: fields.name }] }])
      const later = await madeStrategy(ground, { kind: 'visitor', isDefault: true, validFrom: undefined, effective: 'tomorrow' })
      expect(await read(ground, later.id)).toMatchObject({ kind: 'visitor', isDefault: true, effective: 'tomorrow' })
      const refused = (options: Json) =>
        ground.ask('biz', 'POST', '/access/record/addAccessStrategy', { ...fields, name: `Refused ${++strategies}`, ...options })
      expect(await refused({ accessType: FACE, methods: [FACE, CARD_PLUS_FACE] })).toMatchObject({ code: ONLY_FACE })
      expect(await refused({ timeRuleIds: [person.id] })).toMatchObject({ code: RULE_NOT_FOUND })
      expect(await refused({ name: fields.name })).toMatchObject({ code: NAME_TAKEN })
      expect((await refused({ timeRuleIds: [] })).code).not.toBe(0)
    },
  },
  {
    id: 'CALL-176',
    service: 'biz',
    method: 'POST',
    path: '/access/record/checkPin',
    does: 'tells whether a personal password is free in the park, and refuses one that is none',
    async holds(ground) {
      const free = (personalPassword: string, more: Json = {}) =>
        ground.done('biz', 'POST', '/access/record/checkPin', { personalPassword, ...more })
      expect(await free('246813')).toMatchObject({ free: true })
      const { id: personId } = await ground.park.person({ personalPassword: '246813' })
      expect(await free('246813')).toMatchObject({ free: false })
      expect(await free('246813', { personId })).toMatchObject({ free: true })
      for (const personalPassword of ['123', '12345678901', '12a4'])
        expect((await ground.ask('biz', 'POST', '/access/record/checkPin', { personalPassword })).code, personalPassword).not.toBe(0)
    },
  },
  {
    id: 'CALL-177',
    service: 'biz',
    method: 'POST',
    path: '/access/record/updateAccessStrategy',
    does: 'takes back what was read, with what changed, and keeps the rest',
    async holds(ground) {
      const { id, fields, person } = await madeStrategy(ground)
      await ground.done('biz', 'POST', '/access/record/updateAccessStrategy', { ...(await read(ground, id)), name: 'Renamed' })
      expect(await read(ground, id)).toMatchObject({ ...fields, name: 'Renamed' })
      const newcomer = await ground.park.person()
      await ground.done('biz', 'POST', '/access/record/updateAccessStrategy', { id, personIds: [newcomer.id] })
      expect(await read(ground, id)).toMatchObject({ ...fields, name: 'Renamed', personIds: [newcomer.id] })
      await expect.poll(() => doorsOf(ground, newcomer)).toMatchObject([{ strategies: [{ name: 'Renamed' }] }])
      await expect.poll(() => doorsOf(ground, person)).toEqual([])
      expect(
        await ground.ask('biz', 'POST', '/access/record/updateAccessStrategy', { id, accessType: FACE, methods: [FACE] }),
      ).toMatchObject({ code: ONLY_FACE })
    },
  },
  {
    id: 'CALL-178',
    service: 'biz',
    method: 'GET',
    path: '/access/record/findAccessListByDeviceId',
    does: 'tells the strategies of a device; another park does not have it',
    async holds(ground) {
      const { id, fields, door, rule } = await madeStrategy(ground)
      await madeStrategy(ground)
      expect(await ground.done<Json[]>('biz', 'GET', `/access/record/findAccessListByDeviceId?deviceId=${door.id}`)).toMatchObject([
        { id, name: fields.name, kind: 'staff', timeRules: [{ id: rule.id, name: rule.name }] },
      ])
      const other = await ground.elsewhere()
      expect((await other.ask('biz', 'GET', `/access/record/findAccessListByDeviceId?deviceId=${door.id}`)).status).toBe(404)
    },
  },
  {
    id: 'CALL-179',
    service: 'biz',
    method: 'GET',
    path: '/access/record/findDeviceDataByPerson',
    does: 'tells the devices a person may pass; another park does not have the person',
    async holds(ground) {
      const { id, fields, person, door } = await madeStrategy(ground)
      const second = await ground.park.device()
      const other = await ground.park.strategy({ persons: [person], devices: [door, second] })
      await expect.poll(() => doorsOf(ground, person)).toHaveLength(2)
      const doors = await doorsOf(ground, person)
      expect(doors.find(({ deviceId }) => deviceId === second.id)).toMatchObject({
        deviceName: second.name,
        strategies: [{ id: other.id }],
      })
      const both = doors.find(({ deviceId }) => deviceId === door.id)!
      expect(both.strategies).toHaveLength(2)
      expect(both.strategies).toContainEqual({ id, name: fields.name })
      const abroad = await ground.elsewhere()
      expect((await abroad.ask('biz', 'GET', `/access/record/findDeviceDataByPerson?personId=${person.id}`)).status).toBe(404)
    },
  },
  {
    id: 'CALL-181',
    service: 'biz',
    method: 'GET',
    path: '/access/record/findAllAccessStrategys',
    does: 'names all strategies of the park, and no other’s',
    async holds(ground) {
      const { id, fields } = await madeStrategy(ground)
      const foreign = await madeStrategy(await ground.elsewhere())
      const all = await ground.done<Json[]>('biz', 'GET', '/access/record/findAllAccessStrategys')
      expect(all).toContainEqual({ id, name: fields.name })
      expect(all.map((strategy) => strategy['id'])).not.toContain(foreign.id)
    },
  },
]
