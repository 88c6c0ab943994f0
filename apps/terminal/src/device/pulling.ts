/** When to pull: as the server tells, one pull at a time, again after a failure, and every hour to be sure. */
import type { ChangedMessage } from '@gatehouse/contract/device/protocol'
import { createBackoff } from './backoff.ts'
import { TAMPERED, type HeldPersons } from './held-persons.ts'
import type { Synchroniser } from './synchroniser.ts'

export interface PullingOptions {
  synchroniser: Synchroniser
  held: HeldPersons
  log: (sentence: string) => void
  random: () => number
  /** Says what is held, where that is new. @throws when it did not arrive */
  report: (signal: AbortSignal) => Promise<void>
}

export interface Pulling {
  /** The server told what the device should come to. */
  told(message: ChangedMessage): void
  /** Looks through what is held, and asks the server what the device should come to. */
  check(): void
  /** Resolves when nothing is pulled any more. */
  stop(): Promise<void>
}

const HOUR = 3_600_000
/** Milliseconds the server has to tell a device that holds nothing what it wants, before it is asked. */
const UNTOLD = 20_000

/** Pulls for as long as one connection stands. */
export function startPulling({ synchroniser, held, log, random, report }: PullingOptions): Pulling {
  const over = new AbortController()
  const { signal } = over
  const retry = createBackoff(2_000, 60_000, random)
  const againIn = createBackoff(5_000, 600_000, random)
  let again: NodeJS.Timeout | undefined
  let newest: ChangedMessage | null = null
  let wanted = false
  /** The server is asked what it wants, whatever it told. */
  let asking = false
  let wake = () => {}
  let working: Promise<void> | null = null

  const untold = setTimeout(askUnlessHeld, UNTOLD)
  // After a restart of the server a thousand devices are connected at once, and need not ask at once for ever.
  const selfCheck = setInterval(() => void checkSelf(), HOUR * (0.9 + random() * 0.2))
  untold.unref()
  selfCheck.unref()

  function request(): void {
    wanted = true
    working ??= work().finally(() => {
      working = null
      if (wanted && !signal.aborted) request()
    })
  }

  async function work(): Promise<void> {
    while (wanted && !signal.aborted) {
      wanted = false
      try {
        const told = asking ? null : newest
        if (told === null || synchroniser.differs(told)) await pull(told)
        asking = false
        await report(signal)
        retry.reset()
        askAgainSoon()
      } catch (error) {
        if (signal.aborted) return
        log(`The persons cannot be brought up to date: ${error instanceof Error ? error.message : String(error)}`)
        wanted = true
        await wait(retry.next())
      }
    }
  }

  /** Milliseconds, or less where it ends before. */
  function wait(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, milliseconds)
    timer.unref()
    wake = resolve
    return promise.finally(() => clearTimeout(timer))
  }

  async function pull(told: ChangedMessage | null): Promise<void> {
    await synchroniser.pull(told, signal)
    const { persons, failed } = held.holdings.counts()
    log(`Holds ${persons} persons of revision ${held.holdings.revision()}${failed > 0 ? `; ${failed} could not be taken` : ''}.`)
  }

  /** What may pass by itself, such as a fault of the server, is not left for an hour. */
  function askAgainSoon(): void {
    clearTimeout(again)
    if (!synchroniser.mayPass()) return againIn.reset()
    again = setTimeout(ask, againIn.next())
    again.unref()
  }

  function ask(): void {
    asking = true
    request()
  }

  function askUnlessHeld(): void {
    if (held.state() === null) ask()
  }

  /** Looks through what is held, counts it, and asks: a message that was lost is found out too. */
  async function checkSelf(): Promise<void> {
    try {
      if (!(await held.verify())) log(TAMPERED)
      if (signal.aborted) return
      if (!held.recount()) log('The digest of the persons held was wrong; it has been counted anew.')
    } catch (error) {
      if (signal.aborted) return
      log(`The persons held could not be counted: ${error instanceof Error ? error.message : String(error)}`)
    }
    ask()
  }

  return {
    told(message) {
      clearTimeout(untold)
      newest = message
      request()
    },
    check: () => void checkSelf(),
    async stop() {
      over.abort()
      wake()
      clearTimeout(untold)
      clearTimeout(again)
      clearInterval(selfCheck)
      await working
    },
  }
}
