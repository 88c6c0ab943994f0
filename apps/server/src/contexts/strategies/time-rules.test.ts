import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { ALWAYS_OPEN } from '@gatehouse/dev-env/site'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const MORNING = { weekday: 1, start: '08:00', end: '12:00' }
const body = <Fields extends object = object>(name: string, fields?: Fields) => ({ name, periods: [MORNING], ...(fields as Fields) })
const list = (site: Site) => site.call(timeRuleCalls.list, { query: {} })

describe('the default rule', () => {
  test('is there in every park from the first look, and open at all times', async () => {
    const { content, total } = await list(await world.addPark())
    expect(total).toBe(1)
    expect(content[0]).toMatchObject({ name: '24/7', isDefault: true, strategyCount: 0, periods: ALWAYS_OPEN })
  })

  test('is made once, however many look first', async () => {
    const park = await world.addPark()
    const { ensureDefaults } = world.server.contexts.strategies.timeRules
    await Promise.all(Array.from({ length: 10 }, () => ensureDefaults({ parkId: park.park.id })))
    expect((await list(park)).total).toBe(1)
  })

  test('cannot be deleted [VAL-152]', async () => {
    const park = await world.addPark()
    const [rule] = (await list(park)).content
    const other = await park.timeRule()
    expect(await park.ask(timeRuleCalls.delete, { body: { ids: [other.id, rule!.id] } })).toMatchObject({
      status: 200,
      code: 300003,
    })
    expect((await list(park)).total).toBe(2)
  })
})

describe('a time rule', () => {
  test('comes back as it was saved', async () => {
    const park = await world.addPark()
    const fields = {
      name: 'Office hours',
      periods: [MORNING, { weekday: 1, start: '13:00', end: '24:00' }],
      allowedExceptionDates: ['2026-12-24'],
      forbiddenExceptionDates: ['2026-12-25'],
      effectiveDate: '2026-12-01',
    }
    const { id } = await park.call(timeRuleCalls.create, { body: fields })
    const read = await park.call(timeRuleCalls.read, { params: { id } })
    expect(read).toMatchObject({ id, ...fields, isDefault: false, strategyCount: 0, version: 1 })
    expect((await park.call(timeRuleCalls.list, { query: { name: 'OFFICE' } })).content).toEqual([read])
    expect(await park.call(timeRuleCalls.all, {})).toContainEqual({ id, name: 'Office hours' })
  })

  test.each([
    ['no period', { periods: [] }, 200, 300204, 'periods'],
    ['overlapping periods', { periods: [MORNING, { weekday: 1, start: '11:59', end: '13:00' }] }, 200, 300203, 'periods.1'],
    ['a period that ends before it begins', { periods: [{ weekday: 1, start: '12:00', end: '08:00' }] }, 200, 900007, 'periods.0.end'],
    [
      'a date both allowed and forbidden',
      { allowedExceptionDates: ['2026-12-25'], forbiddenExceptionDates: ['2026-12-25'] },
      400,
      400,
      'forbiddenExceptionDates.0',
    ],
    ['a date that does not exist', { effectiveDate: '2026-13-01' }, 400, 400, 'effectiveDate'],
    ['an empty name', { name: ' ' }, 400, 400, 'name'],
  ])('is refused with %s', async (_, fields, status, code, path) => {
    const answer = await world.ask(timeRuleCalls.create, { body: body('Refused', fields) })
    expect(answer).toMatchObject({ status, code, data: { fields: [expect.objectContaining({ path })] } })
  })

  test('with nothing in it is refused, for each thing it lacks [VAL-144]', async () => {
    const refused = async (fields: object) => {
      const { status, data } = await world.ask(timeRuleCalls.create, { body: fields as { name: string; periods: [] } })
      return {
        status,
        fields: (data as unknown as { fields: { path: string; rule: string }[] }).fields.map(({ path, rule }) => `${path} ${rule}`),
      }
    }
    expect(await refused({})).toEqual({ status: 400, fields: ['name required', 'periods required'] })
    expect(await refused({ name: '', periods: [] })).toEqual({ status: 400, fields: ['name required'] })
    expect(await world.ask(timeRuleCalls.create, { body: { name: 'Hollow', periods: [] } })).toMatchObject({
      status: 200,
      code: 300204,
    })
  })

  test('whose other days clash is refused: named twice, or both open and closed; a rule never combined with it may differ', async () => {
    const park = await world.addPark()
    const answer = (dates: { allowedExceptionDates?: string[]; forbiddenExceptionDates?: string[] }) =>
      park.ask(timeRuleCalls.create, { body: body('Clashing', dates) })
    const refused = (path: string, rule: string) => ({ status: 400, data: { fields: [expect.objectContaining({ path, rule })] } })
    expect(await answer({ allowedExceptionDates: ['2026-12-25', '2026-12-25'] })).toMatchObject(
      refused('allowedExceptionDates.1', 'duplicate'),
    )
    expect(await answer({ allowedExceptionDates: ['2026-12-24', '2026-12-25'], forbiddenExceptionDates: ['2026-12-25'] })).toMatchObject(
      refused('forbiddenExceptionDates.0', 'clashingDate'),
    )
    await park.timeRule({ name: 'Open', allowedExceptionDates: ['2026-12-25'] })
    await park.timeRule({ name: 'Shut', forbiddenExceptionDates: ['2026-12-25'] })
    expect((await list(park)).total).toBe(3)
  })

  test('keeps every field that a change leaves out, removes what is null or empty, and can be sent back as it was read', async () => {
    const park = await world.addPark()
    const dates = { allowedExceptionDates: ['2026-12-24'], forbiddenExceptionDates: ['2026-12-25'], effectiveDate: '2026-12-01' }
    const { id } = await park.timeRule({ name: 'Dated', periods: [MORNING], ...dates })
    const read = () => park.call(timeRuleCalls.read, { params: { id } })
    const before = await read()
    await park.call(timeRuleCalls.change, { body: { id, name: 'Renamed' } })
    expect(await read()).toMatchObject({ name: 'Renamed', periods: [MORNING], ...dates })
    await park.strategy({ timeRules: [{ id, name: 'Dated' }], methods: [4] })
    expect(await park.ask(timeRuleCalls.change, { body: { ...before, version: 2 } as never })).toMatchObject({ status: 400 })
    expect(await park.ask(timeRuleCalls.change, { body: (await read()) as never })).toMatchObject({ code: 0 })
    await park.call(timeRuleCalls.change, {
      body: { id, effectiveDate: null, allowedExceptionDates: null, forbiddenExceptionDates: [] },
    })
    expect(await read()).toMatchObject({
      name: 'Renamed',
      periods: [MORNING],
      effectiveDate: null,
      allowedExceptionDates: [],
      forbiddenExceptionDates: [],
    })
    expect(await park.ask(timeRuleCalls.change, { body: { id, periods: [] } })).toMatchObject({ code: 300204 })
    expect(await park.ask(timeRuleCalls.change, { body: { id, periods: null } as never })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'periods', rule: 'required' }] },
    })
  })

  test('keeps its exception dates where a change leaves them out, and loses them where it says so', async () => {
    const park = await world.addPark()
    const dates = { allowedExceptionDates: ['2026-12-24'], forbiddenExceptionDates: ['2026-12-25'] }
    const { id } = await park.timeRule({ name: 'Dated', ...dates })
    await park.call(timeRuleCalls.change, { body: body('Dated', { id }) })
    const read = () => park.call(timeRuleCalls.read, { params: { id } })
    expect(await read()).toMatchObject({ ...dates, periods: [MORNING] })
    const clashing = await park.ask(timeRuleCalls.change, { body: body('Dated', { id, allowedExceptionDates: ['2026-12-25'] }) })
    expect(clashing).toMatchObject({ status: 400, data: { fields: [{ path: 'forbiddenExceptionDates.0', rule: 'clashingDate' }] } })
    await park.call(timeRuleCalls.change, { body: body('Dated', { id, forbiddenExceptionDates: [] }) })
    expect(await read()).toMatchObject({ ...dates, forbiddenExceptionDates: [] })
  })

  test('keeps its name to itself within the park, whatever its capitals', async () => {
    const park = await world.addPark()
    await park.timeRule({ name: 'Night' })
    const taken = { status: 200, code: 900004, data: { fields: [{ path: 'name', rule: 'code.900004' }] } }
    expect(await park.ask(timeRuleCalls.create, { body: body('NIGHT') })).toMatchObject(taken)
    const other = await park.timeRule()
    expect(await park.ask(timeRuleCalls.change, { body: body('night', { id: other.id }) })).toMatchObject(taken)
    await (await world.addPark()).timeRule({ name: 'Night' })
  })

  test('tells the second of two editors which fields differ', async () => {
    const park = await world.addPark()
    const { id } = await park.timeRule({ name: 'Shared' })
    await park.call(timeRuleCalls.change, { body: body('Shared', { id, version: 1 }) })
    const late = await park.ask(timeRuleCalls.change, { body: body('Renamed', { id, version: 1, effectiveDate: '2026-12-01' }) })
    expect(late).toMatchObject({
      status: 409,
      code: 409,
      data: {
        fields: [
          { path: 'name', rule: 'conflict' },
          { path: 'effectiveDate', rule: 'conflict' },
        ],
      },
    })
    expect(await park.call(timeRuleCalls.read, { params: { id } })).toMatchObject({ name: 'Shared', periods: [MORNING], version: 2 })
  })

  test('that a strategy uses stays, with all that were to be deleted along with it [VAL-153]', async () => {
    const park = await world.addPark()
    const [used, free] = [await park.timeRule(), await park.timeRule()]
    await park.strategy({ timeRules: [used], methods: [1, 4] })
    expect(await park.ask(timeRuleCalls.delete, { body: { ids: [free.id, used.id] } })).toMatchObject({ status: 200, code: 300002 })
    expect(await park.call(timeRuleCalls.read, { params: { id: used.id } })).toMatchObject({ strategyCount: 1 })
    expect(await park.call(timeRuleCalls.delete, { body: { ids: [free.id] } })).toEqual({ deleted: 1 })
    expect(await park.ask(timeRuleCalls.read, { params: { id: free.id } })).toMatchObject({ status: 200, code: 300001 })
  })

  test('is never deleted from under a strategy that is just being saved', async () => {
    const park = await world.addPark()
    for (let round = 0; round < 8; round++) {
      const rule = await park.timeRule()
      const [saved, deleted] = await Promise.all([
        park.ask(strategyCalls.create, { body: { name: `Race ${round}`, timeRuleIds: [rule.id], methods: [4] } }),
        park.ask(timeRuleCalls.delete, { body: { ids: [rule.id] } }),
      ])
      expect([
        [0, 300002],
        [300001, 0],
      ]).toContainEqual([saved.code, deleted.code])
    }
  })

  test('of another park, or of none, is not found', async () => {
    const foreign = await (await world.addPark()).timeRule()
    for (const id of [foreign.id, '00000000-0000-4000-8000-000000000000']) {
      expect(await world.ask(timeRuleCalls.read, { params: { id } })).toMatchObject({ code: 300001 })
      expect(await world.ask(timeRuleCalls.change, { body: body('Stolen', { id }) })).toMatchObject({ code: 300001 })
      expect(await world.ask(timeRuleCalls.delete, { body: { ids: [id] } })).toMatchObject({ code: 300001 })
    }
  })

  test('is for those who may, except its name', async () => {
    expect(await world.client.as(null).ask(timeRuleCalls.list, { query: {} })).toMatchObject({ status: 401, code: 100412 })
    const guard = await world.session({ permissions: ['access.record'] })
    expect(await guard.ask(timeRuleCalls.list, { query: {} })).toMatchObject({ status: 403, code: 100510 })
    expect(await guard.ask(timeRuleCalls.create, { body: body('Forbidden') })).toMatchObject({ status: 403, code: 100510 })
    expect(await guard.ask(timeRuleCalls.all, {})).toMatchObject({ status: 200, code: 0 })
    const planner = await world.session({ permissions: ['access.rule'] })
    expect(await planner.ask(timeRuleCalls.list, { query: {} })).toMatchObject({ status: 200, code: 0 })
  })
})
