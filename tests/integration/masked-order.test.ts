/** Lists of persons are in the order of names for users who see names, and in the order of registration for those who see them masked. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { associatedRuleCalls } from '@gatehouse/contract/strategies/associated-rules'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { questionCalls } from '@gatehouse/contract/questions/calls'
import { writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { accessMethod } from '@gatehouse/contract/enums'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { relationCalls } from '@gatehouse/contract/relations/calls'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type Made, type Site, type World } from '@gatehouse/dev-env/world'

/** In the order of registration. */
const NAMES = ['Mia', 'Zoe', 'Ada', 'Kim']

let world: World
let site: Site
let persons: Made[]
let lists: Record<string, (client: Client) => Promise<readonly { name: string }[]>>
let readers: Record<'full' | 'masked', Client>

beforeAll(async () => {
  world = await startWorld()
  site = await world.addPark()
  const { id: groupId } = await site.personGroup()
  persons = []
  for (const name of NAMES) persons.push(await site.person({ name, groupId }))
  const [door, another] = [await site.device(), await site.device()]
  const { id: timeRule } = await site.timeRule()
  const personIds = persons.map(({ id }) => id)
  const strategy = {
    personIds,
    personGroupIds: [],
    deviceIds: [door.id],
    timeRuleIds: [timeRule],
    methods: [accessMethod.face, accessMethod.card],
  }
  const { id: strategyId } = await site.strategy({ persons, devices: [door] })
  const written = { personIds, deviceIds: [another.id] }
  const { id: writtenId } = await site.call(writtenRuleCalls.create, { body: { name: 'Never there', ...written } })

  // Another park admits them as shared persons.
  const host = await world.addPark()
  const { verificationCode: authorisationCode } = await host.call(areaCalls.verificationCode, { query: {} })
  const { id: relation } = await site.call(relationCalls.apply, { body: { authorisationCode, personGroupIds: [groupId] } })
  await host.call(relationCalls.change, { body: { id: relation, status: 'agreed' } })
  const hostDoor = await host.device()
  const guests = {
    parkId: site.park.id,
    deviceIds: [hostDoor.id],
    timeRuleIds: [(await host.timeRule()).id],
    methods: strategy.methods,
    everybody: false,
  }
  const { id: associated } = await host.call(associatedRuleCalls.create, { body: { name: 'Guests', ...guests, personIds } })

  const session = (park: Site['park'], masking: boolean) => world.session({ park, masking, roleSign: 'admin' })
  const hosts = { full: await session(host.park, false), masked: await session(host.park, true) }
  readers = { full: await session(site.park, false), masked: await session(site.park, true) }
  const atHost = (client: Client): Client => (client === readers.full ? hosts.full : hosts.masked)
  lists = {
    'who can pass a door': async (client) => (await client.call(questionCalls.whoCanPass, { body: { deviceIds: [door.id] } })).content,
    'whom a strategy covers': async (client) => (await client.call(strategyCalls.relatedPersons, { body: { strategyId } })).content,
    'the persons of a strategy': async (client) => (await client.call(strategyCalls.read, { query: { id: strategyId } })).persons,
    'who would gain doors': async (client) =>
      (
        await client.call(questionCalls.strategyEffectPersons, {
          body: { ...strategy, id: strategyId, deviceIds: [door.id, another.id], what: 'gain' },
        })
      ).content,
    'whom a written rule is about': async (client) => (await client.call(writtenRuleCalls.read, { params: { id: writtenId } })).persons,
    'who stands against a written rule': async (client) =>
      (await client.call(writtenRuleCalls.standing, { body: { personIds, deviceIds: [door.id] } })).content,
    'who would newly stand against a written rule': async (client) =>
      (
        await client.call(writtenRuleCalls.breachers, {
          body: { writtenRuleId: writtenId, strategy: { ...strategy, id: strategyId, deviceIds: [door.id, another.id] } } as never,
        })
      ).content,
    'whom another park shares': async (client) =>
      (await atHost(client).call(associatedRuleCalls.persons, { query: { parkId: site.park.id } })).content,
    'the persons of an associated rule': async (client) =>
      (await atHost(client).call(associatedRuleCalls.read, { query: { id: associated } })).persons,
  }
})
afterAll(() => world?.stop())

describe.each([
  'who can pass a door',
  'whom a strategy covers',
  'the persons of a strategy',
  'who would gain doors',
  'whom a written rule is about',
  'who stands against a written rule',
  'who would newly stand against a written rule',
  'whom another park shares',
  'the persons of an associated rule',
])('%s', (list) => {
  const shown = async (client: Client) => {
    const ids = ((await lists[list]!(client)) as unknown as { id: string }[]).map(({ id }) => id)
    return ids.map((id) => persons.find((person) => person.id === id)?.name)
  }
  test('stand by name for whoever sees names', async () => expect(await shown(readers.full)).toEqual(NAMES.toSorted()))
  test('do not for whom names are masked', async () => expect(await shown(readers.masked)).toEqual(NAMES))
})
