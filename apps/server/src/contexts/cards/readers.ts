/** Card machines and collectors of a park. Each does one thing at a time: a card that is put on one belongs to the call that came first. */
import type { CardDevice } from '@gatehouse/contract/cards/issuing'
import type { DeviceCommandArgument } from '@gatehouse/contract/device/commands'
import { doorControlErrorType } from '@gatehouse/contract/enums'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { DeviceCommands } from '../../platform/broker/device-commands.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'
import { CardRefused } from './apdu/apdu.ts'
import type { Transmit } from './writer.ts'

export interface Reader {
  device: CardDevice
  /**
   * Return what was presented within `seconds`; null if nothing was, or the caller has hung up.
   * @param requestId id under which a palm's picture is sent
   */
  collect(
    kind: DeviceCommandArgument<'collect'>['kind'],
    seconds: number,
    signal: AbortSignal,
    requestId?: string,
  ): Promise<{ cardNumber: string } | null>
  transmit: Transmit
}

export interface Readers {
  list(scope: Scope): Promise<CardDevice[]>
  /** @throws InvalidRequest for a device that is not in the park, or does not read cards */
  find(scope: Scope, deviceId: string): Promise<CardDevice>
  /** Use a reader, reserved for this call. @throws InvalidRequest; Refusal 400205 offline, 400206 in use */
  using<T>(scope: Scope, deviceId: string, work: (reader: Reader) => Promise<T>): Promise<T>
}

/** Milliseconds the answer may take beyond the time the device waits. */
const ON_THE_WAY_MS = 3_000
const TRANSMIT_MS = 15_000
const TYPES: readonly number[] = [deviceType.cardMachine, deviceType.multifunctionCollector]
const OFFLINE = 0

const presented = ({ id, name, code, type, onlineStatus }: CardDevice): CardDevice => ({ id, name, code, type, onlineStatus })

export function createReaders({
  devices,
  commands,
}: {
  devices: Pick<DevicesService, 'all' | 'some'>
  commands: () => DeviceCommands
}): Readers {
  const inUse = new Set<string>()

  async function find(scope: Scope, deviceId: string): Promise<CardDevice> {
    const [device] = await devices.some(scope, [deviceId])
    if (device === undefined || !TYPES.includes(device.type)) throw new InvalidRequest([{ path: 'deviceId', rule: 'unknown' }])
    return presented(device)
  }

  const readerOf = (device: CardDevice): Reader => ({
    device,
    async collect(kind, seconds, signal, requestId = newId()) {
      const timeoutMs = seconds * 1000
      const outcome = await commands().send(
        device,
        'collect',
        { requestId, kind, timeoutMs },
        { timeoutMs: timeoutMs + ON_THE_WAY_MS, signal },
      )
      if (outcome.isSuccess)
        return kind === 'card' && outcome.result.cardNumber === undefined ? null : { cardNumber: outcome.result.cardNumber ?? '' }
      // The caller hung up, or the device does not answer.
      if (outcome.errorType === doorControlErrorType.timeout) return null
      return refuse(400205, 'deviceId')
    },
    async transmit(apdus) {
      const outcome = await commands().send(device, 'transmit', { apdus }, { timeoutMs: TRANSMIT_MS })
      if (!outcome.isSuccess) throw new CardRefused(outcome.errorType === doorControlErrorType.timeout ? 'removed' : 'reader')
      return outcome.result.responses
    },
  })

  return {
    async list(scope) {
      return (await devices.all(scope)).filter(({ type }) => TYPES.includes(type)).map(presented)
    },
    find,
    async using(scope, deviceId, work) {
      const device = await find(scope, deviceId)
      if (device.onlineStatus === OFFLINE) refuse(400205, 'deviceId')
      if (inUse.has(device.id)) refuse(400206, 'deviceId')
      inUse.add(device.id)
      try {
        return await work(readerOf(device))
      } finally {
        inUse.delete(device.id)
      }
    },
  }
}
