/** Requests to a device itself: doors, commands, resources, logs (M06), as point 7.7 of calls.txt names them. */
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished } from 'vitest'
import { createClient } from '@gatehouse/dev-env/client'
import { maintenanceCalls } from '@gatehouse/contract/maintenance/calls'
import { startAnswering, type AnsweringDevice } from '../answering-device.ts'
import { until } from '../until.ts'
import { bears, type Ground, type SpecifiedCall } from './specified.ts'

const MINUTE = 60_000

/** Connect a device that gives these answers. */
async function connected({ world, park }: Ground, answers: Parameters<typeof startAnswering>[2] = {}): Promise<AnsweringDevice> {
  const started = await startAnswering(world, park, answers)
  onTestFinished(() => started.device.stop())
  return started
}

export const deviceControlCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-230',
    service: 'biz',
    method: 'GET',
    path: '/device/offline/list',
    does: 'tells in pages when a device went offline and when it came back',
    async holds(ground) {
      const { made, stop } = await connected(ground)
      const [before, offline] = [
        ground.world.clock.now(),
        () => ground.listed('biz', 'GET', `/device/offline/list?deviceId=${made.id}&page=1&size=5`),
      ]
      // In the first minute after its start, the server does not report devices that are away.
      await ground.after(2 * MINUTE, async () => {
        await stop()
        const [away] = await until('the absence to be known', async () => ((await offline()).length > 0 ? offline() : null))
        expect(away).toMatchObject({ deviceId: made.id, deviceName: made.name, until: null })
        expect(away!['since']).toBeGreaterThan(before)
        const back = await startAnswering(ground.world, ground.park, {}, made)
        onTestFinished(() => back.device.stop())
        await until('the return to be known', async () => (await offline())[0]?.['until'] !== null)
        expect(await ground.listed('biz', 'GET', `/device/offline/list?deviceId=${(await ground.park.device()).id}`)).toEqual([])
      })
    },
  },
  {
    id: 'CALL-241',
    service: 'biz',
    method: 'POST',
    path: '/device/controlDoor',
    does: 'opens (1), holds open (2) and closes (3) a door; says why a device did not, and refuses one that is offline',
    async holds(ground) {
      const operated: number[] = []
      const { made } = await connected(ground, {
        async operateDoor(operation) {
          operated.push(operation)
          return { isSuccess: true, errorType: null }
        },
      })
      for (const operateType of [1, 2, 3])
        expect(await ground.done('biz', 'POST', '/device/controlDoor', { deviceId: made.id, operateType })).toMatchObject({
          isSuccess: true,
        })
      expect(operated).toEqual([1, 2, 3])
      const { made: jammed } = await connected(ground, { operateDoor: async () => ({ isSuccess: false, errorType: 2 }) })
      expect(await ground.done('biz', 'POST', '/device/controlDoor', { deviceId: jammed.id, operateType: 1 })).toEqual({
        isSuccess: false,
        errorType: 2,
      })
      const { id: offline } = await ground.park.device()
      expect(await ground.ask('biz', 'POST', '/device/controlDoor', { deviceId: offline, operateType: 1 })).toMatchObject({ code: 400205 })
      expect(await ground.ask('biz', 'POST', '/device/controlDoor', { deviceId: made.id, operateType: 4 })).toMatchObject({ status: 400 })
    },
  },
  {
    id: 'CALL-242',
    service: 'biz',
    method: 'GET',
    path: '/device/controlDoor/setting',
    does: 'tells how doors are controlled in the park, and whether opening one device is to be confirmed',
    async holds(ground) {
      const [plain, asking] = [await ground.park.device(), await ground.park.device({ type: 3, openDoorConfirm: true })]
      const of = ({ id }: { id: string }) => ground.done('biz', 'GET', `/device/controlDoor/setting?deviceId=${id}`)
      expect(await of(plain)).toMatchObject({ confirmFlag: 0 })
      expect(await of(asking)).toMatchObject({ confirmFlag: 1 })
      // What a call of our own changes is read by this one.
      await ground.done('biz', 'POST', '/device/controlDoor/setting', { holdSeconds: 25, confirmFlag: 1 })
      expect(await ground.done('biz', 'GET', '/device/controlDoor/setting')).toMatchObject({ holdSeconds: 25, confirmFlag: 1 })
      await ground.done('biz', 'POST', '/device/controlDoor/setting', { holdSeconds: 10, confirmFlag: 0 })
    },
  },
  {
    id: 'CALL-243',
    service: 'biz',
    method: 'POST',
    path: '/device/controlAgent',
    does: 'runs a named command on a device and answers its result; refuses one that is offline',
    async holds(ground) {
      const usage = { cpu: 3, memory: 44, disk: 5 }
      let restarts = 0
      const { made } = await connected(ground, {
        commands: {
          resource: async () => usage,
          async restart() {
            restarts++
            return {}
          },
        },
      })
      const run = (command: string) => ground.done('biz', 'POST', '/device/controlAgent', { deviceId: made.id, command })
      expect(await run('resource')).toMatchObject({ isSuccess: true, result: usage })
      expect(await run('restart')).toMatchObject({ isSuccess: true })
      expect(restarts).toBe(1)
      const { id: offline } = await ground.park.device()
      expect(await ground.ask('biz', 'POST', '/device/controlAgent', { deviceId: offline, command: 'restart' })).toMatchObject({
        code: 400001,
      })
    },
  },
  {
    id: 'CALL-244',
    service: 'biz',
    method: 'POST',
    path: '/device/resource',
    does: 'tells processor, memory and disk of a device, and of one that is offline what it told last',
    async holds(ground) {
      const usage = { cpu: 12.5, memory: 40, disk: 95 }
      const { made, stop } = await connected(ground, { commands: { resource: async () => usage } })
      const look = () => ground.done('biz', 'POST', '/device/resource', { deviceId: made.id })
      expect(await look()).toMatchObject({ usage, isFresh: true, thresholds: { disk: 90 }, alerts: [{ kind: 'disk', value: 95 }] })
      await stop()
      expect(await look()).toMatchObject({ usage, isFresh: false })
      const other = await ground.elsewhere()
      expect((await other.ask('biz', 'POST', '/device/resource', { deviceId: made.id })).status).toBe(404)
    },
  },
  {
    id: 'CALL-249',
    service: 'biz',
    method: 'GET',
    path: '/device/log/download',
    does: 'asks a device for its log, which can then be fetched',
    async holds(ground) {
      const terminal = await ground.world.terminal(await ground.park.device())
      onTestFinished(() => terminal.stop())
      const { id } = await ground.done('biz', 'GET', `/device/log/download?deviceId=${terminal.device.id}`)
      const record = () => ground.listed('biz', 'GET', `/device/log/record?deviceId=${terminal.device.id}`)
      const log = await until('the log to arrive', async () => (await record()).find((one) => one['id'] === id && one['status'] === 2))
      const path = String(log['fileUrl']).replace('/bizService/uface/v1', '')
      const { bytes } = await ground.file('biz', 'GET', path)
      expect(gunzipSync(bytes).toString()).toContain(terminal.device.name)
      expect((await ground.ask('biz', 'GET', '/device/log/download?deviceId=unknown')).status).toBe(400)
    },
  },
  {
    id: 'CALL-250',
    service: 'biz',
    method: 'GET',
    path: '/device/log/record',
    does: 'lists in pages the logs that were asked for, with how far each is',
    async holds(ground) {
      const [first, second] = [await ground.park.device(), await ground.park.device()]
      const { id } = await ground.done('biz', 'GET', `/device/log/download?deviceId=${first.id}`)
      await ground.done('biz', 'GET', `/device/log/download?deviceId=${second.id}`)
      const [found, ...others] = await ground.listed('biz', 'GET', `/device/log/record?deviceId=${first.id}&page=1&size=10`)
      expect(others).toEqual([])
      bears(found!, 'DeviceLogDownload')
      expect(found).toMatchObject({ id, deviceId: first.id, status: 0, fileUrl: '' })
      expect(Math.abs((found!['time'] as number) - ground.world.clock.now())).toBeLessThan(MINUTE)
      const { call } = createClient(ground.world.url, { basic: [first.code, first.secret] })
      await call(maintenanceCalls.sendLog, { params: { id: id as string }, file: new Uint8Array([0x1f, 0x8b, 8, 0]) })
      const [arrived] = await ground.listed('biz', 'GET', `/device/log/record?deviceId=${first.id}`)
      expect(arrived).toMatchObject({ id, status: 2, fileUrl: expect.stringContaining('/') })
      expect((await (await ground.elsewhere()).listed('biz', 'GET', '/device/log/record')).length).toBe(0)
    },
  },
]
