/** The synchronisation of people to devices (M07), as point 7.4 of calls.txt and the entity PersonSyncStatus name it. */
import { expect } from 'vitest'
import { madeAssociatedRule } from './associated-rules.ts'
import { reportStored } from './stored-report.ts'
import { bears, type Ground, type Json, type SpecifiedCall } from './specified.ts'

const [SYNCING, FAILED, SUCCESS, DELETING, OVERTIME] = [0, 1, 2, 3, 4]
const STRATEGY_NOT_FOUND = 300101
const MINUTE = 60_000

/**
 * Create a new park with two persons and two doors: one door has stored one person and refused the other, the other door has not answered.
 */
async function halfwaySynchronised(ground: Ground) {
  const there = await ground.elsewhere()
  const [taken, refused] = [await there.park.person(), await there.park.person()]
  const [answering, silent] = [await there.park.device(), await there.park.device()]
  const strategy = await there.park.strategy({ persons: [taken, refused], devices: [answering, silent] })
  /** Send the report of the door that answers again. */
  const answers = () => reportStored({ world: ground.world, park: there.park }, answering, { [refused.id]: 'photoRefused' })
  await answers()
  /** Return each row as [person, device, status]; the specification promises no order. */
  const pairs = async (path: string) =>
    (await there.listed('biz', 'GET', path)).map(({ personId, deviceId, status }) => [personId, deviceId, status]).toSorted()
  return { there, taken, refused, answering, silent, strategy, pairs, answers }
}

export const synchronisationCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-148',
    service: 'biz',
    method: 'GET',
    path: '/person/sync/status/person/list',
    does: 'lists in pages the persons of a device or of a strategy, each with how far they are',
    async holds(ground) {
      const { there, taken, refused, answering, silent, strategy } = await halfwaySynchronised(ground)
      const list = async (query: string) =>
        (await there.listed('biz', 'GET', `/person/sync/status/person/list?${query}`)).map(({ personId, status }) => [personId, status])
      expect(await list(`deviceId=${answering.id}`)).toEqual([
        [refused.id, FAILED],
        [taken.id, SUCCESS],
      ])
      expect((await list(`deviceId=${silent.id}`)).toSorted()).toEqual(
        [
          [refused.id, SYNCING],
          [taken.id, SYNCING],
        ].toSorted(),
      )
      // Of several devices, the status that most needs attention.
      expect(await list(`strategyId=${strategy.id}`)).toEqual([
        [refused.id, FAILED],
        [taken.id, SYNCING],
      ])
      expect(await list(`strategyId=${strategy.id}&page=2&size=1`)).toEqual([[taken.id, SYNCING]])
      expect(await list(`deviceId=${answering.id}&status=${SUCCESS}`)).toEqual([[taken.id, SUCCESS]])
      expect(await ground.ask('biz', 'GET', `/person/sync/status/person/list?strategyId=${strategy.id}`)).toMatchObject({
        code: STRATEGY_NOT_FOUND,
      })
      expect((await ground.ask('biz', 'GET', `/person/sync/status/person/list?deviceId=${answering.id}`)).status).toBe(404)
    },
  },
  {
    id: 'CALL-149',
    service: 'biz',
    method: 'GET',
    path: '/person/sync/status/person/device',
    does: 'lists in pages the devices of a person, each with how far it is and why not; overtime where one does not answer',
    async holds(ground) {
      const { there, refused, answering, silent } = await halfwaySynchronised(ground)
      const path = `/person/sync/status/person/device?personId=${refused.id}`
      const all = await there.listed('biz', 'GET', `${path}&page=1&size=20`)
      bears(all[0]!, 'PersonSyncStatus')
      expect(all).toMatchObject([
        { personId: refused.id, deviceId: answering.id, status: FAILED, message: 'photoRefused', updatedAt: expect.any(Number) },
        { personId: refused.id, deviceId: silent.id, status: SYNCING, message: null },
      ])
      expect(await there.listed('biz', 'GET', `${path}&page=2&size=1`)).toMatchObject([{ deviceId: silent.id }])
      await ground.after(11 * MINUTE, async () => {
        expect(await there.listed('biz', 'GET', `${path}&status=${OVERTIME}`)).toMatchObject([{ deviceId: silent.id }])
      })
      expect((await ground.ask('biz', 'GET', path)).status).toBe(404)
    },
  },
  {
    id: 'CALL-150',
    service: 'biz',
    method: 'GET',
    path: '/person/sync/status/device/list',
    does: 'lists in pages the devices, all or those of a strategy, each with how far it is',
    async holds(ground) {
      const { there, answering, silent, strategy } = await halfwaySynchronised(ground)
      const third = await there.park.device()
      await reportStored({ world: ground.world, park: there.park }, third)
      const list = async (query: string) =>
        (await there.listed('biz', 'GET', `/person/sync/status/device/list?${query}`)).map(({ deviceId, status }) => [deviceId, status])
      expect(await list('page=1&size=20')).toEqual([
        [answering.id, FAILED],
        [silent.id, SYNCING],
        [third.id, SUCCESS],
      ])
      expect(await list('page=2&size=2')).toEqual([[third.id, SUCCESS]])
      expect(await list(`strategyId=${strategy.id}`)).toEqual([
        [answering.id, FAILED],
        [silent.id, SYNCING],
      ])
      expect(await list(`status=${SYNCING}`)).toEqual([[silent.id, SYNCING]])
    },
  },
  {
    id: 'CALL-151',
    service: 'biz',
    method: 'GET',
    path: '/person/sync/status/device/person',
    does: 'lists in pages the persons of a device, those among them whom it is to let go',
    async holds(ground) {
      const { there, taken, refused, answering, strategy, pairs, answers } = await halfwaySynchronised(ground)
      const path = `/person/sync/status/device/person?deviceId=${answering.id}`
      const all = await there.listed('biz', 'GET', `${path}&page=1&size=20`)
      bears(all[0]!, 'PersonSyncStatus')
      expect(all).toMatchObject([
        { personId: refused.id, deviceId: answering.id, status: FAILED, message: 'photoRefused' },
        { personId: taken.id, deviceId: answering.id, status: SUCCESS, message: null },
      ])
      expect(await there.listed('biz', 'GET', `${path}&page=2&size=1`)).toMatchObject([{ personId: taken.id }])
      await there.done('biz', 'POST', '/access/record/updateAccessStrategy', { id: strategy.id, personIds: [refused.id] })
      await expect
        .poll(() => pairs(path))
        .toEqual(
          [
            [refused.id, answering.id, FAILED],
            [taken.id, answering.id, DELETING],
          ].toSorted(),
        )
      await answers()
      expect(await pairs(path)).toEqual([[refused.id, answering.id, FAILED]])
    },
  },
  {
    id: 'CALL-152',
    service: 'biz',
    method: 'GET',
    path: '/person/sync/status/device/stat',
    does: 'counts persons by status, per device',
    async holds(ground) {
      const { there, answering, silent, strategy } = await halfwaySynchronised(ground)
      const third = await there.park.device()
      await reportStored({ world: ground.world, park: there.park }, third)
      const counts = async (query = '') => {
        const { devices } = await there.done<{ devices: { deviceId: string; counts: Json }[] }>(
          'biz',
          'GET',
          `/person/sync/status/device/stat${query}`,
        )
        return Object.fromEntries(devices.map((device) => [device.deviceId, device.counts]))
      }
      const [half, none] = [
        { syncing: 0, failed: 1, success: 1, deleting: 0, overtime: 0 },
        { syncing: 2, failed: 0, success: 0, deleting: 0, overtime: 0 },
      ]
      expect(await counts()).toMatchObject({ [answering.id]: half, [silent.id]: none, [third.id]: { success: 0 } })
      const ofStrategy = await counts(`?strategyId=${strategy.id}`)
      expect(ofStrategy).toMatchObject({ [answering.id]: half, [silent.id]: none })
      expect(Object.keys(ofStrategy)).toHaveLength(2)
      expect(Object.keys(await counts(`?deviceId=${silent.id}`))).toEqual([silent.id])
    },
  },
  {
    id: 'CALL-153',
    service: 'biz',
    method: 'GET',
    path: '/person/relate/sync/status/person/list',
    does: 'lists in pages the people of a linked park, each with how far they are; nothing of other strategies',
    async holds(ground) {
      const { id, host, person, door } = await madeAssociatedRule(ground)
      const list = (query: string) => host.listed('biz', 'GET', `/person/relate/sync/status/person/list?strategyId=${id}${query}`)
      await expect.poll(() => list('')).toMatchObject([{ personId: person.id, name: person.name, status: SYNCING }])
      await reportStored({ world: ground.world, park: host.park }, door)
      expect(await list('&page=1&size=20')).toMatchObject([{ personId: person.id, status: SUCCESS }])
      expect(await list('&page=2&size=20')).toEqual([])
      const own = await host.park.strategy({ persons: [await host.park.person()], devices: [door] })
      expect(await host.ask('biz', 'GET', `/person/relate/sync/status/person/list?strategyId=${own.id}`)).toMatchObject({
        code: STRATEGY_NOT_FOUND,
      })
    },
  },
  {
    id: 'CALL-154',
    service: 'biz',
    method: 'GET',
    path: '/person/relate/sync/status/device/person',
    does: 'lists in pages the people of a linked park at a device, and nobody of its own',
    async holds(ground) {
      const { id, host, person, door } = await madeAssociatedRule(ground)
      const own = await host.park.person()
      await host.park.strategy({ persons: [own], devices: [door] })
      await reportStored({ world: ground.world, park: host.park }, door, { [person.id]: 'noRoom' })
      const list = (query: string) =>
        host.listed('biz', 'GET', `/person/relate/sync/status/device/person?strategyId=${id}&deviceId=${door.id}${query}`)
      const all = await list('&page=1&size=20')
      expect(all).toMatchObject([{ personId: person.id, deviceId: door.id, status: FAILED, message: 'noRoom' }])
      bears(all[0]!, 'PersonSyncStatus')
      expect(await list('&page=2&size=20')).toEqual([])
      expect(await host.listed('biz', 'GET', `/person/sync/status/device/person?deviceId=${door.id}`)).toHaveLength(2)
    },
  },
  {
    id: 'CALL-155',
    service: 'biz',
    method: 'GET',
    path: '/retry/syncDeviceData',
    does: 'sends one person to one device again, and none that has not failed',
    async holds(ground) {
      const { there, taken, refused, answering, pairs, answers } = await halfwaySynchronised(ground)
      const retry = (personId: string) => there.done('biz', 'GET', `/retry/syncDeviceData?personId=${personId}&deviceId=${answering.id}`)
      const path = `/person/sync/status/device/person?deviceId=${answering.id}`
      expect(await retry(taken.id)).toMatchObject({ resent: 0 })
      expect(await pairs(path)).toContainEqual([refused.id, answering.id, FAILED])
      expect(await retry(refused.id)).toMatchObject({ resent: 1 })
      expect(await pairs(path)).toEqual(
        [
          [refused.id, answering.id, SYNCING],
          [taken.id, answering.id, SUCCESS],
        ].toSorted(),
      )
      await answers()
      expect(await pairs(path)).toContainEqual([refused.id, answering.id, FAILED])
    },
  },
  {
    id: 'CALL-156',
    service: 'biz',
    method: 'POST',
    path: '/retry/syncDeviceData',
    does: 'sends again what failed at a device, or all that failed, and nothing of another park',
    async holds(ground) {
      const { there, refused, answering, pairs, answers } = await halfwaySynchronised(ground)
      const path = `/person/sync/status/person/device?personId=${refused.id}&status=${FAILED}`
      const other = await ground.elsewhere()
      expect(await other.done('biz', 'POST', '/retry/syncDeviceData', {})).toMatchObject({ resent: 0 })
      expect((await other.ask('biz', 'POST', '/retry/syncDeviceData', { deviceId: answering.id })).status).toBe(404)
      expect(await pairs(path)).toEqual([[refused.id, answering.id, FAILED]])
      expect(await there.done('biz', 'POST', '/retry/syncDeviceData', { deviceId: answering.id })).toMatchObject({ resent: 1 })
      expect(await pairs(path)).toEqual([])
      await answers()
      expect(await pairs(path)).toEqual([[refused.id, answering.id, FAILED]])
      expect(await there.done('biz', 'POST', '/retry/syncDeviceData', {})).toMatchObject({ resent: 1 })
      expect(await pairs(path)).toEqual([])
    },
  },
]
