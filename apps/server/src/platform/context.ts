/** What a context is made of, and the platform it is given. */
import type { Call, CallShape, DataOf, Language, OutputOf, Schema } from '@gatehouse/contract'
import type { Clock } from './clock.ts'
import type { Config } from '../config.ts'
import type { Crypto } from './crypto.ts'
import type { AnyDatabase, OpenTransaction, Tx } from './database.ts'
import type { EncodedAnswer } from './encoded.ts'
import type { Events } from './events.ts'
import type { History } from './history.ts'
import type { Job } from './jobs.ts'
import type { Logger } from './log.ts'
import type { ContextMigration } from './migrations.ts'
import type { Secrets } from './secrets.ts'
import type { DevicePrincipal, Scope, Session } from './session.ts'
import type { Storage } from './storage.ts'
import type { Work } from './work.ts'

export interface Platform {
  config: Config
  clock: Clock
  log: Logger
  db: AnyDatabase
  events: Events
  history: History
  storage: Storage
  crypto: Crypto
  secrets: Secrets
  /** What takes longer than a request. */
  work: Work
  /** One transaction; events announced in it are heard after commit. */
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
  /** Only where the call is `multipart`. */
  file: Upload | null
  language: Language
  ip: string
  session: C['permission'] extends 'public' | 'basic' | 'device' ? null : Session
  scope: C['permission'] extends 'public' | 'basic' ? null : Scope
  device: C['permission'] extends 'device' ? DevicePrincipal : null
  signal: AbortSignal
}

/** An answer that is not JSON. */
export interface FileAnswer {
  bytes: Buffer
  contentType: string
  filename?: string
}

export interface MountedCall {
  call: Call
  handle(request: CallRequest): Promise<unknown>
}

/** Binds a handler to its call. */
export function handler<C extends Call>(
  call: C,
  handle: (request: CallRequest<C>) => Promise<C['produces'] extends 'file' ? FileAnswer : DataOf<C> | EncodedAnswer | (C['data'] extends Schema ? never : void)>,
): MountedCall {
  return { call, handle: handle as MountedCall['handle'] }
}

export interface Context {
  name: string
  calls: readonly MountedCall[]
  migrations: readonly ContextMigration[]
  jobs?: readonly Job[]
  /** Fills caches before the first request. */
  start?(): Promise<void>
  stop?(): Promise<void>
  /** Removes all rows of a park; answers how many of what. */
  erasePark?(tx: OpenTransaction, scope: Scope): Promise<Record<string, number>>
}
