/**
 * Cuts off request bodies that arrive too slowly. A client can announce a body and send nothing, or a byte now and then. Without a
 * minimum rate it occupies its connection, and the resources reserved for its body, as long as a request may last.
 */
import type { IncomingMessage } from 'node:http'
import { BodyTooSlow } from './refusal.ts'

/** Calls a listener once a second and returns a function that stops it; tests supply one that they trigger themselves. */
export type Ticks = (listener: () => void) => () => void

/** Bytes per second; a line of 128 kbit/s reaches it. A body of 320 kB has 30 seconds, one of 10 MB eleven minutes. */
const LEAST_RATE = 16_000
/** Seconds until the first byte. */
const FIRST_BYTE = 5
/** Seconds a body may be behind the minimum rate; being ahead of it earns no more. */
const CREDIT = 10
/** Seconds for the answer to a cut-off request, before the connection is closed without one. */
const ANSWER = 5

export interface MinimumRate {
  /** Watch the body of a request, if it has one, until it has arrived completely. */
  watch(request: IncomingMessage): void
  stop(): void
}

interface Watched {
  request: IncomingMessage
  /** Bytes read from its connection at the last tick. */
  bytesRead: number
  hasStarted: boolean
  /** Seconds left. */
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
 * Watch request bodies. Seconds are counted in ticks, not read from a clock: when the process was busy for ten seconds, a client whose
 * bytes wait in the socket loses only one second.
 */
export function createMinimumRate(ticks: Ticks = everySecond): MinimumRate {
  const all = new Set<Watched>()

  /** Emit an error on the stream, so that its reader answers the request; destroying the stream would close the connection too. */
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
      // With a full buffer the server is the one that does not read, for example while the upload waits for its turn.
      if (request.readableLength >= request.readableHighWaterMark) return
      if (!one.hasStarted && (arrived > 0 || request.readableLength > 0 || request.readableDidRead)) {
        one.hasStarted = true
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
      all.add({ request, bytesRead: request.socket.bytesRead, hasStarted: false, credit: FIRST_BYTE, isCutOff: false })
    },
    stop,
  }
}
