/** Messages of devices: checked against the protocol, and passed to the handler of their kind. */
import { safeParse, type ZodType } from 'zod'
import { answerMessage, type AnswerMessage } from '@gatehouse/contract/device/protocol-commands'
import { recordsMessage, type RecordsMessage } from '@gatehouse/contract/device/protocol-records'
import { statusMessage, type StatusMessage } from '@gatehouse/contract/device/protocol-status'
import type { DevicesService } from '../contexts/devices/index.ts'
import type { Logger } from '../platform/log.ts'
import { parseJson } from '../platform/http/json.ts'
import { nulPath } from '../platform/http/nul.ts'
import type { DevicePrincipal } from '../platform/session/session.ts'

/** Handlers by kind; a returned promise delays the device's next message. */
export interface MessageTakers {
  status(device: DevicePrincipal, status: StatusMessage): void
  records(device: DevicePrincipal, message: RecordsMessage): Promise<void> | void
  answer(device: DevicePrincipal, answer: AnswerMessage): void
}

export interface MessageParts {
  log: Logger
  devices: Pick<DevicesService, 'byCode'>
  takers: MessageTakers
  /** Close a device's connection. */
  disconnect(code: string): Promise<void> | undefined
  isStopped(): boolean
}

/** Return a function that receives the messages of devices. It does not reject. */
export function createReceiver({
  log,
  devices,
  takers,
  disconnect,
  isStopped,
}: MessageParts): (topic: string, payload: Buffer) => Promise<void> {
  const kinds: Record<string, { schema: ZodType; take(device: DevicePrincipal, message: never): Promise<void> | void }> = {
    status: { schema: statusMessage, take: takers.status },
    records: { schema: recordsMessage, take: takers.records },
    answer: { schema: answerMessage, take: takers.answer },
  }

  /** Disconnect a device that violates the protocol; it may reconnect, and other devices are not affected. */
  function cutOff(code: string, kind: string, why: unknown): void {
    log.warn({ device: code, kind, why }, 'a device sent what the protocol does not know')
    disconnect(code)?.catch((error: unknown) => log.warn({ err: error, device: code }, 'a device could not be cut off'))
  }

  async function receive(topic: string, payload: Buffer): Promise<void> {
    const [, , code = '', , kindName = ''] = topic.split('/')
    const device = await devices.byCode(code)
    if (device === null || isStopped()) return
    const kind = kinds[kindName]
    if (kind === undefined) return cutOff(code, kindName, 'unknown topic')
    let content: unknown
    try {
      content = parseJson(payload.toString('utf8'))
    } catch {
      return cutOff(code, kindName, 'no JSON')
    }
    const parsed = safeParse(kind.schema, content)
    if (!parsed.success) return cutOff(code, kindName, parsed.error.issues.slice(0, 3))
    if (nulPath(parsed.data) !== null) return cutOff(code, kindName, 'NUL in a text')
    return kind.take(device, parsed.data as never)
  }

  return (topic, payload) =>
    receive(topic, payload).catch((error: unknown) => log.error({ err: error, topic }, 'a message of a device was not handled'))
}
