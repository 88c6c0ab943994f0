/** Builders: they make what a test, a benchmark or the demo needs in a park, through the public calls. */
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

/** An object that was made, by the id the server gave it. */
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

export interface PersonOptions extends Partial<PersonFields> {
  /** One photograph or several, as files; each goes through `POST /face/cache`. */
  photo?: Uint8Array | readonly Uint8Array[]
  /** Doors the person may pass at any time, by a strategy of their own. */
  permittedAt?: Made | readonly Made[]
}

export interface StrategyOptions extends Partial<StrategyFields> {
  persons?: readonly Made[]
  personGroups?: readonly Made[]
  devices?: readonly Made[]
  deviceGroups?: readonly Made[]
  /** By default a rule that is always open. */
  timeRules?: readonly Made[]
}

/** A park, and a client that may do everything in it. */
export interface Site extends Pick<Client, 'call' | 'ask'> {
  park: Park
  client: Client
  personGroup(options?: Partial<GroupFields>): Promise<Made>
  person(options?: PersonOptions): Promise<MadePerson>
  device(options?: Partial<DeviceFields>): Promise<MadeDevice>
  deviceGroup(name?: string): Promise<Made>
  timeRule(options?: Partial<TimeRuleFields>): Promise<Made>
  strategy(options?: StrategyOptions): Promise<Made>
  /** Subscribe to a topic of the park. */
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
  /** Return the next number of this world, for names and codes that must differ. */
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
    async personGroup(options = {}) {
      const name = options.name ?? `Group_${next()}`
      const { id } = await client.call(peopleCalls.createGroup, { body: { ...options, name } })
      return { id, name }
    },
    async person({ photo, permittedAt, ...options } = {}) {
      const number = next()
      const { name = `Person ${number}`, workNumber = `W${number}`, groupId = (await (group ??= site.personGroup())).id } = options
      const faceIds: string[] = [...(options.facePhotos ?? [])]
      for (const file of listOf<Uint8Array>(photo)) faceIds.push((await client.call(faceCalls.cache, { body: {}, file })).faceId)
      const { id } = await client.call(peopleCalls.create, { body: { ...options, name, workNumber, groupId, facePhotos: faceIds } })
      const person = { id, name, workNumber: workNumber ?? '', groupId, faceIds }
      const doors = listOf(permittedAt)
      if (doors.length > 0) await site.strategy({ persons: [person], devices: doors })
      return person
    },
    async device(options = {}) {
      const number = next()
      const { code = `DOOR-${number}`, name = `Door ${number}` } = options
      const made = await client.call(deviceCalls.create, { body: { ...options, code, name } })
      return { id: made.id, name, code, secret: secretOf(made) }
    },
    async deviceGroup(name = `Doors_${next()}`) {
      const { id } = await client.call(deviceCalls.createGroup, { body: { name } })
      return { id, name }
    },
    async timeRule(options = {}) {
      const { name = `Rule ${next()}`, periods = ALWAYS_OPEN } = options
      const { id } = await client.call(timeRuleCalls.create, { body: { ...options, name, periods } })
      return { id, name }
    },
    async strategy({ persons, personGroups, devices, deviceGroups, timeRules, ...options } = {}) {
      const name = options.name ?? `Strategy ${next()}`
      const rules = timeRules ?? [await (always ??= site.timeRule({ name: 'Always' }))]
      const members = {
        personIds: idsOf(persons),
        personGroupIds: idsOf(personGroups),
        deviceIds: idsOf(devices),
        deviceGroupIds: idsOf(deviceGroups),
        timeRuleIds: idsOf(rules),
        methods: [accessMethod.face, accessMethod.card],
      }
      const { id } = await client.call(strategyCalls.create, { body: { ...members, ...options, name } })
      return { id, name }
    },
    listen: (topic, onRow) => listen({ url, bearer, areaCode: park.areaCode, authority }, topic, onRow),
  }
  return site
}
