/** The health of the parts: the measured values, whether a part is well, and what to do where it is not. */
import { freemem, totalmem } from 'node:os'
import type { ServiceAdvice, ServiceHealth, ServiceJob, ServicePart } from '@gatehouse/contract/development/calls'
import type { Clock } from '../../platform/time/clock.ts'
import type { DeviceChannel } from '../../platform/broker/channel.ts'
import type { Vitals } from '../../platform/vitals.ts'
import { productVersion } from '../system/index.ts'

/** The load of the face engine: photographs being analysed, how many fit, and the number of its threads. */
export interface EngineLoad {
  description: { name: string }
  load(): { taken: number; room: number; threads: number }
  /** Rejects where no thread can load it. */
  ready(): Promise<void>
}

export interface HealthNeeds {
  clock: Clock
  vitals: Vitals
  channel: () => DeviceChannel
  engine: () => EngineLoad
  /** Number of devices of the whole installation, and number of those connected. */
  connected: () => Promise<{ registered: number; connected: number }>
}

type Figure = ServicePart['figures'][number]
type Measured = Omit<ServicePart, 'part'>

/** Latency of an empty query, in milliseconds, above which the database is slow. */
const SLOW_MS = 250
/** Milliseconds a committed event may wait for its number. */
const LATE_MS = 5_000
/** Free fractions of the disk below which it is low, and full. */
const DISK_LOW = 0.1
const DISK_FULL = 0.03
/** Free fraction of the memory below which it is low. */
const MEMORY_LOW = 0.05
/** Fraction of the connections in use above which few are left. */
const CONNECTIONS = 0.9
/**
 * Milliseconds to wait for a failure of the engine. An engine that has not failed by then counts as well; its load shows whether it is
 * busy.
 */
const ENGINE_MS = 1_000

const of = (name: Figure['name'], unit: Figure['unit'], value: number | null): Figure => ({ name, unit, value })
const well = (figures: Figure[]): Measured => ({ state: 'ok', advice: null, figures })
const warn = (advice: ServiceAdvice, figures: Figure[]): Measured => ({ state: 'warn', advice, figures })
const fail = (advice: ServiceAdvice, figures: Figure[] = []): Measured => ({ state: 'fail', advice, figures })

async function database({ vitals }: HealthNeeds): Promise<Measured> {
  const { latency, size, connections, connectionsMax } = await vitals.database()
  const figures = [
    of('latency', 'ms', latency),
    of('size', 'bytes', size),
    of('connections', 'count', connections),
    of('connectionsMax', 'count', connectionsMax),
  ]
  if (latency > SLOW_MS) return warn('databaseSlow', figures)
  return connections > connectionsMax * CONNECTIONS ? warn('connectionsFew', figures) : well(figures)
}

async function broker({ channel, connected }: HealthNeeds): Promise<Measured> {
  const devices = await connected()
  const figures = [of('connected', 'count', devices.connected), of('registered', 'count', devices.registered)]
  return channel().connected ? well(figures) : fail('brokerAway', figures)
}

async function events({ vitals }: HealthNeeds): Promise<Measured> {
  const { head, waiting, oldestMs, failed } = await vitals.events()
  const figures = [
    of('head', 'count', head),
    of('waitingEvents', 'count', waiting),
    of('oldestEvent', 'ms', oldestMs),
    of('failedEvents', 'count', failed),
  ]
  if ((oldestMs ?? 0) > LATE_MS) return fail('eventsLate', figures)
  return failed > 0 ? warn('eventsFailed', figures) : well(figures)
}

function jobs(all: readonly ServiceJob[]): Measured {
  const failed = all.filter(({ outcome }) => outcome === 'failed').length
  const figures = [
    of('jobs', 'count', all.length),
    of('failedJobs', 'count', failed),
    of(
      'lastRun',
      'instant',
      all.reduce<number | null>((last, { lastRunAt }) => (lastRunAt === null || (last ?? 0) > lastRunAt ? last : lastRunAt), null),
    ),
  ]
  if (all.length === 0) return fail('jobsNeverRan', figures)
  return failed > 0 ? warn('jobFailed', figures) : well(figures)
}

async function work({ vitals }: HealthNeeds): Promise<Measured> {
  const { waiting, running, failed } = await vitals.work()
  const figures = [of('runningWork', 'count', running), of('waitingWork', 'count', waiting), of('failedWork', 'count', failed)]
  return failed > 0 ? warn('workFailed', figures) : well(figures)
}

async function storage({ vitals }: HealthNeeds): Promise<Measured> {
  const { free, total, files } = await vitals.storage()
  const figures = [of('free', 'bytes', free), of('total', 'bytes', total), of('files', 'count', files)]
  if (free < total * DISK_FULL) return fail('diskFull', figures)
  return free < total * DISK_LOW ? warn('diskLow', figures) : well(figures)
}

async function faces({ engine }: HealthNeeds): Promise<Measured> {
  const pool = engine()
  const { taken, room, threads } = pool.load()
  const figures = [of('threads', 'count', threads), of('beingAnalysed', 'count', taken), of('room', 'count', room)]
  if (taken >= room) return warn('facesBusy', figures)
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ENGINE_MS)
  try {
    await Promise.race([pool.ready(), promise])
    return well(figures)
  } catch {
    return fail('facesFailed', figures)
  } finally {
    clearTimeout(timer)
  }
}

function ownProcess(): Measured {
  const free = freemem()
  const figures = [
    of('memory', 'bytes', process.memoryUsage.rss()),
    of('memoryFree', 'bytes', free),
    of('uptime', 'seconds', Math.round(process.uptime())),
  ]
  return free < totalmem() * MEMORY_LOW ? warn('memoryLow', figures) : well(figures)
}

const WORST = ['fail', 'warn', 'ok'] as const

/** Return a function that measures all parts at once. A part that cannot be measured has failed, with advice on what to do. */
export function createHealth(needs: HealthNeeds): () => Promise<ServiceHealth> {
  const { clock, vitals, engine } = needs
  const measured = (measuring: Promise<Measured>, away: ServiceAdvice): Promise<Measured> => measuring.catch(() => fail(away))

  return async () => {
    const runs = vitals.jobs().catch(() => null)
    const all = {
      database: measured(database(needs), 'databaseAway'),
      broker: measured(broker(needs), 'brokerAway'),
      events: measured(events(needs), 'eventsLate'),
      jobs: runs.then((found) => (found === null ? fail('databaseAway') : jobs(found))),
      work: measured(work(needs), 'databaseAway'),
      storage: measured(storage(needs), 'diskFull'),
      faces: measured(faces(needs), 'facesFailed'),
      process: Promise.resolve(ownProcess()),
    } satisfies Record<ServicePart['part'], Promise<Measured>>
    const parts = await Promise.all(
      Object.entries(all).map(async ([part, measuring]): Promise<ServicePart> => ({
        part: part as ServicePart['part'],
        ...(await measuring),
      })),
    )
    return {
      state: WORST.find((state) => parts.some((part) => part.state === state)) ?? 'ok',
      version: await productVersion(),
      engine: engine().description.name,
      measuredAt: clock.now(),
      startedAt: Math.round(Date.now() - process.uptime() * 1000),
      parts,
      jobs: (await runs) ?? [],
    }
  }
}
