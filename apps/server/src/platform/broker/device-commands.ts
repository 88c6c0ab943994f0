/** Commands to devices and their answers. */
import type { DeviceCommandArgument, DeviceCommandName, DeviceCommandResult } from '@gatehouse/contract/device/commands'

/** The outcome of a command. `errorType`: 0 no answer in time, 1 connection lost, 2 to 4 as the device reports; null when it succeeded. */
export type CommandOutcome<Result> =
  | { isSuccess: true; errorType: null; result: Result }
  | { isSuccess: false; errorType: number; result: null }

export interface DeviceCommands {
  /**
   * Send a command and wait for the answer.
   * @param timeoutMs 5 s by default
   */
  send<Name extends DeviceCommandName>(
    device: { id: string; code: string },
    name: Name,
    argument: DeviceCommandArgument<Name>,
    options?: { timeoutMs?: number; signal?: AbortSignal },
  ): Promise<CommandOutcome<DeviceCommandResult<Name>>>
}
