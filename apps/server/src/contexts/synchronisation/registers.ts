/**
 * Keeps the registers of all parks up to date with events, logs changes, and records which devices changed their audience. Events only mark
 * what is to be read again; all marks are read together, one park after the other.
 */
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import { logChanges } from './change-log.ts'
import * as data from './data.ts'
import type { Audience, Touched } from './audience.ts'
import { createRegisterReading } from './register-reading.ts'
import { createRegisterQueue } from './register-queue.ts'
import { noWork, type Marks, type Work } from './register-work.ts'
import { ParkRegister } from './register.ts'
import type { RegisterSources } from './sources.ts'

export interface Registers {
  /** Read all parks. Events must flow already, so that no change is missed between the reading and the first event. */
  start(parkIds: readonly string[]): Promise<void>
  register(scope: Scope): ParkRegister
  mark(scope: Scope, marks: Marks): void
  /** Resolve when everything marked so far is in the register and, on the leading node, in the log. */
  settled(): Promise<void>
  /** Log these persons again, with new numbers, so that they are sent again. */
  touch(scope: Scope, touched: Touched): void
  /** Call a listener after each update of a register; on the leading node the change is logged by then. */
  onChanged(listener: (scope: Scope) => void): void
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 500

export function createRegisters(platform: Platform, sources: RegisterSources): Registers {
  const db = platform.db
  const registers = new Map<string, ParkRegister>()
  /** By home park, the parks that let its persons pass. */
  const hosts = new Map<string, Set<string>>()
  const listeners: ((scope: Scope) => void)[] = []
  /** Audiences whose stored digest has been compared with the register since this node leads. */
  let compared = new WeakSet<Audience>()
  let term: number | null = null
  let looking: NodeJS.Timeout | undefined

  function registerOf(parkId: string): ParkRegister {
    let register = registers.get(parkId)
    if (register === undefined) registers.set(parkId, (register = new ParkRegister(parkId)))
    return register
  }

  /** Mark changes of persons of the home park for the host, too, from now on. */
  function addHost(host: string, home: string): void {
    const ofHome = hosts.get(home)
    if (ofHome === undefined) hosts.set(home, new Set([host]))
    else ofHome.add(host)
  }

  const reading = createRegisterReading(platform, sources, addHost)

  async function bringUpToDate(scope: Scope, work: Work): Promise<void> {
    if (!work.everything) return reading.update(scope, registerOf(scope.parkId), work)
    const fresh = await reading.all(scope)
    for (const { id } of fresh.devices()) work.moved.add(id)
    registers.set(scope.parkId, fresh)
  }

  async function log(scope: Scope, work: Work, isFirst: boolean): Promise<void> {
    const register = registerOf(scope.parkId)
    const notCompared = register.audiences().filter((audience) => !compared.has(audience))
    await logChanges(
      platform,
      scope,
      register,
      work.touched,
      notCompared.map(({ id }) => id),
    )
    for (const audience of notCompared) compared.add(audience)
    work.touched = new Map()
    const moved = [...work.moved].filter((id) => register.device(id) !== undefined)
    await data.saveAssignments(scope, db, moved, platform.clock.now(), isFirst)
    work.moved = new Set()
  }

  const queue = createRegisterQueue(platform, {
    async work(scope, work) {
      const isFirst = work.everything
      await bringUpToDate(scope, work)
      Object.assign(work, noWork(), { touched: work.touched, moved: work.moved })
      if (platform.events.leading()) await log(scope, work, isFirst)
    },
    done(scope) {
      for (const listener of listeners) listener(scope)
    },
  })

  function mark(scope: Scope, marks: Marks): void {
    queue.add(scope.parkId, marks)
    const concernsPersons = marks.persons !== undefined || marks.groups === true || marks.everything === true
    if (!concernsPersons) return
    // Parks that let persons of this park pass read them, too.
    for (const host of hosts.get(scope.parkId) ?? [])
      queue.add(host, { guests: { home: scope.parkId, personIds: marks.everything === true ? null : (marks.persons ?? []) } })
  }

  /** On a node that has just become the leader, compare everything with what the previous leader stored. */
  function look(): void {
    if (platform.events.term() === term) return
    term = platform.events.term()
    compared = new WeakSet()
    if (term !== null) for (const parkId of registers.keys()) mark({ parkId }, { time: true })
    // Another node writes the numbers now: they are read from the database.
    else for (const register of registers.values()) for (const audience of register.audiences()) audience.published.digest = ''
  }

  async function settled(): Promise<void> {
    look()
    await queue.settled()
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
      const all = queue.workOf(scope.parkId).touched
      for (const [audienceId, persons] of touched) all.set(audienceId, new Set([...(all.get(audienceId) ?? []), ...persons]))
      mark(scope, {})
    },
    settled,
    onChanged: (listener) => void listeners.push(listener),
    async stop() {
      clearInterval(looking)
      await queue.stop()
    },
  }
}
