/** One call of the console: what it gets and how it reads it. */
import { fieldIssuesOf, type Language } from '@gatehouse/contract'
import type { z } from 'zod'
import { ConsoleRefusal, type ConsoleCodeName } from './answers.ts'

export interface ConsoleRequest {
  readonly language: Language
  /** Values of the path and of the query. */
  readonly values: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
  /** Where it comes from. */
  readonly address: string
  /** The session's token; null before login. */
  readonly session: string | null
  /** Sets or, with null, ends the session of the browser. */
  remember(token: string | null): void
  /** Calls back when the answer has been sent, or nobody waits for it any more. */
  onSent(listener: () => void): void
}

export interface ConsoleCall {
  run(request: ConsoleRequest): unknown
  /** Bytes of a body at most; 64 KiB unless told. */
  bodyLimit?: number
  /** Works without a session. */
  open?: true
  /** Works while an upgrade runs. */
  whileUpgrading?: true
  /** For somebody who stands at this machine, also where the console is open to others. */
  onlyHere?: true
}

/** Calls by `METHOD path`, such as `PUT people/:id`. */
export type ConsoleCalls = Readonly<Record<string, ConsoleCall>>

/**
 * The JSON body of a request.
 * @throws ConsoleRefusal parametersWrong, or the code given, with the fields that do not fit
 */
export function read<Schema extends z.ZodType>(
  request: ConsoleRequest,
  schema: Schema,
  code: ConsoleCodeName = 'parametersWrong',
): z.output<Schema> {
  return fitting(schema, parsed(request.body), code)
}

/** A value by its schema. @throws ConsoleRefusal as `read` */
export function fitting<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  code: ConsoleCodeName = 'parametersWrong',
): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new ConsoleRefusal(code, { fields: fieldIssuesOf(result.error) })
}

/** A refusal of one field by a rule of `validation.json`, or by one of the console's own texts `rule.…`. */
export function fieldRefusal(
  path: string,
  rule: string,
  { code = 'parametersWrong', params }: { code?: ConsoleCodeName; params?: Record<string, string | number> } = {},
): ConsoleRefusal {
  return new ConsoleRefusal(code, { fields: [{ path, rule, ...(params && { params }) }] })
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    throw new ConsoleRefusal('parametersWrong')
  }
}
