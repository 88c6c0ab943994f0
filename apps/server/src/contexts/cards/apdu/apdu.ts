/** Commands and answers of ISO/IEC 7816-4 as hexadecimal digits. */
import type { WriteFailure } from '@gatehouse/contract/cards/writing'

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()

interface Command {
  cla?: number
  ins: number
  p1?: number
  p2?: number
  data?: Uint8Array
  /** Bytes expected; 0: as many as there are. */
  le?: number
}

/** Return a short command: at most 255 bytes of data. */
export function apdu({ cla = 0, ins, p1 = 0, p2 = 0, data, le }: Command): string {
  const body = data === undefined ? [] : [data.length, ...data]
  return hexOf(Uint8Array.from([cla, ins, p1, p2, ...body, ...(le === undefined ? [] : [le])]))
}

interface Response {
  data: Buffer
  /** The two status bytes, such as 0x9000. */
  status: number
}

/** Return the parts of an answer; null if it is not an answer of a card. */
function responseOf(text: string | undefined): Response | null {
  if (text === undefined || !/^([0-9a-f]{2}){2,}$/i.test(text)) return null
  const bytes = Buffer.from(text, 'hex')
  return { data: bytes.subarray(0, -2), status: bytes.readUInt16BE(bytes.length - 2) }
}

const SUCCESS = 0x9000

/** A card or its writer refused a command. */
export class CardRefused extends Error {
  override readonly name = 'CardRefused'
  readonly why: WriteFailure
  readonly status: number | null
  constructor(why: WriteFailure, status: number | null = null) {
    super(`${why}${status === null ? '' : ` (${status.toString(16).padStart(4, '0')})`}`)
    this.why = why
    this.status = status
  }
}

/**
 * Return the meaning of a status for the writing of a card. 6300 of a contactless reader and 63Cx of a card: wrong key; 6581: memory; 6982:
 * not authenticated; 6983, 6984: no attempts left; 6A81, 6A82, 6A88, 6D00, 6E00: another kind of card; 6401, 6F00: the card was removed.
 */
export function failureOf(status: number): WriteFailure {
  // 63C0: the last attempt failed too.
  if ([0x63c0, 0x6983, 0x6984].includes(status)) return 'blocked'
  if (status === 0x6300 || (status & 0xfff0) === 0x63c0 || status === 0x6982) return 'authentication'
  if (status === 0x6581 || status === 0x6a84) return 'memory'
  if (status === 0x6401 || status === 0x6400 || status === 0x6f00) return 'removed'
  if ([0x6a81, 0x6a82, 0x6a86, 0x6a88, 0x6b00, 0x6d00, 0x6e00, 0x6700, 0x6985, 0x6986].includes(status)) return 'unsuitable'
  return 'reader'
}

/** Return the data of a successful answer. @throws CardRefused */
export function dataOf(text: string | undefined): Buffer {
  const response = responseOf(text)
  if (response === null) throw new CardRefused('reader')
  if (response.status !== SUCCESS) throw new CardRefused(failureOf(response.status), response.status)
  return response.data
}
