/** What happens to a world in a round: which process is killed or cut off, during what, and how long after. */
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { randomOf, type Random } from '@gatehouse/face-engine/portrait/random'
import type { Proxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'
import type { Draws } from './depth.ts'
import type { Changes } from './kill-changes.ts'
import type { KillWorld } from './kill-world.ts'

export const VICTIMS = ['server', 'database', 'connection', 'network', 'terminal'] as const
export const VICTIMS_WITH_BROKER = [...VICTIMS, 'broker'] as const
/**
 * `sync`: a change was just confirmed · `upload`: a record was just created · `commit`: records were just stored · `acknowledgement`: a
 * device was just notified of it.
 */
export const PHASES = ['sync', 'upload', 'commit', 'acknowledgement'] as const

export type Victim = (typeof VICTIMS_WITH_BROKER)[number]
export type Phase = (typeof PHASES)[number]

export interface Round {
  number: number
  /** Determines the moment, the devices and the duration of a network failure. */
  seed: string
  victim: Victim
  phase: Phase
}

/** Yield all pairs of victim and phase, again and again, each time in another order that the seed determines. */
export function* rounds(seed: string, victims: readonly Victim[]): Generator<Round, never> {
  const pairs = victims.flatMap((victim) => PHASES.map((phase) => ({ victim, phase })))
  for (let number = 1; ;) {
    const random = randomOf(`${seed} order ${number}`)
    const order = pairs.map((pair) => ({ pair, at: random.next() })).toSorted((one, other) => one.at - other.at)
    for (const { pair } of order) {
      yield { number, seed: `${seed}/${number}`, ...pair }
      number++
    }
  }
}

/** Maximum delay between the event that is waited for and the kill, in milliseconds. */
const MOMENT_MS = 120
/** The event may not occur, because something killed before is not back: then the kill happens anyway. */
const WATCH_MS = 6_000

/** A failure of network connections. */
interface Trouble {
  lasts: boolean
  begin(line: Proxy): void
  end(line: Proxy): void
}

const restore = (line: Proxy) => line.restore()
const cutAndRestore = (line: Proxy) => {
  line.cut()
  line.restore()
}
const TROUBLES = {
  'left in silence': { lasts: false, begin: (line) => line.abandon(), end: () => {} },
  cut: { lasts: true, begin: (line) => line.cut(), end: restore },
  hung: { lasts: true, begin: (line) => line.hang(), end: restore },
  'hung and cut': { lasts: true, begin: (line) => line.hang(), end: cutAndRestore },
  slow: { lasts: true, begin: (line) => line.slow(200), end: restore },
} as const satisfies Record<string, Trouble>
type TroubleName = keyof typeof TROUBLES
/** Silence is seldom drawn: a device needs half a minute to notice it. */
export const TROUBLE_WEIGHTS: Record<TroubleName, number> = { 'left in silence': 6, cut: 44, hung: 15, 'hung and cut': 15, slow: 20 }

export interface Blow {
  /** Milliseconds after the event that was waited for; null when it did not occur. */
  moment: number | null
  /** What was done, in words. */
  words: string
}

/** Return functions that strike a world, round by round, and stop. @param troubles failures of its network */
export function createStriker(
  world: KillWorld,
  changes: Changes,
  troubles: Draws<TroubleName>,
): { strike(round: Round): Promise<Blow>; stop(): Promise<void> } {
  let client: pg.Client | null = null

  /** Return the sum of the numbers up to which records are stored; null while the database is down. */
  async function storedSum(): Promise<number | null> {
    try {
      if (client === null) {
        const opened = new pg.Client({ connectionString: world.database.connectionString, application_name: 'observer' })
        opened.on('error', () => (client = null))
        await opened.connect()
        client = opened
      }
      const { rows } = await client.query<{ sum: string }>('SELECT coalesce(sum(ack_seq), 0) AS sum FROM device_epoch')
      return Number(rows[0]!.sum)
    } catch {
      client = null
      return null
    }
  }

  const newsSum = (read: (news: NonNullable<ReturnType<KillWorld['devices'][number]['news']>>) => number) =>
    world.devices.reduce((total, device) => total + (device.news() === null ? 0 : read(device.news()!)), 0)

  /** Counters that change in each phase; they only grow while nothing is killed. */
  const COUNTERS: Record<Phase, () => Promise<number | null> | number> = {
    sync: () => changes.counts().done,
    upload: () => newsSum(({ link, made }) => (link === 'online' ? made : 0)),
    commit: storedSum,
    acknowledgement: () => newsSum(({ made, queue }) => made - queue.records),
  }

  async function watch(phase: Phase): Promise<boolean> {
    const counter = COUNTERS[phase]
    const end = Date.now() + WATCH_MS
    let before = await counter()
    while (Date.now() < end) {
      await delay(3)
      const now = await counter()
      if (now !== null && before !== null && now > before) return true
      before = now
    }
    return false
  }

  const STRIKES: Record<Victim, (random: Random) => Promise<string>> = {
    async server(random) {
      await world.server.kill()
      await delay(random.between(0, 200))
      await world.server.start()
      return 'killed'
    },
    async database(random) {
      await world.database.kill()
      await delay(random.between(0, 300))
      await world.database.start()
      return 'killed'
    },
    async connection(random) {
      const place = random.next()
      await until('a connection', () => world.database.killBackend((backends) => Math.floor(place * backends)))
      return 'one killed, and with it all'
    },
    async broker(random) {
      await world.broker!.kill()
      await delay(random.between(0, 300))
      await world.broker!.start()
      return 'killed'
    },
    async terminal(random) {
      const device = random.pick(world.devices)
      await device.kill()
      await delay(random.between(0, 300))
      await device.start()
      return `${device.code} killed`
    },
    async network(random) {
      const some = random.chance(0.5) ? world.devices : [random.pick(world.devices)]
      const lines = some.flatMap(({ network }) => network)
      const name = troubles.next()
      const trouble: Trouble = TROUBLES[name]
      const lasts = trouble.lasts ? random.between(100, 1_200) : 0
      for (const line of lines) trouble.begin(line)
      await delay(lasts)
      for (const line of lines) trouble.end(line)
      return `${some.map(({ code }) => code).join(' ')} ${name}${trouble.lasts ? ` for ${Math.round(lasts)} ms` : ''}`
    },
  }

  return {
    async strike({ seed, victim, phase }) {
      const random = randomOf(seed)
      const met = await watch(phase)
      const moment = Math.floor(random.between(0, MOMENT_MS))
      await delay(moment)
      return { moment: met ? moment : null, words: await STRIKES[victim](random) }
    },
    stop: async () => client?.end().catch(() => {}),
  }
}
