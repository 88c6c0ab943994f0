import { associatedRuleCalls as rules, associatedSyncCalls as sync } from '@gatehouse/contract/strategies/associated-rules'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { relationCalls } from '@gatehouse/contract/relations/calls'
import { query } from '../embedded-postgres.ts'
import type { Ground, CallCase } from './case.ts'

let made = 0

/** Create a park that shares a person with that of the ground. */
export async function linked({ world, site }: Ground) {
  const other = await world.addPark()
  const { verificationCode: authorisationCode } = await site.call(areaCalls.verificationCode, { query: {} })
  const person = await other.person()
  const { id } = await other.call(relationCalls.apply, { body: { authorisationCode, personIds: [person.id] } })
  await site.call(relationCalls.change, { body: { id, status: 'agreed' } })
  return { parkId: other.park.id, personIds: [person.id], personGroupIds: [person.groupId] }
}

/** Create a rule about that person, at a door of its own. */
async function rule(ground: Ground) {
  const about = await linked(ground)
  const [door, timeRule] = [await ground.site.device(), await ground.site.timeRule()]
  const { id } = await ground.site.call(rules.create, {
    body: {
      name: `Guests ${++made}`,
      parkId: about.parkId,
      personIds: about.personIds,
      deviceIds: [door.id],
      timeRuleIds: [timeRule.id],
      methods: [accessMethod.card],
    },
  })
  return { ...about, id, deviceId: door.id }
}

const parkOnly = async (ground: Ground) => ({ parkId: (await linked(ground)).parkId })
const idOnly = async (ground: Ground) => ({ id: (await rule(ground)).id })
/** Create a rule about all people, from the time before such a rule needed a confirmation. */
const unconfirmed = async (ground: Ground) => {
  const { id } = await rule(ground)
  await query(
    ground.world.connectionString,
    'UPDATE associated_rule SET everybody = true, everybody_confirmed = DEFAULT WHERE strategy_id = $1',
    [id],
  )
  return { id }
}
const strategyOnly = async (ground: Ground) => ({ strategyId: (await rule(ground)).id })
const pair = async (ground: Ground) => {
  const { id, deviceId, personIds } = await rule(ground)
  // A shared person exists in this park once the register has handled the rule.
  await ground.world.settled()
  return { strategyId: id, deviceId, personId: personIds[0]! }
}

export const cases: readonly CallCase[] = [
  { call: rules.list, given: parkOnly },
  { call: rules.persons, given: parkOnly },
  // At a door of its own: each rule changes which rules apply at its door.
  { call: rules.create, given: async (ground) => ({ ...(await linked(ground)), deviceIds: [(await ground.site.device()).id] }) },
  {
    call: rules.change,
    given: async (ground) => {
      const { deviceId, ...of } = await rule(ground)
      return { ...of, deviceIds: [deviceId] }
    },
  },
  { call: rules.read, given: idOnly },
  { call: rules.confirmEverybody, given: unconfirmed },
  { call: rules.delete, given: idOnly },
  { call: sync.persons, given: strategyOnly },
  { call: sync.devices, given: strategyOnly },
  { call: sync.counts, given: strategyOnly },
  { call: sync.personsOfDevice, given: pair },
  { call: sync.devicesOfPerson, given: pair },
  { call: sync.retry, given: pair },
]
