/** The terminal's connection: pairs over HTTP, then keeps an MQTT session until it breaks, and starts again. The door works throughout. */
import { setTimeout as pause } from 'node:timers/promises'
import { createBackoff } from '../async/backoff.ts'
import { createExceptionsReport } from './exceptions-report.ts'
import { kindOf, sentenceOf } from './link-failure.ts'
import { createPairing, type PairingOptions } from './pairing.ts'
import { createRemoval } from './removal.ts'
import { createSession, type SessionOptions } from './session.ts'
import { StoreUnusable } from './store.ts'

export type { DoorAnswer } from './commands.ts'

/**
 * `pairing` and `connecting` on the way, `online`, `away` while the server does not answer, `refused` while it rejects the code and secret
 * or does not prove itself, `foreign` when this data folder belongs to a device of another installation, `removed` when the server has
 * deleted this device and the device has dropped all its data.
 */
export type LinkKind = 'pairing' | 'connecting' | 'online' | 'away' | 'refused' | 'foreign' | 'removed'
export interface LinkState {
  kind: LinkKind
  /** Epoch milliseconds of the last change of `kind`. */
  since: number
  /** Message of the last failure, in English, for the log and the technician; empty without a failure. */
  detail: string
}

export interface LinkOptions extends PairingOptions, SessionOptions {
  secret: string
  /** Milliseconds between attempts: the first and the longest wait. */
  retry?: { first: number; limit: number }
}

export interface Link {
  state(): LinkState
  /** The server's clock minus ours at their last contact, in milliseconds; null before. */
  clockOffset(): number | null
  /** Report that the facts have changed. */
  factsChanged(): void
  /** Compare what is stored with what should be stored, at once; do nothing without a session. */
  synchronise(): void
  /** Publish that the terminal goes offline, and stop. */
  stop(): Promise<void>
}

/** Start connecting; never throws, however the server behaves. */
export function startLink(options: LinkOptions): Link {
  const { code, secret, client, store, stored, clock, log, onChange, random } = options
  const stopping = new AbortController()
  const backoff = createBackoff(options.retry?.first ?? 1_000, options.retry?.limit ?? 30_000, random)
  const exceptions = createExceptionsReport(client, stored, log)
  const removal = createRemoval({ code, secret, client, store, stored, log, onChange })
  const pairing = createPairing(options, exceptions)
  const session = createSession(options, { exceptions, stopping: stopping.signal, enter, onConnected: backoff.reset })
  let state: LinkState = { kind: 'pairing', since: clock(), detail: '' }
  const running = run()

  function enter(kind: LinkKind, detail = ''): void {
    if (kind === state.kind && detail === state.detail) return
    if (detail && detail !== state.detail) log(detail)
    state = { kind, since: kind === state.kind ? state.since : clock(), detail }
    onChange()
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const paired = await pairing.pair(stopping.signal)
        await session.run(paired, pairing.startAt())
        if (!stopping.signal.aborted) enter('away', 'The connection to the server is lost.')
      } catch (error) {
        if (stopping.signal.aborted) return
        const kind = kindOf(error)
        if (kind === 'refused') await removal.wasRemoved(stopping.signal)
        // A device that was removed stays removed while the server is away.
        if (store.removed() === null || kind === 'foreign') enter(kind, sentenceOf(error))
        else enter('removed', 'The server has removed this device.')
        if (error instanceof StoreUnusable) return
      }
      await pause(backoff.next(), undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  return {
    state: () => state,
    clockOffset: pairing.clockOffset,
    factsChanged: session.reportStatus,
    synchronise: session.synchronise,
    async stop() {
      stopping.abort()
      await session.leave()
      await running
    },
  }
}
