/** Device sessions over MQTT: status and records up, changes and commands down. */
import { setTimeout as delay } from 'node:timers/promises'
import { safeParse, type ZodType } from 'zod'
import { deviceCommands } from '@gatehouse/contract/device/commands'
import {
  answerMessage,
  deviceTopics,
  recordsMessage,
  statusMessage,
  type AnswerMessage,
  type ChangedMessage,
  type CommandMessage,
  type RecordsMessage,
  type StatusMessage,
} from '@gatehouse/contract/device/protocol'
import { doorControlErrorType } from '@gatehouse/contract/enums'
import { deviceSecretReset, deviceSecretsEnded, devicesDeleted, type DeviceLine, type DevicesService } from '../contexts/devices/index.ts'
import type { DoorControl } from '../contexts/doors/index.ts'
import type { Ingest } from '../contexts/records/index.ts'
import { devicesReminded, type SynchronisationService } from '../contexts/synchronisation/index.ts'
import type { DeviceChannel } from '../platform/broker/channel.ts'
import type { Platform } from '../platform/context.ts'
import { isDatabaseFault } from '../platform/database/database-fault.ts'
import { on } from '../platform/events/events.ts'
import { newId } from '../platform/database/ids.ts'
import { parseJson } from '../platform/http/json.ts'
import { nulPath } from '../platform/http/nul.ts'
import type { DevicePrincipal } from '../platform/session/session.ts'
import { createAcknowledgements } from './acknowledgements.ts'

/** A door that has not answered by then counts as timed out. */
const ANSWER_MS = 5_000
/** A status that met a database that was away is noted again. */
const STATUS_AGAIN_MS = 500
/** Messages with records under way before senders are made to wait. */
const MESSAGES_AT_ONCE = 4_000

export interface Gateway extends DoorControl, DeviceLine {
  start(channel: DeviceChannel): void
  /** Handles what has arrived, and no more. */
  stop(): Promise<void>
}

export interface GatewayNeeds {
  synchronisation: SynchronisationService
  ingest: Ingest
  devices: DevicesService
  /** A device says in which state its door is. */
  doorTold(device: DevicePrincipal, state: string): void
}

/** What a device said of itself that is shown to people. */
type Shown = Pick<StatusMessage, 'online' | 'version' | 'ip' | 'modelId' | 'facts'>

export function createGateway(platform: Platform, { synchronisation, ingest, devices, doorTold }: GatewayNeeds): Gateway {
  let channel: DeviceChannel | null = null
  let stopped = false
  const answers = new Map<string, (answer: Omit<AnswerMessage, 'id'>) => void>()
  /** Last told to each device, so that a change elsewhere in the park is no news to it. */
  const told = new Map<string, string>()
  /** When it was told, whatever it was. */
  const sentAt = new Map<string, number>()
  const shown = new Map<string, string>()
  /** State of each device's door as it told last; empty while it is away, since it tells it anew. */
  const doors = new Map<string, string>()
  const working = new Set<Promise<void>>()
  /** A notice that is lost is made up for when the device connects again. */
  const notice = (topic: string, message: unknown): void => void channel?.publish(topic, JSON.stringify(message)).catch(() => {})
  const acknowledgements = createAcknowledgements((code, message) => notice(deviceTopics(code).acknowledged, message))
  /** Statuses of one device are handled one after the other: the last word must win. */
  const statuses = new Map<string, Promise<void>>()

  function tell(device: { deviceId: string; code: string }, message: ChangedMessage): void {
    told.set(device.deviceId, JSON.stringify(message))
    sentAt.set(device.deviceId, platform.clock.now())
    notice(deviceTopics(device.code).changed, message)
  }

  synchronisation.onChanged((_, all) => {
    if (stopped) return
    for (const device of all) if (told.get(device.deviceId) !== JSON.stringify(device.message)) tell(device, device.message)
  })

  /** Whoever waits for an answer of a device that has gone need not wait any longer. */
  function lost(deviceId: string): void {
    for (const [key, answer] of answers)
      if (key.startsWith(`${deviceId}/`)) answer({ isSuccess: false, errorType: doorControlErrorType.offline })
  }

  async function onStatus(device: DevicePrincipal, status: StatusMessage): Promise<void> {
    const { online, version, ip, modelId, held } = status
    // A door moves with each passage: nothing else of the device is written for that.
    const { door, ...facts } = status.facts ?? {}
    if (online && door !== undefined && doors.get(device.deviceId) !== door) doorTold(device, door)
    doors.set(device.deviceId, online ? (door ?? '') : '')
    const seen = JSON.stringify({ online, version, ip, modelId, facts } satisfies Shown)
    if (shown.get(device.deviceId) !== seen) {
      await devices.noteStatus({ parkId: device.parkId }, device.deviceId, {
        online,
        lastSeenAt: platform.clock.now(),
        ...(ip !== undefined && { ip }),
        ...(version !== undefined && { firmwareVersion: version }),
        ...(modelId !== undefined && { modelId }),
        ...(status.facts !== undefined && { facts }),
      })
      shown.set(device.deviceId, seen)
    }
    if (!online) return lost(device.deviceId)
    if (held !== undefined) synchronisation.noteHeld(device, held)
    const current = synchronisation.current(device)
    if (current !== null) tell(device, current)
  }

  /** A device does not repeat its status because the database was away. */
  async function noteStatus(device: DevicePrincipal, status: StatusMessage): Promise<void> {
    for (;;) {
      try {
        return await onStatus(device, status)
      } catch (error) {
        if (stopped || !isDatabaseFault(error)) throw error
        await delay(STATUS_AGAIN_MS)
      }
    }
  }

  function takeStatus(device: DevicePrincipal, status: StatusMessage): void {
    const after = (statuses.get(device.code) ?? Promise.resolve())
      .then(() => noteStatus(device, status))
      .catch((error: unknown) => platform.log.error({ err: error, device: device.code }, 'a status was not noted'))
      .finally(() => {
        if (statuses.get(device.code) === after) statuses.delete(device.code)
      })
    statuses.set(device.code, after)
  }

  async function takeRecords(device: DevicePrincipal, message: RecordsMessage): Promise<void> {
    try {
      // Only after commit: the broker's own acknowledgement means nothing.
      acknowledgements.add(device.code, message.epoch, await ingest(device, message))
    } catch (error) {
      platform.log.error({ err: error, device: device.code }, 'records were not stored; the device sends them again')
    }
  }

  /** What a kind of message is made of, and who takes it; a promise holds back what the device sends next. */
  const KINDS: Record<string, { schema: ZodType; take(device: DevicePrincipal, message: never): Promise<void> | void }> = {
    status: { schema: statusMessage, take: takeStatus },
    records: {
      schema: recordsMessage,
      take(device, message: RecordsMessage) {
        const work: Promise<void> = takeRecords(device, message).finally(() => working.delete(work))
        working.add(work)
        if (working.size > MESSAGES_AT_ONCE) return work
      },
    },
    answer: { schema: answerMessage, take: (device, answer: AnswerMessage) => answers.get(`${device.deviceId}/${answer.id}`)?.(answer) },
  }

  /** A device that sends what the protocol does not know is cut off; it may come back, and nobody else notices. */
  function cutOff(code: string, kind: string, why: unknown): void {
    platform.log.warn({ device: code, kind, why }, 'a device sent what the protocol does not know')
    channel?.disconnect(code).catch((error: unknown) => platform.log.warn({ err: error, device: code }, 'a device could not be cut off'))
  }

  async function onMessage(topic: string, payload: Buffer): Promise<void> {
    const [, , code = '', , kind = ''] = topic.split('/')
    const device = await devices.byCode(code)
    if (device === null || stopped) return
    const known = KINDS[kind]
    if (known === undefined) return cutOff(code, kind, 'unknown topic')
    let content: unknown
    try {
      content = parseJson(payload.toString('utf8'))
    } catch {
      return cutOff(code, kind, 'no JSON')
    }
    const parsed = safeParse(known.schema, content)
    if (!parsed.success) return cutOff(code, kind, parsed.error.issues.slice(0, 3))
    if (nulPath(parsed.data) !== null) return cutOff(code, kind, 'NUL in a text')
    return known.take(device, parsed.data as never)
  }

  const receive = (topic: string, payload: Buffer): Promise<void> =>
    onMessage(topic, payload).catch((error: unknown) => platform.log.error({ err: error, topic }, 'a message of a device was not handled'))

  platform.events.consume({
    name: 'gateway.sessions',
    mode: 'everyNode',
    handlers: [
      // First the secret, then the cut: a terminal that comes back at once must not be let in by the old one.
      on(deviceSecretReset, async ({ parkId, payload }) => {
        await devices.refresh({ parkId }, payload.deviceIds)
        // What was noted before the reset is no longer what stands: the next status is noted, whatever it says.
        for (const id of payload.deviceIds) shown.delete(id)
        await channel?.retire(payload.code)
      }),
      on(deviceSecretsEnded, async ({ parkId }) => {
        for (const code of await devices.secretsEnded({ parkId })) await channel?.retire(code)
      }),
      on(devicesReminded, async ({ parkId, payload }) => {
        if (!platform.events.leading()) return
        for (const { id, code } of await devices.facts({ parkId }, payload.deviceIds)) {
          const message = synchronisation.current({ deviceId: id, code, parkId })
          if (message !== null) tell({ deviceId: id, code }, message)
        }
      }),
      on(devicesDeleted, async ({ parkId, payload }) => {
        await devices.refresh({ parkId }, payload.deviceIds)
        for (const code of payload.codes) await channel?.retire(code)
      }),
    ],
  })

  /** Sends a command and waits for what the device says of it. */
  async function ask(
    device: { id: string; code: string },
    content: Omit<CommandMessage, 'id'>,
    { timeoutMs = ANSWER_MS, signal }: { timeoutMs?: number; signal?: AbortSignal } = {},
  ): Promise<Omit<AnswerMessage, 'id'>> {
    const command: CommandMessage = { id: newId(), ...content }
    const key = `${device.id}/${command.id}`
    const { promise, resolve } = Promise.withResolvers<Omit<AnswerMessage, 'id'>>()
    const late = () => resolve({ isSuccess: false, errorType: doorControlErrorType.timeout })
    const timer = setTimeout(late, timeoutMs)
    signal?.addEventListener('abort', late, { once: true })
    answers.set(key, resolve)
    try {
      await channel?.publish(deviceTopics(device.code).command, JSON.stringify(command), { qos: 1 })
      return await promise
    } catch {
      return { isSuccess: false, errorType: doorControlErrorType.offline }
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', late)
      answers.delete(key)
    }
  }

  const idle = async (): Promise<void> => void (await Promise.all([...working, ...statuses.values()]))

  return {
    idle,
    start(open) {
      channel = open
      open.onMessage(receive)
      open.onReconnect(() => {
        shown.clear()
        told.clear()
      })
    },
    sentAt: (deviceId) => sentAt.get(deviceId) ?? null,
    async stop() {
      stopped = true
      // Whoever waits for a device must not wait for one that cannot be heard any more.
      for (const answer of answers.values()) answer({ isSuccess: false, errorType: doorControlErrorType.timeout })
      // What has arrived is still acknowledged; what comes now is sent again after the next start.
      await idle()
      acknowledgements.flush()
    },
    async control(device, operateType) {
      const { isSuccess, errorType } = await ask(device, { name: 'controlDoor', operateType })
      return { isSuccess, errorType: isSuccess ? null : (errorType ?? doorControlErrorType.error) }
    },
    async send(device, name, argument, options) {
      const { isSuccess, errorType, result } = await ask(device, { name, argument }, options)
      if (!isSuccess) return { isSuccess, errorType: errorType ?? doorControlErrorType.error, result: null }
      const read = deviceCommands[name].result.safeParse(result ?? {})
      // It says that it did what was asked, and not what: nobody can go by that.
      return read.success
        ? { isSuccess, errorType: null, result: read.data as never }
        : { isSuccess: false, errorType: doorControlErrorType.error, result: null }
    },
  }
}
