/**
 * The demo campus, made through public calls. The server marks what the demo creates, so an interrupted start resumes where
 * it stopped. A removal ends the making; a removed demo is not made again.
 */
import type { Server } from '@gatehouse/server/server'
import { COMPANY_NAME, FULL_SIZE, PARK, stepsOf, type DemoSize } from './campus.ts'
import { DemoRemoved, type MakerOptions } from './maker.ts'
import { beginMaking, type DemoCampus, type DemoCredentials, type DemoProgress, type Making, type Report } from './making.ts'

/** File in which version 0.1 noted when the demo began; it stays after a removal. */
const MARKER = 'demo.json'

/** Return what version 0.1 stored of its demo; null where it made none. */
async function madeBefore({ platform }: Server): Promise<Pick<DemoCampus, 'anchor'> | null> {
  return platform.secrets.has(MARKER) ? JSON.parse(await platform.secrets.keep(MARKER, () => '')) : null
}

/** Return the park of an installation that nobody has used yet; null for any other. */
async function unusedPark({ contexts }: Server): Promise<string | null> {
  const organisation = contexts.organisation.service
  const [park, ...others] = organisation.parksBelow(organisation.root().id)
  if (park === undefined || others.length > 0) return null
  const scope = { parkId: park.id }
  const [persons, devices] = await Promise.all([contexts.people.service.summary(scope), contexts.devices.service.all(scope)])
  return persons.total + devices.length === 0 ? park.id : null
}

/**
 * Return the demo campus of an installation: a new one where nobody has used the installation yet, else the one it has.
 * @returns null where it is not wanted, was removed, or the installation holds something else
 */
export async function demoCampusOf(server: Server, size: DemoSize = FULL_SIZE): Promise<DemoCampus | null> {
  const { demo } = server.contexts
  const before = await madeBefore(server)
  const parkId = (await demo.service.park()) ?? (before === null ? await unusedPark(server) : null)
  if (parkId === null) return null
  const scope = { parkId }
  const stored = await demo.service.read(scope)
  if (stored !== undefined && !(await demo.service.isWanted(scope))) return null
  if (stored === undefined || stored.phase === 'preparing')
    await demo.service.begin(scope, stepsOf(size), { company: { name: COMPANY_NAME, zone: PARK.zone }, park: PARK })
  const startedAt = (await demo.service.read(scope))?.beganAt ?? before?.anchor ?? server.platform.clock.now()
  return { parkId, anchor: startedAt, size }
}

/** How the filling ended; `stopped` by the signal. */
export type DemoOutcome = 'complete' | 'removed' | 'stopped'

export interface Demo {
  /** Credentials of the demo terminal; null where its device was deleted. */
  terminal: DemoCredentials | null
  /** Make the rest, and keep the simulated devices connected. */
  fill(onProgress?: (progress: DemoProgress) => void, report?: Report): Promise<DemoOutcome>
  /**
   * Continue the day of a complete demo until it is stopped or removed.
   * @param report called once for each device that the server no longer accepts
   */
  live(report?: Report): Promise<void>
  /** Resolves when a removal has begun and the simulated devices are disconnected. */
  removed: Promise<void>
  /** End the day, and disconnect the devices once the filling has ended, by itself or by the signal. */
  stop(): Promise<void>
}

/**
 * Make what a visitor sees first: groups, devices, rules, strategies and the first persons.
 * @param signal aborts the making; the next start makes what is missing
 * @returns null where the demo was removed meanwhile
 */
export async function startDemo(
  server: Server,
  campus: DemoCampus,
  signal: AbortSignal,
  options: Pick<MakerOptions, 'through'> = {},
): Promise<Demo | null> {
  const { service } = server.contexts.demo
  const removal = new AbortController()
  const unlisten = service.onRemoving(({ parkId }) => {
    if (parkId === campus.parkId) removal.abort(new DemoRemoved())
  })
  /** Return whether an error was caused by the removal. */
  async function isRemoval(error: unknown): Promise<boolean> {
    if (error instanceof DemoRemoved || removal.signal.aborted) return true
    try {
      return !(await service.isWanted(campus))
    } catch {
      // The database is unreachable, which also explains the error.
      return false
    }
  }

  let making: Making
  const leaving = new AbortController()
  const ended = AbortSignal.any([signal, removal.signal])
  try {
    making = await beginMaking(server, campus, { ...options, signal: ended }, AbortSignal.any([ended, leaving.signal]))
  } catch (error) {
    unlisten()
    signal.throwIfAborted()
    if (await isRemoval(error)) return null
    throw error
  }

  async function fill(onProgress: (progress: DemoProgress) => void = () => {}, report: Report = () => {}): Promise<DemoOutcome> {
    try {
      await making.fill(onProgress, report)
      return 'complete'
    } catch (error) {
      if (signal.aborted) return 'stopped'
      if (await isRemoval(error)) return 'removed'
      throw error
    }
  }

  let filling: Promise<DemoOutcome> | undefined
  let living: Promise<void> | undefined
  async function disconnect(): Promise<void> {
    await filling?.catch(() => {})
    leaving.abort()
    await living?.catch(() => {})
    await making.disconnect()
  }
  const { promise: removed, resolve, reject } = Promise.withResolvers<void>()
  const onRemoval = (): void => void disconnect().then(resolve, reject)
  if (removal.signal.aborted) onRemoval()
  else removal.signal.addEventListener('abort', onRemoval, { once: true })

  return {
    terminal: making.terminal,
    removed,
    fill: (onProgress, report) => (filling ??= fill(onProgress, report)),
    live: (report = () => {}) => (living ??= making.live(report)),
    async stop() {
      unlisten()
      await disconnect()
    },
  }
}
