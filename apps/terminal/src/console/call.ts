/** One call of the console: its request, and how that is read. */
import { fieldIssuesOf, type Language } from '@gatehouse/contract'
import type { z } from 'zod'
import { ConsoleRefusal, type ConsoleCodeName } from './answers.ts'

export interface ConsoleRequest {
  readonly language: Language
  /** Values of the path and of the query. */
  readonly values: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
  /** Address of the caller. */
  readonly address: string
  /** Token of the session; null before login. */
  readonly session: string | null
  /** Set the session of the browser, or end it with null. */
  remember(token: string | null): void
  /** Call the listener when the answer has been sent or the connection has closed. */
  onSent(listener: () => void): void
}

export interface ConsoleCall {
  run(request: ConsoleRequest): unknown
  /** Largest body in bytes; 64 KiB by default. */
  bodyLimit?: number
  /** Works without a session. */
  open?: true
  /** Works while an upgrade runs. */
  whileUpgrading?: true
  /** Only for callers on this machine, even where the console is open to others. */
  onlyHere?: true
}

/** Calls by `METHOD path`, such as `PUT people/:id`. */
export type ConsoleCalls = Readonly<Record<string, ConsoleCall>>

/**
 * Return the JSON body of a request.
 * @throws ConsoleRefusal parametersWrong, or the code given, with the fields that are invalid
 */
export function read<Schema extends z.ZodType>(
  request: ConsoleRequest,
  schema: Schema,
  code: ConsoleCodeName = 'parametersWrong',
): z.output<Schema> {
  return fitting(schema, parsed(request.body), code)
}

/** Return a value parsed by its schema. @throws ConsoleRefusal as `read` */
export function fitting<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  code: ConsoleCodeName = 'parametersWrong',
): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new ConsoleRefusal(code, { fields: fieldIssuesOf(result.error) })
}

/** Return a refusal of one field by a rule of `validation.json`, or by one of the console's own texts `rule.…`. */
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
