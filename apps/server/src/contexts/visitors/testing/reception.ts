/** A park that receives visitors, for tests. */
import type { InputOf } from '@gatehouse/contract'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { visitorSource, visitReason } from '@gatehouse/contract/enums/visitors'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import { passRuleCalls } from '@gatehouse/contract/visitors/pass-rules'
import type { Visit } from '@gatehouse/contract/visitors/visit'
import type { Made, MadeDevice, MadePerson, Site, World } from '@gatehouse/dev-env/world'

type VisitForm = InputOf<(typeof visitorCalls)['create']['body']>
type ConfigurationForm = InputOf<(typeof visitorConfigurationCalls)['change']['body']>

const HOUR = 3_600_000
let phones = 0
/** Return a phone that no other visitor of the tests has. */
export const newPhone = (): string => `139${String(++phones).padStart(8, '0')}`

export interface Reception {
  site: Site
  scope: { parkId: string }
  door: MadeDevice
  rule: Made
  host: MadePerson
  /** Make a visit; by default that of a visitor with a card who stands at the desk. */
  visit(change?: Partial<VisitForm>): Promise<{ id: string; status: number }>
  /** Make a reservation. */
  reservation(change?: Partial<VisitForm>): Promise<{ id: string; status: number }>
  /** Upload a photo; return its address. */
  photo(file: Uint8Array): Promise<string>
  configure(change: ConfigurationForm): Promise<void>
  read(id: string): Promise<Visit>
}

/** Create a park with a door, a rule that admits visitors there by face or card, a pass rule that gives it to all, and a host. */
export async function createReception(world: World, options?: Parameters<World['addPark']>[0]): Promise<Reception> {
  const site = await world.addPark(options)
  const door = await site.device({ name: 'Reception door' })
  const rule = await site.strategy({ kind: 'visitor', devices: [door], methods: [accessMethod.face, accessMethod.card] })
  await site.call(passRuleCalls.create, {
    body: { name: 'All visitors', accessGroupIds: [rule.id], passMethods: [accessMethod.face, accessMethod.card] },
  })
  const host = await site.person({ name: 'Ada Lovelace', phone: newPhone() })
  const visit: Reception['visit'] = async (change = {}) => {
    const now = world.clock.now()
    const phone = newPhone()
    return site.call(visitorCalls.create, {
      body: {
        source: visitorSource.temporary,
        name: 'Grace Hopper',
        phone,
        intervieweeId: host.id,
        reason: visitReason.business,
        visitTime: now,
        visitEndTime: now + HOUR,
        cardNumber: phone,
        ...change,
      },
    })
  }
  return {
    site,
    scope: { parkId: site.park.id },
    door,
    rule,
    host,
    visit,
    reservation: (change) => visit({ source: visitorSource.reservation, ...change }),
    photo: async (file) => (await site.call(visitorCalls.photo, { body: {}, file })).url,
    async configure(change) {
      await site.call(visitorConfigurationCalls.change, { body: change })
    },
    read: (id) => site.call(visitorCalls.read, { query: { id } }),
  }
}
