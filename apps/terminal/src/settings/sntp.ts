/** The time of a time server: SNTP version 4 (RFC 4330), one request and one answer. It measures only, and sets no clock. */
import { createSocket } from 'node:dgram'
import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'

/** Why no time was received, as a key of the texts for people. */
export type TimeFailure = 'unknownHost' | 'noAnswer' | 'refused' | 'unusable'

export class NoTime extends Error {
  override readonly name = 'NoTime'
  readonly failure: TimeFailure
  constructor(failure: TimeFailure, message: string) {
    super(message)
    this.failure = failure
  }
}

export interface Measurement {
  /** The server's clock minus ours, in milliseconds. */
  offset: number
  /** Milliseconds of the round trip, without the time at the server. */
  delay: number
}

const PACKET = 48
const CLIENT = 0x23
const TRANSMIT = 40
/** Seconds from 1900, where the format starts, to 1970; and the length of one of its eras. */
const EPOCH = 2_208_988_800
const ERA = 2 ** 32

/**
 * Ask a server once.
 * @param host a name or an address
 * @throws NoTime
 */
export async function askTime(
  host: string,
  { port = 123, timeout = 5_000, clock = Date.now }: { port?: number; timeout?: number; clock?: () => number } = {},
): Promise<Measurement> {
  const { address, family } = await lookup(host).catch(() => {
    throw new NoTime('unknownHost', `The time server ${host} is not known.`)
  })
  const question = Buffer.alloc(PACKET)
  question[0] = CLIENT
  // A random value in place of our time: the answer repeats it, and only a peer that saw the request knows it.
  randomBytes(8).copy(question, TRANSMIT)
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  const answered = Promise.withResolvers<Measurement>()
  const timer = setTimeout(() => answered.reject(new NoTime('noAnswer', `The time server ${host} does not answer.`)), timeout)
  let sentAt = 0
  socket.on('error', (error: NodeJS.ErrnoException) =>
    answered.reject(new NoTime('refused', `The time server ${host} cannot be reached (${error.code ?? error.message}).`)),
  )
  socket.on('message', (answer) => {
    const receivedAt = clock()
    // An answer from another sender, or to another request.
    if (answer.length < PACKET || !answer.subarray(24, 32).equals(question.subarray(TRANSMIT))) return
    try {
      answered.resolve(measure(answer, sentAt, receivedAt, host))
    } catch (error) {
      answered.reject(error)
    }
  })
  try {
    // A connected socket receives answers of this address only, and reports a closed port.
    socket.connect(port, address, () => {
      sentAt = clock()
      socket.send(question)
    })
    return await answered.promise
  } finally {
    clearTimeout(timer)
    socket.close()
  }
}

/** Compute the measurement. @throws NoTime if the server has no valid time */
function measure(answer: Buffer, sentAt: number, receivedAt: number, host: string): Measurement {
  const [leap, mode, stratum] = [answer[0]! >> 6, answer[0]! & 7, answer[1]!]
  if (mode !== 4 || leap === 3 || stratum === 0 || stratum > 15)
    throw new NoTime('unusable', `The time server ${host} has no time to give.`)
  const [arrived, left] = [instantAt(answer, 32), instantAt(answer, TRANSMIT)]
  return { offset: Math.round((arrived - sentAt + (left - receivedAt)) / 2), delay: Math.round(receivedAt - sentAt - (left - arrived)) }
}

/** Return epoch milliseconds; the first bit distinguishes the era that ends in 2036 from the next one (RFC 4330, 3). */
function instantAt(packet: Buffer, place: number): number {
  const seconds = packet.readUInt32BE(place)
  return (seconds + (seconds < ERA / 2 ? ERA : 0) - EPOCH) * 1000 + (packet.readUInt32BE(place + 4) / ERA) * 1000
}
