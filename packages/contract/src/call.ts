/**
 * Definition of a call. Server routes, the typed client, OpenAPI and the inventory are all derived from these definitions, so that a path
 * or a permission is written in exactly one place.
 */
import type { z } from 'zod'
import type { PermissionCode } from './permissions.ts'
import type { BusinessCode } from './errors.ts'
import type { Condition } from './conditions.ts'

/** Any zod schema, constrained by its types only: the type check is about three times faster than with `z.ZodType`. */
export type Schema<Output = unknown, Input = unknown> = z.core.$ZodType<Output, Input>
export type OutputOf<S> = S extends { _zod: { output: infer O } } ? O : undefined
export type InputOf<S> = S extends { _zod: { input: infer I } } ? I : undefined

/** Path prefixes of the services. `device` is not in the specification: the calls of terminals over HTTP. */
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
 * Who may make the call. `public` needs no token, `self` any valid token, `basic` the client credentials of the token call, `device` the
 * token of an authenticated device, or its code and secret, `installation` the role sign admin or operator at the root of the tree, and the
 * codes in `besides`; anything else is a permission code that the caller's roles must have.
 */
export type Permission = 'public' | 'self' | 'basic' | 'device' | 'installation' | PermissionCode

/** Number of requests that one address may make within a window of `minutes`. */
export interface AddressLimit {
  requests: number
  minutes: number
}

/**
 * HTTP statuses that do not always follow from the shape of a call: 206 part of a file, 304 the client's copy is current, 401 the caller is
 * not authenticated, 403 the caller has no permission, 404 the record does not exist, 409 a stored record conflicts, 413 a file is too
 * large.
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
  /** Codes that the caller needs in addition to `permission`, all of them: a call that does more than read has a code of its own. */
  besides?: readonly PermissionCode[]
  /**
   * Condition of the deployment, the park and the role in addition to the permission; if it does not hold, the call is refused like one
   * without permission.
   */
  condition?: Condition
  /**
   * The caller must have typed their password within the last minutes (`CONFIRMED_FOR`), at the login or after it (`ownCalls.confirm`);
   * else the call is refused with HTTP 403 and the rule `passwordNeeded`. For calls for which an unattended session must not suffice. API
   * users, who have no password, cannot make such a call. `ofUsers` requires it of users only, where the specification opens the call to
   * API users: their credentials are never stored in a browser.
   */
  freshPassword?: true | 'ofUsers'
  /**
   * A session whose account lacks the second factor that the installation requires of it can make this call; every other call is refused
   * with HTTP 403 and the rule `secondFactorNeeded`. For calls about one's own account only, and for those the console needs to set up a
   * second factor.
   */
  beforeSecondFactor?: true
  /**
   * A data screen makes this call: the token of a screen link suffices, if the user who made the link may make the call. Only for calls
   * that change nothing.
   */
  dataScreen?: true
  /**
   * Whether the call changes data. Default: GET calls read, all others write. A call that writes is recorded in the operation log and
   * accepts no token in its address.
   */
  effect?: 'read' | 'write'
  /**
   * How often one address may make this call. Beyond it the answer is HTTP 429, whose header `Retry-After` is the number of seconds until
   * the window ends. Counted before anything is done, so that a call that costs or stores something for any caller is bounded. Calls
   * without a session need it unless they have a reason not to (tests/integration/address-limits.test.ts).
   */
  perAddress?: AddressLimit
  /** One sentence for the API reference. */
  summary: string
  params?: Schema
  query?: Schema
  /**
   * The call that reads the record that this one changes, by the `id` of its body: the record alone, in a list or in a tree. Its answer can
   * be sent back as the body: fields that this call does not change are accepted as long as they are unchanged.
   */
  record?: CallShape
  /** JSON body. Keys that the schema does not name are refused (`closesBody`). A `form` call takes the same schema form-encoded. */
  body?: Schema
  /** Data of the answer. Absent: the answer has no `data`. */
  data?: Schema
  /** Business codes the call may answer with, besides those that every call may (400, 401, 403, 404, 408, 413, 500). */
  errors?: readonly BusinessCode[]
  /** The call checks a password, and wrong ones are counted like those of the login. A refusal has a login code and HTTP 400. */
  provesPassword?: true
  /**
   * HTTP statuses the call may answer with, besides those that follow from its shape: the reference names them, and in tests the server
   * fails if it answers another.
   */
  statuses?: readonly AnswerStatus[]
  /** Encoding of the request body; `multipart` calls read one part named `file`. Default json. */
  consumes?: 'json' | 'form' | 'multipart'
  /** A `multipart` call that also takes a JSON body, if no file is sent. */
  orJson?: true
  /**
   * A `multipart` call whose part may be large: the part is stored on disk, encrypted, until the call ends, and is never in memory as a
   * whole.
   */
  streams?: true
  /**
   * A `public` call of a page that is opened by a link: the token of the link is sent in the header `X-Link-Token` and is checked before
   * the body is read. Each `public` call that is `multipart` needs it: a file of an unauthenticated client is not read without it.
   */
  linkToken?: true
  /** `file`: the answer is a binary file. `flat`: fields beside `code` instead of inside `data` (the token call). Default envelope. */
  produces?: 'envelope' | 'file' | 'flat'
  /** `own` where the specification has no such call. */
  origin?: 'specification' | 'own'
  /**
   * A `file` of personal data, a task that creates one, or a credential: the persons it contains are recorded in the log of reads. For
   * other answers their schema marks personal data.
   */
  readsPersonal?: boolean
  /** A refusal of this call shows the user no toast (AMBIGUITIES 18, 22). */
  quiet?: boolean
  /** Largest request body in bytes; default 1 MiB for JSON, see `limits.ts` for uploads. */
  bodyLimit?: number
}

/** A call with its address. `area` is the folder of the contract in which the call is defined. */
export type Call<Shape extends CallShape = CallShape> = Readonly<Shape> & { readonly url: string; readonly area: string }

/**
 * Return the function that defines the calls of an area: `const call = callsOf('people')`, then `call({ method: 'GET', … })`. The generic
 * keeps each schema's exact type for the handler and the client.
 */
export const callsOf =
  (area: string) =>
  <const Shape extends CallShape>(shape: Shape): Call<Shape> =>
    Object.freeze({ ...shape, area, url: SERVICE_PREFIX[shape.service] + shape.path })

/** Return whether a call changes data. */
export const isWrite = ({ method, effect }: Pick<CallShape, 'method' | 'effect'>): boolean =>
  (effect ?? (method === 'GET' ? 'read' : 'write')) === 'write'

/**
 * Return whether a request's body may contain only keys that its schema names. Devices of another version and clients of RFC 6749 may send
 * more.
 */
export const closesBody = ({ service, consumes }: Pick<CallShape, 'service' | 'consumes'>): boolean =>
  service !== 'device' && consumes !== 'form'

type Part<Name extends string, S> = S extends { _zod: unknown } ? { [K in Name]: InputOf<S> } : unknown
/** What a client passes: only the parts that the call declares. */
export type RequestOf<C extends CallShape> = Part<'params', C['params']> &
  Part<'query', C['query']> &
  Part<'body', C['body']> &
  LinkTokenOf<C>
/** The token of a link, if the call needs one. */
export type LinkTokenOf<C extends CallShape> = C['linkToken'] extends true ? { linkToken: string } : unknown
/** What a client receives: `data` of the envelope. */
export type DataOf<C extends CallShape> = OutputOf<C['data']>

/** Return a call's address with its `{name}` parameters filled in. */
export function addressOf(target: { url: string }, params: Record<string, string | number> = {}): string {
  return target.url.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name] ?? '')))
}
