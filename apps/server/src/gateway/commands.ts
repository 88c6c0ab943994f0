/** Commands to devices, and waiting for their answers. */
import { deviceCommands } from '@gatehouse/contract/device/commands'
import { deviceTopics } from '@gatehouse/contract/device/protocol'
import type { AnswerMessage, CommandMessage } from '@gatehouse/contract/device/protocol-commands'
import { doorControlErrorType } from '@gatehouse/contract/enums'
import { newId } from '../platform/database/ids.ts'
import type { DevicePrincipal } from '../platform/session/session.ts'
import type { Gateway } from './gateway-types.ts'

/** Milliseconds after which an unanswered command counts as timed out. */
const ANSWER_MS = 5_000

type Answer = Omit<AnswerMessage, 'id'>

export interface Commands extends Pick<Gateway, 'control' | 'send'> {
  /** Handle the answer of a device. */
  take(device: DevicePrincipal, answer: AnswerMessage): void
  /** End the waiting for a device that went offline. */
  lost(deviceId: string): void
  /** End the waiting for all devices. */
  stop(): void
}

/** Create the sender of commands. @param publish resolves when the broker has a message; does nothing before there is a broker */
export function createCommands(publish: (topic: string, message: CommandMessage) => Promise<void> | undefined): Commands {
  /** By device and command. */
  const waiting = new Map<string, (answer: Answer) => void>()
  const keyOf = (deviceId: string, commandId: string): string => `${deviceId}/${commandId}`

  /** Send a command and wait for the answer of the device. */
  async function ask(
    device: { id: string; code: string },
    content: Omit<CommandMessage, 'id'>,
    { timeoutMs = ANSWER_MS, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
  ): Promise<Answer> {
    const command: CommandMessage = { id: newId(), ...content }
    const key = keyOf(device.id, command.id)
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const late = () => resolve({ isSuccess: false, errorType: doorControlErrorType.timeout })
    const timer = setTimeout(late, timeoutMs)
    signal?.addEventListener('abort', late, { once: true })
    waiting.set(key, resolve)
    try {
      await publish(deviceTopics(device.code).command, command)
      return await promise
    } catch {
      return { isSuccess: false, errorType: doorControlErrorType.offline }
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', late)
      waiting.delete(key)
    }
  }

  return {
    take: (device, answer) => waiting.get(keyOf(device.deviceId, answer.id))?.(answer),
    lost(deviceId) {
      for (const [key, answer] of waiting)
        if (key.startsWith(`${deviceId}/`)) answer({ isSuccess: false, errorType: doorControlErrorType.offline })
    },
    stop() {
      for (const answer of waiting.values()) answer({ isSuccess: false, errorType: doorControlErrorType.timeout })
    },
    async control(device, operateType) {
      const { isSuccess, errorType } = await ask(device, { name: 'controlDoor', operateType })
      return { isSuccess, errorType: isSuccess ? null : (errorType ?? doorControlErrorType.error) }
    },
    async send(device, name, argument, options) {
      const { isSuccess, errorType, result } = await ask(device, { name, argument }, options)
      if (!isSuccess) return { isSuccess, errorType: errorType ?? doorControlErrorType.error, result: null }
      const read = deviceCommands[name].result.safeParse(result ?? {})
      // An answer that reports success with an invalid result is of no use.
      return read.success
        ? { isSuccess, errorType: null, result: read.data as never }
        : { isSuccess: false, errorType: doorControlErrorType.error, result: null }
    },
  }
}
