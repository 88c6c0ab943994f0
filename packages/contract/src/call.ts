/**
 * A call, written once. Server routes, the typed client, OpenAPI and the inventory are all read from these
 * definitions, so a path or a permission stands in exactly one place.
 */
import type { z } from 'zod'
import type { PermissionCode } from './permissions.ts'
import type { BusinessCode } from './errors.ts'
import type { Condition } from './conditions.ts'

/** Any zod schema, constrained by its types only: checks about three times faster than `z.ZodType`. */
export type Schema<Output = unknown, Input = unknown> = z.core.$ZodType<Output, Input>
export type OutputOf<S> = S extends { _zod: { output: infer O } } ? O : undefined
export type InputOf<S> = S extends { _zod: { input: infer I } } ? I : undefined

/** Path prefixes of the services. `device` is ours: what a terminal asks over HTTP. */
export const SERVICE_PREFIX = {
  as: '/asService/uface/v1',
  biz: '/bizService/uface/v1',
  export: '/exportService/uface/v1',
  visitor: '/visitorService/uface/v1',
  show: '/showService/uface/v1',
  device: '/deviceService/uface/v1',
} as const
export type Service = keyof typeof SERVICE_PREFIX

/**
 * Who may call. `public` needs no token, `self` any valid token, `basic` the client credentials of the token call,
 * `device` the token of a device that has proved itself, or its code and secret, `installation` role sign admin or operator
 * at the root, and the codes in `besides`; anything else is a permission code the caller's roles must hold. `anyOf`
 * opens a lookup to several screens.
 */
export type Permission = 'public' | 'self' | 'basic' | 'device' | 'installation' | PermissionCode

/** How many requests one address may make in a window of so many minutes. */
export interface AddressLimit {
  requests: number
  minutes: number
}

/**
 * HTTP statuses that a call's shape does not always tell: 206 a part of what was asked for, 304 it is known already,
 * 401 whoever asks has not proved who he is, 403 he may not, 404 what is meant does not exist, 409 something written
 * down stands in the way, 413 a file is too large.
 */
export type AnswerStatus = 206 | 304 | 401 | 403 | 404 | 409 | 413

/** Request header with the token of the link that a page was opened by. */
export const LINK_TOKEN_HEADER = 'X-Link-Token'

export interface CallShape {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  service: Service
  /** Relative to the service's prefix, with `{name}` parameters. */
  path: string
  permission: Permission
  /** Codes demanded besides `permission`, all of them: what does more than look has a code of its own. */
  besides?: readonly PermissionCode[]
  /** What must hold of the deployment, the park and the role besides the permission; else the call is refused like a missing permission. */
  condition?: Condition
  /**
   * The caller has typed their password within the last minutes, at the login or after it (`ownCalls.confirm`); else
   * HTTP 403 with the rule `passwordNeeded`. For what a session left open must not be enough for. API users, who have
   * no password, cannot make such a call; `ofUsers` asks it of users alone, where the specification opens the call to
   * API users: what they log in with never lies in a browser.
   */
  freshPassword?: true | 'ofUsers'
  /**
   * A session whose account still lacks the second factor that the installation demands of it can make this call; it is refused every
   * other one with HTTP 403 and the rule `secondFactorNeeded`. For what is about one's own account alone, and what the console needs
   * to show how a second factor is set up.
   */
  beforeSecondFactor?: true
  /** A data screen reads it: the token of a screen link is enough, if its maker may make the call. Only for what changes nothing. */
  dataScreen?: true
  /**
   * Whether it changes anything: GET calls read and all others write unless it is said here. What writes stands in the
   * operation log and takes no token from its address.
   */
  effect?: 'read' | 'write'
  /**
   * How often one address may make this call; beyond it HTTP 429, whose header `Retry-After` says in seconds when the
   * window ends. Counted before anything is done, so that a call which costs or
   * stores something for anybody does so within bounds. Calls without a session need it unless they have a reason not to
   * (tests/integration/address-limits.test.ts).
   */
  perAddress?: AddressLimit
  /** One sentence for the API reference. */
  summary: string
  params?: Schema
  query?: Schema
  /**
   * The call that reads the record this one changes, by the `id` of its body: itself, in a list or in a tree. What it answers can be sent
   * back; fields of it that this call does not change are taken as long as they are unchanged.
   */
  record?: CallShape
  /** JSON body, whose keys are all known to the schema; a `form` call takes the same schema form-encoded. */
  body?: Schema
  /** Absent: the answer carries no data. */
  data?: Schema
  /** Business codes the call may answer with, beyond those every call may (400, 401, 403, 404, 408, 413, 500). */
  errors?: readonly BusinessCode[]
  /** It asks for a password that is counted like one of the login: what refuses it has a code of the login, with HTTP 400. */
  provesPassword?: true
  /**
   * HTTP statuses the call may answer with besides those that follow from what it takes: the reference names them, and
   * a test's server gives no other.
   */
  statuses?: readonly AnswerStatus[]
  /** How the request body travels; `multipart` calls read one part named `file`. Default json. */
  consumes?: 'json' | 'form' | 'multipart'
  /** A `multipart` call that takes a JSON body as well, where no file comes along. */
  orJson?: true
  /**
   * A `multipart` call whose part may be large: it is kept on disk, encrypted, while the call lasts, and never stands
   * in memory as a whole.
   */
  streams?: true
  /**
   * A `public` call of a page that a link opens: the token of the link comes in the header `X-Link-Token` and is checked
   * before the body is read. Each `public` call that is `multipart` needs it: a stranger's file is not taken on trust.
   */
  linkToken?: true
  /** `file`: the answer is a binary. `flat`: fields beside `code` instead of inside `data` (the token call). Default envelope. */
  produces?: 'envelope' | 'file' | 'flat'
  /** `own` where the specification names no such call. */
  origin?: 'specification' | 'own'
  /**
   * A `file` of personal data, or a task that makes one: whom it tells of is noted in the log of reads. Other answers
   * say so by their schema.
   */
  readsPersonal?: boolean
  /** A refused call the user must not see a toast for (AMBIGUITIES 18, 22). */
  quiet?: boolean
  /** Largest request body in bytes; default 1 MiB for JSON, see limits for uploads. */
  bodyLimit?: number
}

/** `area` is the folder of the contract that the call stands in. */
export type Call<Shape extends CallShape = CallShape> = Readonly<Shape> & { readonly url: string; readonly area: string }

/**
 * Return what defines the calls of an area: `const call = callsOf('people')`, then `call({ method: 'GET', … })`.
 * The generic keeps each schema's exact type for the handler and the client.
 */
export const callsOf =
  (area: string) =>
  <const Shape extends CallShape>(shape: Shape): Call<Shape> =>
    Object.freeze({ ...shape, area, url: SERVICE_PREFIX[shape.service] + shape.path })

/** Whether a call changes something. */
export const isWrite = ({ method, effect }: Pick<CallShape, 'method' | 'effect'>): boolean =>
  (effect ?? (method === 'GET' ? 'read' : 'write')) === 'write'

/**
 * Whether a request's body may hold nothing its schema does not name. Devices of another version and clients of RFC 6749 may say more than
 * is understood.
 */
export const closesBody = ({ service, consumes }: Pick<CallShape, 'service' | 'consumes'>): boolean =>
  service !== 'device' && consumes !== 'form'

type Part<Name extends string, S> = S extends { _zod: unknown } ? { [K in Name]: InputOf<S> } : unknown
/** What a client passes: only the parts the call declares. */
export type RequestOf<C extends CallShape> = Part<'params', C['params']> &
  Part<'query', C['query']> &
  Part<'body', C['body']> &
  LinkTokenOf<C>
/** The token of a link, of a call that asks for one. */
export type LinkTokenOf<C extends CallShape> = C['linkToken'] extends true ? { linkToken: string } : unknown
/** What a client gets back: `data` of the envelope. */
export type DataOf<C extends CallShape> = OutputOf<C['data']>

/** Fills `{name}` parameters into a call's address. */
export function addressOf(target: { url: string }, params: Record<string, string | number> = {}): string {
  return target.url.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))
}
