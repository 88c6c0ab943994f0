/** Messages of the Internet Printing Protocol as bytes (RFC 8010). */

/** Tags of groups of attributes. */
export const groupTag = { operation: 0x01, job: 0x02, end: 0x03, printer: 0x04 } as const
type GroupTag = Exclude<(typeof groupTag)[keyof typeof groupTag], 0x03>

/** Tags of the values that are sent or read here; values of any other tag are skipped. */
const valueTag = {
  integer: 0x21,
  boolean: 0x22,
  enum: 0x23,
  name: 0x42,
  keyword: 0x44,
  uri: 0x45,
  charset: 0x47,
  language: 0x48,
  mime: 0x49,
} as const
export type SentType = keyof typeof valueTag
/** Tags of values that are texts: as they are, and with a language before them. */
const TEXTS: ReadonlySet<number> = new Set([0x41, 0x42, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49])
const TEXTS_WITH_LANGUAGE: ReadonlySet<number> = new Set([0x35, 0x36])

/** Version 1.1: each printer of today understands it. */
const VERSION = 0x0101
/** Attributes of an answer beyond which it is not read; printers answer with some hundred at most. */
const ATTRIBUTES_MAX = 2000

/** A message that does not follow the protocol. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage'
}

export type SentAttribute = readonly [type: SentType, name: string, ...values: (string | number)[]]

export interface SentMessage {
  operation: number
  requestId: number
  groups: readonly { tag: GroupTag; attributes: readonly SentAttribute[] }[]
  document?: Buffer
}

const short = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}
const long = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const sized = (bytes: Buffer): Buffer => Buffer.concat([short(bytes.length), bytes])

function valueOf(type: SentType, value: string | number): Buffer {
  if (typeof value === 'string') return Buffer.from(value, 'utf8')
  return type === 'boolean' ? Buffer.from([value]) : long(value)
}

/** Return an attribute. Its values after the first one have no name. */
const attributeOf = ([type, name, ...values]: SentAttribute): Buffer =>
  Buffer.concat(
    values.map((value, at) =>
      Buffer.concat([Buffer.from([valueTag[type]]), sized(Buffer.from(at === 0 ? name : '', 'ascii')), sized(valueOf(type, value))]),
    ),
  )

/** Return a request as bytes, the document at its end. */
export function encodeMessage({ operation, requestId, groups, document }: SentMessage): Buffer {
  return Buffer.concat([
    short(VERSION),
    short(operation),
    long(requestId),
    ...groups.flatMap(({ tag, attributes }) => [Buffer.from([tag]), ...attributes.map(attributeOf)]),
    Buffer.from([groupTag.end]),
    ...(document === undefined ? [] : [document]),
  ])
}

export type ReadValue = string | number | boolean
export interface ReadMessage {
  status: number
  requestId: number
  /** Attributes by the tag of their group. Of several groups of one tag, the first that has an attribute counts. */
  attributes: ReadonlyMap<number, ReadonlyMap<string, readonly ReadValue[]>>
}

/** Reads pieces of a message one after another. @throws MalformedMessage where it ends too early */
function readerOf(bytes: Buffer) {
  let at = 0
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new MalformedMessage('the message ends too early')
    at += length
    return bytes.subarray(at - length, at)
  }
  const takeShort = (): number => take(2).readUInt16BE()
  return { take, byte: () => take(1)[0]!, short: takeShort, long: () => take(4).readInt32BE(), sized: () => take(takeShort()) }
}

/** Return a value; null where its tag is not read here. @throws MalformedMessage */
function readValue(tag: number, bytes: Buffer): ReadValue | null {
  if (tag === valueTag.integer || tag === valueTag.enum) {
    if (bytes.length !== 4) throw new MalformedMessage('a number does not have four bytes')
    return bytes.readInt32BE()
  }
  if (tag === valueTag.boolean) {
    if (bytes.length !== 1) throw new MalformedMessage('a boolean does not have one byte')
    return bytes[0] !== 0
  }
  if (TEXTS.has(tag)) return bytes.toString('utf8')
  if (!TEXTS_WITH_LANGUAGE.has(tag)) return null
  const reader = readerOf(bytes)
  reader.sized()
  return reader.sized().toString('utf8')
}

/** Return an answer. @throws MalformedMessage */
export function decodeMessage(bytes: Buffer): ReadMessage {
  const reader = readerOf(bytes)
  const version = reader.short()
  if (version >> 8 !== 1 && version >> 8 !== 2) throw new MalformedMessage(`version ${version >> 8} is not known`)
  const [status, requestId] = [reader.short(), reader.long()]
  const attributes = new Map<number, Map<string, ReadValue[]>>()
  let group: Map<string, ReadValue[]> | null = null
  let values: ReadValue[] | null = null
  for (let count = 0; ; count++) {
    if (count > ATTRIBUTES_MAX) throw new MalformedMessage('the message has too many attributes')
    const tag = reader.byte()
    if (tag === groupTag.end) return { status, requestId, attributes }
    if (tag < 0x10) {
      group = attributes.get(tag) ?? new Map()
      attributes.set(tag, group)
      values = null
      continue
    }
    const [name, value] = [reader.sized().toString('ascii'), readValue(tag, reader.sized())]
    if (group === null) throw new MalformedMessage('an attribute stands outside of all groups')
    if (name !== '') {
      values = []
      if (!group.has(name)) group.set(name, values)
    }
    if (values === null) throw new MalformedMessage('a further value stands before the first one')
    if (value !== null) values.push(value)
  }
}
