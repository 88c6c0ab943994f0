/** The options of a world, and what it offers. */
import type { FacePool } from '@gatehouse/face-engine'
import type { Config } from '@gatehouse/server/config'
import type { Ticks } from '@gatehouse/server/platform/http/minimum-rate'
import type { Parsing } from '@gatehouse/server/platform/documents/parsing'
import type { Park } from '@gatehouse/server/platform/session/session'
import type { MeasureSpace } from '@gatehouse/server/platform/storage/upload-share'
import type { Clock } from '@gatehouse/server/platform/time/clock'
import type { Server } from '@gatehouse/server/server'
import type { Terminal, TerminalOptions, DisclosedVerdict } from '@gatehouse/terminal'
import type { FurtherRole } from './accounts.ts'
import type { Client } from './client.ts'
import type { Photographs } from './photographs.ts'
import type { MadeDevice, Site } from './site.ts'

export interface WorldOptions {
  /** Number of terminals started with it, each at a door of its own. */
  terminals?: number
  clock?: Clock
  /** Check every answer against the contract; a benchmark turns it off. */
  checkAnswers?: boolean
  /** Serve the built console too. */
  console?: boolean
  logLevel?: string
  /** Settings of the environment that differ from a test's usual ones. */
  config?: Partial<Config>
  /** An external broker; by default the embedded one. */
  mqttUrl?: string
  /** An engine of its own instead of the one all worlds share; the caller closes it. */
  facePool?: FacePool
  /** Reads uploads instead of the server's own parser; the caller stops it. */
  parsing?: Parsing
  /** Called for a restart that an administrator requests; without it, restarts are refused. */
  onRestart?(): void
  /** Seconds by which slow request bodies are judged; by default real ones. */
  ticks?: Ticks
  /** Room of the disk; by default the real one. */
  space?: MeasureSpace
  /** Connections to the database that are open at a time; by default as many as usual. */
  connections?: number
  /** No job runs by the clock, so that nothing changes by itself where a test expects no change. */
  jobsAsleep?: boolean
}

export interface WorldTerminal extends Terminal {
  device: MadeDevice
  /**
   * Show the terminal a picture through `POST /frame`. The answer explains the decision where check details are shown: `showCheckDetails`.
   */
  show(photo: Uint8Array): Promise<DisclosedVerdict>
}

export interface WorldPark {
  name?: string
  /** IANA zone. */
  zone?: string
}

export interface SessionOptions {
  /** By default all permissions. */
  permissions?: readonly string[]
  /** By default the first park. */
  park?: Park
  roleSign?: string
  /** Node of the tree the user belongs to; by default the park itself. */
  organisationId?: string
  /** Whether personal data are shown masked. */
  masking?: boolean
  /** Device groups to which the role is limited; by default every device. */
  deviceGroupIds?: readonly string[]
  /** Roles besides the first, each with its own limit. */
  furtherRoles?: readonly FurtherRole[]
  /** Whether the user counts as having just typed their password again, for as long as the session lasts; true by default. */
  confirmed?: boolean
}

/** The first park is the world's own site. Its administrator counts as having just typed the password, for as long as the world lasts. */
export interface World extends Site {
  url: string
  readonly server: Server
  clock: Clock
  dataDir: string
  /** Connection string of its database. */
  connectionString: string
  photographs: Photographs
  terminals: readonly WorldTerminal[]
  /** Add a park, and the administrator's session in it. */
  addPark(options?: WorldPark): Promise<Site>
  /**
   * Return the same world seen from a park of its own: objects are made there unless a park is named. Stopping it stops the terminals
   * started from there.
   */
  inPark(options?: WorldPark): Promise<World>
  /** Return a client of an account that logs in. */
  as(user: { account: string; password: string; areaCode?: string }): Promise<Client>
  /** Return a client of a new user with exactly these permissions in a park. */
  session(options?: SessionOptions): Promise<Client>
  /** Start a terminal at a door, which is made where none is given. When this returns, it is online and the server has noted it. */
  terminal(device?: MadeDevice, options?: Partial<TerminalOptions>): Promise<WorldTerminal>
  /** Resolves when all events are handled, every connected terminal holds what it should and has sent what it had. */
  settled(): Promise<void>
  /** Run work while the server is stopped. Afterwards it runs again at the same addresses, with another engine where one is given. */
  interrupted<T>(work: () => Promise<T>, change?: { facePool: FacePool }): Promise<T>
  stop(): Promise<void>
}

/** What the parts of a world share. Fields that are not readonly change while it runs: read them from here each time. */
export interface WorldParts {
  readonly url: string
  /** Certificate of the server, where it speaks TLS. */
  readonly authority: string | undefined
  readonly clock: Clock
  readonly dataDir: string
  readonly connectionString: string
  /** A client without a session. */
  readonly nobody: Client
  /** Terminals that run. */
  readonly terminals: WorldTerminal[]
  /** Replaced at each start. */
  server: Server
  /** False while the server is interrupted. */
  isRunning: boolean
  facePool: FacePool
  /** Start the server at the addresses it had, with the engine in `facePool`. */
  start(): Promise<Server>
  /** Return a number that was not given out before. */
  next(): number
}
