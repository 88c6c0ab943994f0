/** Settings of a park (M04), by point 7.3 of calls.txt. */
import { expect } from 'vitest'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { connectedDevice } from '../connected-device.ts'
import type { Ground, Integrator, Json, SpecifiedCall } from './specified.ts'

const MINUTE = 60_000

/** Return the number of recorded passages of a park. */
const recorded = async ({ listed }: Integrator): Promise<number> =>
  (await listed('biz', 'POST', '/access/record/findAccessRecordList', {})).length

/** Create a door that sends passages, each one minute after the previous one. */
async function doorOf({ world }: Ground, { park }: Pick<Ground, 'park'>) {
  const door = await connectedDevice(world, await park.device())
  let numbers = 0
  const start = world.clock.now() - 60 * MINUTE
  return async (passage: Partial<RecordObject>): Promise<void> => {
    numbers++
    const record: RecordObject = {
      seq: numbers,
      occurredAt: start + numbers * MINUTE,
      personId: null,
      personName: '',
      result: 1,
      failReason: null,
      verifyType: 1,
      direction: 1,
      score: 90,
      checks: '[]',
      revision: door.manifest().revision,
      hasPicture: false,
      ...passage,
    }
    await door.send([record])
  }
}

export const parkSettingCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-051',
    service: 'biz',
    method: 'GET',
    path: '/areaCodes/access/control',
    does: 'tells the switches of the access module, each park its own',
    async holds(ground) {
      const other = await ground.elsewhere()
      const before = await other.done('biz', 'GET', '/areaCodes/access/control')
      await other.done('biz', 'POST', '/areaCodes/access/control', { ...before, recordDays: 21 })
      expect(await other.done('biz', 'GET', '/areaCodes/access/control')).toMatchObject({ recordDays: 21, strangerRecordFlag: 1 })
      expect((await ground.done('biz', 'GET', '/areaCodes/access/control'))['recordDays']).not.toBe(21)
    },
  },
  {
    id: 'CALL-052',
    service: 'biz',
    method: 'POST',
    path: '/areaCodes/access/control',
    does: 'sets them: without records of strangers, one leaves none; refuses what is no switch',
    async holds(ground) {
      const other = await ground.elsewhere()
      const door = await doorOf(ground, other)
      const stranger = { result: 0, failReason: 904 }
      await door(stranger)
      expect(await recorded(other)).toBe(1)
      await other.done('biz', 'POST', '/areaCodes/access/control', { strangerRecordFlag: 0 })
      await door(stranger)
      expect(await recorded(other)).toBe(1)
      expect((await other.ask('biz', 'POST', '/areaCodes/access/control', { strangerRecordFlag: 2 })).status).toBe(400)
    },
  },
  {
    id: 'CALL-053',
    service: 'biz',
    method: 'GET',
    path: '/areaCodes/update/config',
    does: 'tells how people are registered in the park',
    async holds(ground) {
      const other = await ground.elsewhere()
      const flags = { staffFaceRegisterFlag: 1, customerFaceRegisterFlag: 0, showCustomerManagerFlag: 1 }
      expect(await other.done('biz', 'GET', '/areaCodes/update/config')).toMatchObject({
        staffFaceRegisterFlag: 0,
        customerFaceRegisterFlag: 0,
        showCustomerManagerFlag: 0,
      })
      await other.done('biz', 'POST', '/areaCodes/update/config', flags)
      expect(await other.done('biz', 'GET', '/areaCodes/update/config')).toMatchObject(flags)
    },
  },
  {
    id: 'CALL-054',
    service: 'biz',
    method: 'POST',
    path: '/areaCodes/update/config',
    does: 'sets one of the flags and keeps the others, as the park’s info then tells',
    async holds(ground) {
      const other = await ground.elsewhere()
      await other.done('biz', 'POST', '/areaCodes/update/config', { customerFaceRegisterFlag: 1 })
      await other.done('biz', 'POST', '/areaCodes/update/config', { showCustomerManagerFlag: 1 })
      expect(await other.done('biz', 'GET', '/areaCodes/parkInfo')).toMatchObject({
        staffFaceRegisterFlag: 0,
        customerFaceRegisterFlag: 1,
        showCustomerManagerFlag: 1,
      })
      expect((await other.ask('biz', 'POST', '/areaCodes/update/config', { staffFaceRegisterFlag: 3 })).status).toBe(400)
    },
  },
  {
    id: 'CALL-072',
    service: 'biz',
    method: 'GET',
    path: '/system/CustomerDefaultAutoRegisterGroup/set',
    does: 'chooses the group of customers who register themselves; none that there is not',
    async holds(ground) {
      const { park, done, ask } = await ground.elsewhere()
      const [first, second] = [await park.personGroup(), await park.personGroup()]
      for (const { id } of [first, second]) {
        await done('biz', 'GET', `/system/CustomerDefaultAutoRegisterGroup/set?groupId=${id}`)
        expect(await done('biz', 'GET', '/system/CustomerDefaultAutoRegisterGroup/get')).toMatchObject({ groupId: id })
      }
      const foreign = await ground.park.personGroup()
      expect((await ask('biz', 'GET', `/system/CustomerDefaultAutoRegisterGroup/set?groupId=${foreign.id}`)).status).not.toBe(200)
      expect(await done('biz', 'GET', '/system/CustomerDefaultAutoRegisterGroup/get')).toMatchObject({ groupId: second.id })
    },
  },
  {
    id: 'CALL-073',
    service: 'biz',
    method: 'GET',
    path: '/system/CustomerDefaultAutoRegisterGroup/get',
    does: 'tells that group, and none while none is chosen',
    async holds(ground) {
      const { park, done } = await ground.elsewhere()
      expect(await done('biz', 'GET', '/system/CustomerDefaultAutoRegisterGroup/get')).toMatchObject({ groupId: null })
      const { id, name } = await park.personGroup()
      await done('biz', 'GET', `/system/CustomerDefaultAutoRegisterGroup/set?groupId=${id}`)
      expect(await done('biz', 'GET', '/system/CustomerDefaultAutoRegisterGroup/get')).toMatchObject({ groupId: id, groupName: name })
    },
  },
  {
    id: 'CALL-074',
    service: 'biz',
    method: 'GET',
    path: '/system/secondary/entering/config',
    does: 'tells how soon a second passage is recorded: at once, until it is set',
    async holds(ground) {
      const { done } = await ground.elsewhere()
      expect(await done('biz', 'GET', '/system/secondary/entering/config')).toMatchObject({ seconds: 0 })
      await done('biz', 'POST', '/system/secondary/entering/config', { seconds: 45 })
      expect(await done('biz', 'GET', '/system/secondary/entering/config')).toMatchObject({ seconds: 45 })
    },
  },
  {
    id: 'CALL-075',
    service: 'biz',
    method: 'POST',
    path: '/system/secondary/entering/config',
    does: 'sets it: a second passage so soon makes no record',
    async holds(ground) {
      const other = await ground.elsewhere()
      const [door, { id: personId, name: personName }] = [await doorOf(ground, other), await other.park.person()]
      await door({ personId, personName })
      await door({ personId, personName })
      expect(await recorded(other)).toBe(2)
      await other.done('biz', 'POST', '/system/secondary/entering/config', { seconds: 90 })
      await door({ personId, personName })
      expect(await recorded(other)).toBe(2)
      await door({ personId, personName })
      expect(await recorded(other)).toBe(3)
      expect((await other.ask('biz', 'POST', '/system/secondary/entering/config', { seconds: -1 })).status).toBe(400)
    },
  },
  {
    id: 'CALL-085',
    service: 'biz',
    method: 'GET',
    path: '/carPark/config',
    does: 'tells the parking system of the park and none of its secrets',
    async holds(ground) {
      const { done } = await ground.elsewhere()
      const fields = { key: 'key-11', appId: 'app-1', secret: 'secret-22', account: 'gate', password: 'word-33', merchantCode: 'm-1' }
      await done('biz', 'POST', '/carPark/config', fields)
      const config = await done<Json>('biz', 'GET', '/carPark/config')
      expect(Object.keys(config)).toEqual(expect.arrayContaining(Object.keys(fields)))
      expect(config).toMatchObject({ appId: 'app-1', account: 'gate', merchantCode: 'm-1' })
      for (const secret of ['key-11', 'secret-22', 'word-33']) expect(JSON.stringify(config)).not.toContain(secret)
      expect(await ground.done('biz', 'GET', '/carPark/config')).not.toMatchObject({ appId: 'app-1' })
    },
  },
  {
    id: 'CALL-086',
    service: 'biz',
    method: 'POST',
    path: '/carPark/config',
    does: 'takes the six fields, and back what was read with what changed: the secrets stay',
    async holds(ground) {
      const { done } = await ground.elsewhere()
      const secrets = { key: 'key-11', secret: 'secret-22', password: 'word-33' }
      await done('biz', 'POST', '/carPark/config', { ...secrets, appId: 'app-2', account: 'gate', merchantCode: 'm-2' })
      const read = await done('biz', 'GET', '/carPark/config')
      await done('biz', 'POST', '/carPark/config', { ...read, account: 'north' })
      const changed = await done<Json & { secretsSet: string[] }>('biz', 'GET', '/carPark/config')
      expect(changed).toMatchObject({ appId: 'app-2', account: 'north', merchantCode: 'm-2' })
      expect(changed.secretsSet.toSorted()).toEqual(Object.keys(secrets).toSorted())
      await done('biz', 'POST', '/carPark/config', { password: null })
      expect((await done<{ secretsSet: string[] }>('biz', 'GET', '/carPark/config')).secretsSet.toSorted()).toEqual(['key', 'secret'])
    },
  },
]
