/** Puts the server together: platform, contexts in an explicit order, gateway, live screens. */
import { BUILTIN_ENGINE, FacePool, engineOf } from '@gatehouse/face-engine'
import type { Measures } from '@gatehouse/contract/organisation/calls'
import { offsetMinutes } from '@gatehouse/access-rules'
import type { FastifyInstance } from 'fastify'
import { createAccess } from './contexts/access/index.ts'
import { createAlarms } from './contexts/alarms/index.ts'
import { createAudit as createAuditContext } from './contexts/audit/index.ts'
import { createCards } from './contexts/cards/index.ts'
import { createConfiguration } from './contexts/configuration/index.ts'
import { createDemo } from './contexts/demo/index.ts'
import { createDevelopment } from './contexts/development/index.ts'
import { createDevices, deviceGroupDeleted, deviceGroupsChanged, devicesChanged, devicesDeleted } from './contexts/devices/index.ts'
import { createDoors } from './contexts/doors/index.ts'
import { createEnrolment } from './contexts/enrolment/index.ts'
import { createExports } from './contexts/exports/index.ts'
import { createFaces } from './contexts/faces/index.ts'
import { countBelongingUnscoped, createIdentity, isPublicClient } from './contexts/identity/index.ts'
import { createImports } from './contexts/imports/index.ts'
import { createMaintenance } from './contexts/maintenance/index.ts'
import { createOrganisation } from './contexts/organisation/index.ts'
import { createPeople } from './contexts/people/index.ts'
import { createPrivacy } from './contexts/privacy/index.ts'
import { createRelations } from './contexts/relations/index.ts'
import { createRestrictions, restrictionsChanged } from './contexts/restrictions/index.ts'
import { createSystem } from './contexts/system/index.ts'
import { createUpgrades } from './contexts/upgrades/index.ts'
import type { Config } from './config.ts'
import { gatewayHandlers } from './gateway/calls.ts'
import { createGateway } from './gateway/gateway.ts'
import { boundFiles } from './platform/storage/bound-files.ts'
import { openChannel, type DeviceChannel } from './platform/broker/channel.ts'
import { systemClock, type Clock } from './platform/time/clock.ts'
import type { Context, MountedCall, Platform } from './platform/context.ts'
import { openCrypto } from './platform/encryption/crypto.ts'
import { openDatabase, type OpenTransaction } from './platform/database/database.ts'
import { createEvents } from './platform/events/events.ts'
import { createHistory } from './platform/database/history.ts'
import { createHttp } from './platform/http/http.ts'
import { startJobs, type Job, type Jobs } from './platform/jobs/jobs.ts'
import { createAudit } from './platform/audit/audit.ts'
import { createLog } from './platform/log.ts'
import { createMessages } from './platform/messages/messages.ts'
import type { Ticks } from './platform/http/minimum-rate.ts'
import { columnTagsOf, migrate, type ContextMigration } from './platform/database/migrations.ts'
import { platformMigrations } from './platform/database/schema.ts'
import { outboxUpkeep } from './platform/events/outbox-upkeep.ts'
import { createParsing, type Parsing } from './platform/documents/parsing.ts'
import { assertRestored } from './platform/database/restore-mark.ts'
import { openSecrets, randomKey } from './platform/encryption/secrets.ts'
import { inPark, type Authenticator, type Scope } from './platform/session/session.ts'
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
  contexts: ReturnType<typeof compose>
  stop(): Promise<void>
}

/** The contexts, wired; each sees only what it is handed. */
function compose(platform: Platform, pool: FacePool, channel: () => DeviceChannel) {
  const list: Context[] = []
  /** What sensors have told, or are asked to tell. */
  async function measures(scope: Scope): Promise<Measures> {
    const [told, asked] = await Promise.all([access.service.measured(scope), configuration.service.measures(scope)])
    return {
      temperature: told.temperature || asked.temperature,
      mask: told.mask || asked.mask,
      helmet: told.helmet || asked.helmet,
    }
  }
  const organisation = createOrganisation(platform, {
    parksOf: (session) => organisation.service.parksBelow(session.organisationId),
    roleNameOf: (userId, language) => identity.login.roleNameOf(userId, language),
    moveSession: (session, parkId) => identity.sessions.move(session, parkId),
    contexts: () => list,
    countDevices: (tx, parkIds) => devices.service.countByType(tx, parkIds),
    belonging: (tx, organisationId) => countBelongingUnscoped((tx ?? platform.db) as never, organisationId),
    personGroups: (scope, ids) => people.groups.names(scope, ids),
    measures,
    refreshSessions: (tx) => identity.sessions.refreshOwners(tx),
    forgetSessions: () => identity.sessions.forgetOwners(),
    publicAddress: (organisationId) => system.publicAddress(organisationId),
  })
  const identity = createIdentity(platform, organisation.service, organisation.settings, {
    parks: (groupIds) => devices.service.groups.parksOf(groupIds),
    below: (groupIds) => devices.service.groups.below(groupIds),
  })
  const { demandRoom } = identity.attempts
  const faces = createFaces(platform, pool, {
    persons: (scope, ids) => people.service.describe(scope, ids),
    countPersons: (scope) => people.service.count(scope),
    lookedOutFor: (scope) => people.service.lookedOutFor(scope),
    facesPerDay: (scope) => access.service.facesPerDay(scope),
    lookedAgain: (scope) => access.service.secondPhotographs.again(scope),
    doorsByFaceAlone: (scope) => access.service.synchronisation.view.doorsByFaceAlone(scope),
    doorGroups: (scope) => access.service.synchronisation.view.doorGroups(scope),
    devices: (scope, ids) => devices.service.names(scope, ids),
    parkIds: () => organisation.service.parks().map(({ id }) => id),
    unseen: (scope) => people.service.unseen(scope),
    contacts: (scope, ids) => people.service.contactsNamed(scope, ids),
    demoPersons: async (scope) => new Set((await demo.service.things(scope)).get('person')),
  })
  const people = createPeople(platform, faces.service, {
    settings: organisation.settings,
    consentRequired: (scope) => privacy.consentRequired(scope),
    noteConsent: (tx, scope, personId, consent) => privacy.noteConsent(tx, scope, personId, consent),
    sendAgain: (scope, personIds) => access.service.sendAgain(scope, personIds),
    admitting: (scope, persons, field, work) =>
      access.service.guard.during(scope, async () => ({ of: 'persons', persons: await persons() }), work, { field }),
    admittingGroup: (scope, id, parentId, work) =>
      access.service.guard.during(scope, async () => ({ of: 'personGroup', id, parentId }), work, { field: 'parentId' }),
    // The call has asked for the permission in the park it was made in: roles hold it in every park of the session's part of the tree.
    reach: async (session, parkId) =>
      organisation.service.parksBelow(session.organisationId).some(({ id }) => id === parkId) &&
      organisation.service.isOn(parkId, 'person.list')
        ? inPark(session.scope, parkId)
        : null,
    // Nobody keeps monitoring tasks yet.
    inSurveillance: async () => false,
  })
  const devices = createDevices(platform, {
    settings: organisation.settings,
    holdings: (scope, ids) => access.service.synchronisation.holdings(scope, ids),
    admit: (tx, scope, type, of) => organisation.limits.admit(tx, scope, type, of),
    configured: (scope, ids) => configuration.service.configured(scope, ids),
    accessCounts: (scope, ids) => access.service.deviceCounts(scope, ids),
    personsNamed: (scope, deviceId) => access.service.personsNamed(scope, deviceId),
    reach: {
      atDevice: (scope, deviceId) => access.service.deviceStrategies.idsAt(scope, deviceId),
      inGroup: (scope, groupId) => access.service.deviceStrategies.idsIn(scope, groupId),
    },
    admittingDevices: (scope, changed, field, work) =>
      access.service.guard.during(scope, async () => ({ of: 'devices', devices: await changed() }), work, { field }),
    admittingDeviceGroup: (scope, id, parentId, work) =>
      access.service.guard.during(scope, async () => ({ of: 'deviceGroup', id, parentId }), work, { field: 'parentId' }),
    doorStates: async (scope, ids) => new Map((await doors.service.states(scope, ids)).map(({ deviceId, state }) => [deviceId, state])),
  })
  const configuration = createConfiguration(platform, {
    devices: devices.service,
    faces: faces.service,
    toldRevision: async (device) => (await access.service.synchronisation.manifest(device)).settings.secretsRevision ?? '',
  })
  const access = createAccess(platform, {
    people: people.service,
    groups: people.groups,
    faces: faces.service,
    cardPasswords: { marks: (scope, ids) => cards.passwords.marks(scope, ids), of: (scope, ids) => cards.passwords.of(scope, ids) },
    devices: devices.service,
    placing: devices.placing,
    organisation: organisation.service,
    deviceEvents: { devicesChanged, devicesDeleted, deviceGroupsChanged, deviceGroupDeleted },
    restrictionsChanged,
    measures,
    restrictions: {
      asking: (scope) => restrictions.service.asking(scope),
      ask: (scope, passage, gone) => restrictions.service.ask(scope, passage, gone),
    },
    pseudonymised: (scope, ids) => privacy.pseudonymised(scope, ids),
    sharing: {
      sharedAt: (scope, personId) => relations.sharing.sharedAt(scope, personId),
      links: (scope) => relations.sharing.links(scope),
      guestsOf: (scope, relationId, chosen) => relations.sharing.guestsOf(scope, relationId, chosen),
    },
    demandRoom,
    whoMay: identity.whoMay,
  })
  const gateway = createGateway(platform, {
    access: access.service,
    devices: devices.service,
    doorTold: (device, state) => doors.service.told(device, state),
  })
  const remote = { devices: devices.service, commands: () => gateway }
  const doors = createDoors(platform, { devices: devices.service, settings: organisation.settings, door: () => gateway })
  const maintenance = createMaintenance(platform, {
    ...remote,
    settings: organisation.settings,
    parkIds: () => organisation.service.parks().map(({ id }) => id),
  })
  const upgrades = createUpgrades(platform, remote)
  const cards = createCards(platform, { ...remote, people: people.service, organisation: organisation.service })
  const development = createDevelopment(platform, {
    access: access.service,
    devices: devices.service,
    channel,
    engine: () => pool,
    toldAt: (deviceId) => gateway.toldAt(deviceId),
  })
  const terminalCalls = gatewayHandlers(platform, {
    access: access.service,
    devices: devices.service,
    faces: faces.service,
    people: people.service,
    channel,
  })
  const system = createSystem(platform, {
    settings: organisation.settings,
    organisation: organisation.service,
    engine: () => pool.description,
    coveredUsers: (session, userIds) => identity.accounts.covered(session, userIds),
    newestPassages: async (scope, size) => (await access.service.records.list(scope, { size })).content,
  })
  const audit = createAuditContext(platform, {
    organisation: organisation.service,
    settings: organisation.settings,
    async unseen(scope) {
      const [{ ids, names }, erased] = await Promise.all([people.service.unseen(scope), privacy.unseen(scope)])
      return { ids: new Set([...ids, ...erased, ...(await access.service.records.idsOfPersons(scope, [...ids]))]), names }
    },
    namesAmong: (scope, names) => people.service.namesAmong(scope, names),
    personNames: async (scope, ids) => new Map((await people.service.describe(scope, ids)).map(({ id, name }) => [id, name])),
    userNames: (viewer, ids) => identity.accounts.names(viewer, ids),
    deviceNames: async (scope, ids) => new Map((await devices.service.names(scope, ids)).map(({ id, name }) => [id, name])),
  })
  const alarms = createAlarms(platform)
  const register = { people: people.service, groups: people.groups, faces: faces.service, organisation: organisation.service }
  const relations = createRelations(platform, register)
  const restrictions = createRestrictions(platform, {
    people: access.service.knownPersons,
    devices: devices.service,
    passages: access.service.passages,
  })
  const imports = createImports(platform, register)
  const enrolment = createEnrolment(platform, {
    ...register,
    demandRoom,
    publicAddress: ({ parkId }) => system.publicAddress(parkId),
    consent: (scope, language) => ({ required: privacy.consentRequired(scope), text: privacy.consentText(scope, language) }),
  })
  const privacy = createPrivacy(platform, {
    people: people.service,
    faces: faces.service,
    access: access.service,
    devices: devices.service,
    settings: organisation.settings,
    organisation: organisation.service,
    holders: () => list.flatMap(({ holder }) => holder ?? []),
    columns: () => columnTagsOf(migrationsOf(list)),
  })
  const demo = createDemo(platform, {
    organisation: organisation.service,
    sessions: identity.sessions,
    people: people.service,
    personGroups: people.groups,
    faces: faces.service,
    devices: devices.service,
    access: access.service,
    async settled() {
      await platform.events.settled()
      await gateway.idle()
      await access.service.synchronisation.settled()
      await platform.events.settled()
    },
  })
  list.push(
    organisation,
    identity,
    system,
    audit,
    faces,
    people,
    devices,
    access,
    alarms,
    relations,
    restrictions,
    imports,
    enrolment,
    privacy,
    configuration,
    doors,
    maintenance,
    upgrades,
    cards,
    development,
    demo,
  )
  list.push(
    createExports(platform, {
      kinds: list.flatMap(({ exports }) => exports ?? []),
      zoneOf: (scope) => organisation.service.park(scope).zone,
    }),
  )
  return {
    list,
    organisation,
    identity,
    system,
    audit,
    faces,
    people,
    devices,
    access,
    alarms,
    relations,
    restrictions,
    imports,
    enrolment,
    privacy,
    configuration,
    doors,
    maintenance,
    upgrades,
    cards,
    development,
    demo,
    gateway,
    terminalCalls,
  }
}

/** All migrations, in the order of their names. */
export const migrationsOf = (contexts: readonly Context[]): ContextMigration[] => [
  ...platformMigrations,
  ...contexts.flatMap((context) => context.migrations),
]

/** Every call that is mounted. */
export const callsOf = (composed: Pick<ReturnType<typeof compose>, 'list' | 'terminalCalls'>): MountedCall[] => [
  ...composed.list.flatMap((context) => context.calls),
  ...composed.terminalCalls,
]

/** The mounted calls and contexts without anything behind them: for the inventory, which only reads tables. */
export function composeUnstarted(): ReturnType<typeof compose> {
  const platform = {
    config: {},
    events: { consume: () => {} },
    work: { define: () => {} },
    audit: { follow: () => {} },
  } as unknown as Platform
  return compose(platform, { description: BUILTIN_ENGINE } as unknown as FacePool, () => {
    throw new Error('nothing is started')
  })
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

  let channel: DeviceChannel | null = null
  const composed = compose(platform, pool, () => {
    if (channel === null) throw new Error('the broker is not up')
    return channel
  })
  await migrate(handle.db, migrationsOf(composed.list), (tx) => openCrypto(tx as never, secrets, config.keyFile))
  // From here on, what another node changes reaches the caches that are filled now.
  await events.begin()
  onStep('contexts')
  for (const context of composed.list) await context.start?.()

  const authenticator: Authenticator = {
    session: (token) => composed.identity.sessions.session(token),
    isConfirmed: (session) => composed.identity.sessions.isConfirmed(session),
    client: async (id, secret) => isPublicClient(id, secret) || (await composed.identity.clients.authenticate(id, secret)) !== null,
    device: (code, secret) => composed.devices.service.authenticate(code, secret),
    deviceToken: (token) => composed.devices.handshakes.authenticate(token),
  }
  const calls = callsOf(composed)
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
  const stomp = serveStomp(app.server, composed.identity.sessions)
  const feed = createLiveFeed(platform, () => stomp, {
    access: composed.access.service,
    devices: composed.devices.service,
    doors: composed.doors.service,
    organisation: composed.organisation.service,
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
    credentialOf: (code) => composed.devices.service.credentialOf(code),
  })
  await events.start()
  await composed.access.service.synchronisation.start()
  composed.gateway.start(channel)
  longWork.start()

  onStep('listening')
  const address = await listen(app, config)
  const jobs: Promise<Jobs> = startJobs(
    options.connectionString,
    [outboxUpkeep(platform), messages.delivery, boundFiles(platform), ...composed.list.flatMap((context) => context.jobs ?? [])],
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
    await composed.gateway.stop()
    await channel?.stop()
    await events.stop()
    for (const context of composed.list.toReversed()) await context.stop?.()
    if (options.facePool === undefined) await pool.close()
    await messages.stop()
    await audit.stop()
    await keys.close()
    await handle.close()
  }
  return {
    ...address,
    mqttPort: channel.port,
    initialPassword: composed.identity.login.initialPassword(),
    platform,
    contexts: composed,
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
