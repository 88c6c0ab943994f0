/**
 * Changes of persons and strategies through public calls, one after the other, while processes may be killed. A change that was confirmed
 * must exist; one without an answer either exists or not, and is looked up.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { accessMethod } from '@gatehouse/contract/enums'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { CallRefused, type Client } from '@gatehouse/dev-env/client'
import type { Made, MadePerson } from '@gatehouse/dev-env/site'
import type { Random } from '@gatehouse/face-engine/portrait/random'
import { until } from '../support/until.ts'
import { createDraws } from './depth.ts'

/** Milliseconds between changes. */
const PACE = { least: 30, most: 120 }
/** Milliseconds after which a server that does not answer counts as hanging. */
const PATIENCE_MS = 45_000
/** Kinds of changes, and how often of a hundred times. */
const WEIGHTS = { alter: 60, enable: 15, create: 10, remove: 8, move: 7 }
type Kind = keyof typeof WEIGHTS

export interface Place {
  /** The group of the strategy that applies to all devices. */
  staff: Made
  /** The group of the strategy whose devices change. */
  guests: Made
  /** Covered by no strategy. */
  outside: Made
  staffStrategy: Made
  guestStrategy: Made
  timeRule: Made
  deviceIds: readonly string[]
  /** Persons with a face, who can be recognised. */
  persons: readonly MadePerson[]
}

/** A person as a device should store them. */
export interface Expected {
  name: string
  enabled: boolean
  strategyIds: string[]
  hasFace: boolean
}

interface Person {
  id: string
  name: string
  workNumber: string
  groupId: string
  enabled: boolean
  faceIds: string[]
}

export interface Changes {
  /** Start, or go on. */
  start(): void
  /** Resolve when no change is in progress and every outcome is known. */
  pause(): Promise<void>
  /** Return the number of confirmed changes, and of those whose outcome had to be looked up. */
  counts(): { done: number; lookedUp: number; kinds: Readonly<Record<Kind, number>> }
  /** Faults: a refusal, a confirmed change that does not exist, a state that no change requested. */
  readonly faults: readonly string[]
  /** Return the persons who should be stored on a device, by id. */
  expectedAt(deviceId: string): Map<string, Expected>
  /** Compare every confirmed change with what the calls return now. */
  verify(): Promise<void>
}

export function createChanges(client: Client, place: Place, random: Random): Changes {
  const persons = new Map<string, Person>(
    place.persons.map(({ id, name, workNumber, groupId, faceIds }) => [id, { id, name, workNumber, groupId, faceIds, enabled: true }]),
  )
  let guestDevices: readonly string[] = place.deviceIds.slice(0, 1)
  const groupIds = [place.staff.id, place.guests.id, place.outside.id]
  const faults: string[] = []
  let [done, lookedUp, numbered] = [0, 0, 0]
  const kinds: Record<Kind, number> = { alter: 0, enable: 0, create: 0, remove: 0, move: 0 }
  const draws = createDraws(WEIGHTS, random)
  let running: Promise<void> | null = null
  let paused = true

  const call: Client['call'] = (one, input) => client.call(one, input, AbortSignal.timeout(PATIENCE_MS))

  /** Whether the outcome of a change is unknown after this error. */
  function leavesOpen(error: unknown): boolean {
    if ((error as Error).name === 'TimeoutError') return false
    return !(error instanceof CallRefused) || error.status >= 500
  }

  /**
   * Make a change. @param isDone looks up whether it exists: null where what is found is neither the old nor the new state
   * @returns whether it is done
   */
  async function attempt(
    kind: Kind,
    what: string,
    change: () => Promise<unknown>,
    isDone: () => Promise<boolean | null>,
  ): Promise<boolean> {
    kinds[kind]++
    try {
      await change()
      done++
      return true
    } catch (error) {
      if (!leavesOpen(error)) {
        faults.push(`${what}: ${String(error)}`)
        return false
      }
    }
    lookedUp++
    const found = await until(`what came of ${what}`, async () => ({ isDone: await isDone() }), 60)
    if (found.isDone === null) faults.push(`${what}: neither done nor as it was`)
    return found.isDone === true
  }

  const bodyOf = ({ id, name, workNumber, groupId, faceIds }: Person) => ({ id, name, workNumber, groupId, facePhotos: faceIds })

  async function read(id: string): Promise<Person | null> {
    try {
      const { name, workNumber, groupId, facePhotos, status } = await call(peopleCalls.read, { query: { id } })
      return { id, name, workNumber, groupId, faceIds: facePhotos, enabled: status === 1 }
    } catch (error) {
      if (error instanceof CallRefused && error.status === 404) return null
      throw error
    }
  }

  const differences = (one: Person, other: Person) =>
    (['name', 'groupId', 'enabled', 'workNumber'] as const).filter((field) => one[field] !== other[field])

  async function changeTo(kind: Kind, what: string, before: Person, after: Person, change: () => Promise<unknown>): Promise<void> {
    const isDone = async () => {
      const found = await read(before.id)
      if (found === null) return null
      return differences(found, after).length === 0 ? true : differences(found, before).length === 0 ? false : null
    }
    if (await attempt(kind, what, change, isDone)) persons.set(after.id, after)
  }

  const anybody = () => random.pick([...persons.values()])
  /** Persons who are disabled are neither changed nor deleted. */
  const enabledOnes = () => [...persons.values()].filter(({ enabled }) => enabled)

  async function alter(): Promise<void> {
    if (enabledOnes().length === 0) return enable()
    const before = random.pick(enabledOnes())
    const after = { ...before, name: `Name ${++numbered}`, groupId: random.chance(0.4) ? random.pick(groupIds) : before.groupId }
    await changeTo('alter', `change ${before.id} to ${after.name}`, before, after, () => call(peopleCalls.change, { body: bodyOf(after) }))
  }

  async function enable(): Promise<void> {
    const before = anybody()
    const after = { ...before, enabled: !before.enabled }
    await changeTo('enable', `enable ${before.id} ${after.enabled}`, before, after, () =>
      call(peopleCalls.status, { body: { ids: [before.id], status: after.enabled ? 1 : 0 } }),
    )
  }

  async function create(): Promise<void> {
    const fields = { name: `New ${++numbered}`, workNumber: `N${numbered}`, groupId: random.pick(groupIds) }
    const found = async () =>
      (await call(peopleCalls.find, { body: { workNumber: fields.workNumber } })).content.find(
        ({ workNumber }) => workNumber === fields.workNumber,
      )
    let id: string | undefined
    const made = await attempt(
      'create',
      `create ${fields.workNumber}`,
      async () => void ({ id } = await call(peopleCalls.create, { body: { ...fields, facePhotos: [] } })),
      async () => (id = (await found())?.id) !== undefined,
    )
    if (made) persons.set(id!, { ...fields, id: id!, enabled: true, faceIds: [] })
  }

  async function remove(): Promise<void> {
    const without = enabledOnes().filter(({ faceIds }) => faceIds.length === 0)
    if (without.length === 0) return create()
    const { id } = random.pick(without)
    if (
      await attempt(
        'remove',
        `delete ${id}`,
        () => call(peopleCalls.delete, { query: { ids: [id] } }),
        async () => (await read(id)) === null,
      )
    )
      persons.delete(id)
  }

  const guestBody = (deviceIds: readonly string[]) => ({
    id: place.guestStrategy.id,
    name: place.guestStrategy.name,
    personGroupIds: [place.guests.id],
    deviceIds: [...deviceIds],
    timeRuleIds: [place.timeRule.id],
    methods: [accessMethod.face, accessMethod.card],
  })
  const readGuestDevices = async () => (await call(strategyCalls.read, { query: { id: place.guestStrategy.id } })).deviceIds.toSorted()

  /** Change the strategies of some devices, and with these their audience. */
  async function move(): Promise<void> {
    const wanted = place.deviceIds.filter(() => random.chance(0.5))
    const after = wanted.length > 0 ? wanted : place.deviceIds.slice(-1)
    const before = guestDevices
    const same = (one: readonly string[], other: readonly string[]) => one.join() === other.toSorted().join()
    const isDone = async () => {
      const found = await readGuestDevices()
      return same(found, after) ? true : same(found, before) ? false : null
    }
    if (await attempt('move', `guests at ${after.length} devices`, () => call(strategyCalls.change, { body: guestBody(after) }), isDone))
      guestDevices = after
  }

  const WORK: Record<Kind, () => Promise<void>> = { alter, enable, create, remove, move }
  async function loop(): Promise<void> {
    while (!paused) {
      await WORK[draws.next()]()
      await delay(random.between(PACE.least, PACE.most))
    }
  }

  return {
    faults,
    start() {
      if (!paused) return
      paused = false
      running = loop().catch((error: unknown) => void faults.push(`the changes ended: ${String(error)}`))
    },
    async pause() {
      paused = true
      await running
    },
    counts: () => ({ done, lookedUp, kinds }),
    expectedAt(deviceId) {
      const strategiesOf = ({ groupId }: Person) => [
        ...(groupId === place.staff.id ? [place.staffStrategy.id] : []),
        ...(groupId === place.guests.id && guestDevices.includes(deviceId) ? [place.guestStrategy.id] : []),
      ]
      const covered = [...persons.values()]
        .map((person) => ({ person, strategyIds: strategiesOf(person) }))
        .filter(({ strategyIds }) => strategyIds.length > 0)
      return new Map(
        covered.map(({ person: { id, name, enabled, faceIds }, strategyIds }) => [
          id,
          { name, enabled, strategyIds, hasFace: faceIds.length > 0 },
        ]),
      )
    },
    async verify() {
      for (const person of persons.values()) {
        const found = await read(person.id)
        const different = found === null ? ['it is gone'] : differences(found, person)
        if (different.length > 0) faults.push(`person ${person.id} was answered otherwise: ${different.join(', ')}`)
      }
      if ((await readGuestDevices()).join() !== guestDevices.toSorted().join())
        faults.push('the devices of the guests were answered otherwise')
      const { total } = await call(peopleCalls.find, { body: { size: 1 } })
      if (total !== persons.size) faults.push(`${total} persons are there instead of ${persons.size}`)
    },
  }
}
