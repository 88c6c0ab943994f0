/** Puts the server together: platform, contexts in an explicit order, gateway, live screens. */
import { FacePool, engineOf } from '@gatehouse/face-engine'
import { offsetMinutes } from '@gatehouse/access-rules'
import type { FastifyInstance } from 'fastify'
import { callsOf, compose, migrationsOf, type Contexts } from './contexts.ts'
import { isPublicClient } from './contexts/identity/index.ts'
import type { Config } from './config.ts'
import { boundFiles } from './platform/storage/bound-files.ts'
import { openChannel, type DeviceChannel } from './platform/broker/channel.ts'
import { systemClock, type Clock } from './platform/time/clock.ts'
import type { Platform } from './platform/context.ts'
import { openCrypto } from './platform/encryption/crypto.ts'
import { openDatabase, type OpenTransaction } from './platform/database/database.ts'
import { collectExtensions } from './platform/extension-points.ts'
import { createEvents } from './platform/events/events.ts'
import { createHistory } from './platform/database/history.ts'
import { createHttp } from './platform/http/http.ts'
import { startJobs, type Job, type Jobs } from './platform/jobs/jobs.ts'
import { createAudit } from './platform/audit/audit.ts'
import { createLog } from './platform/log.ts'
import { createMessages } from './platform/messages/messages.ts'
import type { Ticks } from './platform/http/minimum-rate.ts'
import { migrate } from './platform/database/migrations.ts'
import { outboxUpkeep } from './platform/events/outbox-upkeep.ts'
import { createParsing, type Parsing } from './platform/documents/parsing.ts'
import { assertRestored } from './platform/database/restore-mark.ts'
import { openSecrets, randomKey } from './platform/encryption/secrets.ts'
import { type Authenticator } from './platform/session/session.ts'
import { openStorage } from './platform/storage/storage.ts'
import { openTransport } from './platform/transport/transport.ts'
import type { MeasureSpace } from './platform/storage/upload-share.ts'
import { createWork } from './platform/jobs/work.ts'
import { mountDocumentation } from './platform/http/documentation.ts'
import { assertApart, mountFiles } from './platform/http/files.ts'
import { createLiveFeed } from './realtime/feed.ts'
import { serveStomp } from './realtime/stomp.ts'

export interface ServerOptions {
  config: Config
  /** Where PostgreSQL answers; the caller has started it. */
  connectionString: string
  clock?: Clock
  /** A pool shared by several servers of one process, as in tests; otherwise the server has its own. */
  facePool?: FacePool
  /** Reads uploads in place of the server's own; the caller stops it. */
  parsing?: Parsing
  /** When a background job starts by itself, as a cron expression in UTC; by its own schedule unless told. */
  scheduleOf?(job: Job): string
  /** Ends everything and starts it again, at an administrator's wish. */
  onRestart?(): void
  /** Seconds by which slow request bodies are judged; real ones unless told. */
  ticks?: Ticks | undefined
  /** Room of the disk; the real one unless told. */
  space?: MeasureSpace | undefined
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
  contexts: Contexts
  stop(): Promise<void>
}

/** Starts everything and answers once the server takes requests. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { config, onStep = () => {} } = options
  assertApart(config.dataDir, config.consoleDir)
  assertRestored(config.dataDir)
  const log = createLog(config.logLevel)
  const clock = options.clock ?? systemClock
  const handle = openDatabase(options.connectionString)
  const events = createEvents(handle, log)
  const secrets = openSecrets(config.dataDir)
  const pool = options.facePool ?? new FacePool({ engine: await engineOf(config.modelDir), workers: config.faceWorkers })
  // Whoever comes first must not wait for the models; that they cannot be loaded is told to whoever asks for them.
  if (options.facePool === undefined) void pool.ready().catch(() => {})

  onStep('database')
  // A connection apart: whoever seals within a transaction would wait for one of the pool while holding another.
  const keys = openDatabase(options.connectionString, 1)
  const crypto = await openCrypto(keys.db as never, secrets, config.keyFile, log)
  const longWork = createWork({ db: handle.db, clock, log, leading: events.leading })
  const audit = createAudit(handle.db, clock, crypto, (error) => log.error({ err: error }, 'a read could not be noted'))
  const transport = await openTransport(config, secrets, (sentence) => log.warn(sentence))
  const messages = createMessages({ db: handle.db, config, clock, crypto, log })
  const extensions = collectExtensions()
  let channel: DeviceChannel | null = null
  const platform: Platform = {
    config,
    clock,
    log,
    db: handle.db,
    events,
    history: createHistory(handle.db, clock),
    audit,
    messages,
    secrets,
    transport,
    crypto,
    storage: openStorage(config.dataDir, handle.db as never, crypto, clock),
    parsing: options.parsing ?? createParsing(),
    work: longWork,
    restart: options.onRestart ?? null,
    extensions,
    channel() {
      if (channel === null) throw new Error('the broker is not up')
      return channel
    },
    async transaction(work) {
      let open: OpenTransaction | null = null
      const result = await audit.transaction((write) =>
        handle.db.transaction().execute(async (tx) => {
          open = tx as unknown as OpenTransaction
          const made = await work(tx as never)
          await write(open)
          return made
        }),
      )
      // What it wakes works for everybody and belongs to no call.
      audit.apart(() => {
        events.poke()
        if (open !== null) messages.committed(open)
      })
      return result
    },
  }

  const { contexts, list } = compose(platform, extensions, { facePool: pool })
  await migrate(handle.db, migrationsOf(list), (tx) => openCrypto(tx as never, secrets, config.keyFile))
  // From here on, what another node changes reaches the caches that are filled now.
  await events.begin()
  onStep('contexts')
  for (const context of list) await context.start?.()

  const authenticator: Authenticator = {
    session: (token) => contexts.identity.sessions.session(token),
    isConfirmed: (session) => contexts.identity.sessions.isConfirmed(session),
    client: async (id, secret) => isPublicClient(id, secret) || (await contexts.identity.clients.authenticate(id, secret)) !== null,
    device: (code, secret) => contexts.devices.service.authenticate(code, secret),
    deviceToken: (token) => contexts.devices.handshakes.authenticate(token),
  }
  const calls = callsOf(list)
  const installationZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const app = await createHttp({
    platform,
    authenticator,
    calls,
    offsetOf: (session) => offsetMinutes(clock.now(), session?.park.zone ?? installationZone),
    ticks: options.ticks,
    space: options.space,
  })
  mountFiles(app, platform)
  mountDocumentation(app, calls)
  mountHealth(app, async () => {
    await handle.pool.query('SELECT 1')
    if (channel?.connected !== true) throw new Error('the broker is not up')
  })
  const stomp = serveStomp(app.server, contexts.identity.sessions)
  const feed = createLiveFeed(platform, () => stomp, {
    records: contexts.records.records,
    devices: contexts.devices.service,
    doors: contexts.doors.service,
    organisation: contexts.organisation.service,
  })

  onStep('broker')
  channel = await openChannel({
    url: config.mqttUrl,
    port: config.mqttPort,
    mayMove: !config.mqttPortGiven,
    host: config.host,
    // Where all else is encrypted, nobody comes from outside without, unless that was asked for.
    ...(config.tls !== null && !config.mqttPortGiven && { plainHost: '127.0.0.1' }),
    deviceUrl: config.mqttDeviceUrl,
    tls: transport.broker,
    serverKey: await secrets.keep('broker.key', randomKey),
    log,
    credentialOf: (code) => contexts.devices.service.credentialOf(code),
  })
  await events.start()
  for (const context of list) await context.begin?.(channel)
  longWork.start()

  onStep('listening')
  const address = await listen(app, config)
  const jobs: Promise<Jobs> = startJobs(
    options.connectionString,
    [outboxUpkeep(platform), messages.delivery, boundFiles(platform), ...list.flatMap((context) => context.jobs ?? [])],
    log,
    options.scheduleOf,
  )
  jobs.catch((error: unknown) => log.error({ err: error }, 'background jobs did not start'))

  let stopping: Promise<void> | null = null
  async function stop(): Promise<void> {
    await longWork.stop()
    await jobs.then((started) => started.stop()).catch(() => {})
    feed.stop()
    await stomp.stop()
    await app.close()
    if (options.parsing === undefined) await platform.parsing.stop()
    for (const context of list.toReversed()) await context.end?.()
    await channel?.stop()
    await events.stop()
    for (const context of list.toReversed()) await context.stop?.()
    if (options.facePool === undefined) await pool.close()
    await messages.stop()
    await audit.stop()
    await keys.close()
    await handle.close()
  }
  return {
    ...address,
    mqttPort: channel.port,
    initialPassword: contexts.identity.login.initialPassword(),
    platform,
    contexts,
    stop: () => (stopping ??= stop()),
  }
}

async function listen(app: FastifyInstance, config: Config): Promise<{ url: string; port: number }> {
  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE')
      throw new Error(`port ${config.port} is in use; set PORT to a free one`, { cause: error })
    throw error
  }
  const { port } = app.server.address() as { port: number }
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host
  return { url: `${config.tls === null ? 'http' : 'https'}://${host}:${port}`, port }
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
