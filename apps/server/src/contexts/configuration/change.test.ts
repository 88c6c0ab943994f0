/** Settings under the names of the specification: each by itself, absent where unchanged, null where inherited. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '@gatehouse/contract'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { fieldsRefused } from '../../../../../tests/support/users.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const { add, addTemplate, changePark, changeTemplate, detail, effective, list, park, template } = configurationCalls

async function prepare() {
  const site = await world.addPark()
  const { id } = await site.device()
  return {
    site,
    id,
    own: () => site.call(detail, { query: { id } }),
    whole: () => site.call(effective, { query: { id } }),
    set: (body: object) => site.ask(add as Call, { body: { deviceId: id, ...body } } as never),
    setPark: (body: object) => site.ask(changePark as Call, { body } as never),
  }
}

/** Return an answer without the fields that differ after every change. */
const settled = ({ version: _version, updatedAt: _updatedAt, ...answer }: { version: number; updatedAt?: number }): object => answer

describe('settings of a device', () => {
  test('are set one by one, and each goes back to what the park sets by null', async () => {
    const { own, whole, set, setPark, id } = await prepare()
    expect(await setPark({ volume: 30, promptText: 'Please wait' })).toMatchObject({ code: 0, data: { volume: 30, threshold: null } })
    expect(await set({ threshold: 77.5, recognitionDistance: 1.2, timeZone: 'UTC+05:45', volume: 85 })).toMatchObject({ code: 0 })
    expect(await set({ promptText: 'Look here' })).toMatchObject({ code: 0 })
    expect(await own()).toMatchObject({
      deviceId: id,
      deviceType: 3,
      type: 3,
      threshold: 77.5,
      recognitionDistance: 1.2,
      timeZone: 'UTC+05:45',
      volume: 85,
      promptText: 'Look here',
      lowThreshold: null,
      withoutValue: [],
      park: { volume: 30, promptText: 'Please wait' },
    })
    expect(await whole()).toMatchObject({ deviceId: id, threshold: 77.5, timeZone: 'UTC+05:45', volume: 85, settings: { timeZone: 345 } })
    expect(await set({ volume: null, timeZone: null })).toMatchObject({ code: 0 })
    expect(await own()).toMatchObject({ volume: null, timeZone: null, threshold: 77.5, promptText: 'Look here' })
    expect(await whole()).toMatchObject({ volume: 30, timeZone: null })
  })

  test('can be without a value the park has', async () => {
    const { own, whole, set, setPark } = await prepare()
    await setPark({ ntpServer: 'time.example.org', restartInterval: 7 })
    expect(await set({ withoutValue: ['ntpServer'] })).toMatchObject({ code: 0 })
    expect(await whole()).toMatchObject({ ntpServer: null, restartInterval: 7 })
    // The answer shows that it has no value; sending it back changes nothing.
    const before = await own()
    expect(before).toMatchObject({ ntpServer: null, withoutValue: ['ntpServer'] })
    expect(fieldsRefused(await set(before))).toEqual([])
    expect(settled(await own())).toEqual(settled(before))
    expect(fieldsRefused(await set({ ntpServer: 'a.example.org', withoutValue: ['ntpServer'] }))).toEqual(['ntpServer twoNames'])
    expect(await set({ withoutValue: null })).toMatchObject({ code: 0 })
    expect(await whole()).toMatchObject({ ntpServer: 'time.example.org' })
  })

  test('are held to the rules between them with what is kept', async () => {
    const { set } = await prepare()
    expect(await set({ threshold: 70 })).toMatchObject({ code: 0 })
    expect(fieldsRefused(await set({ lowThreshold: 80 }))).toEqual(['lowThreshold belowThreshold'])
    expect(fieldsRefused(await set({ timeZone: 'UTC+05:46' }))).toEqual(['timeZone timeZone'])
    expect(fieldsRefused(await set({ brightness: 3 }))).toEqual(['brightness unknownField'])
  })

  test('are all named at once where a request names them as before', async () => {
    const { own, set } = await prepare()
    await set({ volume: 10, threshold: 60 })
    expect(await set({ settings: { threshold: 61, timeZone: 60 } })).toMatchObject({ code: 0 })
    expect(await own()).toMatchObject({ volume: null, threshold: 61, timeZone: 'UTC+01:00', own: { threshold: 61, timeZone: 60 } })
  })
})

test('what a park sets stays unless it is named, and what was read is no change', async () => {
  const { site, setPark } = await prepare()
  await setPark({ volume: 30, timeZone: 'UTC-03:30', consolePassword: 'secret7' })
  expect(await setPark({ promptText: 'Hello' })).toMatchObject({ code: 0 })
  const before = await site.call(park, {})
  expect(before).toMatchObject({
    areaCode: site.park.areaCode,
    volume: 30,
    timeZone: 'UTC-03:30',
    promptText: 'Hello',
    secretsSet: ['consolePassword'],
  })
  expect(fieldsRefused(await setPark(before))).toEqual([])
  expect(settled(await site.call(park, {}))).toEqual(settled(before))
  expect(fieldsRefused(await setPark({ areaCode: 'elsewhere' }))).toEqual(['areaCode readOnly'])
  expect(await setPark({ volume: null })).toMatchObject({ code: 0, data: { volume: null, promptText: 'Hello' } })
})

test('a template keeps what a change leaves out, and the list names what differs', async () => {
  const { site, id, set } = await prepare()
  const made = await site.call(addTemplate, { body: { name: 'Lobby', deviceType: 3, model: 4, volume: 25, timeZone: 'UTC+01:00' } })
  const read = () => site.call(template, { params: { id: made.id } })
  const change = (body: object) => site.ask(changeTemplate as Call, { body: { id: made.id, ...body } } as never)
  const before = await read()
  expect(before).toMatchObject({ deviceType: 3, type: 3, volume: 25, timeZone: 'UTC+01:00', settings: { volume: 25, timeZone: 60 } })
  for (const body of [before, {}, { name: 'Lobby' }]) expect(fieldsRefused(await change(body)), JSON.stringify(body)).toEqual([])
  expect(settled(await read())).toEqual(settled(before))
  expect(await change({ volume: null, name: 'Foyer' })).toMatchObject({ code: 0 })
  expect(await read()).toMatchObject({ name: 'Foyer', volume: null, timeZone: 'UTC+01:00' })
  await set({ timeZone: 'UTC+08:00' })
  expect((await site.call(list, { query: {} })).content).toMatchObject([{ id, deviceType: 3, differing: { timeZone: 'UTC+08:00' } }])
})
