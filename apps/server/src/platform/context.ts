/** The parts of a context, and the platform that contexts are built on. */
import type { Readable } from 'node:stream'
import type { Call, CallShape, DataOf, Language, OutputOf, Schema } from '@gatehouse/contract'
import type { Audit } from './audit/audit-types.ts'
import type { DeviceChannel } from './broker/channel.ts'
import { extensionPoint, type Extensions, type Registration } from './extension-points.ts'
import type { Clock } from './time/clock.ts'
import type { Config } from '../config.ts'
import type { Crypto } from './encryption/crypto.ts'
import type { Database, Transaction } from './database/database.ts'
import type { EncodedAnswer } from './http/encoded.ts'
import type { Events } from './events/events.ts'
import type { ExportKind } from './export-kind.ts'
import type { History } from './database/history.ts'
import type { Job } from './jobs/jobs.ts'
import type { Logger } from './log.ts'
import type { Messages } from './messages/messages.ts'
import type { ContextMigration } from './database/migrations.ts'
import type { Parsing } from './documents/parsing.ts'
import type { RangedFile } from './http/ranged-file.ts'
import type { ReceivedFile } from './http/received-file.ts'
import type { Secrets } from './encryption/secrets.ts'
import type { ClientCredentials, Scope, Session, SignedInDevice } from './session/session.ts'
import type { Storage } from './storage/storage-types.ts'
import type { Transport } from './transport/transport.ts'
import type { Work } from './jobs/work.ts'

export interface Platform {
  config: Config
  clock: Clock
  log: Logger
  db: Database
  events: Events
  history: History
  /** Logs of operations and of reads of personal data. */
  audit: Audit
  /** E-mails and text messages to people. */
  messages: Messages
  storage: Storage
  /** Parses uploaded files in a process of its own. */
  parsing: Parsing
  crypto: Crypto
  secrets: Secrets
  /** How connections to clients are encrypted. */
  transport: Transport
  /** Work that takes longer than a request. */
  work: Work
  /** Stops the server in order and starts it again; null where the program that started it does not support that. */
  restart: (() => void) | null
  /** What areas add to each other; may be read once all areas are created. */
  extensions: Extensions
  /** The channel to devices. @throws before the broker is started */
  channel(): DeviceChannel
  /**
   * Run one transaction. Events announced in it are delivered after the commit. The running call's entry in the operation log is part of
   * it.
   * @throws inside another transaction; functions called there take that one as an argument
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
}

/** A picture or file that arrived as `multipart`. */
export interface Upload {
  bytes: Buffer
  filename: string
}

type PartOf<S> = S extends Schema ? OutputOf<S> : undefined

/** A request as its handler receives it, completely checked. Session and device are present as the permission says. */
export interface CallRequest<C extends CallShape = CallShape> {
  params: PartOf<C['params']>
  query: PartOf<C['query']>
  body: PartOf<C['body']>
  /** Only where the call is `multipart`; on disk where it `streams`, and removed after the call. */
  file: C['streams'] extends true ? ReceivedFile | null : Upload | null
  language: Language
  /** The language that the request states; null where it states none. */
  statedLanguage: Language | null
  ip: string
  /** Host and port the request was made to, as its `Host` header says; a proxy on this machine may say it instead. */
  host: string
  /** Scheme and host the request was made to, such as `https://gate.example`. */
  origin: string
  /** `User-Agent` of the request, at most 200 characters. */
  agent: string
  /** Verified client credentials of a `basic` call. */
  client: C['permission'] extends 'basic' ? ClientCredentials : null
  session: C['permission'] extends 'public' | 'basic' | 'device' ? null : Session
  scope: C['permission'] extends 'public' | 'basic' ? null : Scope
  device: C['permission'] extends 'device' ? SignedInDevice : null
  signal: AbortSignal
}

/** An answer that is not JSON. */
export interface FileAnswer {
  /** A stream for a large file, a ranged file where clients may request parts. */
  bytes: Buffer | Readable | RangedFile
  contentType: string
  filename?: string
  /** The handler itself records the reads of the persons in the file, as their rows are sent. */
  noted?: true
}

export interface MountedCall {
  call: Call
  handle(request: CallRequest): Promise<unknown>
  /**
   * Return what the token of a link opens, for a call that takes one. Runs before the body is read. @throws where the token is not valid
   */
  open?(token: string, ip: string): Promise<unknown>
}

/** Bind a handler to its call. */
export function handler<C extends Call>(
  call: C,
  handle: (
    request: CallRequest<C>,
  ) => Promise<C['produces'] extends 'file' ? FileAnswer : DataOf<C> | EncodedAnswer | (C['data'] extends Schema ? never : void)>,
): MountedCall {
  return { call, handle: handle as MountedCall['handle'] }
}

/** Bind a handler to a call of a link's page. @param open returns what the token opens; throws where the token is not valid */
export function linkHandler<C extends Call & { linkToken: true }, Link extends { id: string }>(
  call: C,
  open: (token: string, ip: string) => Promise<Link>,
  handle: (request: CallRequest<C> & { link: Link }) => Promise<DataOf<C>>,
): MountedCall {
  return { call, open, handle: handle as MountedCall['handle'] }
}

/** A person who is being erased and whose row still exists. */
export interface LeavingPerson {
  id: string
  workNumber: string | null
}

/** Data about persons that a context other than the register stores, so that an erasure finds it. */
export interface PersonHolder {
  /** Its name in receipts. */
  place: string
  count(scope: Scope, persons: readonly LeavingPerson[]): Promise<number>
  /** Remove the data together with the person. Return the number of removed things, and the ids of the files that were released. */
  forget(tx: Transaction, scope: Scope, persons: readonly LeavingPerson[]): Promise<{ count: number; fileIds: string[] }>
}

export interface Context {
  calls: readonly MountedCall[]
  migrations: readonly ContextMigration[]
  jobs?: readonly Job[]
  /** Fills caches before the first request. */
  start?(): Promise<void>
  /** Start background work, once events are delivered and the channel to devices is open. */
  begin?(channel: DeviceChannel): Promise<void>
  /** End that work, while events are still delivered and the channel to devices is open. */
  end?(): Promise<void>
  stop?(): Promise<void>
  holder?: PersonHolder
  /** Rows of this context that can be exported as files. */
  exports?: readonly ExportKind[]
  /** Remove all rows of a park. Return the number of removed rows by kind. */
  erasePark?(tx: Transaction, scope: Scope): Promise<Record<string, number>>
  /** What this context adds to the extension points of areas below it. */
  extensions?: readonly Registration[]
}

/** All contexts of the server, for areas that do something with every context, such as the removal of a park. */
export const everyContext = extensionPoint<Context>('platform.everyContext')

/** Contexts that another context uses, by the names it uses for them. */
type UsedContexts = Readonly<Record<string, ContextDefinition>>

/** The context that a definition creates. */
export type MadeOf<Definition> = Definition extends { create(...given: never): infer Made } ? Made : never

/** An area before it is created. */
export interface ContextDefinition<Name extends string = string, Made extends Context = Context, Parts = never> {
  name: Name
  uses: UsedContexts
  // The caller passes what `uses` names; `defineContext` has checked that `create` takes exactly that.
  create(platform: Platform, used: never, parts: Parts): Made
}

/**
 * Define an area. Areas below it are imported and named in `uses`; it reaches areas above it only by an extension point.
 * @param definition.create creates it; `parts` are what the program itself passes to areas
 */
export const defineContext = <const Name extends string, Uses extends UsedContexts, Made extends Context, Parts = unknown>(definition: {
  name: Name
  uses: Uses
  create(platform: Platform, used: { readonly [Key in keyof Uses]: MadeOf<Uses[Key]> }, parts: Parts): Made
}): ContextDefinition<Name, Made, Parts> => definition as ContextDefinition<Name, Made, Parts>
