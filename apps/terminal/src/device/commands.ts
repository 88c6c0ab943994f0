/** Remote commands: each runs once, however often it arrives, and is answered each time. */
import { doorControlErrorType } from '@gatehouse/contract/enums'
import { deviceCommands, type DeviceCommandName, type DeviceCommandResult } from '@gatehouse/contract/device/commands'
import type { AnswerMessage, CommandMessage } from '@gatehouse/contract/device/protocol-commands'
import type { z } from 'zod'

/** Outcome of a remote command, as the answer topic carries it. */
export type DoorAnswer = Omit<AnswerMessage, 'id'>

/** Handlers of the server's commands; a command without a handler is answered with errorType 4. */
export type CommandHandlers = {
  [Name in DeviceCommandName]?: (argument: z.output<(typeof deviceCommands)[Name]['argument']>) => Promise<DeviceCommandResult<Name>>
}

/** Thrown by a handler that cannot carry out the command at present: errorType 2. */
export class CommandRefused extends Error {}

const REMEMBERED = 100

/** @param operateDoor runs `operateType` of controlDoor */
export function createCommands(
  operateDoor: (operateType: number) => Promise<DoorAnswer>,
  handlers: CommandHandlers = {},
): (command: CommandMessage) => Promise<AnswerMessage> {
  const seen = new Map<string, Promise<DoorAnswer>>()

  async function run({ name, operateType, argument }: CommandMessage): Promise<DoorAnswer> {
    if (name === 'controlDoor')
      return operateType === undefined ? { isSuccess: false, errorType: doorControlErrorType.business } : operateDoor(operateType)
    const handle = Object.hasOwn(handlers, name)
      ? (handlers[name as DeviceCommandName] as ((argument: Record<string, unknown>) => Promise<Record<string, unknown>>) | undefined)
      : undefined
    if (handle === undefined) return { isSuccess: false, errorType: doorControlErrorType.error }
    const read = deviceCommands[name as DeviceCommandName].argument.safeParse(argument ?? {})
    if (!read.success) return { isSuccess: false, errorType: doorControlErrorType.business }
    return { isSuccess: true, errorType: null, result: await handle(read.data) }
  }

  const answered = (command: CommandMessage): Promise<DoorAnswer> =>
    run(command).catch((error: unknown) => ({
      isSuccess: false,
      errorType: error instanceof CommandRefused ? doorControlErrorType.business : doorControlErrorType.error,
    }))

  return async (command) => {
    const outcome = seen.get(command.id) ?? answered(command)
    seen.set(command.id, outcome)
    if (seen.size > REMEMBERED) seen.delete(seen.keys().next().value!)
    return { id: command.id, ...(await outcome) }
  }
}
