/**
 * The demo campus, made through public calls. The server marks what the demo creates, so an interrupted start resumes where
 * it stopped. A removal ends the making; a removed demo is not made again.
 */
import type { Server } from '@gatehouse/server/server'
import { COMPANY_NAME, FULL_SIZE, PARK, stepsOf, type DemoSize } from './campus.ts'
import { DemoRemoved, type MakerOptions } from './maker.ts'
import { beginMaking, type DemoCampus, type DemoCredentials, type DemoProgress, type Making, type Tell } from './making.ts'

/** The file of version 0.1 that says when the demo began; it stays after a removal. */
const MARKER = 'demo.json'

/** What version 0.1 kept of its demo; null where it made none. */
async function madeBefore({ platform }: Server): Promise<Pick<DemoCampus, 'anchor'> | null> {
  return platform.secrets.has(MARKER) ? JSON.parse(await platform.secrets.keep(MARKER, () => '')) : null
}

/** The park of an installation nobody has used yet; null for any other. */
async function unusedPark({ contexts }: Server): Promise<string | null> {
  const organisation = contexts.organisation.service
  const [park, ...others] = organisation.parksBelow(organisation.root().id)
  if (park === undefined || others.length > 0) return null
  const scope = { parkId: park.id }
  const [persons, devices] = await Promise.all([contexts.people.service.summary(scope), contexts.devices.service.all(scope)])
  return persons.total + devices.length === 0 ? park.id : null
}

/**
 * The demo campus of an installation: taken up on one nobody has used yet, found again on one that has it.
 * @returns null where it is not wanted, was removed, or the installation holds something else
 */
export async function demoCampusOf(server: Server, size: DemoSize = FULL_SIZE): Promise<DemoCampus | null> {
  const { demo } = server.contexts
  const before = await madeBefore(server)
  const parkId = (await demo.service.park()) ?? (before === null ? await unusedPark(server) : null)
  if (parkId === null) return null
  const scope = { parkId }
  const known = await demo.service.read(scope)
  if (known !== undefined && !(await demo.service.isWanted(scope))) return null
  if (known === undefined || known.phase === 'preparing')
    await demo.service.begin(scope, stepsOf(size), { company: { name: COMPANY_NAME, zone: PARK.zone }, park: PARK })
  const beganAt = (await demo.service.read(scope))?.beganAt ?? before?.anchor ?? server.platform.clock.now()
  return { parkId, anchor: beganAt, size }
}

/** How the filling ended: `stopped` by the signal. */
export type DemoOutcome = 'complete' | 'removed' | 'stopped'

export interface Demo {
  /** How the demo terminal presents itself; null where its device has been deleted. */
  terminal: DemoCredentials | null
  /** Makes the rest, and keeps the simulated devices connected. */
  fill(onProgress?: (progress: DemoProgress) => void, tell?: Tell): Promise<DemoOutcome>
  /** Goes on with the day of a complete demo, until it is stopped or removed. @param tell told once of each device the server no longer takes */
  live(tell?: Tell): Promise<void>
  /** Resolves when a removal has begun and the simulated devices are disconnected. */
  removed: Promise<void>
  /** Ends the day, and disconnects the devices once the filling has ended, by itself or by the signal. */
  stop(): Promise<void>
}

/**
 * Makes what a visitor sees first: groups, devices, rules, strategies and the first persons.
 * @param signal breaks everything off; what is missing is made by the next start
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
  /** Whether an error was caused by the removal. */
  async function isRemoval(error: unknown): Promise<boolean> {
    if (error instanceof DemoRemoved || removal.signal.aborted) return true
    try {
      return !(await service.isWanted(campus))
    } catch {
      // The database is away, which also explains the error.
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

  async function fill(onProgress: (progress: DemoProgress) => void = () => {}, tell: Tell = () => {}): Promise<DemoOutcome> {
    try {
      await making.fill(onProgress, tell)
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
    fill: (onProgress, tell) => (filling ??= fill(onProgress, tell)),
    live: (tell = () => {}) => (living ??= making.live(tell)),
    async stop() {
      unlisten()
      await disconnect()
    },
  }
}
