/** What of the demo campus is still to be made: its setting and first persons at once, then all others and their passages. */
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { peopleCalls, type Person } from '@gatehouse/contract/people/calls'
import { portrait, portraitVariant } from '@gatehouse/face-engine'
import type { Server } from '@gatehouse/server/server'
import sharp from 'sharp'
import { SIMULATED, TERMINAL, stepsOf, type DemoDevice, type DemoSize } from './campus.ts'
import { openMaker, type Maker, type MakerOptions } from './maker.ts'
import { approachesTo, type Approach } from './passages.ts'
import { makePerson, personsOf } from './persons.ts'
import { rosterOf, type DemoPerson } from './roster.ts'
import { devicesOf, groupIds, makeSetting, unlessTaken } from './setting.ts'
import { startSimulatedDevice, type SimulatedDevice } from './simulated-device.ts'
import { recordsOf, type RegisteredPerson } from './verdicts.ts'

const SEED = 'binhai'
const DAY = 86_400_000
/** Persons there before the campus counts as ready; the others follow in the background. */
const FIRST_PERSONS = 20
/** Portraits drawn and checked at the same time. */
const AT_ONCE = 2
/** What a terminal shows of a drawn portrait: about `faceSquare` of any of them. */
const FACE_OF_PORTRAIT = { left: 20, top: 68, width: 364, height: 364 }
/** Newest records of a device that come with a picture. */
const PICTURED = 12

export interface DemoCampus {
  parkId: string
  /** Epoch milliseconds everything is counted from: the first start. */
  anchor: number
  size: DemoSize
}

export interface DemoProgress {
  done: number
  total: number
}
type OnProgress = (progress: DemoProgress) => void

/** How a device presents itself. */
export interface DemoCredentials {
  code: string
  secret: string
}

export interface Making {
  /** Null where the device of the demo terminal is not there. */
  terminal: DemoCredentials | null
  /** Makes the rest, and leaves the simulated devices connected. @throws as the maker's calls; Error of a simulated device */
  fill(onProgress: OnProgress): Promise<void>
  disconnect(): Promise<void>
}

/** @throws as the maker's calls */
export async function beginMaking(server: Server, { parkId, anchor, size }: DemoCampus, options: MakerOptions): Promise<Making> {
  const { platform, contexts } = server
  const demo = contexts.demo.service
  const scope = { parkId }
  const total = stepsOf(size)
  const roster = rosterOf(SEED, anchor).slice(0, size.persons)
  const maker = await openMaker(server, scope, options)
  const isComplete = (await demo.read(scope))?.phase === 'ready'
  if (!isComplete) await makeSetting(maker)

  const own = async (entity: string): Promise<ReadonlySet<string>> => new Set((await demo.things(scope)).get(entity))
  const registered = await personsOf(maker, await own('person'))
  const missing = roster.filter((person) => !isMade(person, registered.get(person.workNumber)))
  let done = roster.length - missing.length

  async function advance(onProgress: OnProgress, steps = 1): Promise<void> {
    done = Math.min(total, done + steps)
    await maker.checkWanted()
    if (isComplete) return
    await demo.advance(scope, done)
    onProgress({ done, total })
  }

  async function makePersons(people: readonly DemoPerson[], onProgress: OnProgress): Promise<void> {
    if (people.length === 0) return
    const waiting = people.values()
    const groups = groupIds(await maker.call(peopleCalls.groupTree, { query: {} }))
    let failure: unknown
    /** Makes one after the other; where another lane has failed, this one ends too. */
    async function lane(): Promise<void> {
      for (const person of waiting) {
        if (failure !== undefined) return
        try {
          const groupId = groups.get(person.department.name)!
          await unlessTaken(makePerson(maker, person, groupId, registered.get(person.workNumber), options.signal))
          await advance(onProgress)
        } catch (error) {
          failure ??= error
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
    if (failure !== undefined) throw failure
  }

  /** Code and secret of a demo device; a secret that was lost is replaced. */
  async function credentialsOf({ code }: DemoDevice): Promise<DemoCredentials | null> {
    const mine = await own('device')
    const device = (await devicesOf(maker)).find((one) => one.code === code && mine.has(one.id))
    if (device === undefined) return null
    const name = `device-${device.id}`
    const fresh = platform.secrets.has(name)
      ? ''
      : (await maker.call(deviceCalls.resetSecret, { params: { id: device.id }, body: {} })).secret
    return { code, secret: await platform.secrets.keep(name, () => fresh) }
  }

  const connected: SimulatedDevice[] = []

  async function fillRecords(
    device: DemoDevice,
    people: ReadonlyMap<string, RegisteredPerson>,
    until: number,
    onProgress: OnProgress,
  ): Promise<void> {
    const credentials = await credentialsOf(device)
    if (credentials === null) return advance(onProgress, size.recordSteps)
    // What was just made is to be held by the device before it decides.
    await contexts.access.service.synchronisation.settled()
    const { modelId } = contexts.faces.service
    const simulated = await startSimulatedDevice({ ...credentials, server: server.url, epoch: 'demo', modelId, signal: options.signal })
    connected.push(simulated)
    const approaches = approachesTo(device.direction, SEED, roster, anchor - size.weeks * 7 * DAY, until)
    const records = recordsOf(approaches, simulated.holdings, people, PICTURED)
    const before = simulated.stored()
    for (let step = 1; step <= size.recordSteps; step++) {
      await maker.checkWanted()
      await simulated.send(records.slice(0, Math.ceil((records.length * step) / size.recordSteps)))
      await advance(onProgress)
    }
    for (const { seq } of records.filter((record) => record.hasPicture && record.seq > before))
      await simulated.sendPicture(seq, await pictureOf(approaches[seq - 1]!, roster))
  }

  if (!isComplete) await makePersons(missing.splice(0, Math.max(0, FIRST_PERSONS - done)), () => {})
  return {
    terminal: await credentialsOf(TERMINAL),
    async fill(onProgress) {
      if (!isComplete) await makePersons(missing, onProgress)
      const people = await registeredOf(maker, roster, await own('person'))
      const until = platform.clock.now()
      for (const device of SIMULATED) await fillRecords(device, people, until, onProgress)
      await maker.end()
    },
    disconnect: async () => void (await Promise.all(connected.splice(0).map((device) => device.stop()))),
  }
}

/** Whether nothing more is to be done about a person: registered, and disabled where the roster says so. */
const isMade = ({ disabled }: DemoPerson, found: Person | undefined): boolean => found !== undefined && (!disabled || found.status === 0)

async function registeredOf(
  maker: Maker,
  roster: readonly DemoPerson[],
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, RegisteredPerson>> {
  const found = await personsOf(maker, ids)
  return new Map(
    roster.flatMap((person) => {
      const id = found.get(person.workNumber)?.id
      return id === undefined ? [] : [[person.workNumber, { ...person, id }] as const]
    }),
  )
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
