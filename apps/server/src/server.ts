/** Composes the server: platform, contexts in an explicit order, gateway, live screens. */
import { FacePool, engineOf } from '@gatehouse/face-engine'
import { offsetMinutes } from '@gatehouse/access-rules'
import { mountedCalls, compose, migrationsOf, type Contexts } from './contexts.ts'
import { isPublicClient } from './contexts/identity/index.ts'
import { openPlatform } from './open-platform.ts'
import { boundFiles } from './platform/storage/bound-files.ts'
import { openChannel, type ChannelOptions } from './platform/broker/channel.ts'
import type { Platform } from './platform/context.ts'
import { openCrypto } from './platform/encryption/crypto.ts'
import { createHttp } from './platform/http/http.ts'
import { createJobs } from './platform/jobs/jobs.ts'
import { migrate } from './platform/database/migrations.ts'
import { outboxUpkeep } from './platform/events/outbox-upkeep.ts'
import { assertRestored } from './platform/database/restore-mark.ts'
import { randomKey } from './platform/encryption/secrets.ts'
import type { Authenticator } from './platform/session/session.ts'
import { claimBucket } from './platform/storage/claim.ts'
import { openDisk } from './platform/storage/disk.ts'
import { refersToFiles } from './platform/storage/storage.ts'
import { mountDocumentation } from './platform/http/documentation.ts'
import { assertApart, mountFiles } from './platform/http/files.ts'
import { createLiveFeed } from './realtime/feed.ts'
import { serveStomp } from './realtime/stomp.ts'
import { listen, mountHealth } from './serving.ts'
import type { ServerOptions } from './server-options.ts'

export interface Server {
  url: string
  port: number
  mqttPort: number
  /** Created at the very first start, if none was set. */
  initialPassword: string | null
  platform: Platform
  contexts: Contexts
  stop(): Promise<void>
}

/** Return the authentication that contexts implement. */
const authenticatorOf = ({ identity, devices }: Contexts): Authenticator => ({
  session: (token) => identity.sessions.session(token),
  isConfirmed: (session) => identity.sessions.isConfirmed(session),
  client: async (id, secret) => isPublicClient(id, secret) || (await identity.clients.authenticate(id, secret)) !== null,
  device: (code, secret) => devices.service.authenticate(code, secret),
  deviceToken: (token) => devices.handshakes.authenticate(token),
})

async function channelOptionsOf({ config, transport, secrets, log }: Platform, { devices }: Contexts): Promise<ChannelOptions> {
  return {
    url: config.mqttUrl,
    port: config.mqttPort,
    mayMove: !config.mqttPortGiven,
    host: config.host,
    // With TLS, plain MQTT is reachable from this machine only, unless its port was set.
    ...(config.tls !== null && !config.mqttPortGiven && { plainHost: '127.0.0.1' }),
    deviceUrl: config.mqttDeviceUrl,
    tls: transport.broker,
    serverKey: await secrets.keep('broker.key', randomKey),
    log,
    credentialOf: (code) => devices.service.credentialOf(code),
  }
}

/** Start everything and resolve once the server takes requests. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { config, onStep = () => {} } = options
  assertApart(config.dataDir, config.consoleDir)
  assertRestored(config.dataDir)
  const disk = await openDisk(config)
  const pool = options.facePool ?? new FacePool({ engine: await engineOf(config.modelDir), workers: config.faceWorkers })
  // Loaded now so that the first request need not wait. A failure to load is reported to the requests that need the models.
  if (options.facePool === undefined) void pool.ready().catch(() => {})
  const { platform, handle, extensions, events, work, messages, setChannel, isConnected, close } = await openPlatform(options, disk)
  const { clock, crypto, log, secrets } = platform

  const { contexts, list } = compose(platform, extensions, { facePool: pool })
  await migrate(handle.db, migrationsOf(list), (tx) => openCrypto(tx, secrets, config.keyFile))
  if (config.storage !== null) await claimBucket(disk, crypto, () => refersToFiles(handle.db))
  // From here on, changes by other nodes reach the caches, which are filled next.
  await events.begin()
  onStep('contexts')
  for (const context of list) await context.start?.()

  const calls = mountedCalls(list)
  const installationZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const app = await createHttp({
    platform,
    authenticator: authenticatorOf(contexts),
    calls,
    offsetOf: (session) => offsetMinutes(clock.now(), session?.park.zone ?? installationZone),
    ticks: options.ticks,
    space: options.space,
  })
  mountFiles(app, platform)
  mountDocumentation(app, calls)
  mountHealth(app, async () => {
    await handle.pool.query('SELECT 1')
    if (!isConnected()) throw new Error('the broker is not up')
    await platform.storage.answers()
  })
  const stomp = serveStomp(app.server, contexts.identity.sessions)
  const feed = createLiveFeed(platform, () => stomp, {
    records: contexts.records.records,
    devices: contexts.devices.service,
    doors: contexts.doors.service,
    visits: contexts.visitors.alerts,
    alarms: contexts.alarms.live,
    organisation: contexts.organisation.service,
  })

  onStep('broker')
  const channel = await openChannel(await channelOptionsOf(platform, contexts))
  setChannel(channel)
  await events.start()
  for (const context of list) await context.begin?.(channel)
  work.start()

  onStep('listening')
  const address = await listen(app, config)
  const jobs = createJobs({
    db: handle.db,
    jobs: [outboxUpkeep(platform), messages.delivery, boundFiles(platform), ...list.flatMap((context) => context.jobs ?? [])],
    log,
    events,
    scheduleOf: options.scheduleOf,
  })
  await jobs.start()

  let stopping: Promise<void> | null = null
  async function stop(): Promise<void> {
    await Promise.all([work.stop(), jobs.stop()])
    feed.stop()
    await stomp.stop()
    await app.close()
    if (options.parsing === undefined) await platform.parsing.stop()
    for (const context of list.toReversed()) await context.end?.()
    await channel.stop()
    await events.stop()
    for (const context of list.toReversed()) await context.stop?.()
    if (options.facePool === undefined) await pool.close()
    await close()
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
