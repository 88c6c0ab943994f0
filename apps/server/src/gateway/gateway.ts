/** Device sessions over MQTT: status and records up, changes and commands down. */
import { connectAsync, type MqttClient } from 'mqtt'
import { safeParse } from 'zod'
import {
  UPLINK_PATTERN,
  answerMessage,
  deviceTopics,
  recordsMessage,
  statusMessage,
  type CommandMessage,
  type RecordsMessage,
  type StatusMessage,
} from '@gatehouse/contract/device/protocol'
import { strategiesChanged, timeRulesChanged } from '../contexts/access/index.ts'
import { deviceSecretReset, devicesChanged, devicesDeleted, type DoorControl } from '../contexts/devices/index.ts'
import { facesChanged } from '../contexts/faces/index.ts'
import { groupDeleted, groupsChanged, personsChanged, personsDeleted } from '../contexts/people/index.ts'
import type { Platform } from '../platform/context.ts'
import { on } from '../platform/events.ts'
import { newId } from '../platform/ids.ts'
import { refuse } from '../platform/refusal.ts'
import type { DevicePrincipal, Scope } from '../platform/session.ts'
import { manifestOf, type ManifestSources } from './manifest.ts'

/** Changes that come together are told to a device once. */
const GATHER_MS = 50
/** A door that has not answered by then counts as timed out. */
const ANSWER_MS = 5_000

export interface Gateway extends DoorControl {
  start(connection: { url: string; username: string; password: string }): Promise<void>
  stop(): Promise<void>
}

export interface GatewayNeeds extends ManifestSources {
  /** Cuts a device off the embedded broker; nothing to do where the broker is somebody else's. */
  disconnect(code: string): void
}

export function createGateway(platform: Platform, needs: GatewayNeeds): Gateway {
  let client: MqttClient | null = null
  const told = new Map<string, string>()
  const waiting = new Map<string, NodeJS.Timeout>()
  const telling = new Set<Promise<void>>()
  let stopped = false
  const answers = new Map<string, (answer: { isSuccess: boolean; errorType: number | null }) => void>()
  const controlled = new Set<string>()
  /** Messages of one device are handled one after the other: a record must not overtake the one before it. */
  const queues = new Map<string, Promise<void>>()

  const publish = (topic: string, message: unknown) => client?.publishAsync(topic, JSON.stringify(message), { qos: 1 })

  /** Tells every online device of a park whose manifest has changed. */
  async function tell(parkId: string): Promise<void> {
    const scope: Scope = { parkId }
    for (const device of await needs.devices.all(scope)) {
      if (device.onlineStatus === 0) continue
      const manifest = await manifestOf(needs, { deviceId: device.id, code: device.code, parkId })
      if (told.get(device.id) === manifest.revision) continue
      told.set(device.id, manifest.revision)
      if (device.personsDesired !== manifest.persons.length) await needs.devices.noteStatus(scope, device.id, { desiredPersons: manifest.persons.length })
      await publish(deviceTopics(device.code).changed, { revision: manifest.revision })
    }
  }

  function changed(parkId: string): void {
    if (waiting.has(parkId) || stopped) return
    waiting.set(
      parkId,
      setTimeout(() => {
        waiting.delete(parkId)
        const work = tell(parkId).catch((error: unknown) => platform.log.error({ err: error, parkId }, 'devices were not told of a change'))
        telling.add(work)
        void work.then(() => telling.delete(work))
      }, GATHER_MS),
    )
  }

  async function onStatus(device: DevicePrincipal, status: StatusMessage): Promise<void> {
    const scope: Scope = { parkId: device.parkId }
    if (!status.online) {
      told.delete(device.deviceId)
      return needs.devices.noteStatus(scope, device.deviceId, { online: false, lastSeenAt: platform.clock.now() })
    }
    const manifest = await manifestOf(needs, device)
    await needs.devices.noteStatus(scope, device.deviceId, {
      online: true,
      lastSeenAt: platform.clock.now(),
      desiredPersons: manifest.persons.length,
      ...(status.ip !== undefined && { ip: status.ip }),
      ...(status.version !== undefined && { firmwareVersion: status.version }),
      ...(status.modelId !== undefined && { modelId: status.modelId }),
      ...(status.held !== undefined && {
        heldRevision: status.held.revision,
        heldPersons: status.held.persons,
        failedPersons: status.held.failed,
      }),
    })
    if (status.held?.revision === manifest.revision || told.get(device.deviceId) === manifest.revision) return
    told.set(device.deviceId, manifest.revision)
    await publish(deviceTopics(device.code).changed, { revision: manifest.revision })
  }

  async function onRecords(device: DevicePrincipal, message: RecordsMessage): Promise<void> {
    const ackSeq = await needs.access.ingest({ parkId: device.parkId }, device, message)
    // Only after commit: the broker's own acknowledgement means nothing.
    await publish(deviceTopics(device.code).acknowledged, { epoch: message.epoch, ackSeq })
  }

  async function onMessage(topic: string, payload: Buffer): Promise<void> {
    const [, , code = '', , kind] = topic.split('/')
    const device = await needs.devices.byCode(code)
    if (device === null) return
    let content: unknown
    try {
      content = JSON.parse(payload.toString('utf8'))
    } catch {
      content = undefined
    }
    const ignore = (why: unknown) => platform.log.warn({ device: code, kind, why }, 'a device sent what the protocol does not know')
    if (kind === 'status') {
      const parsed = safeParse(statusMessage, content)
      return parsed.success ? onStatus(device, parsed.data) : ignore(parsed.error.issues)
    }
    if (kind === 'records') {
      const parsed = safeParse(recordsMessage, content)
      return parsed.success ? onRecords(device, parsed.data) : ignore(parsed.error.issues)
    }
    if (kind === 'answer') {
      const parsed = safeParse(answerMessage, content)
      if (!parsed.success) return ignore(parsed.error.issues)
      answers.get(`${device.deviceId}/${parsed.data.id}`)?.(parsed.data)
      return
    }
    ignore('unknown topic')
  }

  function enqueue(topic: string, payload: Buffer): void {
    const code = topic.split('/')[2] ?? ''
    const before = queues.get(code) ?? Promise.resolve()
    const after = before
      .then(() => onMessage(topic, payload))
      .catch((error: unknown) => platform.log.error({ err: error, topic }, 'a message of a device was not handled'))
      .finally(() => {
        if (queues.get(code) === after) queues.delete(code)
      })
    queues.set(code, after)
  }

  const parkChanged = ({ parkId }: { parkId: string }) => changed(parkId)
  platform.events.consume({
    name: 'gateway.changes',
    mode: 'everyNode',
    handlers: [
      on(personsChanged, parkChanged),
      on(personsDeleted, parkChanged),
      on(groupsChanged, parkChanged),
      on(groupDeleted, parkChanged),
      on(facesChanged, parkChanged),
      on(strategiesChanged, parkChanged),
      on(timeRulesChanged, parkChanged),
      on(devicesChanged, parkChanged),
      on(deviceSecretReset, ({ payload }) => needs.disconnect(payload.code)),
      on(devicesDeleted, ({ payload }) => payload.codes.forEach((code) => needs.disconnect(code))),
    ],
  })

  return {
    async start({ url, username, password }) {
      client = await connectAsync(url, { username, password, clientId: `gatehouse-${newId()}`, clean: true, reconnectPeriod: 1000 })
      client.on('error', (error) => platform.log.warn({ err: error }, 'the broker is away'))
      client.on('message', enqueue)
      await client.subscribeAsync(UPLINK_PATTERN, { qos: 1 })
    },
    async stop() {
      stopped = true
      for (const timer of waiting.values()) clearTimeout(timer)
      // What has arrived is still acknowledged; what comes now is sent again after the next start.
      client?.off('message', enqueue)
      await Promise.all([...queues.values(), ...telling])
      await client?.endAsync(true)
    },
    async control(device, operateType) {
      if (controlled.has(device.id)) refuse(400206)
      controlled.add(device.id)
      const command: CommandMessage = { id: newId(), name: 'controlDoor', operateType }
      const key = `${device.id}/${command.id}`
      const { promise, resolve } = Promise.withResolvers<{ isSuccess: boolean; errorType: number | null }>()
      const timer = setTimeout(resolve, ANSWER_MS, { isSuccess: false, errorType: 0 })
      answers.set(key, ({ isSuccess, errorType }) => resolve({ isSuccess, errorType }))
      try {
        await publish(deviceTopics(device.code).command, command)
        return await promise
      } finally {
        clearTimeout(timer)
        answers.delete(key)
        controlled.delete(device.id)
      }
    },
  }
}
