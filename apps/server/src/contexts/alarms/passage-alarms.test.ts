/** Rule alarms and temperature alarms, raised by records as terminals send them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeChecks } from '@gatehouse/access-rules'
import { ruleAlarmCalls } from '@gatehouse/contract/alarms/rule-alarms'
import { temperatureAlarmCalls } from '@gatehouse/contract/alarms/temperature-alarms'
import { accessResult, alarmHandlingStatus, alarmHandlingStatusAlt, alarmLevel, failReason } from '@gatehouse/contract/enums'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type Made, type MadeDevice, type World } from '@gatehouse/dev-env/world'
import { recordId } from '../../platform/database/ids.ts'
import { passages, sentBy } from '../records/testing/records.ts'

const MINUTE = 60_000
const { unhandled, falseAlarm, ignored, handling } = alarmHandlingStatusAlt
const { undealt, dealing, confirmed, misinformation, test: tried } = alarmHandlingStatus

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const refusal = (reason: number, fields: Partial<RecordObject> = {}): Partial<RecordObject> => ({
  result: accessResult.rejected,
  failReason: reason,
  ...fields,
})
const byArea = (restriction: 'alreadyInside' | 'alreadyOutside' | 'full'): Partial<RecordObject> =>
  refusal(failReason.cloudRefused, {
    checks: encodeChecks([{ code: 'secondVerification', ok: false, outcome: 'refused', restriction }]),
  })

/** Create a park with a door, and send passages of it. */
async function place() {
  const site = await world.addPark()
  const door = await site.device()
  const settled = () => world.server.platform.events.settled()
  let epochs = 0
  return {
    site,
    door,
    /** Send passages; `ago` is how many milliseconds before now each happened. @returns the ids of their records */
    async send(at: MadeDevice, each: readonly (Partial<RecordObject> & { ago?: number })[]): Promise<string[]> {
      const epoch = `boot-${++epochs}`
      const now = world.clock.now()
      const records = passages(each.map(({ ago = 0, ...fields }) => ({ occurredAt: now - ago, ...fields })))
      await world.server.contexts.records.ingest({ deviceId: at.id, parkId: site.park.id }, sentBy(records, { epoch, sentAt: now }))
      await settled()
      return records.map(({ seq }) => recordId(at.id, epoch, seq))
    },
  }
}
const rules = ({ call }: Pick<Client, 'call'>, body: object = {}) => call(ruleAlarmCalls.list, { body })
const temperatures = ({ call }: Pick<Client, 'call'>, body: object = {}) => call(temperatureAlarmCalls.list, { body })
const of = (person: Made & { name?: string }) => ({ personId: person.id, personName: person.name ?? '' })

describe('a passage that breaks a rule of the park', () => {
  test('is an alarm of its kind with its record; other passages are none', async () => {
    const { site, door, send } = await place()
    const ada = await site.person({ name: 'Ada Lovelace' })
    const [, inside, left] = await send(door, [
      { ...of(ada), ago: 9 * MINUTE },
      { ...byArea('alreadyInside'), ...of(ada), ago: 8 * MINUTE },
      { ...refusal(failReason.personReturned), ...of(ada), ago: 2 * MINUTE },
      { ...refusal(failReason.notRegistered), ago: MINUTE },
    ])
    const { content, total } = await rules(site)
    expect(total).toBe(2)
    expect(content).toMatchObject([
      { kind: 'leftPerson', recordId: left, personId: ada.id, level: alarmLevel.medium, status: unhandled, can: { dispose: true } },
      { kind: 'alreadyInside', recordId: inside, personName: 'Ada Lovelace', deviceId: door.id, deviceName: door.name, count: 1 },
    ])
    expect((await rules(site, { kind: 'alreadyInside' })).content.map(({ recordId: id }) => id)).toEqual([inside])
    expect((await rules(site, { personName: 'lovelace' })).total).toBe(2)
    expect((await rules(site, { level: alarmLevel.high })).total).toBe(0)
  })

  test('counts once more with an alarm of the same person, rule and door within five minutes, and begins another after that', async () => {
    const { site, door, send } = await place()
    const other = await site.device()
    const [ada, bob] = [await site.person(), await site.person()]
    await send(door, [
      { ...byArea('full'), ...of(ada), ago: 30 * MINUTE },
      { ...byArea('full'), ...of(ada), ago: 26 * MINUTE },
      { ...byArea('full'), ...of(ada), ago: 22 * MINUTE },
      { ...byArea('full'), ...of(bob), ago: 21 * MINUTE },
      { ...byArea('full'), ...of(ada), ago: 10 * MINUTE },
    ])
    await send(other, [{ ...byArea('full'), ...of(ada), ago: 9 * MINUTE }])
    const { content } = await rules(site, { kind: 'areaFull' })
    expect(content.map(({ personId, deviceId, count }) => [personId, deviceId, count])).toEqual([
      [ada.id, other.id, 1],
      [ada.id, door.id, 1],
      [bob.id, door.id, 1],
      [ada.id, door.id, 3],
    ])
    const [first] = content.slice(-1)
    expect(first!.lastTime - first!.time).toBe(8 * MINUTE)
  })

  test('that is refused five times at one door within five minutes is one alarm, which goes on counting', async () => {
    const { site, door, send } = await place()
    const refusals = (agos: readonly number[]) =>
      agos.map((ago) => refusal(failReason.notRegistered, { occurredAt: world.clock.now() - ago }))
    await send(door, refusals([40, 39, 38, 37].map((minutes) => minutes * MINUTE)))
    expect((await rules(site)).total).toBe(0)
    await send(door, refusals([20, 19, 18, 17, 16.5, 13, 9].map((minutes) => minutes * MINUTE)))
    expect((await rules(site)).content).toMatchObject([{ kind: 'repeatedRefusals', count: 7, personId: null, personName: '' }])
  })

  test('handled twice by the server is counted once', async () => {
    const { site, door, send } = await place()
    const ids = await send(door, [byArea('alreadyOutside'), ...Array.from({ length: 4 }, () => refusal(failReason.notRegistered))])
    await world.server.contexts.alarms.passages.raising.received({ parkId: site.park.id }, ids)
    const { content } = await rules(site)
    expect(content.map(({ kind, count }) => [kind, count]).toSorted()).toEqual([
      ['alreadyOutside', 1],
      ['repeatedRefusals', 5],
    ])
  })

  test('[STATE:deviceAlarm:unhandled>followed up] [BEH-157] is handled once, with who did it and what they wrote', async () => {
    const { site, door, send } = await place()
    await send(door, [byArea('alreadyInside'), { ...byArea('full'), ...of(await site.person()) }])
    const guard = await world.session({ park: site.park, permissions: ['surveillance.alert', 'surveillance.alert.handle'] })
    const [one, other] = (await rules(guard)).content
    const body = { id: one!.id, status: handling, dealingRecord: 'Asked at the gate' } as const
    const answer = await guard.call(ruleAlarmCalls.dispose, { body })
    expect(answer).toMatchObject({ status: handling, dealingRecord: 'Asked at the gate', can: { dispose: false } })
    expect(answer.operator).not.toBe('')
    expect(answer.dealtAt).not.toBeNull()
    expect(await guard.ask(ruleAlarmCalls.dispose, { body })).toMatchObject({ status: 200, code: 500013 })
    expect(await guard.ask(ruleAlarmCalls.dispose, { body: { ...body, id: crypto.randomUUID() } })).toMatchObject({ code: 500012 })
    await guard.call(ruleAlarmCalls.dispose, { body: { id: other!.id, status: ignored } })
    expect((await rules(guard, { tab: 'unhandled' })).total).toBe(0)
    expect((await rules(guard, { tab: 'handled' })).total).toBe(2)
    expect((await rules(guard, { tab: 'handled', status: falseAlarm })).total).toBe(0)
    expect((await rules(guard, { tab: 'unhandled', status: handling })).total).toBe(0)
  })

  test('[BEH-127] is handled by nobody who may only see it', async () => {
    const { site, door, send } = await place()
    await send(door, [byArea('alreadyInside')])
    const viewer = await world.session({ park: site.park, permissions: ['surveillance.alert'] })
    const [alarm] = (await rules(viewer)).content
    expect(await viewer.ask(ruleAlarmCalls.dispose, { body: { id: alarm!.id, status: ignored } })).toMatchObject({ status: 403 })
  })

  test('after an alarm was handled the next passage begins another', async () => {
    const { site, door, send } = await place()
    const ada = await site.person()
    await send(door, [{ ...byArea('full'), ...of(ada) }])
    const [alarm] = (await rules(site)).content
    await site.call(ruleAlarmCalls.dispose, { body: { id: alarm!.id, status: ignored } })
    await send(door, [{ ...byArea('full'), ...of(ada) }])
    expect((await rules(site)).content.map(({ status, count }) => [status, count]).toSorted()).toEqual([
      [unhandled, 1],
      [ignored, 1],
    ])
  })

  test('a window that ends before it begins is refused, and so is a page beyond the rows a list gives', async () => {
    expect(await world.ask(ruleAlarmCalls.list, { body: { startTime: 2, endTime: 1 } })).toMatchObject({ status: 200, code: 900007 })
    expect(await world.ask(ruleAlarmCalls.list, { body: { page: 1_000, size: 100 } })).toMatchObject({ status: 400 })
  })
})

describe('persons', () => {
  test('of the watch list raise alarms that role other is not shown', async () => {
    const { site, door, send } = await place()
    const { id: groupId } = await site.call(specialCalls.createGroup, { body: { name: 'Burglars' } })
    const { photographs } = world
    const person = await (photographs.kind === 'real' ? photographs.person('colin_powell') : photographs.people[0]!).photo(1)
    const watched = await site.person({ name: 'James Moriarty', kind: 'special', groupId, instruction: 'Call the yard', photo: person })
    const [id] = await send(door, [{ ...refusal(failReason.notRegistered), hasPicture: true }])
    await world.server.contexts.records.records.attachPicture({ parkId: site.park.id }, { deviceId: door.id }, id!, person)
    await world.server.platform.events.settled()
    const [sighted, other] = await Promise.all(['parkAdmin', 'other'].map((roleSign) => world.session({ park: site.park, roleSign })))
    expect((await rules(sighted!)).content).toMatchObject([
      { kind: 'watchList', level: alarmLevel.high, personId: watched.id, personName: 'James Moriarty', instruction: 'Call the yard' },
    ])
    const [alarm] = (await rules(sighted!)).content
    expect(alarm!.captureImage).not.toBe('')
    expect(alarm!.registeredImage).not.toBe('')
    expect(await rules(other!)).toMatchObject({ total: 0, content: [] })
    expect(await other!.ask(ruleAlarmCalls.dispose, { body: { id: alarm!.id, status: ignored } })).toMatchObject({ code: 500012 })
  })

  test('who are erased leave no alarm', async () => {
    const { site, door, send } = await place()
    const ada = await site.person()
    await send(door, [
      { ...byArea('full'), ...of(ada) },
      { ...of(ada), temperature: 38.6, temperatureStatus: 1 },
    ])
    expect([(await rules(site)).total, (await temperatures(site)).total]).toEqual([1, 1])
    const { erasureIds } = await site.call(privacyCalls.erase, { body: { personIds: [ada.id], reason: 'Asked for' } })
    const receipt = await site.call(privacyCalls.read, { params: { id: erasureIds[0]! } })
    expect(receipt.places.find(({ place: one }) => one === 'alarms')).toMatchObject({ count: 2 })
    expect([(await rules(site)).total, (await temperatures(site)).total]).toEqual([0, 0])
    await send(door, [{ ...byArea('full'), ...of(ada) }])
    expect((await rules(site)).total).toBe(0)
  })
})

describe('a temperature', () => {
  const fever = (fields: Partial<RecordObject> = {}): Partial<RecordObject> => ({ temperature: 38.4, temperatureStatus: 1, ...fields })
  const handle = (client: Pick<Client, 'ask'>, body: { id: string; status: number; dealingRecord?: string; version?: number }) =>
    client.ask(temperatureAlarmCalls.handle, { body: body as never })

  test('too high or too low is an alarm, whether the person was let in or not; a failed measurement is none', async () => {
    const { site, door, send } = await place()
    const ada = await site.person({ name: 'Ada Lovelace' })
    await send(door, [
      { ...fever(of(ada)), ago: 3 * MINUTE },
      { ...fever(refusal(failReason.abnormalTemperature)), ago: 2 * MINUTE },
      { temperature: 34.1, temperatureStatus: 3, ...of(await site.person()), ago: MINUTE },
      { temperature: 36.6, temperatureStatus: 2 },
      { temperature: -1, temperatureStatus: 4 },
    ])
    expect((await temperatures(site)).content).toMatchObject([
      { temperature: expect.closeTo(34.1, 3), level: alarmLevel.medium, temperatureStatus: 3 },
      { personId: null, level: alarmLevel.high, status: undealt },
      { personName: 'Ada Lovelace', temperature: expect.closeTo(38.4, 3), can: { deal: true, finish: true }, version: 1 },
    ])
  })

  test.each([
    ['[STATE:alarm:1>2] [STATE:alarm:2>3]', confirmed],
    ['[STATE:alarm:2>4]', misinformation],
    ['[STATE:alarm:2>5]', tried],
  ])('%s is dealt with step by step, or ended at once with both steps', async (_, end) => {
    const { site, door, send } = await place()
    await send(door, [fever(of(await site.person())), fever(of(await site.person()))])
    const [one, other] = (await temperatures(site)).content
    expect(await handle(site, { id: one!.id, status: dealing, dealingRecord: 'Measured again' })).toMatchObject({
      code: 0,
      data: { status: dealing, can: { deal: false, finish: true }, version: 2 },
    })
    expect(await handle(site, { id: one!.id, status: dealing })).toMatchObject({ status: 200, code: 500014 })
    expect(await handle(site, { id: one!.id, status: end, version: 1 })).toMatchObject({ status: 409 })
    expect(await handle(site, { id: one!.id, status: end, version: 2, dealingRecord: 'Sent home' })).toMatchObject({
      code: 0,
      data: { status: end, can: { deal: false, finish: false } },
    })
    expect(await handle(site, { id: one!.id, status: confirmed })).toMatchObject({ code: 500013 })
    expect(await handle(site, { id: other!.id, status: end })).toMatchObject({ code: 0, data: { status: end } })
    expect(await handle(site, { id: crypto.randomUUID(), status: end })).toMatchObject({ code: 500012 })
    const steps = async (id: string) => (await site.call(temperatureAlarmCalls.read, { query: { id } })).steps
    expect(await steps(one!.id)).toMatchObject([
      { status: dealing, record: 'Measured again' },
      { status: end, record: 'Sent home' },
    ])
    expect((await steps(other!.id)).map(({ status }) => status)).toEqual([dealing, end])
    expect((await temperatures(site, { tab: 'handled' })).total).toBe(2)
  })
})
