/** Schedule of pulls: on each announcement of the server, one pull at a time, again after a failure, and every hour as a precaution. */
import type { ChangedMessage } from '@gatehouse/contract/device/protocol-status'
import { createBackoff } from '../async/backoff.ts'
import { TAMPERED, type StoredPersons } from './stored-persons.ts'
import type { Synchroniser } from './synchroniser.ts'

export interface PullingOptions {
  synchroniser: Synchroniser
  stored: StoredPersons
  log: (sentence: string) => void
  random: () => number
  /** Report what is stored if it has changed. @throws when the report did not arrive */
  report: (signal: AbortSignal) => Promise<void>
}

export interface Pulling {
  /** Handle the server's announcement of the target: the revision and persons the device should reach. */
  announced(message: ChangedMessage): void
  /** Verify what is stored, and ask the server for the target. */
  check(): void
  /** Stop; resolves when nothing is being pulled any more. */
  stop(): Promise<void>
}

const HOUR = 3_600_000
/** Milliseconds the server has to announce the target to a device that stores nothing, before the device asks. */
const ANNOUNCED_WITHIN = 20_000

/** Pull for as long as one connection lasts. */
export function startPulling({ synchroniser, stored, log, random, report }: PullingOptions): Pulling {
  const over = new AbortController()
  const { signal } = over
  const retry = createBackoff(2_000, 60_000, random)
  const againIn = createBackoff(5_000, 600_000, random)
  let again: NodeJS.Timeout | undefined
  let newest: ChangedMessage | null = null
  let isRequested = false
  /** The server is asked for the target, whatever it announced. */
  let asking = false
  let wake = () => {}
  let working: Promise<void> | null = null

  const askTimer = setTimeout(askUnlessStored, ANNOUNCED_WITHIN)
  // After a restart of the server a thousand devices connect at once; their hourly checks are spread.
  const selfCheck = setInterval(() => void checkSelf(), HOUR * (0.9 + random() * 0.2))
  askTimer.unref()
  selfCheck.unref()

  function request(): void {
    isRequested = true
    working ??= work().finally(() => {
      working = null
      if (isRequested && !signal.aborted) request()
    })
  }

  async function work(): Promise<void> {
    while (isRequested && !signal.aborted) {
      isRequested = false
      try {
        const target = asking ? null : newest
        if (target === null || synchroniser.differs(target)) await pull(target)
        asking = false
        await report(signal)
        retry.reset()
        askAgainSoon()
      } catch (error) {
        if (signal.aborted) return
        log(`The persons cannot be brought up to date: ${error instanceof Error ? error.message : String(error)}`)
        isRequested = true
        await wait(retry.next())
      }
    }
  }

  /** Wait the given milliseconds, or less if pulling ends before. */
  function wait(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, milliseconds)
    timer.unref()
    wake = resolve
    return promise.finally(() => clearTimeout(timer))
  }

  async function pull(target: ChangedMessage | null): Promise<void> {
    await synchroniser.pull(target, signal)
    const { persons, failed } = stored.holdings.counts()
    log(`Holds ${persons} persons of revision ${stored.holdings.revision()}${failed > 0 ? `; ${failed} could not be taken` : ''}.`)
  }

  /** Ask again soon: a transient condition, such as a failure of the server, must not wait for an hour. */
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

  function askUnlessStored(): void {
    if (stored.state() === null) ask()
  }

  /** Verify what is stored, recount it, and ask the server, so that a lost message is noticed too. */
  async function checkSelf(): Promise<void> {
    try {
      if (!(await stored.verify())) log(TAMPERED)
      if (signal.aborted) return
      if (!stored.recount()) log('The digest of the persons held was wrong; it has been counted anew.')
    } catch (error) {
      if (signal.aborted) return
      log(`The persons held could not be counted: ${error instanceof Error ? error.message : String(error)}`)
    }
    ask()
  }

  return {
    announced(message) {
      clearTimeout(askTimer)
      newest = message
      request()
    },
    check: () => void checkSelf(),
    async stop() {
      over.abort()
      wake()
      clearTimeout(askTimer)
      clearTimeout(again)
      clearInterval(selfCheck)
      await working
    },
  }
}
