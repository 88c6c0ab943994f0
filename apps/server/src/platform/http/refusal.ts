/** Everything a handler may throw on purpose. Anything else is a fault and answers 500 without detail. */
import type { BusinessCode, FieldIssue, RefusalData } from '@gatehouse/contract'

/** A business refusal: HTTP 200 with a code of the catalogue, worded in the request's language. */
export class Refusal extends Error {
  readonly code: BusinessCode
  readonly data: RefusalData | undefined
  readonly status: number
  constructor(code: BusinessCode, data?: RefusalData, status = 200) {
    super(`refused with ${code}`)
    this.code = code
    this.data = data
    this.status = status
  }
}

/**
 * Refuse what the permission allows in general but not to this caller: 100510, HTTP 403.
 * @param rule of the message at the field
 */
export function forbid(field?: string, rule = 'code.100510'): never {
  throw new Refusal(100510, field === undefined ? undefined : { fields: [{ path: field, rule }] }, 403)
}

/** A request that fails its schema, or a field the schema cannot know to be wrong: HTTP 400 with the fields. */
export class InvalidRequest extends Error {
  readonly fields: FieldIssue[]
  readonly status: number
  constructor(fields: FieldIssue[], status = 400) {
    super('invalid request')
    this.fields = fields
    this.status = status
  }
}

/** A failed field, with the business code of the failure if there is one. */
export type Fault = FieldIssue & { code?: BusinessCode | undefined }

/**
 * Return the one refusal of several faults. A business code says more than that a field is wrong: the first code, if any, becomes that of
 * the answer, together with all fields.
 */
export function refusalOf(faults: readonly Fault[]): Refusal | InvalidRequest {
  const fields = faults.map(({ code, ...issue }) => (code === undefined ? issue : { path: issue.path, rule: `code.${code}` }))
  const code = faults.find((fault) => fault.code !== undefined)?.code
  return code === undefined ? new InvalidRequest(fields) : new Refusal(code, { fields })
}

/** The park's own data prevents the request: HTTP 409. The first field's rule gives the message; `data` has details. */
export class Hindered extends InvalidRequest {
  readonly data: Readonly<Record<string, unknown>>
  constructor(fields: FieldIssue[], data: Readonly<Record<string, unknown>>) {
    super(fields, 409)
    this.data = data
  }
}

/**
 * A password in a cipher text that was already used, or whose nonce or key has expired: HTTP 400 with the rule `cipherTextUsed` or
 * `cipherTextExpired`. The password was not checked, and no attempt was counted.
 */
export class SpentCipherText extends InvalidRequest {}

/** The session is not enough: its user has to enter the password again. HTTP 403, with the message that says so. */
export class PasswordNeeded extends InvalidRequest {
  constructor() {
    super([{ path: '', rule: 'passwordNeeded' }], 403)
  }
}

/** The account needs a second factor before its session may do this. HTTP 403, with the message that says so. */
export class SecondFactorNeeded extends InvalidRequest {
  constructor() {
    super([{ path: '', rule: 'secondFactorNeeded' }], 403)
  }
}

/** The record does not exist, or belongs to an area that the caller cannot see. */
export class NotFound extends Error {}

/** Too many tries by an address or on an account: HTTP 429, with the header `Retry-After`. */
export class TooManyTries extends Error {
  /** Whole seconds until a retry can succeed. */
  readonly retryAfter: number
  /** @param wait milliseconds until a retry can succeed */
  constructor(wait: number) {
    super('too many tries')
    this.retryAfter = Math.max(1, Math.ceil(wait / 1000))
  }
}

/** The body of the request does not arrive, or too slowly: HTTP 408, and the connection is closed. */
export class BodyTooSlow extends Error {
  /** Read by fastify and its parsers. */
  readonly statusCode = 408
}

/** The record was changed meanwhile: HTTP 409 with the fields that differ from what the caller last read. */
export class Conflict extends Error {
  readonly fields: FieldIssue[]
  constructor(paths: string[]) {
    super('conflict')
    this.fields = paths.map((path) => ({ path, rule: 'conflict' }))
  }
}

/** Refuse with a code; `field` is where the form shows it. */
export function refuse(code: BusinessCode, field?: string, data: RefusalData = {}): never {
  throw new Refusal(code, field === undefined ? data : { ...data, fields: [{ path: field, rule: `code.${code}` }] })
}
