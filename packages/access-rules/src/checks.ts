/**
 * The checks a decision was made by, and their compact form in a record. The form is final: records of years ago and
 * terminals of other versions are read by it, so the tables below are only ever appended to.
 */
import type { Factor, Restriction, SecondVerification } from './evidence.ts'
import type { RuleReason } from './time-rule.ts'

/** Why the time-rule check came out as it did; `missing`: the device did not hold the rule. */
export type RuleCheckReason = RuleReason | 'missing'

export type Check =
  /**
   * A person of the gallery reached the threshold, their own where they have one; scores from 0, `distance` as the
   * engine measured it. `templates`: how many the door's threshold was worked out for, absent where it was fixed;
   * `usual`: what the door asked of others, absent where it was the same.
   */
  | {
      code: 'face'
      ok: boolean
      score: number | null
      threshold: number | null
      distance: number | null
      templates?: number
      usual?: number
    }
  /** The device knows the person the evidence names. */
  | { code: 'registered'; ok: boolean }
  | { code: 'enabled'; ok: boolean }
  /** Epoch milliseconds of the person's validity, null for unbounded. */
  | { code: 'validity'; ok: boolean; from: number | null; to: number | null }
  /** `count` strategies cover the person here and have not ended. */
  | { code: 'strategy'; ok: boolean; count: number | null }
  /** One of them has begun; `from` is the earliest beginning where none has. */
  | { code: 'strategyBegun'; ok: boolean; from: number | null }
  /** A rule of a strategy is open: that pair and its reason, else the most telling pair of those closed. */
  | { code: 'timeRule'; ok: boolean; strategyId: string | null; ruleId: string | null; reason: RuleCheckReason | null }
  /** The strategy of that pair takes the method tried; one that does is preferred throughout. */
  | { code: 'method'; ok: boolean; method: number | null }
  /** Each other factor that was shown matched; a factor that names persons named one. */
  | { [F in Exclude<Factor, 'face'>]: { code: F; ok: boolean } }[Exclude<Factor, 'face'>]
  /** All factors named the same person. */
  | { code: 'samePerson'; ok: boolean }
  /** The second factor followed the first, or had not yet come, after `elapsed` of at most `limit` milliseconds. */
  | { code: 'factorTime'; ok: boolean; elapsed: number | null; limit: number | null }
  /**
   * The server confirmed the passage; else how asking it ended. Its reason, where it gave one, is that of the record; `restriction`
   * where the rule of an area refused. Where the device admits persons it cannot ask about, `ok` holds for `offline` and `timedOut`.
   */
  | { code: 'secondVerification'; ok: boolean; outcome: SecondVerification['outcome'] | null; restriction: Restriction | null }
  /** The best of the others, of this `score`, lies at least `margin` points behind the face that names the person. */
  | { code: 'runnerUp'; ok: boolean; score: number | null; margin: number | null }
  /** The face is a living one. `score` 0..1, null where the engine cannot tell; `threshold` null in a trial, which refuses nobody. */
  | { code: 'liveness'; ok: boolean; score: number | null; threshold: number | null }
  /** A mask, or a helmet, is worn: 1, 0, null where no sensor measured it. Where the device only says so, `ok` holds all the same. */
  | { code: 'mask' | 'helmet'; ok: boolean; worn: number | null }
  /** Degrees Celsius or a mark in their place; null where no sensor measured it. */
  | { code: 'temperature'; ok: boolean; value: number | null }
  /** A check of a version that came later; `number` is its place in that version's table. */
  | { code: 'unknown'; ok: boolean; number: number }

type KnownCheck = Exclude<Check, { code: 'unknown' }>
type DataField<C extends KnownCheck['code']> = Exclude<keyof Extract<KnownCheck, { code: C }>, 'code' | 'ok'>

/** Place in this table is the number of a check on the wire; fields follow in the order given. */
const TABLE = [
  { code: 'face', fields: ['score', 'threshold', 'distance', 'templates', 'usual'] },
  { code: 'registered', fields: [] },
  { code: 'enabled', fields: [] },
  { code: 'validity', fields: ['from', 'to'] },
  { code: 'strategy', fields: ['count'] },
  { code: 'strategyBegun', fields: ['from'] },
  { code: 'timeRule', fields: ['strategyId', 'ruleId', 'reason'] },
  { code: 'method', fields: ['method'] },
  { code: 'card', fields: [] },
  { code: 'idCard', fields: [] },
  { code: 'idNumber', fields: [] },
  { code: 'idPortrait', fields: [] },
  { code: 'qrCode', fields: [] },
  { code: 'devicePassword', fields: [] },
  { code: 'personalPassword', fields: [] },
  { code: 'smartPersonalPassword', fields: [] },
  { code: 'handprint', fields: [] },
  { code: 'samePerson', fields: [] },
  { code: 'factorTime', fields: ['elapsed', 'limit'] },
  { code: 'secondVerification', fields: ['outcome', 'restriction'] },
  { code: 'runnerUp', fields: ['score', 'margin'] },
  { code: 'liveness', fields: ['score', 'threshold'] },
  { code: 'mask', fields: ['worn'] },
  { code: 'helmet', fields: ['worn'] },
  { code: 'temperature', fields: ['value'] },
] as const satisfies readonly { [C in KnownCheck['code']]: { code: C; fields: readonly DataField<C>[] } }[KnownCheck['code']][]

/** Fields that came later, and that most checks do not have: the first to go where there is no room. */
const OPTIONAL: ReadonlySet<string> = new Set(['templates', 'usual'] satisfies DataField<'face'>[])

/** Most bytes of UTF-8 the compact form takes: a record's 400 for how it was decided, less 64 for the settings revision. */
export const CHECKS_MAX_BYTES = 336

type Value = string | number | null
type Row = [number: number, ok: 0 | 1, ...data: Value[]]

const byteLength = (text: string) => new TextEncoder().encode(text).length

/** @param isKept whether a field is written; its place stays */
function rowOf(check: Check, isKept: (field: string) => boolean): Row {
  const ok = check.ok ? 1 : 0
  if (check.code === 'unknown') return [check.number, ok]
  const number = TABLE.findIndex(({ code }) => code === check.code)
  const values: Readonly<Record<string, Value | boolean | undefined>> = check
  const data = TABLE[number]!.fields.map((field) => (isKept(field) ? ((values[field] ?? null) as Value) : null))
  while (data.length > 0 && data.at(-1) === null) data.pop()
  return [number, ok, ...data]
}

function checkOf([number, ok, ...data]: Row): Check {
  const entry = TABLE[number]
  if (!entry) return { code: 'unknown', ok: ok === 1, number }
  const fields = Object.fromEntries(
    entry.fields.flatMap((field, place) => (data[place] == null && OPTIONAL.has(field) ? [] : [[field, data[place] ?? null]])),
  )
  return { code: entry.code, ok: ok === 1, ...fields } as Check
}

/** What is written, from all to nothing but code and outcome. */
const FORMS: readonly ((field: string) => boolean)[] = [() => true, (field) => !OPTIONAL.has(field), () => false]

/**
 * The compact form of the checks of a decision: JSON of at most `CHECKS_MAX_BYTES`. The longest passage there can be, of two factors with
 * every sensor, leaves out the optional fields. Should ids be too long for that (ids of the product are not), checks keep their code and
 * outcome and lose their data.
 */
export function encodeChecks(checks: readonly Check[]): string {
  let text = ''
  for (const isKept of FORMS) {
    text = JSON.stringify(checks.map((check) => rowOf(check, isKept)))
    if (byteLength(text) <= CHECKS_MAX_BYTES) break
  }
  return text
}

/**
 * Reads the compact form back; data that was not kept is null, a check of a later version comes back as `unknown`.
 * @throws SyntaxError for text that is no compact form
 */
export function decodeChecks(text: string): Check[] {
  const rows: unknown = JSON.parse(text)
  if (!Array.isArray(rows) || !rows.every(isRow)) throw new SyntaxError('Not the compact form of checks')
  return rows.map(checkOf)
}

const isValue = (value: unknown) => value === null || typeof value === 'string' || typeof value === 'number'

function isRow(row: unknown): row is Row {
  if (!Array.isArray(row)) return false
  const [number, ok, ...data] = row as unknown[]
  return Number.isInteger(number) && Number(number) >= 0 && (ok === 0 || ok === 1) && data.every(isValue)
}
