/** Access records (M07), as point 7.5 of calls.txt and the entity AccessRecord name them. */
import { expect } from 'vitest'
import { linkedPark } from './park-relations.ts'
import { passed } from './passages.ts'
import { bears, type Ground, type Json, type SpecifiedCall } from './specified.ts'

const [IN, OUT] = [1, 2]
const [REJECTED, ALLOWED] = [0, 1]
const [FACE, CARD] = [1, 2]
const ABNORMAL_TEMPERATURE = 8
const FEVER = 1
const DAY = 86_400_000

const ABSENT = '00000000-0000-4000-8000-000000000000'
const recordsOf = (ground: Pick<Ground, 'listed'>, filter: Json) =>
  ground.listed('biz', 'POST', '/access/record/findAccessRecordList', filter)

/** Record a person who is admitted by card, and then refused because of a fever, at a door and in a park of their own. */
async function withFever(ground: Ground) {
  const there = await ground.elsewhere()
  const [person, door] = [await there.park.person(), await there.park.device()]
  const at = { world: ground.world, park: there.park }
  await passed(at, person, door, { verifyType: CARD })
  await passed(at, person, door, { result: REJECTED, failReason: ABNORMAL_TEMPERATURE, temperature: 38.4, temperatureStatus: FEVER })
  // Days are those of the park: a test at midnight must not miss its passages.
  const day = (offset: number) => new Date(ground.world.clock.now() + offset).toISOString().slice(0, 10)
  return { there, door, window: `from=${day(-2 * DAY)}&to=${day(2 * DAY)}` }
}

export const accessRecordCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-164',
    service: 'biz',
    method: 'POST',
    path: '/access/record/findAccessRecordList',
    does: 'lists records with all a passage told, the newest first, in pages from 1 or from 0, by person, device, direction and result',
    async holds(ground) {
      const [person, door] = [await ground.park.person(), await ground.park.device()]
      const now = ground.world.clock.now()
      const said = {
        time: now - 60_000,
        direction: OUT,
        verifyType: CARD,
        result: REJECTED,
        mask: 1,
        helmet: 0,
        temperature: 38.4,
        temperatureStatus: FEVER,
        failReason: ABNORMAL_TEMPERATURE,
      }
      const rejected = await passed(ground, person, door, said)
      const allowed = await passed(ground, person, door, { time: now - 30_000 })
      const stranger = await passed(ground, null, door, { time: now - 90_000, result: REJECTED, failReason: 904 })

      const personId = person.id
      const [last, first] = await recordsOf(ground, { page: 1, size: 20, personId })
      bears(first!, 'AccessRecord')
      expect(first).toMatchObject({
        id: rejected,
        personId,
        personName: person.name,
        deviceId: door.id,
        deviceName: door.name,
        ...said,
        temperature: expect.closeTo(38.4),
        failText: '',
        captureImage: '',
      })
      expect(last).toMatchObject({ id: allowed, direction: IN, verifyType: FACE, result: ALLOWED, failReason: null })

      const idsOf = async (filter: Json) => (await recordsOf(ground, { deviceId: door.id, ...filter })).map(({ id }) => id)
      expect(await idsOf({})).toEqual([allowed, rejected, stranger])
      expect(await idsOf({ page: 2, size: 1 })).toEqual([rejected])
      expect(await idsOf({ pageNo: 1, pageSize: 1 })).toEqual([rejected])
      expect(await idsOf({ direction: OUT })).toEqual([rejected])
      expect(await idsOf({ result: ALLOWED })).toEqual([allowed])
      expect(await idsOf({ personName: person.name })).toEqual([allowed, rejected])
    },
  },
  {
    id: 'CALL-165',
    service: 'biz',
    method: 'GET',
    path: '/access/record/findAccessListByPersonId',
    does: 'lists the records of one person in pages, the newest first',
    async holds(ground) {
      const [person, other, door] = [await ground.park.person(), await ground.park.person(), await ground.park.device()]
      const now = ground.world.clock.now()
      const first = await passed(ground, person, door, { time: now - 60_000 })
      const last = await passed(ground, person, door, { time: now - 30_000, direction: OUT })
      await passed(ground, other, door)
      const list = (query: string) => ground.listed('biz', 'GET', `/access/record/findAccessListByPersonId?personId=${person.id}${query}`)
      const all = await list('&page=1&size=20')
      bears(all[0]!, 'AccessRecord')
      expect(all).toMatchObject([
        { id: last, personId: person.id, deviceId: door.id, direction: OUT },
        { id: first, personId: person.id, direction: IN },
      ])
      expect((await list('&page=2&size=1')).map(({ id }) => id)).toEqual([first])
    },
  },
  {
    id: 'CALL-166',
    service: 'biz',
    method: 'GET',
    path: '/access/record/findAccessParkListByPersonId',
    does: 'lists where a person of this park passed at linked parks, and not what they did here',
    async holds(ground) {
      const { host, person } = await linkedPark(ground)
      const door = await host.park.device()
      await passed(ground, person, await ground.park.device())
      const id = await passed({ world: ground.world, park: host.park }, person, door, { direction: OUT })
      const list = (by: Pick<Ground, 'listed'>, page = 1) =>
        by.listed('biz', 'GET', `/access/record/findAccessParkListByPersonId?personId=${person.id}&page=${page}&size=20`)
      const all = await list(ground)
      expect(all).toMatchObject([{ id, personId: person.id, deviceId: door.id, direction: OUT, parkName: host.park.park.name }])
      bears(all[0]!, 'AccessRecord')
      expect(await list(ground, 2)).toEqual([])
    },
  },
  {
    id: 'CALL-168',
    service: 'biz',
    method: 'GET',
    path: '/access/record/stat/check/record',
    does: 'counts the passages at which a temperature was looked at',
    async holds(ground) {
      const { there, window } = await withFever(ground)
      const figures = await there.done('biz', 'GET', `/access/record/stat/check/record?${window}`)
      expect(figures).toMatchObject({
        summary: { total: 1, allowed: 0, rejected: 1, checked: 1, fever: 1 },
        reasons: [{ failReason: ABNORMAL_TEMPERATURE, count: 1 }],
      })
      expect(
        await ground.elsewhere().then((other) => other.done('biz', 'GET', `/access/record/stat/check/record?${window}`)),
      ).toMatchObject({ summary: { total: 0 } })
    },
  },
  {
    id: 'CALL-169',
    service: 'biz',
    method: 'GET',
    path: '/access/record/export/stat',
    does: 'gives the same statistics as a file',
    async holds(ground) {
      const { there, door, window } = await withFever(ground)
      const workbook = await there.file('biz', 'GET', `/access/record/export/stat?${window}`)
      // A workbook is a ZIP archive.
      expect(workbook.bytes.subarray(0, 2).toString()).toBe('PK')
      const table = await there.file('biz', 'GET', `/access/record/export/stat?${window}&format=csv&by=device`)
      const line = table.bytes
        .toString('utf8')
        .split(/\r?\n/)
        .find((text) => text.startsWith(door.name))!
      // Of the two passages, only one has a temperature.
      expect(line.split(',')).toEqual([door.name, '1', '0', '1', '0', '0', '1', '1'])
    },
  },
  {
    id: 'CALL-170',
    service: 'biz',
    method: 'DELETE',
    path: '/access/record/{id}',
    does: 'deletes one record, and no other park’s',
    async holds(ground) {
      const [person, door] = [await ground.park.person(), await ground.park.device()]
      const now = ground.world.clock.now()
      const [kept, gone] = [
        await passed(ground, person, door, { time: now - 60_000 }),
        await passed(ground, person, door, { time: now - 30_000 }),
      ]
      const other = await ground.elsewhere()
      expect((await other.ask('biz', 'DELETE', `/access/record/${gone}`)).status).toBe(404)
      await ground.done('biz', 'DELETE', `/access/record/${gone}`)
      expect((await recordsOf(ground, { personId: person.id })).map(({ id }) => id)).toEqual([kept])
      expect((await ground.ask('biz', 'DELETE', `/access/record/${gone}`)).status).toBe(404)
    },
  },
  {
    id: 'CALL-171',
    service: 'biz',
    method: 'POST',
    path: '/access/record/getAccessRelationUser',
    does: 'lists the persons that strategies cover, of the park or of one strategy',
    async holds(ground) {
      const [covered, other, neither, door] = [
        await ground.park.person(),
        await ground.park.person(),
        await ground.park.person(),
        await ground.park.device(),
      ]
      const strategy = await ground.park.strategy({ persons: [covered], devices: [door] })
      await ground.park.strategy({ persons: [other], devices: [await ground.park.device()] })
      const list = (filter: Json) => ground.listed('biz', 'POST', '/access/record/getAccessRelationUser', filter)
      const ids = async (filter: Json) => (await list(filter)).map(({ id }) => id)
      const all = await ids({ page: 1, size: 100 })
      expect(all).toEqual(expect.arrayContaining([covered.id, other.id]))
      expect(all).not.toContain(neither.id)
      expect(await list({ strategyId: strategy.id })).toMatchObject([
        { id: covered.id, name: covered.name, workNumber: covered.workNumber },
      ])
      expect(await ids({ deviceId: door.id })).toEqual([covered.id])
      expect(await ground.ask('biz', 'POST', '/access/record/getAccessRelationUser', { strategyId: ABSENT })).toMatchObject({
        code: 300101,
      })
    },
  },
]
