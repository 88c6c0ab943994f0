/** Report to the server of the stored persons that cannot be recognised, so that it can name each person and the reason. */
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import type { StoredPersons } from './stored-persons.ts'
import { failsOnThis, type ServerClient } from './server.ts'

export interface ExceptionsReport {
  /**
   * Send all exceptions if they have changed.
   * @param always send them in any case
   * @throws ServerAway when they did not arrive
   */
  send(options: { always: boolean; signal: AbortSignal }): Promise<void>
}

/** The most that the call accepts. */
const MOST = 20_000

export function createExceptionsReport(client: ServerClient, stored: StoredPersons, log: (sentence: string) => void): ExceptionsReport {
  const { holdings } = stored
  let reportedState: number | null = null
  return {
    async send({ always, signal }) {
      const position = holdings.position()
      if (!position) return
      const state = stored.exceptionsState()
      if (state === reportedState && !always) return
      const exceptions = [...holdings.exceptions().values()].slice(0, MOST)
      try {
        await client.request(deviceProtocolCalls.exceptions, { body: { ...position, exceptions } }, { signal, timeout: 60_000 })
      } catch (error) {
        if (!failsOnThis(error)) throw error
        log(`The server does not take the exceptions of this terminal: ${error instanceof Error ? error.message : String(error)}`)
      }
      reportedState = state
    },
  }
}
