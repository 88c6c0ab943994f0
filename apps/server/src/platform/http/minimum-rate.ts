/**
 * Cuts off request bodies that do not arrive. A client can announce a body and send nothing, or one byte now and then;
 * without a minimum rate it keeps its connection, and whatever it was given for its body, as long as a request may last.
 */
import type { IncomingMessage } from 'node:http'
import { BodyTooSlow } from './refusal.ts'

/** Calls a listener once a second and answers how to end that; tests supply one that they call themselves. */
export type Ticks = (listener: () => void) => () => void

/** Bytes per second: a line of 128 kbit/s keeps it. A body of 320 kB has 30 seconds, one of 10 MB eleven minutes. */
const LEAST_RATE = 16_000
/** Seconds until the first byte. */
const FIRST_BYTE = 5
/** Seconds a body may be behind the least rate; being ahead of it earns no more. */
const CREDIT = 10
/** Seconds for the answer to a body that was cut off, before the connection is closed without one. */
const ANSWER = 5

export interface MinimumRate {
  /** Watches the body of a request, if it has one, until all of it has arrived. */
  watch(request: IncomingMessage): void
  stop(): void
}

interface Watched {
  request: IncomingMessage
  /** Of its connection, when it was last looked at. */
  bytesRead: number
  hasBegun: boolean
  /** Seconds it has left. */
  credit: number
  isCutOff: boolean
}

const everySecond: Ticks = (listener) => {
  const timer = setInterval(listener, 1000).unref()
  return () => clearInterval(timer)
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Seconds are counted in ticks, not read from a clock: when the process was busy for ten seconds, a client whose bytes
 * wait in the socket loses one of them.
 */
export function createMinimumRate(ticks: Ticks = everySecond): MinimumRate {
  const all = new Set<Watched>()

  /** Announced as an error of the stream, a cut-off is answered by whoever reads it; destroying the stream would take the connection along. */
  function cutOff(one: Watched): void {
    const { request } = one
    if (one.isCutOff || request.listenerCount('error') === 0) request.socket.destroy()
    else request.emit('error', new BodyTooSlow())
    one.isCutOff = true
    one.credit = ANSWER
  }

  function look(one: Watched): void {
    const { request } = one
    if (request.complete || request.socket.destroyed) {
      all.delete(one)
      return
    }
    const { bytesRead } = request.socket
    const arrived = bytesRead - one.bytesRead
    one.bytesRead = bytesRead
    if (!one.isCutOff) {
      // With a full buffer it is the server that does not read, for example while the upload waits for its turn.
      if (request.readableLength >= request.readableHighWaterMark) return
      if (!one.hasBegun && (arrived > 0 || request.readableLength > 0 || request.readableDidRead)) {
        one.hasBegun = true
        one.credit = CREDIT
      }
      one.credit = Math.min(CREDIT, one.credit + arrived / LEAST_RATE)
    }
    if (--one.credit < 0) cutOff(one)
  }

  const stop = ticks(() => {
    for (const one of all) look(one)
  })
  return {
    watch(request) {
      if (!hasBody(request)) return
      all.add({ request, bytesRead: request.socket.bytesRead, hasBegun: false, credit: FIRST_BYTE, isCutOff: false })
    },
    stop,
  }
}
