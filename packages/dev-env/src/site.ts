/** Builders: whatever a test, a benchmark or the demo needs in a park is made through the same calls as anybody's. */
import type { InputOf } from '@gatehouse/contract'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { accessMethod } from '@gatehouse/contract/enums'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { Topic } from '@gatehouse/contract/realtime'
import type { Park } from '@gatehouse/server/platform/session/session'
import { createClient, type Client } from './client.ts'
import { listen } from './live.ts'
import { secretOf } from './secret.ts'

type PersonFields = InputOf<(typeof peopleCalls)['create']['body']>
type GroupFields = InputOf<(typeof peopleCalls)['createGroup']['body']>
type DeviceFields = InputOf<(typeof deviceCalls)['create']['body']>
type TimeRuleFields = InputOf<(typeof timeRuleCalls)['create']['body']>
type StrategyFields = InputOf<(typeof strategyCalls)['create']['body']>

/** Something that was made, by the id the server gave it. */
export interface Made {
  id: string
  name: string
}

export interface MadeDevice extends Made {
  code: string
  secret: string
}

export interface MadePerson extends Made {
  workNumber: string
  groupId: string
  faceIds: string[]
}

export interface PersonWishes extends Partial<PersonFields> {
  /** One photograph or several, as files; each goes through `POST /face/cache`. */
  photo?: Uint8Array | readonly Uint8Array[]
  /** Doors the person may pass at any time, by a strategy of their own. */
  permittedAt?: Made | readonly Made[]
}

export interface StrategyWishes extends Partial<StrategyFields> {
  persons?: readonly Made[]
  personGroups?: readonly Made[]
  devices?: readonly Made[]
  deviceGroups?: readonly Made[]
  /** A rule that is always open unless told. */
  timeRules?: readonly Made[]
}

/** A park and somebody who may do everything in it. */
export interface Site extends Pick<Client, 'call' | 'ask'> {
  park: Park
  client: Client
  personGroup(wishes?: Partial<GroupFields>): Promise<Made>
  person(wishes?: PersonWishes): Promise<MadePerson>
  device(wishes?: Partial<DeviceFields>): Promise<MadeDevice>
  deviceGroup(name?: string): Promise<Made>
  timeRule(wishes?: Partial<TimeRuleFields>): Promise<Made>
  strategy(wishes?: StrategyWishes): Promise<Made>
  /** Subscribes to a topic of the park. */
  listen<T extends Topic>(topic: T, onRow?: Parameters<typeof listen<T>>[2]): Promise<Awaited<ReturnType<typeof listen<T>>>>
}

/** Seven days from midnight to midnight. */
export const ALWAYS_OPEN = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: '00:00', end: '24:00' }))

const listOf = <T>(value: T | readonly T[] | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as T]
const idsOf = (things: readonly Made[] | undefined): string[] => (things ?? []).map(({ id }) => id)

export interface SiteOptions {
  url: string
  bearer: string
  park: Park
  /** The next number of this world, for names and codes that must differ. */
  next: () => number
  /** Certificate to know the server by, in PEM. */
  authority?: string | undefined
}

export function createSite({ url, bearer, park, next, authority }: SiteOptions): Site {
  const client = createClient(url, { bearer }, authority)
  let group: Promise<Made> | undefined
  let always: Promise<Made> | undefined

  const site: Site = {
    park,
    client,
    call: client.call,
    ask: client.ask,
    async personGroup(wishes = {}) {
      const name = wishes.name ?? `Group_${next()}`
      const { id } = await client.call(peopleCalls.createGroup, { body: { ...wishes, name } })
      return { id, name }
    },
    async person({ photo, permittedAt, ...wishes } = {}) {
      const number = next()
      const { name = `Person ${number}`, workNumber = `W${number}`, groupId = (await (group ??= site.personGroup())).id } = wishes
      const faceIds: string[] = [...(wishes.facePhotos ?? [])]
      for (const file of listOf<Uint8Array>(photo)) faceIds.push((await client.call(faceCalls.cache, { body: {}, file })).faceId)
      const { id } = await client.call(peopleCalls.create, { body: { ...wishes, name, workNumber, groupId, facePhotos: faceIds } })
      const person = { id, name, workNumber: workNumber ?? '', groupId, faceIds }
      const doors = listOf(permittedAt)
      if (doors.length > 0) await site.strategy({ persons: [person], devices: doors })
      return person
    },
    async device(wishes = {}) {
      const number = next()
      const { code = `DOOR-${number}`, name = `Door ${number}` } = wishes
      const made = await client.call(deviceCalls.create, { body: { ...wishes, code, name } })
      return { id: made.id, name, code, secret: secretOf(made) }
    },
    async deviceGroup(name = `Doors_${next()}`) {
      const { id } = await client.call(deviceCalls.createGroup, { body: { name } })
      return { id, name }
    },
    async timeRule(wishes = {}) {
      const { name = `Rule ${next()}`, periods = ALWAYS_OPEN } = wishes
      const { id } = await client.call(timeRuleCalls.create, { body: { ...wishes, name, periods } })
      return { id, name }
    },
    async strategy({ persons, personGroups, devices, deviceGroups, timeRules, ...wishes } = {}) {
      const name = wishes.name ?? `Strategy ${next()}`
      const rules = timeRules ?? [await (always ??= site.timeRule({ name: 'Always' }))]
      const members = {
        personIds: idsOf(persons),
        personGroupIds: idsOf(personGroups),
        deviceIds: idsOf(devices),
        deviceGroupIds: idsOf(deviceGroups),
        timeRuleIds: idsOf(rules),
        methods: [accessMethod.face, accessMethod.card],
      }
      const { id } = await client.call(strategyCalls.create, { body: { ...members, ...wishes, name } })
      return { id, name }
    },
    listen: (topic, onRow) => listen({ url, bearer, areaCode: park.areaCode, authority }, topic, onRow),
  }
  return site
}
