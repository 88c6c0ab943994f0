/** Commands to devices and their answers. */
import type { DeviceCommandArgument, DeviceCommandName, DeviceCommandResult } from '@gatehouse/contract/device/commands'

/** How a command went. `errorType`: 0 no answer in time, 1 lost on the way, 2 to 4 as the device says; null when it succeeded. */
export type CommandOutcome<Result> =
  | { isSuccess: true; errorType: null; result: Result }
  | { isSuccess: false; errorType: number; result: null }

export interface DeviceCommands {
  /**
   * Sends a command and waits for the answer.
   * @param timeoutMs 5 s unless told
   */
  send<Name extends DeviceCommandName>(
    device: { id: string; code: string },
    name: Name,
    argument: DeviceCommandArgument<Name>,
    options?: { timeoutMs?: number; signal?: AbortSignal },
  ): Promise<CommandOutcome<DeviceCommandResult<Name>>>
}
