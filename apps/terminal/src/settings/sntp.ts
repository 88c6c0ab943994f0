/** The time of a time server: SNTP version 4 (RFC 4330), one question and one answer. It only measures; it sets no clock. */
import { createSocket } from 'node:dgram'
import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'

/** Why no time came, as a key of what is told to people. */
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
  /** Server's clock minus ours, in milliseconds. */
  offset: number
  /** Milliseconds the question and the answer took on the way. */
  delay: number
}

const PACKET = 48
const CLIENT = 0x23
const TRANSMIT = 40
/** Seconds from 1900, where the format begins, to 1970; and the length of one of its eras. */
const EPOCH = 2_208_988_800
const ERA = 2 ** 32

/**
 * Asks a server once.
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
  // Random instead of our time: the answer repeats it, and nobody who did not see the question can.
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
    // Of somebody else, or to another question.
    if (answer.length < PACKET || !answer.subarray(24, 32).equals(question.subarray(TRANSMIT))) return
    try {
      answered.resolve(measure(answer, sentAt, receivedAt, host))
    } catch (error) {
      answered.reject(error)
    }
  })
  try {
    // Connected, the socket takes answers of this address only, and hears of a closed port.
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

/** @throws NoTime when the server has no time to give */
function measure(answer: Buffer, sentAt: number, receivedAt: number, host: string): Measurement {
  const [leap, mode, stratum] = [answer[0]! >> 6, answer[0]! & 7, answer[1]!]
  if (mode !== 4 || leap === 3 || stratum === 0 || stratum > 15)
    throw new NoTime('unusable', `The time server ${host} has no time to give.`)
  const [arrived, left] = [instantAt(answer, 32), instantAt(answer, TRANSMIT)]
  return { offset: Math.round((arrived - sentAt + (left - receivedAt)) / 2), delay: Math.round(receivedAt - sentAt - (left - arrived)) }
}

/** Epoch milliseconds; the era that ends in 2036 and the next one are told apart by the first bit (RFC 4330, 3). */
function instantAt(packet: Buffer, place: number): number {
  const seconds = packet.readUInt32BE(place)
  return (seconds + (seconds < ERA / 2 ? ERA : 0) - EPOCH) * 1000 + (packet.readUInt32BE(place + 4) / ERA) * 1000
}
