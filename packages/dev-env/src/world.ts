/**
 * A whole world for integration tests, browser tests and benchmarks: a real server with broker on a database of its
 * own, real terminals, and builders that go through public calls. Whoever starts one stops it.
 */
import { deviceLine } from '@gatehouse/server/contexts/devices/index'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PERMISSION_CODES } from '@gatehouse/contract'
import type { FacePool } from '@gatehouse/face-engine'
import type { Config } from '@gatehouse/server/config'
import { COMPANY, PARK } from '@gatehouse/server/contexts/organisation/data'
import { systemClock, type Clock } from '@gatehouse/server/platform/time/clock'
import { sql, type Database } from '@gatehouse/server/platform/database/database'
import type { Ticks } from '@gatehouse/server/platform/http/minimum-rate'
import { scratchDatabase, startScratchServer, templateDatabase } from '@gatehouse/server/platform/postgres/scratch'
import type { Job } from '@gatehouse/server/platform/jobs/jobs'
import type { MeasureSpace } from '@gatehouse/server/platform/storage/upload-share'
import type { Parsing } from '@gatehouse/server/platform/documents/parsing'
import type { Park } from '@gatehouse/server/platform/session/session'
import { startServer, type Server } from '@gatehouse/server/server'
import { startTerminal, type Terminal, type TerminalOptions, type ToldVerdict } from '@gatehouse/terminal'
import { confirmSession, grantToken, insertUser } from './accounts.ts'
import { ADMIN } from './administrator.ts'
import { createClient, logIn, type Client } from './client.ts'
import { testingFacePool } from './face-memo.ts'
import { openPhotographs, type Photographs } from './photographs.ts'
import { createSite, type MadeDevice, type Site } from './site.ts'

export type { Made, MadeDevice, MadePerson, Site } from './site.ts'

export { ADMIN }

export interface WorldOptions {
  /** Terminals started with it, each at a door of its own. */
  terminals?: number
  clock?: Clock
  /** Check every answer against the contract; a benchmark turns it off. */
  checkAnswers?: boolean
  /** Serve the built console too. */
  console?: boolean
  logLevel?: string
  /** Settings of the environment that differ from a test's usual ones. */
  config?: Partial<Config>
  /** An external broker; the embedded one unless told. */
  mqttUrl?: string
  /** Its own engine instead of the one all worlds share; the caller closes it. */
  facePool?: FacePool
  /** What reads uploads instead of the server's own; the caller stops it. */
  parsing?: Parsing
  /** What a restart asked for by an administrator comes to; refused where nothing is told. */
  onRestart?(): void
  /** Seconds by which slow request bodies are judged; real ones unless told. */
  ticks?: Ticks
  /** Room of the disk; the real one unless told. */
  space?: MeasureSpace
  /** No job runs by the clock: where a test says that nothing changed, nothing does by itself. */
  jobsAsleep?: boolean
}

export interface WorldTerminal extends Terminal {
  device: MadeDevice
  /** Shows it a picture through `POST /frame`. How it was decided is told where check details are shown: `showCheckDetails`. */
  show(photo: Uint8Array): Promise<ToldVerdict>
}

export interface WorldPark {
  name?: string
  /** IANA zone. */
  zone?: string
}

export interface SessionWishes {
  /** All of them unless told. */
  permissions?: readonly string[]
  /** The first park unless told. */
  park?: Park
  roleSign?: string
  /** Node of the tree the user belongs to; the park itself unless told. */
  organisationId?: string
  /** Whether personal data are shown masked. */
  masking?: boolean
  /** Device groups to which the role is limited; every device unless told. */
  deviceGroupIds?: readonly string[]
  /** Whether the user has just typed their password again, for as long as the session lasts; they have unless told. */
  confirmed?: boolean
}

/** The first park is the world's own site. Its administrator has just typed the password, for as long as the world lasts. */
export interface World extends Site {
  url: string
  readonly server: Server
  clock: Clock
  dataDir: string
  /** Where its database answers. */
  connectionString: string
  photographs: Photographs
  terminals: readonly WorldTerminal[]
  /** Adds a park, and the administrator's session in it. */
  addPark(wishes?: WorldPark): Promise<Site>
  /** The same world seen from a park of its own: what is made without a park named is made there. Stopping it stops the terminals started from there. */
  inPark(wishes?: WorldPark): Promise<World>
  /** A client of an account that logs in. */
  as(user: { account: string; password: string; areaCode?: string }): Promise<Client>
  /** A client of a new user with exactly these permissions in a park. */
  session(wishes?: SessionWishes): Promise<Client>
  /** A terminal at a door, which is made where none is given; online, and known to be, when this returns. */
  terminal(device?: MadeDevice, options?: Partial<TerminalOptions>): Promise<WorldTerminal>
  /** Resolves when all events are handled, every connected terminal holds what it should and has sent what it had. */
  settled(): Promise<void>
  /** Does something while the server is stopped; afterwards it runs again at the same addresses, with another engine where one is given. */
  interrupted<T>(work: () => Promise<T>, change?: { facePool: FacePool }): Promise<T>
  stop(): Promise<void>
}

const PATIENCE_MS = 60_000

let pool: { engine: FacePool; users: number } | null = null

/** One face engine for all worlds of the process: it takes a second and 250 MB. */
function takePool(): FacePool {
  pool ??= { engine: testingFacePool({ workers: 1 }), users: 0 }
  pool.users++
  return pool.engine
}

async function leavePool(): Promise<void> {
  if (pool === null || --pool.users > 0) return
  const { engine } = pool
  pool = null
  await engine.close()
}

let loginKey: string | undefined

/** The first key under which passwords travel, made once in the process: a test must not wait for prime numbers. */
function putLoginKey(dataDir: string): void {
  loginKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  mkdirSync(join(dataDir, 'secrets'), { recursive: true, mode: 0o700 })
  writeFileSync(join(dataDir, 'secrets', 'login-key.pem'), loginKey, { mode: 0o600 })
}

function temporaryDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-world-'))
  putLoginKey(dataDir)
  return dataDir
}

function builtConsole(): string {
  const folder = join(import.meta.dirname, '../../../apps/console/dist')
  if (!existsSync(join(folder, 'index.html'))) throw new Error('The console is not built; npm start builds it, and so does npm test.')
  return folder
}

function configOf(dataDir: string, options: WorldOptions): Config {
  return {
    port: 0,
    host: '127.0.0.1',
    dataDir,
    databaseUrl: null,
    mqttUrl: options.mqttUrl ?? null,
    mqttPort: 0,
    mqttPortGiven: true,
    mqttDeviceUrl: null,
    mqttTls: null,
    mqttTlsPort: 0,
    tls: null,
    trustProxy: ['loopback'],
    trustProxyGiven: false,
    proxyCertificateFiles: [],
    keyFile: null,
    adminPassword: ADMIN.password,
    sessionHours: 12,
    seed: 'none',
    consoleDir: options.console === true ? builtConsole() : null,
    modelDir: null,
    faceWorkers: 1,
    logLevel: options.logLevel ?? 'error',
    recordMonths: null,
    lite: false,
    privatised: true,
    upgradeService: false,
    // A browser test cannot drag a piece it must not know the place of; the captcha's own tests turn it on.
    captcha: false,
    captchaWork: { cost: 16, bits: 2 },
    smtpUrl: null,
    mailFrom: 'Gatehouse <gatehouse@example.org>',
    upgradeKey: null,
    checkAnswers: options.checkAnswers ?? true,
    ...options.config,
  }
}

const inHalfAYear = (minute: string, hour: string): string => `${minute} ${hour} 1 ${((new Date().getUTCMonth() + 6) % 12) + 1} *`

/** Jobs of the night are half a year away: what a test sees must not depend on the hour it runs at. */
function scheduleOf({ schedule }: Job): string {
  const [minute, hour] = schedule.split(' ')
  const isNightly = /^\d+$/.test(hour!)
  return isNightly ? inHalfAYear(minute!, hour!) : schedule
}

/** A database as a first start leaves it, made once for a whole run. */
function freshDatabase(facePool: FacePool): Promise<string> {
  return templateDatabase('a started installation', async (connectionString) => {
    const dataDir = temporaryDataDir()
    const server = await startServer({ config: configOf(dataDir, {}), connectionString, facePool, scheduleOf })
    // Each copy has a master key of its own, which opens nothing that was sealed here.
    await sql`DELETE FROM login_key`.execute(server.platform.db)
    await sql`DELETE FROM data_key`.execute(server.platform.db)
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
}

async function waitFor(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited ${PATIENCE_MS / 1000} s for ${what}`)
    await delay(15)
  }
}

/** Starts a world. Inside a test run it uses the run's database server, otherwise one of its own. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const clock = options.clock ?? systemClock
  const scratch = await startScratchServer()
  const shared = takePool()
  let facePool = options.facePool ?? shared
  const database = await scratchDatabase({ template: await freshDatabase(shared) })
  const dataDir = temporaryDataDir()
  const config = configOf(dataDir, options)
  const start = () =>
    startServer({
      config,
      connectionString: database.connectionString,
      clock,
      facePool,
      scheduleOf: options.jobsAsleep ? () => inHalfAYear('0', '0') : scheduleOf,
      ticks: options.ticks,
      space: options.space,
      ...(options.parsing && { parsing: options.parsing }),
      ...(options.onRestart && { onRestart: options.onRestart }),
    })
  let server = await start()
  let isRunning = true
  // Started again, it must be where its terminals and sessions look for it.
  Object.assign(config, { port: server.port, mqttPort: server.mqttPort })
  const { url } = server
  const authority = server.platform.transport.certificate?.current().certificate
  const nobody = createClient(url, null, authority)

  let number = 0
  const next = () => ++number
  const terminals: WorldTerminal[] = []

  async function siteOf(park: Park): Promise<Site> {
    const { access_token: bearer } = await logIn(nobody, { ...ADMIN, areaCode: park.areaCode })
    await confirmSession(server, bearer)
    return createSite({ url, bearer, park, next, authority })
  }
  const site = await siteOf(server.contexts.organisation.service.parksBelow(server.contexts.organisation.service.root().id)[0]!)

  async function addPark({ name = `Park ${next()}`, zone = site.park.zone }: WorldPark = {}): Promise<Site> {
    const organisation = server.contexts.organisation.service
    const company = organisation.get(organisation.get(site.park.id)!.parentId!)!
    if (company.type !== COMPANY) throw new Error('the first park does not belong to a company')
    const id = await organisation.add({
      areaCode: `2${String(next()).padStart(5, '0')}`,
      name,
      type: PARK,
      parkType: 1,
      parentId: company.id,
      zone,
    })
    return siteOf(organisation.park({ parkId: id }))
  }

  async function terminalAt(at: MadeDevice, wishes: Partial<TerminalOptions>): Promise<WorldTerminal> {
    const started = await startTerminal({
      server: url,
      code: at.code,
      secret: at.secret,
      dataDir: join(dataDir, `terminal-${at.code}`),
      port: 0,
      pool: facePool,
      clock: () => clock.now(),
      retry: { first: 50, limit: 500 },
      ...wishes,
    })
    const handle: WorldTerminal = {
      ...started,
      device: at,
      async show(photo) {
        const response = await fetch(`${started.url}frame`, {
          method: 'POST',
          headers: { 'content-type': 'image/jpeg' },
          body: new Uint8Array(photo),
        })
        return (await response.json()) as ToldVerdict
      },
      async stop() {
        terminals.splice(terminals.indexOf(handle), 1)
        await started.stop()
      },
    }
    terminals.push(handle)
    await waitFor(`terminal ${at.code} to be online`, () => handle.state().link.kind === 'online')
    // The broker acknowledges a status before the server has noted it.
    await waitFor(`the server to have noted that terminal ${at.code} is online`, () => isNotedOnline(at))
    return handle
  }

  async function isNotedOnline({ id }: MadeDevice): Promise<boolean> {
    // While it is interrupted the server is a process of the caller's, which tells nobody here what it has noted.
    if (!isRunning) return true
    await server.platform.extensions.one(deviceLine).idle()
    const db = server.platform.db as unknown as Database<{ device: { id: string; online: boolean } }>
    return (await db.selectFrom('device').select('online').where('id', '=', id).executeTakeFirst())?.online === true
  }

  async function holdsWhatItShould({ device, state }: WorldTerminal): Promise<boolean> {
    const { link, queue } = state()
    if (link.kind === 'refused' || link.kind === 'foreign' || link.kind === 'removed') return true
    if (link.kind !== 'online' || queue.records + queue.pictures > 0) return false
    const { devices, synchronisation } = server.contexts
    const principal = await devices.service.byCode(device.code)
    const current = principal === null ? null : synchronisation.service.current(principal)
    if (current === null) return true
    await synchronisation.service.settled()
    const db = server.platform.db as unknown as Database<{
      sync_device: { device_id: string; digest: string; revision: string; erasure_id: string | null }
    }>
    const held = await db
      .selectFrom('sync_device')
      .select(['digest', 'revision', 'erasure_id'])
      .where('device_id', '=', device.id)
      .executeTakeFirst()
    return held?.digest === current.digest && held.revision === current.revision && held.erasure_id === (current.erasure ?? null)
  }

  async function settled(): Promise<void> {
    const synchronisation = server.contexts.synchronisation.service
    await server.platform.extensions.one(deviceLine).idle()
    await server.platform.events.settled()
    await synchronisation.settled()
    for (const one of terminals) await one.settled()
    for (const one of terminals) await waitFor(`terminal ${one.device.code} to hold what it should`, () => holdsWhatItShould(one))
    await synchronisation.settled()
    await server.platform.events.settled()
    await server.platform.audit.settled()
  }

  async function stop(): Promise<void> {
    await Promise.all(terminals.slice().map((one) => one.stop()))
    await server.stop()
    await database.drop()
    await leavePool()
    await scratch.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }

  /** The world as it is seen from a park. */
  function seenFrom(of: Site, end: (started: readonly WorldTerminal[]) => Promise<void>): World {
    const started: WorldTerminal[] = []
    return {
      ...of,
      url,
      get server() {
        return server
      },
      clock,
      dataDir,
      connectionString: database.connectionString,
      photographs: openPhotographs(),
      terminals,
      addPark,
      inPark: async (wishes) => seenFrom(await addPark(wishes), async (own) => void (await Promise.all(own.map((one) => one.stop())))),
      async terminal(device, wishes = {}) {
        const made = await terminalAt(device ?? (await of.device()), wishes)
        started.push(made)
        return made
      },
      settled,
      stop: () => end(started.filter((one) => terminals.includes(one))),
      async as(user) {
        return nobody.as({ bearer: (await logIn(nobody, { ...(of !== site && { areaCode: of.park.areaCode }), ...user })).access_token })
      },
      async session({
        permissions = PERMISSION_CODES,
        park = of.park,
        roleSign,
        organisationId = park.id,
        masking,
        deviceGroupIds,
        confirmed = true,
      } = {}) {
        const userId = await insertUser(server, { organisationId, permissions, roleSign, masking, deviceGroupIds })
        return nobody.as({ bearer: (await grantToken(server, userId, park.id, { confirmed })).bearer })
      },
      async interrupted(work, change) {
        isRunning = false
        await server.stop()
        facePool = change?.facePool ?? facePool
        try {
          return await work()
        } finally {
          server = await start()
          isRunning = true
        }
      },
    }
  }

  const world = seenFrom(site, stop)
  for (let started = 0; started < (options.terminals ?? 0); started++) await world.terminal()
  return world
}
