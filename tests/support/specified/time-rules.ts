/** Time rules (M07), as point 7.5 of calls.txt and the entity TimeRule name them. */
import { expect } from 'vitest'
import { bears, type Ground, type Json, type SpecifiedCall } from './specified.ts'

const RULE_NOT_FOUND = 300001
const RULE_IN_USE = 300002
const RULE_IS_DEFAULT = 300003
const PERIODS_OVERLAP = 300203
const NO_PERIOD = 300204
const WRONG_RANGE = 900007

let rules = 0
/** Return fields of a rule with a value in each of them. */
const fieldsOf = (options: Json = {}): Json => ({
  name: `Time rule ${++rules}`,
  periods: [
    { weekday: 1, start: '08:00', end: '12:00' },
    { weekday: 1, start: '13:00', end: '17:30' },
    { weekday: 7, start: '10:00', end: '24:00' },
  ],
  allowedExceptionDates: ['2027-05-01'],
  forbiddenExceptionDates: ['2027-02-06', '2027-02-07'],
  effectiveDate: '2026-12-24',
  ...options,
})

async function madeRule({ done }: Pick<Ground, 'done'>, options: Json = {}): Promise<Json> {
  const fields = fieldsOf(options)
  const { id } = await done('biz', 'POST', '/access/rule/info', fields)
  return { id, ...fields }
}

export const timeRuleCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-180',
    service: 'biz',
    method: 'GET',
    path: '/access/record/findAllTimeRules',
    does: 'names all time rules of the park, and no other’s',
    async holds(ground) {
      const { id, name } = await madeRule(ground)
      const { id: foreign } = await madeRule(await ground.elsewhere())
      const all = await ground.done<Json[]>('biz', 'GET', '/access/record/findAllTimeRules')
      expect(all).toContainEqual({ id, name })
      expect(all.map((rule) => rule['id'])).not.toContain(foreign)
    },
  },
  {
    id: 'CALL-182',
    service: 'biz',
    method: 'GET',
    path: '/access/rule/info/list',
    does: 'lists time rules in pages, with everything a rule has',
    async holds(ground) {
      const made = await madeRule(ground)
      expect(await ground.listed('biz', 'GET', '/access/rule/info/list?page=1&size=1')).toHaveLength(1)
      const all = await ground.listed('biz', 'GET', '/access/rule/info/list?page=1&size=100')
      const found = all.find(({ id }) => id === made['id'])!
      bears(found, 'TimeRule')
      expect(found).toMatchObject({ ...made, isDefault: false })
    },
  },
  {
    id: 'CALL-183',
    service: 'biz',
    method: 'POST',
    path: '/access/rule/batch/delete',
    does: 'deletes several rules at once, but none that a strategy uses, nor the default one',
    async holds(ground) {
      const [one, other, used] = [await madeRule(ground), await madeRule(ground), await ground.park.timeRule()]
      await ground.park.strategy({ timeRules: [used] })
      const remove = (...ids: unknown[]) => ground.ask('biz', 'POST', '/access/rule/batch/delete', { ids })
      expect(await remove(one['id'], used.id)).toMatchObject({ code: RULE_IN_USE })
      const all = await ground.listed('biz', 'GET', '/access/rule/info/list?size=100')
      expect(await remove(all.find(({ isDefault }) => isDefault)!['id'])).toMatchObject({ code: RULE_IS_DEFAULT })
      await ground.done('biz', 'POST', '/access/rule/batch/delete', { ids: [one['id'], other['id']] })
      for (const { id } of [one, other])
        expect(await ground.ask('biz', 'GET', `/access/rule/info/${String(id)}`)).toMatchObject({ code: RULE_NOT_FOUND })
      expect((await ground.ask('biz', 'GET', `/access/rule/info/${used.id}`)).code).toBe(0)
    },
  },
  {
    id: 'CALL-184',
    service: 'biz',
    method: 'POST',
    path: '/access/rule/info',
    does: 'creates a rule of periods and exception dates; refuses periods that overlap, that end before they start, and none at all',
    async holds(ground) {
      const fields = fieldsOf()
      const { id } = await ground.done('biz', 'POST', '/access/rule/info', fields)
      expect(await ground.done('biz', 'GET', `/access/rule/info/${String(id)}`)).toMatchObject({ id, ...fields, isDefault: false })
      const refused = async (...periods: Json[]) => (await ground.ask('biz', 'POST', '/access/rule/info', fieldsOf({ periods }))).code
      expect(await refused({ weekday: 2, start: '08:00', end: '12:00' }, { weekday: 2, start: '11:59', end: '13:00' })).toBe(
        PERIODS_OVERLAP,
      )
      expect(await refused({ weekday: 2, start: '12:00', end: '08:00' })).toBe(WRONG_RANGE)
      expect(await refused()).toBe(NO_PERIOD)
    },
  },
  {
    id: 'CALL-185',
    service: 'biz',
    method: 'PUT',
    path: '/access/rule/info',
    does: 'takes back what was read, with what changed, and keeps the rest',
    async holds(ground) {
      const { id, ...fields } = await madeRule(ground)
      const read = await ground.done('biz', 'GET', `/access/rule/info/${String(id)}`)
      await ground.done('biz', 'PUT', '/access/rule/info', { ...read, effectiveDate: '2027-01-04' })
      const dated = { ...fields, effectiveDate: '2027-01-04' }
      expect(await ground.done('biz', 'GET', `/access/rule/info/${String(id)}`)).toMatchObject(dated)
      const periods = [{ weekday: 3, start: '06:00', end: '22:00' }]
      await ground.done('biz', 'PUT', '/access/rule/info', { id, periods })
      expect(await ground.done('biz', 'GET', `/access/rule/info/${String(id)}`)).toMatchObject({ ...dated, periods })
      expect(await ground.ask('biz', 'PUT', '/access/rule/info', { id, periods: [...periods, ...periods] })).toMatchObject({
        code: PERIODS_OVERLAP,
      })
    },
  },
  {
    id: 'CALL-186',
    service: 'biz',
    method: 'GET',
    path: '/access/rule/info/{id}',
    does: 'reads one rule; another park does not have it',
    async holds(ground) {
      const made = await madeRule(ground)
      const read = await ground.done('biz', 'GET', `/access/rule/info/${String(made['id'])}`)
      bears(read, 'TimeRule')
      expect(read).toMatchObject(made)
      const other = await ground.elsewhere()
      expect(await other.ask('biz', 'GET', `/access/rule/info/${String(made['id'])}`)).toMatchObject({ code: RULE_NOT_FOUND })
    },
  },
]
