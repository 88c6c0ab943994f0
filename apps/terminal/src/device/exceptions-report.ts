/** Tells the server who is held and cannot be recognised, so that it names each person and the reason. */
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol'
import type { HeldPersons } from './held-persons.ts'
import { failsOnThis, type ServerClient } from './server.ts'

export interface ExceptionsReport {
  /**
   * Sends all exceptions when something about them is new.
   * @param always send them in any case
   * @throws ServerAway when they did not arrive
   */
  send(options: { always: boolean; signal: AbortSignal }): Promise<void>
}

/** As many as the call takes. */
const MOST = 20_000

export function createExceptionsReport(client: ServerClient, held: HeldPersons, log: (sentence: string) => void): ExceptionsReport {
  const { holdings } = held
  let told: number | null = null
  return {
    async send({ always, signal }) {
      const position = holdings.position()
      if (!position) return
      const state = held.exceptionsState()
      if (state === told && !always) return
      const exceptions = [...holdings.exceptions().values()].slice(0, MOST)
      try {
        await client.request(deviceProtocolCalls.exceptions, { body: { ...position, exceptions } }, { signal, timeout: 60_000 })
      } catch (error) {
        if (!failsOnThis(error)) throw error
        log(`The server does not take the exceptions of this terminal: ${error instanceof Error ? error.message : String(error)}`)
      }
      told = state
    },
  }
}
