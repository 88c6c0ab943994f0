/**
 * The pins of a terminal. The setting `gpioTypes` says what is wired to each pin, from 0. Manufacturers of boxes provide an implementation
 * of `Pins` for their board; the one here is for tests and trials.
 */
import type { FastifyInstance } from 'fastify'

/** Called when the level of an input changes. */
export type PinListener = (pin: number, active: boolean) => void

export interface Pins {
  /** Call `listener` at each change, and once at the start for each active pin. @returns a function that ends it */
  watch(listener: PinListener): () => void
  /** Set an output. @throws when the board fails */
  write(pin: number, active: boolean): Promise<void>
}

export interface SimulatedPins extends Pins {
  /** Set an input, as a hand on a button would. */
  press(pin: number, active: boolean): void
  /** Return the levels of all pins that were ever set. */
  levels(): { pin: number; active: boolean }[]
}

/** Create simulated pins. */
export function simulatedPins(): SimulatedPins {
  const levels = new Map<number, boolean>()
  const listeners = new Set<PinListener>()
  return {
    watch(listener) {
      listeners.add(listener)
      for (const [pin, active] of levels) if (active) listener(pin, active)
      return () => listeners.delete(listener)
    },
    async write(pin, active) {
      levels.set(pin, active)
    },
    press(pin, active) {
      if ((levels.get(pin) ?? false) === active) return
      levels.set(pin, active)
      for (const listener of listeners) listener(pin, active)
    },
    levels: () => [...levels].map(([pin, active]) => ({ pin, active })),
  }
}

const PINS = 64

/** Serve simulated pins to this machine: `GET /pins`, and `PUT /pins/{number}` with the body `1` or `0`. */
export function servePins(server: FastifyInstance, pins: SimulatedPins): void {
  server.get('/pins', async () => pins.levels())
  server.put('/pins/:pin', async (request, reply) => {
    const pin = Number((request.params as { pin: string }).pin)
    const level = Buffer.from((request.body as Uint8Array | undefined) ?? [])
      .toString()
      .trim()
    if (!Number.isInteger(pin) || pin < 0 || pin >= PINS || !/^[01]$/.test(level)) return reply.code(400).send({ reason: 'badPin' })
    pins.press(pin, level === '1')
    return { pin, active: level === '1' }
  })
}
