/**
 * What of the demo campus is still to be made: its setting and first persons at once, then all others and their passages; and
 * its day, which goes on from there.
 */
import { recordCalls } from '@gatehouse/contract/records/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { accessResult } from '@gatehouse/contract/enums'
import { peopleCalls, type Person } from '@gatehouse/contract/people/calls'
import type { Server } from '@gatehouse/server/server'
import { SEED, SIMULATED, TERMINAL, stepsOf, type DemoDevice, type DemoSize } from './campus.ts'
import { isPictured, liveAt, REFUSED_PICTURED_MS } from './day.ts'
import { openMaker, type Maker, type MakerOptions } from './maker.ts'
import { sightOf, createPainter } from './painter.ts'
import { approachesTo, type Approach } from './passages.ts'
import { makePerson, personsOf } from './persons.ts'
import { createPictures } from './pictures.ts'
import { rosterOf, type DemoPerson } from './roster.ts'
import { devicesOf, groupIds, makeSetting, unlessTaken } from './setting.ts'
import { startSimulatedDevice, type SimulatedDevice } from './simulated-device.ts'
import { recordOf, type RegisteredPerson, type Verdicts } from './verdicts.ts'

const DAY = 86_400_000
/** Persons there before the campus counts as ready; the others follow in the background. */
const FIRST_PERSONS = 20
/** Portraits drawn and checked at the same time. */
const AT_ONCE = 2
/** Records of one question. */
const PAGE = 100

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
/** Told something for whoever started it, as a sentence. */
export type Tell = (sentence: string) => void

/** How a device presents itself. */
export interface DemoCredentials {
  code: string
  secret: string
}

export interface Making {
  /** Null where the device of the demo terminal is not there. */
  terminal: DemoCredentials | null
  /** Makes the rest, and leaves the simulated devices connected. @throws as the maker's calls; Error of a simulated device */
  fill(onProgress: OnProgress, tell: Tell): Promise<void>
  /** Goes on with the day once all is made, and needs no session for it. Resolves when the signal aborts, or no device is left. */
  live(tell: Tell): Promise<void>
  disconnect(): Promise<void>
}

/** @param over ends the day and its pictures @throws as the maker's calls */
export async function beginMaking(
  server: Server,
  { parkId, anchor, size }: DemoCampus,
  options: MakerOptions,
  over: AbortSignal,
): Promise<Making> {
  const { platform, contexts } = server
  const demo = contexts.demo.service
  const scope = { parkId }
  const total = stepsOf(size)
  const roster = rosterOf(SEED, anchor).slice(0, size.persons)
  const painter = createPainter()
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
          await unlessTaken(makePerson(maker, person, groupId, registered.get(person.workNumber), painter, options.signal))
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

  const connected = new Map<DemoDevice, SimulatedDevice>()

  /** Connects a device, so that no door is seen offline. @param tell told of one the server does not take, where the campus is complete */
  async function connect(device: DemoDevice, tell: Tell): Promise<void> {
    const credentials = await credentialsOf(device)
    if (credentials === null) return
    const { modelId } = contexts.faces.service
    try {
      connected.set(device, await startSimulatedDevice({ ...credentials, server: server.url, epoch: 'demo', modelId, signal: over }))
    } catch (error) {
      options.signal.throwIfAborted()
      if (!isComplete) throw error
      tell(`the demo goes on without ${device.code}: ${(error as Error).message}`)
    }
  }

  /** When the newest record of a device was made; 0 where there is none. */
  async function newestOf(deviceId: string): Promise<number> {
    const { content } = await maker.call(recordCalls.find, { body: { deviceId, size: 1 } })
    return content[0]?.time ?? 0
  }

  /** Sends what came to a device until a moment and is not stored, and notes its pictures that are missing. */
  async function fillRecords(
    device: DemoDevice,
    verdicts: Omit<Verdicts, 'holdings'>,
    until: number,
    onProgress: OnProgress,
  ): Promise<void> {
    const simulated = connected.get(device)
    if (simulated === undefined) return advance(onProgress, size.recordSteps)
    const deviceId = simulated.deviceId()
    // What was just made is to be held by the device before it decides.
    await contexts.synchronisation.service.settled()
    await simulated.synchronised()
    const approaches = approachesTo(device.direction, SEED, roster, anchor - size.weeks * 7 * DAY, until)
    const stored = simulated.stored()
    // By the number of those that are stored; by their time too, for a campus that a version with another rhythm began.
    const newest = stored === 0 ? 0 : await newestOf(deviceId)
    const coming = approaches.slice(stored).filter(({ moment }) => moment > newest)
    for (let step = 0; step < size.recordSteps; step++) {
      await maker.checkWanted()
      const placeOf = (at: number): number => Math.ceil((coming.length * at) / size.recordSteps)
      const [first, last] = [placeOf(step), placeOf(step + 1)]
      const records = coming.slice(first, last).map((approach, index) => {
        const record = recordOf(approach, { ...verdicts, holdings: simulated.holdings })
        if (record === null) throw new Error(`device ${device.code} has no settings yet`)
        const hasPicture = isPictured(approach.moment, record.result === accessResult.rejected, until)
        return { seq: stored + first + index + 1, ...record, hasPicture }
      })
      await simulated.send(records)
      await advance(onProgress)
    }
    await addMissingPictures(simulated, deviceId, approaches, until)
  }

  /** Those of the pictured records that an earlier start left without one are among them. */
  async function addMissingPictures(
    simulated: SimulatedDevice,
    deviceId: string,
    approaches: readonly Approach[],
    until: number,
  ): Promise<void> {
    const byMoment = new Map(
      approaches.filter(({ moment }) => isPictured(moment, true, until)).map((approach) => [approach.moment, approach]),
    )
    const startTime = until - REFUSED_PICTURED_MS
    for (let page = 1; ; page++) {
      const body = { deviceId, startTime, page, size: PAGE }
      const { content, total: records } = await maker.call(recordCalls.find, { body })
      pictures.add(
        content.flatMap(({ id, time, result, captureImage }) => {
          const approach = byMoment.get(time)
          if (captureImage !== '' || approach === undefined || !isPictured(time, result === accessResult.rejected, until)) return []
          const sight = sightOf(
            approach,
            roster.find(({ workNumber }) => workNumber === approach.workNumber),
          )
          return [{ moment: time, sight, send: (picture: Uint8Array) => simulated.addPicture(id, picture) }]
        }),
      )
      if (page * PAGE >= records || content.length === 0) return
    }
  }

  const pictures = createPictures(painter, over)
  /** What the devices decide by, and up to when they have sent everything; null before. */
  let filled: { verdicts: Omit<Verdicts, 'holdings'>; until: number } | null = null

  let terminal: DemoCredentials | null
  try {
    if (!isComplete) await makePersons(missing.splice(0, Math.max(0, FIRST_PERSONS - done)), () => {})
    terminal = await credentialsOf(TERMINAL)
  } catch (error) {
    await painter.stop()
    throw error
  }
  return {
    terminal,
    async fill(onProgress, tell) {
      for (const device of SIMULATED) await connect(device, tell)
      if (!isComplete) await makePersons(missing, onProgress)
      const verdicts = { people: await registeredOf(maker, roster, await own('person')), anchor }
      const until = platform.clock.now()
      for (const device of SIMULATED) await fillRecords(device, verdicts, until, onProgress)
      await maker.end()
      filled = { verdicts, until }
    },
    async live(tell) {
      if (filled === null) return
      const { verdicts, until } = filled
      const day = { seed: SEED, roster, after: until, clock: platform.clock, painter, pictures, signal: over }
      await Promise.all(
        [...connected].map(async ([device, simulated]) => {
          const here = { ...day, direction: device.direction, verdicts: { ...verdicts, holdings: simulated.holdings } }
          const reason = await liveAt(simulated, here)
          if (reason === null) return
          tell(`the demo goes on without ${device.code}: ${reason}`)
          await simulated.stop()
        }),
      )
    },
    async disconnect() {
      await pictures.idle()
      await painter.stop()
      await Promise.all([...connected.values()].map((device) => device.stop()))
      connected.clear()
    },
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
