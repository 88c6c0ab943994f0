/**
 * The demo campus, made through public calls. Everything has a code, a name or a number by which it is found again, so
 * an interrupted start goes on where it stopped; what has been removed is not made a second time.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { accessCalls } from '@gatehouse/contract/access/calls'
import { deviceCalls, type Device, type DeviceGroupNode } from '@gatehouse/contract/devices/calls'
import { accessMethod } from '@gatehouse/contract/enums'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls, type Person, type PersonGroupNode } from '@gatehouse/contract/people/calls'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { portrait, portraitVariant } from '@gatehouse/face-engine'
import sharp from 'sharp'
import type { Server } from '@gatehouse/server/server'
import { grantToken, userIdOf } from '../accounts.ts'
import { CallRefused, createClient, type Client } from '../client.ts'
import { ALWAYS, COMPANY_NAME, DEPARTMENTS, DEVICES, PARK, STRATEGIES, TIME_RULES, type DemoDevice } from './campus.ts'
import { approachesTo, type Approach } from './passages.ts'
import { rosterOf, type DemoPerson } from './roster.ts'
import { startSimulatedDevice, type SimulatedDevice } from './simulated-device.ts'
import { recordsOf, type RegisteredPerson } from './verdicts.ts'

/** Kept beside the secrets, so that a removed demo is not made again. */
const MARKER = 'demo.json'
const SEED = 'binhai'
const DAY = 86_400_000
const WEEKS = 5
/** Persons there before the campus counts as ready; the others follow in the background. */
const FIRST_PERSONS = 20
/** Portraits drawn and checked at the same time. */
const AT_ONCE = 2
/** What a terminal shows of a drawn portrait: about `faceSquare` of any of them. */
const FACE_OF_PORTRAIT = { left: 20, top: 68, width: 364, height: 364 }
/** Newest records of a device that come with a picture. */
const PICTURED = 12
/** Parts in which a simulated device sends its records; each is a step of the progress. */
const RECORD_STEPS = 40
const BUSY = 900000

export interface DemoCampus {
  parkId: string
  /** Epoch milliseconds everything is counted from: the first start. */
  anchor: number
}

/**
 * The demo campus of an installation: taken up on one nobody has used yet, found again on one that has it.
 * @returns null where it is not wanted, was removed, or the installation holds something else
 */
export async function demoCampusOf(server: Server): Promise<DemoCampus | null> {
  const { platform, contexts } = server
  const organisation = contexts.organisation.service
  if (platform.secrets.has(MARKER)) {
    const campus = JSON.parse(await platform.secrets.keep(MARKER, () => '')) as DemoCampus
    return organisation.get(campus.parkId)?.demoTotal == null ? null : campus
  }
  const parks = organisation.parksBelow(organisation.root().id)
  const [park] = parks
  if (park === undefined || parks.length > 1) return null
  const scope = { parkId: park.id }
  const node = organisation.get(park.id)!
  const [persons, devices] = await Promise.all([contexts.people.service.summary(scope), contexts.devices.service.all(scope)])
  // An interrupted first start may have come as far as marking the park.
  if (node.demoTotal === null && persons.total + devices.length > 0) return null
  await organisation.change(node.parentId!, { name: COMPANY_NAME, zone: PARK.zone })
  await organisation.change(park.id, PARK)
  if (node.demoTotal === null) await organisation.beginDemo(scope, TOTAL)
  const campus = { parkId: park.id, anchor: platform.clock.now() }
  await platform.secrets.keep(MARKER, () => JSON.stringify(campus))
  return campus
}

const PERSONS = DEPARTMENTS.flatMap(({ below }) => below).reduce((total, { persons }) => total + persons, 0)
const SIMULATED = DEVICES.slice(1)
const TOTAL = PERSONS + SIMULATED.length * RECORD_STEPS

export interface DemoProgress {
  done: number
  total: number
}

export interface Demo {
  /** How the demo terminal presents itself; null where its device has been deleted. */
  terminal: { code: string; secret: string } | null
  /** Makes the rest, and keeps the simulated devices connected. Resolves when everything is there or the demo was removed. */
  fill(onProgress?: (progress: DemoProgress) => void): Promise<void>
  /** Disconnects the devices once the filling has ended, by itself or by the signal. */
  stop(): Promise<void>
}

/** The demo was removed while it was being made. */
class DemoRemoved extends Error {}

/**
 * Makes what a visitor sees first: groups, devices, rules, strategies and the first persons.
 * @param signal breaks everything off; what is missing is made by the next start
 */
export async function startDemo(server: Server, { parkId, anchor }: DemoCampus, signal: AbortSignal): Promise<Demo> {
  const { platform, contexts } = server
  const organisation = contexts.organisation.service
  const scope = { parkId }
  const devices: SimulatedDevice[] = []
  const roster = rosterOf(SEED, anchor)
  const { bearer } = await grantToken(server, await userIdOf(server, 'admin'), parkId)
  const client = createClient(server.url, { bearer })

  const node = organisation.get(parkId)!
  const complete = node.demoDone === node.demoTotal
  const progress: DemoProgress = { done: 0, total: TOTAL }

  function checkWanted(): void {
    signal.throwIfAborted()
    if (organisation.get(parkId)?.demoTotal == null) throw new DemoRemoved()
  }
  async function advance(steps: number, onProgress: (progress: DemoProgress) => void): Promise<void> {
    progress.done = Math.min(TOTAL, progress.done + steps)
    checkWanted()
    if (complete) return
    await organisation.advanceDemo(scope, progress.done)
    onProgress(progress)
  }

  if (!complete) await makeSetting(client)
  const registered = await personsOf(client)
  const missing = roster.filter(
    ({ workNumber, disabled }) => registered.get(workNumber)?.status !== 0 && (disabled || !registered.has(workNumber)),
  )
  progress.done = PERSONS - missing.length
  if (!complete) await makePersons(missing.splice(0, Math.max(0, FIRST_PERSONS - progress.done)), () => {})
  const terminal = await credentialsOf(DEVICES[0])

  /** Code and secret of a demo device; a secret that was lost is replaced. */
  async function credentialsOf({ code }: DemoDevice): Promise<{ code: string; secret: string } | null> {
    const device = (await devicesOf(client)).find((one) => one.code === code)
    if (device === undefined) return null
    const name = `device-${device.id}`
    const fresh = platform.secrets.has(name) ? '' : (await client.call(deviceCalls.resetSecret, { params: { id: device.id } })).secret
    return { code, secret: await platform.secrets.keep(name, () => fresh) }
  }

  async function makePersons(people: readonly DemoPerson[], onProgress: (progress: DemoProgress) => void): Promise<void> {
    const waiting = people.values()
    const groups = groupIds(await client.call(peopleCalls.groupTree, { query: {} }))
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const person of waiting) {
          checkWanted()
          await makePerson(client, person, groups.get(person.department.name)!, registered.get(person.workNumber), signal)
          await advance(1, onProgress)
        }
      }),
    )
  }

  async function fillRecords(
    device: DemoDevice,
    people: ReadonlyMap<string, RegisteredPerson>,
    until: number,
    onProgress: (progress: DemoProgress) => void,
  ): Promise<void> {
    const credentials = await credentialsOf(device)
    if (credentials === null) return advance(RECORD_STEPS, onProgress)
    // What was just made is to be held by the device before it decides.
    await contexts.access.service.synchronisation.settled()
    const options = { ...credentials, server: server.url, epoch: 'demo', modelId: contexts.faces.service.modelId, signal }
    const simulated = await startSimulatedDevice(options)
    devices.push(simulated)
    const approaches = approachesTo(device.direction, SEED, roster, anchor - WEEKS * 7 * DAY, until)
    const records = recordsOf(approaches, simulated.holdings, people, PICTURED)
    const before = simulated.stored()
    for (let step = 1; step <= RECORD_STEPS; step++) {
      checkWanted()
      await simulated.send(records.slice(0, Math.ceil((records.length * step) / RECORD_STEPS)))
      await advance(1, onProgress)
    }
    for (const { seq } of records.filter((record) => record.hasPicture && record.seq > before))
      await simulated.sendPicture(seq, await pictureOf(approaches[seq - 1]!, roster))
  }

  async function fill(onProgress: (progress: DemoProgress) => void = () => {}): Promise<void> {
    try {
      if (!complete) await makePersons(missing, onProgress)
      const found = await personsOf(client)
      const people = new Map(
        roster.flatMap((person) =>
          found.has(person.workNumber) ? [[person.workNumber, { ...person, id: found.get(person.workNumber)!.id }]] : [],
        ),
      )
      const until = platform.clock.now()
      for (const device of SIMULATED) await fillRecords(device, people, until, onProgress)
      await client.call(identityCalls.revoke, {})
    } catch (error) {
      if (error instanceof DemoRemoved || signal.aborted) return
      // Removed between two looks: what was under way has nothing left to refer to.
      if (organisation.get(parkId)?.demoTotal == null) return
      throw error
    }
  }

  let filling: Promise<void> | undefined
  return {
    terminal,
    fill: (onProgress) => (filling ??= fill(onProgress)),
    async stop() {
      await filling?.catch(() => {})
      await Promise.all(devices.map((device) => device.stop()))
    },
  }
}

/** Departments, doors, rules and strategies, those that are missing. */
async function makeSetting(client: Client): Promise<void> {
  const groups = groupIds(await client.call(peopleCalls.groupTree, { query: {} }))
  for (const { name, below } of DEPARTMENTS) {
    if (!groups.has(name)) groups.set(name, (await client.call(peopleCalls.createGroup, { body: { name } })).id)
    for (const department of below)
      if (!groups.has(department.name))
        groups.set(
          department.name,
          (await client.call(peopleCalls.createGroup, { body: { name: department.name, parentId: groups.get(name)! } })).id,
        )
  }

  const doors = new Map((await client.call(deviceCalls.groupTree, {})).map(({ name, id }: DeviceGroupNode) => [name, id]))
  for (const { group } of DEVICES)
    if (!doors.has(group)) doors.set(group, (await client.call(deviceCalls.createGroup, { body: { name: group } })).id)
  const devices = new Map((await devicesOf(client)).map(({ code, id }) => [code, id]))
  for (const { code, name, group, direction } of DEVICES)
    if (!devices.has(code))
      devices.set(code, (await client.call(deviceCalls.create, { body: { code, name, direction, groupId: doors.get(group)! } })).id)

  const rules = new Map((await client.call(accessCalls.allTimeRules, {})).map(({ name, id }) => [name, id]))
  for (const { name, periods } of TIME_RULES)
    if (!rules.has(name)) rules.set(name, (await client.call(accessCalls.createTimeRule, { body: { name, periods: [...periods] } })).id)

  const strategies = new Set((await client.call(accessCalls.allStrategies, {})).map(({ name }) => name))
  for (const { name, departments, deviceCodes, deviceGroups, timeRule } of STRATEGIES) {
    if (strategies.has(name)) continue
    const body = {
      name,
      personGroupIds: departments.map((department) => groups.get(department)!),
      deviceIds: deviceCodes.map((code) => devices.get(code)!),
      deviceGroupIds: deviceGroups.map((group) => doors.get(group)!),
      timeRuleIds: [rules.get(timeRule) ?? rules.get(ALWAYS)!],
      methods: [accessMethod.face, accessMethod.card],
    }
    await client.call(accessCalls.createStrategy, { body })
  }
}

/** Registers a person with a drawn portrait, and disables whoever is to be. */
async function makePerson(
  client: Client,
  person: DemoPerson,
  groupId: string,
  found: Person | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { workNumber, name, gender, phone, validFrom, validTo, sex, face } = person
  let id = found?.id
  if (id === undefined) {
    const facePhotos = person.hasPhoto ? [await cachedPortrait(client, await portrait(face, { gender: sex }), signal)] : []
    const body = { workNumber, name, gender: gender as 1 | 2 | 3, phone, validFrom, validTo, groupId, facePhotos }
    ;({ id } = await client.call(peopleCalls.create, { body }, signal))
  }
  if (person.disabled) await client.call(peopleCalls.status, { body: { ids: [id], status: 0 } }, signal)
}

/**
 * Waits while the engine has more photographs than it can take: those of people who use the campus go first. An upload
 * under way is not broken off: `fetch` of an aborted form leaves a rejection that nobody can catch.
 */
async function cachedPortrait(client: Client, file: Uint8Array, signal: AbortSignal): Promise<string> {
  for (;;) {
    signal.throwIfAborted()
    try {
      return (await client.call(faceCalls.cache, { body: {}, file })).faceId
    } catch (error) {
      if (!(error instanceof CallRefused) || error.code !== BUSY) throw error
      await delay(1_000, undefined, { signal })
    }
  }
}

/** What the terminal saw: the person in other clothes, or somebody the campus does not know. */
async function pictureOf({ workNumber, moment }: Approach, roster: readonly DemoPerson[]): Promise<Buffer> {
  const person = roster.find((one) => one.workNumber === workNumber)
  if (person === undefined) return portrait(`${SEED} stranger ${moment}`)
  return sharp(await portraitVariant(person.face, 1 + (moment % 5), { gender: person.sex }))
    .extract(FACE_OF_PORTRAIT)
    .resize(320)
    .webp()
    .toBuffer()
}

/** Every group by its name; no two of the campus are alike. */
function groupIds(nodes: readonly PersonGroupNode[]): Map<string, string> {
  return new Map(nodes.flatMap((node) => [[node.name, node.id] as const, ...groupIds(node.children)]))
}

const devicesOf = async (client: Client): Promise<Device[]> =>
  (await client.call(deviceCalls.list, { query: { code: 'DEMO-', size: 100 } })).content

/** Persons of the park by work number. */
async function personsOf(client: Client): Promise<Map<string, Person>> {
  const persons = new Map<string, Person>()
  for (let page = 1; ; page++) {
    const { content, total } = await client.call(peopleCalls.list, { query: { page, size: 100 } })
    for (const person of content) persons.set(person.workNumber, person)
    if (page * 100 >= total) return persons
  }
}
