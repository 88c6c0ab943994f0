import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordCalls } from '@gatehouse/contract/records/calls'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { csvRowsOf, csvTextOf } from '@gatehouse/contract/files'
import { relationCalls } from '@gatehouse/contract/relations/calls'
import { startWorld, type Made, type MadePerson, type Site, type World } from '@gatehouse/dev-env/world'
import { exported } from '../exports/testing/exports.ts'
import { passages, sentBy } from './testing/records.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const MINUTE = 60_000

let world: World
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => NOW } })
})
afterAll(() => world?.stop())

/** Link a park to another for some of its people; return a function that ends the link. */
async function link(
  from: Site,
  to: Site,
  about: { personIds?: string[]; personGroupIds?: string[] },
  status: 'agreed' | 'refused' = 'agreed',
) {
  const { verificationCode: authorisationCode } = await to.call(areaCalls.verificationCode, { query: {} })
  const { id } = await from.call(relationCalls.apply, { body: { authorisationCode, ...about } })
  await to.call(relationCalls.change, { body: { id, status } })
  return () => to.call(relationCalls.change, { body: { id, status: 'dismissed' } })
}

async function passed(park: Site, person: MadePerson, minutesAgo: number[], fields: Partial<RecordObject> = {}): Promise<Made> {
  const door = await park.device()
  const records = passages(
    minutesAgo.map((minutes) => ({ occurredAt: NOW - minutes * MINUTE, personId: person.id, personName: person.name, ...fields })),
  )
  await world.server.contexts.records.ingest({ deviceId: door.id, parkId: park.park.id }, sentBy(records, { sentAt: NOW }))
  return door
}

const ask = (park: Site, personId: string, query: object = {}) => park.ask(recordCalls.linkedOfPerson, { query: { personId, ...query } })
const linkedRows = async (park: Site, { id }: Made, query: object = {}) =>
  (await park.call(recordCalls.linkedOfPerson, { query: { personId: id, ...query } })).content.map((row) => [
    row.parkName,
    (NOW - row.time) / MINUTE,
  ])

describe('passages of a person at linked parks', () => {
  test('are those at every park that lets the person pass by agreement, newest first, page by page', async () => {
    const [home, plant, annex] = [
      await world.addPark({ name: 'Home' }),
      await world.addPark({ name: 'Plant' }),
      await world.addPark({ name: 'Annex' }),
    ]
    const person = await home.person({ name: 'Ann' })
    await link(home, plant, { personIds: [person.id] })
    await link(home, annex, { personGroupIds: [person.groupId] })
    const door = await passed(plant, person, [1, 4])
    await passed(annex, person, [2, 3])
    await passed(home, person, [5])
    expect(await linkedRows(home, person)).toEqual([
      ['Plant', 1],
      ['Annex', 2],
      ['Annex', 3],
      ['Plant', 4],
    ])
    expect(await linkedRows(home, person, { page: 2, size: 3 })).toEqual([['Plant', 4]])
    const page = await home.call(recordCalls.linkedOfPerson, { query: { personId: person.id, size: 1 } })
    expect(page).toMatchObject({
      total: 4,
      totalExact: true,
      page: 1,
      size: 1,
      content: [
        { personId: person.id, personName: 'Ann', deviceId: door.id, parkId: plant.park.id, captureImage: '', registeredImage: '' },
      ],
    })
  })

  test('are seen of an associated person at the own doors only', async () => {
    const [home, plant] = [await world.addPark(), await world.addPark({ name: 'Plant 2' })]
    const person = await home.person()
    await link(home, plant, { personIds: [person.id] })
    await passed(home, person, [1])
    await passed(plant, person, [2])
    expect(await linkedRows(plant, person)).toEqual([['Plant 2', 2]])
    // The department of a person is only shown in their home park.
    const departments = async ({ client }: Site) => {
      const [headings, ...rows] = csvRowsOf(csvTextOf((await exported(client, { format: 'csv' })).bytes)!)
      return rows.map((row) => row[headings!.indexOf('Department')])
    }
    expect(await departments(home)).toEqual([expect.stringMatching(/./)])
    expect(await departments(plant)).toEqual([''])
  })

  test('are none of whom no link is about, while none is agreed, and after it has ended', async () => {
    const [home, plant, refusing] = [await world.addPark(), await world.addPark(), await world.addPark()]
    const [shared, other] = [await home.person(), await home.person()]
    const end = await link(home, plant, { personIds: [shared.id] })
    await link(home, refusing, { personIds: [other.id] }, 'refused')
    for (const [park, person] of [
      [plant, shared],
      [plant, other],
      [refusing, other],
    ] as const)
      await passed(park, person, [1])
    expect(await linkedRows(home, other)).toEqual([])
    expect(await linkedRows(home, shared)).toHaveLength(1)
    expect(await ask(plant, other.id)).toMatchObject({ status: 404 })
    await end()
    expect(await linkedRows(home, shared)).toEqual([])
    expect(await ask(plant, shared.id)).toMatchObject({ status: 404 })
  })

  test('show nobody of whom this park knows nothing, and no page beyond the last that can be counted', async () => {
    const home = await world.addPark()
    const [foreign, own] = [await (await world.addPark()).person(), await home.person()]
    for (const id of [foreign.id, '00000000-0000-4000-8000-000000000000']) expect(await ask(home, id)).toMatchObject({ status: 404 })
    expect(await ask(home, own.id, { page: 101, size: 100 })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'page', rule: 'max.number' }] },
    })
    const guard = await world.session({ park: home.park, permissions: ['person.list'] })
    expect(await guard.ask(recordCalls.linkedOfPerson, { query: { personId: own.id } })).toMatchObject({
      status: 403,
      code: 100510,
    })
  })
})
