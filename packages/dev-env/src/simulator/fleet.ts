/** Many simulated devices: visitors come to them, misfortunes befall them, and in the end they give account of what they made and hold. */
import { randomOf, type Random } from '@gatehouse/face-engine/portrait/random'
import { createServerClient, type ServerClient, type ServerConnection } from '@gatehouse/terminal/device/server'
import { setTimeout as delay } from 'node:timers/promises'
import { accountOf, audienceOf } from './accounting.ts'
import { Catalogue } from './catalogue.ts'
import { misfortuneOf, strike, traitsOf, type Fault } from './faults.ts'
import { PowerCut } from './journal.ts'
import { OutboxFull } from './outbox.ts'
import type { Account } from './proof.ts'
import { startSimulatedDevice, type SimulatedDevice } from './simulated-device.ts'

export interface Credentials {
  code: string
  secret: string
}

export interface FleetOptions {
  server: string
  devices: readonly Credentials[]
  /** Of the server's face engine. */
  modelId: string
  seed: number
  /** Visitors a second, over all devices. */
  rate?: number
  faults?: Iterable<Fault>
  /** Of each kind of misfortune, for one device in a minute; 1 unless told. */
  misfortunesPerMinute?: number
  /** Comes with one record in ten. */
  picture?: Uint8Array
  /** Devices switched on in a second; 200 unless told. */
  startsPerSecond?: number
  /** Milliseconds between tries to connect. */
  retry?: { first: number; limit: number }
  /** Milliseconds without an acknowledgement after which records are sent again. */
  resendAfter?: number
  log?: (sentence: string) => void
  /** Something of the state of a device changed. */
  onChange?: (code: string) => void
}

export interface FleetFigures {
  devices: number
  online: number
  /** Devices that hold the persons they should, as far as is known. */
  held: number
  behind: number
  made: number
  acknowledged: number
  /** Visitors of whom no record could be kept. */
  turnedAway: number
  picturesMade: number
  picturesWaiting: number
  cuts: number
  vanished: number
  exceptions: number
}

export interface Fleet {
  readonly devices: readonly SimulatedDevice[]
  readonly catalogue: Catalogue
  /** Asks the server what each audience should hold; `figures` counts by it. */
  look(): Promise<void>
  figures(): FleetFigures
  /** Visitors come and misfortunes befall from now on. */
  begin(): void
  /** Ends visitors and misfortunes: power and lines are back. */
  calm(): void
  /** Resolves with true when every device has sent everything and holds what it should; false when the time is over. */
  settled(timeout: number): Promise<boolean>
  /** @throws what went wrong with a visit and should not have */
  accounts(): Promise<Account[]>
  stop(): Promise<void>
}

const TICK_MS = 50
const RETRY = { first: 500, limit: 5_000 }
/** Devices asked at the same time for their account. */
const AT_ONCE = 20

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const {
    server,
    modelId,
    seed,
    rate = 0,
    misfortunesPerMinute = 1,
    picture,
    startsPerSecond = 200,
    retry = RETRY,
    resendAfter,
    log,
    onChange = () => {},
  } = options
  const faults = new Set(options.faults)
  const catalogue = new Catalogue()
  const devices: SimulatedDevice[] = []
  /** Ids that were given out, by device. */
  const ledger = new Map<SimulatedDevice, Set<string>>()
  const fortune = randomOf(`${seed} fortune`)
  const visitors = randomOf(`${seed} visitors`)
  const pending = new Map<SimulatedDevice, { timer: NodeJS.Timeout; end: () => void }>()
  const wanted = new Map<string, string>()
  const secrets = new Map(options.devices.map(({ code, secret }) => [code, secret]))
  const clients = new Map<string, ServerConnection>()
  /** Asks as a device does, beside its line; signs in once. */
  function asking({ code }: SimulatedDevice): ServerClient {
    const client = clients.get(code) ?? createServerClient({ server, code, secret: secrets.get(code)! })
    clients.set(code, client)
    return client
  }
  const counts = { turnedAway: 0, picturesMade: 0, cuts: 0, vanished: 0 }
  /** What no device should come to; told with the accounts. */
  let failure: unknown
  let due = 0

  async function switchOn({ code, secret }: Credentials): Promise<void> {
    const random = randomOf(`${seed} ${code}`)
    const { store, ...traits } = traitsOf(faults, code, modelId, random)
    const device = await startSimulatedDevice({
      ...traits,
      server,
      code,
      secret,
      retry,
      resendAfter,
      random: () => random.next(),
      onChange: () => onChange(code),
      log: log && ((sentence) => log(`${code}: ${sentence}`)),
      store: { ...store, catalogue },
    })
    devices.push(device)
    ledger.set(device, new Set())
  }

  async function visit(device: SimulatedDevice, random: Random): Promise<void> {
    const { holdings } = device.store.disk
    const place = random.next()
    const person = random.chance(0.05) ? undefined : holdings.somebody(place)
    const shown = random.chance(0.1) ? picture : undefined
    // Who is known is so at a device of fifty thousand faces, too.
    const score = person === undefined ? random.between(10, 60) : random.between(112, 130)
    try {
      const queued = await device.pass({ personId: person?.id ?? null, score, moment: device.clock.now() }, shown)
      if (queued === null) counts.turnedAway++
      else {
        ledger.get(device)!.add(queued.id)
        if (shown !== undefined) counts.picturesMade++
      }
    } catch (error) {
      counts.turnedAway++
      if (!(error instanceof PowerCut || error instanceof OutboxFull)) failure ??= error
    }
  }

  function befall(device: SimulatedDevice): void {
    if (pending.has(device)) return
    const misfortune = misfortuneOf(faults, (misfortunesPerMinute * TICK_MS) / 60_000, fortune)
    if (misfortune === null) return
    const end = strike(device, misfortune, fortune)
    if (misfortune.kind === 'cut') counts.cuts++
    else counts.vanished++
    const over = (): void => {
      pending.delete(device)
      end()
    }
    pending.set(device, { timer: setTimeout(over, misfortune.lasts), end: over })
  }

  function tick(): void {
    due += (rate * TICK_MS) / 1000
    for (; due >= 1; due--) if (devices.length > 0) void visit(visitors.pick(devices), visitors)
    if (faults.size > 0) for (const device of devices) befall(device)
  }

  let ticking: NodeJS.Timeout | undefined
  let stopped = false
  const starting = (async () => {
    for (const [index, credentials] of options.devices.entries()) {
      if (stopped) return
      await switchOn(credentials)
      if ((index + 1) % Math.ceil(startsPerSecond / 20) === 0) await delay(50)
    }
  })()

  const holdsWanted = (device: SimulatedDevice): boolean => {
    const held = device.state()?.held
    return held != null && wanted.get(held.audience) === held.digest
  }

  async function look(): Promise<void> {
    const askable = new Map(
      devices.flatMap((device) => {
        const state = device.state()
        return state?.link.kind === 'online' && state.held !== null ? [[state.held.audience, device] as const] : []
      }),
    )
    await Promise.all(
      [...askable].map(async ([audience, device]) => {
        try {
          wanted.set(audience, (await audienceOf(asking(device), audience)).digest)
        } catch {
          // The device belongs to another audience by now, or the server is away.
          wanted.delete(audience)
        }
      }),
    )
  }

  function figures(): FleetFigures {
    const states = devices.map((device) => device.state())
    const online = states.filter((state) => state?.link.kind === 'online').length
    const held = devices.filter(holdsWanted).length
    const made = [...ledger.values()].reduce((total, ids) => total + ids.size, 0)
    const waiting = devices.reduce((total, { store }) => total + store.disk.outbox.length(), 0)
    const picturesWaiting = devices.reduce((total, { store }) => total + store.disk.pictures.length(), 0)
    const exceptions = devices.reduce((total, { store }) => total + store.disk.holdings.exceptions().size, 0)
    return {
      devices: options.devices.length,
      online,
      held,
      behind: options.devices.length - held,
      made,
      acknowledged: made - waiting,
      picturesWaiting,
      exceptions,
      ...counts,
    }
  }

  function calm(): void {
    clearInterval(ticking)
    ticking = undefined
    for (const { timer, end } of pending.values()) {
      clearTimeout(timer)
      end()
    }
  }

  const isDone = (device: SimulatedDevice): boolean => {
    const state = device.state()
    return state !== null && state.link.kind === 'online' && state.queue.records + state.queue.pictures === 0 && holdsWanted(device)
  }

  return {
    devices,
    catalogue,
    look,
    figures,
    begin: () => void (ticking ??= setInterval(tick, TICK_MS)),
    calm,
    async settled(timeout) {
      await starting
      const end = Date.now() + timeout
      for (;;) {
        await look()
        if (devices.every(isDone)) return true
        if (Date.now() > end) return false
        await delay(200)
      }
    },
    async accounts() {
      if (failure !== undefined) throw failure
      const accounts: Account[] = []
      for (let from = 0; from < devices.length; from += AT_ONCE)
        accounts.push(
          ...(await Promise.all(
            devices.slice(from, from + AT_ONCE).map((device) => accountOf(device, ledger.get(device)!, asking(device))),
          )),
        )
      return accounts
    },
    async stop() {
      stopped = true
      calm()
      await starting
      await Promise.all(devices.map((device) => device.stop()))
      for (const client of clients.values()) client.close()
    },
  }
}
