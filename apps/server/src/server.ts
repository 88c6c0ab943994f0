/** Puts the server together: platform, contexts in an explicit order, gateway, live screens. */
import { BUILTIN_ENGINE, FacePool, engineOf } from '@gatehouse/face-engine'
import { offsetMinutes } from '@gatehouse/access-rules'
import type { FastifyInstance } from 'fastify'
import { createAccess } from './contexts/access/index.ts'
import { createDevices, devicesChanged, devicesDeleted } from './contexts/devices/index.ts'
import { createFaces } from './contexts/faces/index.ts'
import { createIdentity, isPublicClient } from './contexts/identity/index.ts'
import { createOrganisation } from './contexts/organisation/index.ts'
import { createPeople } from './contexts/people/index.ts'
import type { Config } from './config.ts'
import { gatewayHandlers } from './gateway/calls.ts'
import { createGateway } from './gateway/gateway.ts'
import { openChannel, type DeviceChannel } from './platform/channel.ts'
import { systemClock, type Clock } from './platform/clock.ts'
import type { Context, MountedCall, Platform } from './platform/context.ts'
import { openCrypto } from './platform/crypto.ts'
import { openDatabase } from './platform/database.ts'
import { createEvents } from './platform/events.ts'
import { createHistory } from './platform/history.ts'
import { createHttp } from './platform/http.ts'
import { startJobs, type Jobs } from './platform/jobs.ts'
import { createLog } from './platform/log.ts'
import { migrate, type ContextMigration } from './platform/migrations.ts'
import { platformMigrations } from './platform/schema.ts'
import { outboxUpkeep } from './platform/outbox-upkeep.ts'
import { openSecrets, randomKey } from './platform/secrets.ts'
import type { Authenticator } from './platform/session.ts'
import { openStorage } from './platform/storage.ts'
import { createWork } from './platform/work.ts'
import { mountDocumentation } from './platform/documentation.ts'
import { mountFiles } from './platform/files.ts'
import { createLiveFeed } from './realtime/feed.ts'
import { serveStomp } from './realtime/stomp.ts'

export interface ServerOptions {
  config: Config
  /** Where PostgreSQL answers; the caller has started it. */
  connectionString: string
  clock?: Clock
  /** A pool shared by several servers of one process, as in tests; otherwise the server has its own. */
  facePool?: FacePool
  /** Progress for the person who starts it. */
  onStep?(step: string): void
}

export interface Server {
  url: string
  port: number
  mqttPort: number
  /** Made at the very first start, when none was given. */
  initialPassword: string | null
  platform: Platform
  contexts: ReturnType<typeof compose>
  stop(): Promise<void>
}

/** The contexts, wired; each sees only what it is handed. */
function compose(platform: Platform, pool: FacePool, channel: () => DeviceChannel) {
  const list: Context[] = []
  const organisation = createOrganisation(platform, {
    parksOf: (userId) => identity.service.parksOf(userId),
    roleNameOf: async (userId) => (await identity.service.rolesOf(userId))[0]?.name ?? '',
    moveSession: (tokenId, parkId) => identity.service.moveSession(tokenId, parkId),
    contexts: () => list,
  })
  const identity = createIdentity(platform, organisation.service)
  const faces = createFaces(platform, pool, {
    persons: (scope, ids) => people.service.describe(scope, ids),
    countPersons: (scope) => people.service.count(scope),
  })
  const people = createPeople(platform, faces.service)
  const devices = createDevices(platform, { door: () => gateway, holdings: (scope, ids) => access.service.synchronisation.holdings(scope, ids) })
  const access = createAccess(platform, {
    people: people.service,
    groups: people.groups,
    faces: faces.service,
    devices: devices.service,
    organisation: organisation.service,
    deviceEvents: { devicesChanged, devicesDeleted },
  })
  const gateway = createGateway(platform, { access: access.service, devices: devices.service })
  const terminalCalls = gatewayHandlers(platform, {
    access: access.service,
    devices: devices.service,
    faces: faces.service,
    people: people.service,
    channel,
  })
  list.push(organisation, identity, faces, people, devices, access)
  return { list, organisation, identity, faces, people, devices, access, gateway, terminalCalls }
}

/** All migrations, in the order of their names. */
export const migrationsOf = (contexts: readonly Context[]): ContextMigration[] => [...platformMigrations, ...contexts.flatMap((context) => context.migrations)]

/** Every call that is mounted. */
export const callsOf = (composed: Pick<ReturnType<typeof compose>, 'list' | 'terminalCalls'>): MountedCall[] => [
  ...composed.list.flatMap((context) => context.calls),
  ...composed.terminalCalls,
]

/** The mounted calls and contexts without anything behind them: for the inventory, which only reads tables. */
export function composeUnstarted(): ReturnType<typeof compose> {
  const platform = { config: {}, events: { consume: () => {} }, work: { define: () => {} } } as unknown as Platform
  return compose(platform, { description: BUILTIN_ENGINE } as unknown as FacePool, () => {
    throw new Error('nothing is started')
  })
}

/** Starts everything and answers once the server takes requests. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { config, onStep = () => {} } = options
  const log = createLog(config.logLevel)
  const clock = options.clock ?? systemClock
  const handle = openDatabase(options.connectionString)
  const events = createEvents(handle, log)
  const secrets = openSecrets(config.dataDir)
  const pool = options.facePool ?? new FacePool({ engine: await engineOf(config.modelDir), workers: config.faceWorkers })

  onStep('database')
  const crypto = await openCrypto(handle.db as never, secrets, config.keyFile)
  const longWork = createWork({ db: handle.db, clock, log, leading: events.leading })
  const platform: Platform = {
    config,
    clock,
    log,
    db: handle.db,
    events,
    history: createHistory(handle.db, clock),
    secrets,
    crypto,
    storage: openStorage(config.dataDir, handle.db as never, crypto, clock),
    work: longWork,
    async transaction(work) {
      const result = await handle.db.transaction().execute((tx) => work(tx as never))
      events.poke()
      return result
    },
  }

  let channel: DeviceChannel | null = null
  const composed = compose(platform, pool, () => {
    if (channel === null) throw new Error('the broker is not up')
    return channel
  })
  await migrate(handle.db, migrationsOf(composed.list))
  // From here on, what another node changes reaches the caches that are filled now.
  await events.begin()
  onStep('contexts')
  for (const context of composed.list) await context.start?.()

  const authenticator: Authenticator = {
    session: (token) => composed.identity.service.session(token),
    client: async (id, secret) => isPublicClient(id, secret),
    device: (code, secret) => composed.devices.service.authenticate(code, secret),
  }
  const calls = callsOf(composed)
  const installationZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const app = await createHttp({ platform, authenticator, calls, offsetOf: (session) => offsetMinutes(clock.now(), session?.park.zone ?? installationZone) })
  mountFiles(app, platform)
  mountDocumentation(app, calls)
  mountHealth(app, async () => {
    await handle.pool.query('SELECT 1')
    if (channel?.connected !== true) throw new Error('the broker is not up')
  })
  const stomp = serveStomp(app.server, authenticator)
  const feed = createLiveFeed(
    platform,
    () => stomp,
    { access: composed.access.service, devices: composed.devices.service, organisation: composed.organisation.service },
  )

  onStep('broker')
  channel = await openChannel({
    url: config.mqttUrl,
    port: config.mqttPort,
    mayMove: !config.mqttPortGiven,
    host: config.host,
    serverKey: await secrets.keep('broker.key', randomKey),
    log,
    credentialOf: (code) => composed.devices.service.credentialOf(code),
  })
  await events.start()
  await composed.access.service.synchronisation.start()
  composed.gateway.start(channel)
  longWork.start()

  onStep('listening')
  const address = await listen(app, config)
  const jobs: Promise<Jobs> = startJobs(options.connectionString, [outboxUpkeep(platform), ...composed.list.flatMap((context) => context.jobs ?? [])], log)
  jobs.catch((error: unknown) => log.error({ err: error }, 'background jobs did not start'))

  let stopping: Promise<void> | null = null
  async function stop(): Promise<void> {
    await longWork.stop()
    await jobs.then((started) => started.stop()).catch(() => {})
    feed.stop()
    await stomp.stop()
    await app.close()
    await composed.gateway.stop()
    await channel?.stop()
    await events.stop()
    for (const context of composed.list.toReversed()) await context.stop?.()
    if (options.facePool === undefined) await pool.close()
    await handle.close()
  }
  return {
    ...address,
    mqttPort: channel.port,
    initialPassword: composed.identity.service.initialPassword(),
    platform,
    contexts: composed,
    stop: () => (stopping ??= stop()),
  }
}

async function listen(app: FastifyInstance, config: Config): Promise<{ url: string; port: number }> {
  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw new Error(`port ${config.port} is in use; set PORT to a free one`, { cause: error })
    throw error
  }
  const { port } = app.server.address() as { port: number }
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host
  return { url: `http://${host}:${port}`, port }
}

/** `/healthz`: the process answers. `/readyz`: database, broker and storage do too. */
function mountHealth(app: FastifyInstance, ready: () => Promise<void>): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    try {
      await ready()
      return { status: 'ready' }
    } catch {
      return reply.status(503).send({ status: 'not ready' })
    }
  })
}

