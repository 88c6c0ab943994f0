/** What a context is made of, and the platform it is given. */
import type { Readable } from 'node:stream'
import type { Call, CallShape, DataOf, Language, OutputOf, Schema } from '@gatehouse/contract'
import type { Audit } from './audit/audit.ts'
import type { DeviceChannel } from './broker/channel.ts'
import { extensionPoint, type Extensions, type Registration } from './extension-points.ts'
import type { Clock } from './time/clock.ts'
import type { Config } from '../config.ts'
import type { Crypto } from './encryption/crypto.ts'
import type { AnyDatabase, OpenTransaction, Tx } from './database/database.ts'
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
import type { Storage } from './storage/storage.ts'
import type { Transport } from './transport/transport.ts'
import type { Work } from './jobs/work.ts'

export interface Platform {
  config: Config
  clock: Clock
  log: Logger
  db: AnyDatabase
  events: Events
  history: History
  /** Who did what, and who saw whom. */
  audit: Audit
  /** E-mails and text messages to people. */
  messages: Messages
  storage: Storage
  /** Reads what people upload, apart from everything else. */
  parsing: Parsing
  crypto: Crypto
  secrets: Secrets
  /** How what goes over the line is encrypted. */
  transport: Transport
  /** What takes longer than a request. */
  work: Work
  /** Ends the server in good order and starts it again; null where whoever started it offers no such thing. */
  restart: (() => void) | null
  /** What areas add to each other; to be asked once all are put together. */
  extensions: Extensions
  /** The way to devices. @throws before the broker is up */
  channel(): DeviceChannel
  /** One transaction; events announced in it are heard after commit, and the running call's entry in the operation log is part of it. */
  transaction<Tables, T>(work: (tx: Tx<Tables>) => Promise<T>): Promise<T>
}

/** A picture or file that arrived as `multipart`. */
export interface Upload {
  bytes: Buffer
  filename: string
}

type PartOf<S> = S extends Schema ? OutputOf<S> : undefined

/** What a handler is given: everything already checked. Session and device are present as the permission says. */
export interface CallRequest<C extends CallShape = CallShape> {
  params: PartOf<C['params']>
  query: PartOf<C['query']>
  body: PartOf<C['body']>
  /** Only where the call is `multipart`; on disk where it `streams`, and removed after the call. */
  file: C['streams'] extends true ? ReceivedFile | null : Upload | null
  language: Language
  /** The same; null where the request names no language. */
  statedLanguage: Language | null
  ip: string
  /** Host and port the request was made to, as its `Host` header says; a proxy on this machine may say it instead. */
  host: string
  /** Scheme and host the request was made to, such as `https://gate.example`. */
  origin: string
  /** `User-Agent` of the request, at most 200 characters. */
  agent: string
  /** Client credentials of a `basic` call, which hold. */
  client: C['permission'] extends 'basic' ? ClientCredentials : null
  session: C['permission'] extends 'public' | 'basic' | 'device' ? null : Session
  scope: C['permission'] extends 'public' | 'basic' ? null : Scope
  device: C['permission'] extends 'device' ? SignedInDevice : null
  signal: AbortSignal
}

/** An answer that is not JSON. */
export interface FileAnswer {
  /** A stream where it would be large, a ranged file where it may be asked for in parts. */
  bytes: Buffer | Readable | RangedFile
  contentType: string
  filename?: string
  /** Whoever writes it notes whom it tells of, as they are handed out. */
  noted?: true
}

export interface MountedCall {
  call: Call
  handle(request: CallRequest): Promise<unknown>
  /** What the token of a link opens, of a call that asks for one. @throws where it opens nothing, before the body is read */
  open?(token: string, ip: string): Promise<unknown>
}

/** Binds a handler to its call. */
export function handler<C extends Call>(
  call: C,
  handle: (
    request: CallRequest<C>,
  ) => Promise<C['produces'] extends 'file' ? FileAnswer : DataOf<C> | EncodedAnswer | (C['data'] extends Schema ? never : void)>,
): MountedCall {
  return { call, handle: handle as MountedCall['handle'] }
}

/** Binds a handler to a call of a link's page. @param open what the token opens; it throws where that is nothing */
export function linkHandler<C extends Call & { linkToken: true }, Link extends { id: string }>(
  call: C,
  open: (token: string, ip: string) => Promise<Link>,
  handle: (request: CallRequest<C> & { link: Link }) => Promise<DataOf<C>>,
): MountedCall {
  return { call, open, handle: handle as unknown as MountedCall['handle'] }
}

/** Somebody who is being erased, and still there. */
export interface LeavingPerson {
  id: string
  workNumber: string | null
}

/** What a context beside the register knows of persons, so that an erasure finds it. */
export interface PersonHolder {
  /** As receipts name it. */
  place: string
  count(scope: Scope, persons: readonly LeavingPerson[]): Promise<number>
  /** Removes it with the person; answers how many things, and the files that were let go. */
  forget(tx: OpenTransaction, scope: Scope, persons: readonly LeavingPerson[]): Promise<{ count: number; fileIds: string[] }>
}

export interface Context {
  calls: readonly MountedCall[]
  migrations: readonly ContextMigration[]
  jobs?: readonly Job[]
  /** Fills caches before the first request. */
  start?(): Promise<void>
  /** Begins work of its own, once events are heard and devices can be spoken to. */
  begin?(channel: DeviceChannel): Promise<void>
  /** Ends that work, while events are still heard and devices can be spoken to. */
  end?(): Promise<void>
  stop?(): Promise<void>
  holder?: PersonHolder
  /** Rows of this context that can be had as files. */
  exports?: readonly ExportKind[]
  /** Removes all rows of a park; answers how many of what. */
  erasePark?(tx: OpenTransaction, scope: Scope): Promise<Record<string, number>>
  /** What it adds to the points of areas below it. */
  extensions?: readonly Registration[]
}

/** Every context that is put together: for those that do something with all of them, such as the removal of a park. */
export const everyContext = extensionPoint<Context>('platform.everyContext')

/** Contexts that another one uses, under the names it knows them by. */
type UsedContexts = Readonly<Record<string, ContextDefinition>>

/** What a definition makes. */
export type MadeOf<Definition> = Definition extends { create(...given: never): infer Made } ? Made : never

/** An area before it is made. */
export interface ContextDefinition<Name extends string = string, Made extends Context = Context, Parts = never> {
  name: Name
  uses: UsedContexts
  // Who makes it hands over what `uses` names; `defineContext` has checked that `create` takes just that.
  create(platform: Platform, used: never, parts: Parts): Made
}

/**
 * Define an area. Areas below it are imported and named in `uses`; what areas above it know, it asks by an extension point.
 * @param definition.create makes it; `parts` are what the program itself hands to areas
 */
export const defineContext = <const Name extends string, Uses extends UsedContexts, Made extends Context, Parts = unknown>(definition: {
  name: Name
  uses: Uses
  create(platform: Platform, used: { readonly [Key in keyof Uses]: MadeOf<Uses[Key]> }, parts: Parts): Made
}): ContextDefinition<Name, Made, Parts> => definition as ContextDefinition<Name, Made, Parts>
