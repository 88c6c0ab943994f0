/** Device sessions over MQTT: statuses and records from devices, changes and commands to them. */
import { deviceTopics } from '@gatehouse/contract/device/protocol'
import type { RecordsMessage } from '@gatehouse/contract/device/protocol-records'
import { deviceSecretReset, deviceSecretsEnded, devicesDeleted } from '../contexts/devices/index.ts'
import { devicesReminded } from '../contexts/synchronisation/index.ts'
import type { DeviceChannel } from '../platform/broker/channel.ts'
import type { Platform } from '../platform/context.ts'
import { on } from '../platform/events/events.ts'
import type { DevicePrincipal } from '../platform/session/session.ts'
import { createAcknowledgements } from './acknowledgements.ts'
import { createCommands } from './commands.ts'
import { createReceiver } from './messages.ts'
import { createNotices } from './notices.ts'
import { createStatuses } from './statuses.ts'
import type { Gateway, GatewayNeeds } from './gateway-types.ts'

/** Messages with records being stored before senders have to wait. */
const MESSAGES_AT_ONCE = 4_000

export function createGateway(platform: Platform, { synchronisation, ingest, devices, noteDoorState }: GatewayNeeds): Gateway {
  let channel: DeviceChannel | null = null
  let isStopped = false
  const storing = new Set<Promise<void>>()
  const notify = (topic: string, message: unknown): void => void channel?.publish(topic, JSON.stringify(message)).catch(() => {})
  const acknowledgements = createAcknowledgements((code, message) => notify(deviceTopics(code).acknowledged, message))
  const notices = createNotices(platform.clock, notify)
  const commands = createCommands((topic, message) => channel?.publish(topic, JSON.stringify(message), { qos: 1 }))
  const statuses = createStatuses({ platform, synchronisation, devices, noteDoorState, notices, commands })

  synchronisation.onChanged((_, all) => {
    if (isStopped) return
    for (const device of all) notices.sendNew(device, device.message)
  })

  async function takeRecords(device: DevicePrincipal, message: RecordsMessage): Promise<void> {
    try {
      // Only after the commit: the broker's own acknowledgement does not mean that records are stored.
      acknowledgements.add(device.code, message.epoch, await ingest(device, message))
    } catch (error) {
      platform.log.error({ err: error, device: device.code }, 'records were not stored; the device sends them again')
    }
  }

  const receive = createReceiver({
    log: platform.log,
    devices,
    takers: {
      status: statuses.take,
      records(device, message) {
        const work: Promise<void> = takeRecords(device, message).finally(() => storing.delete(work))
        storing.add(work)
        if (storing.size > MESSAGES_AT_ONCE) return work
      },
      answer: commands.take,
    },
    disconnect: (code) => channel?.disconnect(code),
    isStopped: () => isStopped,
  })

  platform.events.consume({
    name: 'gateway.sessions',
    mode: 'everyNode',
    handlers: [
      // The secret is refreshed before the disconnection: a terminal that reconnects at once must not be admitted with the old one.
      on(deviceSecretReset, async ({ parkId, payload }) => {
        await devices.refresh({ parkId }, payload.deviceIds)
        // The stored status is no longer valid after the reset: the next status is stored in any case.
        for (const id of payload.deviceIds) statuses.forget(id)
        await channel?.retire(payload.code)
      }),
      on(deviceSecretsEnded, async ({ parkId }) => {
        for (const code of await devices.secretsEnded({ parkId })) await channel?.retire(code)
      }),
      on(devicesReminded, async ({ parkId, payload }) => {
        if (!platform.events.leading()) return
        for (const { id, code } of await devices.facts({ parkId }, payload.deviceIds)) {
          const message = synchronisation.current({ deviceId: id, code, parkId })
          if (message !== null) notices.send({ deviceId: id, code }, message)
        }
      }),
      on(devicesDeleted, async ({ parkId, payload }) => {
        await devices.refresh({ parkId }, payload.deviceIds)
        for (const code of payload.codes) await channel?.retire(code)
      }),
    ],
  })

  const idle = async (): Promise<void> => void (await Promise.all([...storing, statuses.settled()]))

  return {
    idle,
    start(open) {
      channel = open
      open.onMessage(receive)
      open.onReconnect(() => {
        statuses.clear()
        notices.clear()
      })
    },
    sentAt: notices.sentAt,
    async stop() {
      isStopped = true
      statuses.stop()
      // Callers must not wait for devices that can no longer be reached.
      commands.stop()
      // Received messages are still acknowledged; later ones are sent again after the next start.
      await idle()
      acknowledgements.flush()
    },
    control: commands.control,
    send: commands.send,
  }
}
