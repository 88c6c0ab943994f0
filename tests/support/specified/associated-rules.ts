/**
 * Associated rules (M07): which persons of a linked park may pass here, as point 7.5 of calls.txt and the entity AssociatedRule name them.
 */
import { expect } from 'vitest'
import type { MadeDevice, MadePerson, Site } from '@gatehouse/dev-env/world'
import { linkedPark } from './park-relations.ts'
import { bears, type Ground, type Integrator, type Json, type SpecifiedCall } from './specified.ts'

const RULE_NOT_FOUND = 300001
const NOT_FOUND = 300101
const ONLY_FACE = 300206
const [FACE, CARD, QR_CODE] = [1, 4, 6]

export interface AssociatedRule {
  id: string
  fields: Json
  /** A user with all permissions in the park of the rule. */
  host: Integrator & { park: Site }
  /** The shared person. */
  person: MadePerson
  door: MadeDevice
}

let rules = 0
/** Create a rule of a new park about one person of the park of the file. */
export async function madeAssociatedRule(ground: Ground): Promise<AssociatedRule> {
  const { host, person } = await linkedPark(ground)
  const [door, rule] = [await host.park.device(), await host.park.timeRule()]
  const fields = {
    name: `Associated rule ${++rules}`,
    parkId: ground.park.park.id,
    personIds: [person.id],
    personGroupIds: [],
    deviceIds: [door.id],
    timeRuleIds: [rule.id],
    kind: 'staff',
    methods: [CARD, QR_CODE],
    validFrom: Date.parse('2026-01-01T00:00:00Z'),
    validTo: Date.parse('2030-01-01T00:00:00Z'),
  }
  const { id } = await host.done<{ id: string }>('biz', 'POST', '/access/park/addAccessParkData', fields)
  return { id, fields, host, person, door }
}
const read = ({ done }: Integrator, id: string) => done('biz', 'GET', `/access/park/findAccessParkById?id=${id}`)

/** Return the shared persons a device should store. */
const guestsAt = async ({ listed }: Integrator, { id, door }: AssociatedRule) =>
  (await listed('biz', 'GET', `/person/relate/sync/status/device/person?deviceId=${door.id}&strategyId=${id}`)).map(
    ({ personId }) => personId,
  )

export const associatedRuleCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-192',
    service: 'biz',
    method: 'POST',
    path: '/access/park/findAccessParkList',
    does: 'lists associated rules, in pages from 1 or from 0',
    async holds(ground) {
      const { id, fields, host, door } = await madeAssociatedRule(ground)
      await host.done('biz', 'POST', '/access/park/addAccessParkData', { ...fields, name: 'Second', deviceIds: [door.id] })
      const list = (page: Json) => host.listed('biz', 'POST', '/access/park/findAccessParkList', page)
      const all = await list({ page: 1, size: 20 })
      expect(all).toHaveLength(2)
      const found = all.find((rule) => rule['id'] === id)!
      // A rule may name ten thousand persons: a list shows their number, and the rule itself their ids.
      bears(found, 'AssociatedRule', { without: ['personIds', 'personGroupIds'] })
      const { personIds: _, personGroupIds: __, ...shown } = fields
      expect(found).toMatchObject(shown)
      expect(await list({ page: 2, size: 1 })).toEqual([all[1]])
      expect(await list({ pageNo: 1, pageSize: 1 })).toEqual([all[1]])
    },
  },
  {
    id: 'CALL-193',
    service: 'biz',
    method: 'GET',
    path: '/access/park/findRelateParkList',
    does: 'names the parks a rule can be about: those that share people, and none that has only applied',
    async holds(ground) {
      const { host } = await linkedPark(ground)
      const { verificationCode: authorisationCode } = await host.done('biz', 'GET', '/areaCodes/getVerificationCode')
      const applicant = await ground.elsewhere()
      await applicant.done('biz', 'POST', '/relation/config', { authorisationCode })
      expect(await host.done<Json[]>('biz', 'GET', '/access/park/findRelateParkList')).toMatchObject([
        { id: ground.park.park.id, parkName: ground.park.park.name },
      ])
    },
  },
  {
    id: 'CALL-194',
    service: 'biz',
    method: 'GET',
    path: '/access/park/findAccessParkById',
    does: 'reads one rule; the park it is about does not have it',
    async holds(ground) {
      const { id, fields, host } = await madeAssociatedRule(ground)
      const answered = await read(host, id)
      bears(answered, 'AssociatedRule')
      expect(answered).toMatchObject({ id, ...fields })
      expect(await ground.ask('biz', 'GET', `/access/park/findAccessParkById?id=${id}`)).toMatchObject({ code: NOT_FOUND })
    },
  },
  {
    id: 'CALL-195',
    service: 'biz',
    method: 'POST',
    path: '/access/park/addAccessParkData',
    does: 'lets a person of the linked park pass a door; refuses ways in for faces alone, a rule there is not, and a park without a link',
    async holds(ground) {
      const rule = await madeAssociatedRule(ground)
      const { id, fields, host, person } = rule
      expect(await read(host, id)).toMatchObject(fields)
      await expect.poll(() => guestsAt(host, rule)).toEqual([person.id])
      const refused = (options: Json) =>
        host.ask('biz', 'POST', '/access/park/addAccessParkData', { ...fields, name: `Refused ${++rules}`, ...options })
      expect(await refused({ methods: [FACE] })).toMatchObject({ code: ONLY_FACE })
      expect(await refused({ timeRuleIds: [id] })).toMatchObject({ code: RULE_NOT_FOUND })
      expect((await refused({ parkId: (await ground.elsewhere()).park.park.id })).code).not.toBe(0)
    },
  },
  {
    id: 'CALL-196',
    service: 'biz',
    method: 'POST',
    path: '/access/park/updateAccessParkData',
    does: 'takes back what was read, with what changed, and keeps the rest',
    async holds(ground) {
      const { id, fields, host } = await madeAssociatedRule(ground)
      await host.done('biz', 'POST', '/access/park/updateAccessParkData', { ...(await read(host, id)), name: 'Renamed' })
      expect(await read(host, id)).toMatchObject({ ...fields, name: 'Renamed' })
      const second = await host.park.device()
      await host.done('biz', 'POST', '/access/park/updateAccessParkData', { id, deviceIds: [second.id], methods: [FACE, CARD] })
      expect(await read(host, id)).toMatchObject({ ...fields, name: 'Renamed', deviceIds: [second.id], methods: [FACE, CARD] })
      expect(await host.ask('biz', 'POST', '/access/park/updateAccessParkData', { id, methods: [FACE] })).toMatchObject({ code: ONLY_FACE })
    },
  },
  {
    id: 'CALL-197',
    service: 'biz',
    method: 'GET',
    path: '/access/park/deleteAccessParkDataById',
    does: 'deletes a rule, whose guests no longer pass; the park it is about cannot',
    async holds(ground) {
      const rule = await madeAssociatedRule(ground)
      const { id, host, person, door } = rule
      await expect.poll(() => guestsAt(host, rule)).toEqual([person.id])
      const path = `/access/park/deleteAccessParkDataById?id=${id}`
      expect(await ground.ask('biz', 'GET', path)).toMatchObject({ code: NOT_FOUND })
      await host.done('biz', 'GET', path)
      expect(await host.ask('biz', 'GET', `/access/park/findAccessParkById?id=${id}`)).toMatchObject({ code: NOT_FOUND })
      await expect.poll(() => host.listed('biz', 'GET', `/person/sync/status/device/person?deviceId=${door.id}`)).toEqual([])
    },
  },
]
