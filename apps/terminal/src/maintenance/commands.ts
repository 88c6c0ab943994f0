/** Commands for the remote maintenance of this terminal. */
import { maintenanceCalls } from '@gatehouse/contract/maintenance/calls'
import { CommandRefused, type CommandHandlers } from '../device/commands.ts'
import { BULK_TIMEOUT, type ServerClient } from '../device/server.ts'
import type { LogFile } from './log-file.ts'
import type { ResourceWatch } from './resource-watch.ts'

export interface MaintenanceParts {
  client: () => Pick<ServerClient, 'request'>
  watch: () => ResourceWatch
  logFile: LogFile
  /** Ask the server at once what should be stored. */
  synchronise: () => void
  /** Restart the terminal; null if no supervisor can do it. */
  onRestart: (() => void) | null
  log: (sentence: string) => void
}

export function maintenanceCommands({ client, watch, logFile, synchronise, onRestart, log }: MaintenanceParts): CommandHandlers {
  return {
    async restart() {
      if (onRestart === null) throw new CommandRefused()
      log('It starts again, as the server asked.')
      // The answer is sent first.
      setImmediate(onRestart)
      return {}
    },
    async synchronise() {
      synchronise()
      return {}
    },
    resource: ({ thresholds }) => watch().look(thresholds),
    async sendLog({ requestId }) {
      const packed = await logFile.packed()
      await client().request(
        maintenanceCalls.sendLog,
        { params: { id: requestId } },
        { file: new Blob([new Uint8Array(packed)]), timeout: BULK_TIMEOUT },
      )
      return {}
    },
  }
}
