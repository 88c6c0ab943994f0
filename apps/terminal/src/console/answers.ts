/** Answers of the console's calls: a code of the console's own family, its words, and the data requested. */
import { deviceConsoleCode, type DeviceConsoleCode, type FieldIssue } from '@gatehouse/contract'

export type ConsoleCodeName = keyof typeof deviceConsoleCode

/** A refusal of a call. The person reads its words and stays on the page. */
export class ConsoleRefusal extends Error {
  override readonly name = 'ConsoleRefusal'
  readonly code: DeviceConsoleCode
  /** The fields it is about. */
  readonly fields: readonly FieldIssue[]
  /** A key of the console's own texts that explains more, and its values. */
  readonly why: Why | null

  constructor(code: ConsoleCodeName, { fields = [], why = null }: { fields?: readonly FieldIssue[]; why?: Why | null } = {}) {
    super(`device console: ${code}`)
    this.code = deviceConsoleCode[code]
    this.fields = fields
    this.why = why
  }
}

/** `picture`: the business code of the catalogue that says why a picture was refused. */
export type Why = { key: string; values?: Record<string, string | number> } | { picture: number }

/** A success whose code is not 200. */
export class ConsoleDone {
  readonly code: DeviceConsoleCode
  readonly data: unknown

  constructor(code: ConsoleCodeName, data?: unknown) {
    this.code = deviceConsoleCode[code]
    this.data = data
  }
}

/** Bytes to display or to save, in place of an envelope. */
export class ConsoleFile {
  readonly bytes: Uint8Array
  readonly type: string
  /** Name under which the browser saves it; null if it is displayed. */
  readonly name: string | null

  constructor(bytes: Uint8Array, type: string, name: string | null = null) {
    this.bytes = bytes
    this.type = type
    this.name = name
  }
}
