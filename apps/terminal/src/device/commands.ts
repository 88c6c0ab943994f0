/** Remote commands: each runs once, however often it arrives, and is answered each time. */
import { doorControlErrorType } from '@gatehouse/contract/enums'
import type { AnswerMessage, CommandMessage } from '@gatehouse/contract/device/protocol'

/** Outcome of a remote command, as the answer topic carries it. */
export type DoorAnswer = Omit<AnswerMessage, 'id'>

const REMEMBERED = 100

/** @param operateDoor runs `operateType` of controlDoor */
export function createCommands(operateDoor: (operateType: number) => Promise<DoorAnswer>): (command: CommandMessage) => Promise<AnswerMessage> {
  const seen = new Map<string, Promise<DoorAnswer>>()

  async function run({ name, operateType }: CommandMessage): Promise<DoorAnswer> {
    if (name !== 'controlDoor') return { isSuccess: false, errorType: doorControlErrorType.error }
    if (operateType === undefined) return { isSuccess: false, errorType: doorControlErrorType.business }
    try {
      return await operateDoor(operateType)
    } catch {
      return { isSuccess: false, errorType: doorControlErrorType.error }
    }
  }

  return async (command) => {
    const outcome = seen.get(command.id) ?? run(command)
    seen.set(command.id, outcome)
    if (seen.size > REMEMBERED) seen.delete(seen.keys().next().value!)
    return { id: command.id, ...(await outcome) }
  }
}
