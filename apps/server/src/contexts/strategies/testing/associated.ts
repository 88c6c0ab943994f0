/** Parks that share persons, and rules about them, for tests. */
import { questionCalls } from '@gatehouse/contract/questions/calls'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { relationCalls } from '@gatehouse/contract/relations/calls'
import type { MadeDevice, Site, World } from '@gatehouse/dev-env/world'

interface About {
  personIds?: string[]
  personGroupIds?: string[]
}

/** Has a park share people with another; answers the link. */
export async function link(from: Site, to: Site, about: About, status: 'agreed' | null = 'agreed'): Promise<string> {
  const { verificationCode: authorisationCode } = await to.call(areaCalls.verificationCode, { query: {} })
  const { id } = await from.call(relationCalls.apply, { body: { authorisationCode, ...about } })
  if (status !== null) await to.call(relationCalls.change, { body: { id, status } })
  return id
}
export const dismiss = (by: Site, id: string) => by.call(relationCalls.change, { body: { id, status: 'dismissed' } })

/** A rule about everybody of another park. */
export async function ruleOf(at: Site, home: Site, devices: MadeDevice[] = []) {
  const { id } = await at.timeRule()
  return {
    name: `Guests ${id.slice(-6)}`,
    parkId: home.park.id,
    everybody: true,
    deviceIds: devices.map((device) => device.id),
    timeRuleIds: [id],
    methods: [accessMethod.face, accessMethod.card],
  }
}

/** Two parks of which one shares a group of two with the other, which has a door. */
export async function linkedParks(world: World) {
  const [home, host] = [await world.addPark(), await world.addPark()]
  const group = await home.personGroup({ name: 'Crew' })
  const first = await home.person({ groupId: group.id, name: 'Ann' })
  const second = await home.person({ groupId: group.id, name: 'Bea' })
  const alone = await home.person({ name: 'Cid' })
  const relation = await link(home, host, { personGroupIds: [group.id] })
  const door = await host.device()
  return { home, host, group, first, second, alone, relation, door, rule: await ruleOf(host, home, [door]) }
}

/** Whom a door should hold now. */
export async function expectedAt({ server: { contexts, platform } }: World, at: Site, door: MadeDevice): Promise<string[]> {
  const synchronisation = contexts.synchronisation.service
  await platform.events.settled()
  await synchronisation.settled()
  const scope = { parkId: at.park.id }
  const audience = synchronisation.view.audienceOf(scope, door.id)
  return audience === null ? [] : synchronisation.view.personsOfAudience(scope, audience.id)
}
export const idsOf = (...of: { id: string }[]) => of.map(({ id }) => id).toSorted()
/** Names of those who can pass a door. */
export const entitled = async (at: Site, door: MadeDevice, about: { at?: number } = {}) =>
  (await at.call(questionCalls.whoCanPass, { body: { deviceIds: [door.id], ...about } })).content.map(({ name }) => name)
