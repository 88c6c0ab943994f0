/**
 * Keeps the registers of all parks up to date with events, has changes logged, and says which devices are concerned.
 * Events only mark what is to be read anew; the reading is done for all marks together, one park after the other.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { logChanges } from './change-log.ts'
import * as data from './data.ts'
import { ParkRegister, type Audience, type StrategyFacts, type Touched } from './register.ts'
import type { SynchronisationTables } from './schema.ts'
import { readAllPersons, readPersons, readStrategies, readTimeRules, type RegisterSources } from './sources.ts'

/** What has to be read anew of a park. */
export interface Marks {
  persons?: readonly string[]
  strategies?: readonly string[]
  /** All strategies: a group was moved. */
  groups?: boolean
  devices?: boolean
  timeRules?: boolean
  /** Persons of a linked park, of whom this one may let some pass; null: all of them. */
  guests?: { home: string; personIds: readonly string[] | null }
  /** Time has passed, or the zone is another: nothing to read, but to look again. */
  time?: boolean
  /** The whole park. */
  everything?: boolean
}

export interface Registers {
  /** Reads all parks; events must flow already, so that nothing falls between the reading and the first event. */
  start(parkIds: readonly string[]): Promise<void>
  register(scope: Scope): ParkRegister
  mark(scope: Scope, marks: Marks): void
  /** Resolves when everything marked so far is in the register and, on the node that leads, in the log. */
  settled(): Promise<void>
  /** Once more told of, with new numbers: the persons were to be sent again. */
  touch(scope: Scope, touched: Touched): void
  /** Called after a change was logged. */
  onChanged(listener: (scope: Scope) => void): void
  stop(): Promise<void>
}

/** Changes that come together are read together. */
const GATHER_MS = 30
const LOOK_EVERY_MS = 500
const RETRY_MS = 500

interface Work {
  persons: Set<string>
  strategies: Set<string>
  groups: boolean
  devices: boolean
  timeRules: boolean
  /** By the park that has them; null: all. */
  guests: Map<string, Set<string> | null>
  time: boolean
  everything: boolean
  /** What is in the register and not yet in the log. */
  touched: Touched
  moved: Set<string>
}

const noWork = (): Work => ({
  persons: new Set(),
  strategies: new Set(),
  groups: false,
  devices: false,
  timeRules: false,
  guests: new Map(),
  time: false,
  everything: false,
  touched: new Map(),
  moved: new Set(),
})

export function createRegisters(platform: Platform, sources: RegisterSources): Registers {
  const db = platform.db as unknown as Database<SynchronisationTables>
  const registers = new Map<string, ParkRegister>()
  const waiting = new Map<string, Work>()
  /** Parks that let persons of a park pass, by that park. */
  const hosts = new Map<string, Set<string>>()
  const listeners: ((scope: Scope) => void)[] = []
  /** Audiences whose stored digest has been held against the register since this node leads. */
  let watched = new WeakSet<Audience>()
  let term: number | null = null
  let running: Promise<void> | null = null
  let gathering: NodeJS.Timeout | undefined
  let looking: NodeJS.Timeout | undefined
  let stopped = false

  function workOf(parkId: string): Work {
    let work = waiting.get(parkId)
    if (work === undefined) waiting.set(parkId, (work = noWork()))
    return work
  }

  function registerOf(parkId: string): ParkRegister {
    let register = registers.get(parkId)
    if (register === undefined) registers.set(parkId, (register = new ParkRegister(parkId)))
    return register
  }

  /** From now on changes of persons of the one park are read by the other too. */
  function meet(host: string, home: string): void {
    const known = hosts.get(home)
    if (known === undefined) hosts.set(home, new Set([host]))
    else known.add(host)
  }

  const strategiesOf = (scope: Scope, ids: readonly string[]) => readStrategies(scope, sources, ids, (home) => meet(scope.parkId, home))

  async function readEverything(scope: Scope): Promise<ParkRegister> {
    const register = new ParkRegister(scope.parkId)
    const now = platform.clock.now()
    for await (const persons of readAllPersons(scope, sources)) register.putPersons([...persons.keys()], persons, now, new Map())
    const ids = await sources.reading.findStrategyIds(scope)
    const strategies = await strategiesOf(scope, ids)
    const homes = homesOf(strategies)
    register.putHomes(homes)
    register.putPersons(
      [...homes.keys()],
      await readPersons(scope, sources, [...homes.keys()], (id) => register.homeOf(id)),
      now,
      new Map(),
    )
    register.putStrategies(ids, strategies, new Map())
    register.putTimeRules(await readTimeRules(scope, sources.reading))
    register.putDevices(await sources.devices.register(scope))
    register.assign()
    return register
  }

  /** Reads what is marked, then changes the register in one go, so that nobody sees half of it. */
  async function bringUpToDate(scope: Scope, work: Work): Promise<void> {
    if (work.everything) {
      const fresh = await readEverything(scope)
      for (const { id } of fresh.devices()) work.moved.add(id)
      registers.set(scope.parkId, fresh)
      return
    }
    const register = registerOf(scope.parkId)
    const guests = [...work.guests]
    const marked = work.groups ? [...(await sources.reading.findStrategyIds(scope)), ...register.strategyIds()] : [...work.strategies]
    // Whoever was moved or changed in a linked park may be let pass by other rules than before.
    const strategyIds = [...new Set([...marked, ...guests.flatMap(([home]) => register.strategiesAbout(home))])]
    const strategies = await strategiesOf(scope, strategyIds)
    const homes = homesOf(strategies)
    register.putHomes(homes)
    const changed = guests.flatMap(([home, ids]) =>
      ids === null ? register.personsFrom(home) : [...ids].filter((id) => register.knows(id)),
    )
    const personIds = [...new Set([...work.persons, ...changed, ...[...homes.keys()].filter((id) => !register.knows(id))])]
    const persons = personIds.length === 0 ? new Map() : await readPersons(scope, sources, personIds, (id) => register.homeOf(id))
    const timeRules = work.timeRules || strategyIds.length > 0 ? await readTimeRules(scope, sources.reading) : null
    const devices = work.devices ? await sources.devices.register(scope) : null
    const now = platform.clock.now()
    register.putPersons(personIds, persons, now, work.touched)
    register.putStrategies(strategyIds, strategies, work.touched)
    if (timeRules !== null) register.putTimeRules(timeRules)
    if (devices !== null) register.putDevices(devices)
    if (strategyIds.length > 0 || devices !== null) for (const id of register.assign()) work.moved.add(id)
    // Looks at everybody: each minute, not with every change.
    if (work.time) register.passTime(now, work.touched)
  }

  async function log(scope: Scope, work: Work, first: boolean): Promise<void> {
    const register = registerOf(scope.parkId)
    const unwatched = register.audiences().filter((audience) => !watched.has(audience))
    await logChanges(
      platform,
      scope,
      register,
      work.touched,
      unwatched.map(({ id }) => id),
    )
    for (const audience of unwatched) watched.add(audience)
    work.touched = new Map()
    const moved = [...work.moved].filter((id) => register.device(id) !== undefined)
    await data.saveAssignments(scope, db, moved, platform.clock.now(), first)
    work.moved = new Set()
  }

  /** One park's work; what could not be done stays marked. */
  async function round(parkId: string): Promise<void> {
    const scope: Scope = { parkId }
    const work = waiting.get(parkId)!
    waiting.delete(parkId)
    const first = work.everything
    try {
      await bringUpToDate(scope, work)
      Object.assign(work, noWork(), { touched: work.touched, moved: work.moved })
      if (platform.events.leading()) await log(scope, work, first)
    } catch (error) {
      const since = workOf(parkId)
      waiting.set(parkId, merged(work, since))
      throw error
    }
    for (const listener of listeners) listener(scope)
  }

  async function workThrough(): Promise<void> {
    while (waiting.size > 0 && !stopped) {
      const [parkId] = waiting.keys()
      try {
        await round(parkId!)
      } catch (error) {
        if (stopped) return
        platform.log.error({ err: error, parkId }, 'what devices should hold could not be worked out; it is tried again')
        await delay(RETRY_MS)
      }
    }
  }

  function run(): Promise<void> {
    clearTimeout(gathering)
    gathering = undefined
    running ??= workThrough().finally(() => {
      running = null
      if (waiting.size > 0 && !stopped) void run()
    })
    return running
  }

  function mark(scope: Scope, marks: Marks): void {
    note(scope.parkId, marks)
    const concernsPersons = marks.persons !== undefined || marks.groups === true || marks.everything === true
    if (!concernsPersons) return
    // What is said of them there, the parks that let them pass hear too.
    for (const host of hosts.get(scope.parkId) ?? [])
      note(host, { guests: { home: scope.parkId, personIds: marks.everything === true ? null : (marks.persons ?? []) } })
  }

  function note(parkId: string, marks: Marks): void {
    const work = workOf(parkId)
    for (const id of marks.persons ?? []) work.persons.add(id)
    for (const id of marks.strategies ?? []) work.strategies.add(id)
    work.groups ||= marks.groups === true
    work.devices ||= marks.devices === true || marks.groups === true
    work.timeRules ||= marks.timeRules === true
    if (marks.guests !== undefined) noteGuests(work.guests, marks.guests.home, marks.guests.personIds)
    work.time ||= marks.time === true
    work.everything ||= marks.everything === true
    if (running === null) gathering ??= setTimeout(() => void run(), GATHER_MS)
  }

  /** A node that has just become the leader holds everything against what the last one stored. */
  function look(): void {
    if (platform.events.term() === term) return
    term = platform.events.term()
    watched = new WeakSet()
    if (term !== null) for (const parkId of registers.keys()) mark({ parkId }, { time: true })
    // The numbers are another node's now: they are read from the database.
    else for (const register of registers.values()) for (const audience of register.audiences()) audience.published.digest = ''
  }

  async function settled(): Promise<void> {
    look()
    while (waiting.size > 0 || running !== null) await run()
  }

  return {
    async start(parkIds) {
      term = platform.events.term()
      looking = setInterval(look, LOOK_EVERY_MS)
      looking.unref()
      for (const parkId of parkIds) mark({ parkId }, { everything: true })
      await settled()
    },
    register: (scope) => registerOf(scope.parkId),
    mark,
    touch(scope, touched) {
      const all = workOf(scope.parkId).touched
      for (const [audienceId, persons] of touched) all.set(audienceId, new Set([...(all.get(audienceId) ?? []), ...persons]))
      mark(scope, {})
    },
    settled,
    onChanged: (listener) => void listeners.push(listener),
    async stop() {
      stopped = true
      clearInterval(looking)
      clearTimeout(gathering)
      await running
    },
  }
}

/** Persons of linked parks, with the park that has each. */
function homesOf(strategies: ReadonlyMap<string, StrategyFacts>): Map<string, string> {
  return new Map(
    [...strategies.values()].flatMap(({ home, personIds }) => (home === undefined ? [] : personIds.map((id) => [id, home] as const))),
  )
}

function noteGuests(all: Work['guests'], home: string, ids: Iterable<string> | null): void {
  const known = all.get(home)
  all.set(home, ids === null || known === null ? null : new Set([...(known ?? []), ...ids]))
}

function merged(one: Work, other: Work): Work {
  const touched: Touched = new Map([...one.touched].map(([id, persons]) => [id, new Set(persons)]))
  for (const [id, persons] of other.touched) touched.set(id, new Set([...(touched.get(id) ?? []), ...persons]))
  const guests: Work['guests'] = new Map()
  for (const [home, ids] of [...one.guests, ...other.guests]) noteGuests(guests, home, ids)
  return {
    persons: new Set([...one.persons, ...other.persons]),
    strategies: new Set([...one.strategies, ...other.strategies]),
    groups: one.groups || other.groups,
    devices: one.devices || other.devices,
    timeRules: one.timeRules || other.timeRules,
    guests,
    time: one.time || other.time,
    everything: one.everything || other.everything,
    touched,
    moved: new Set([...one.moved, ...other.moved]),
  }
}
