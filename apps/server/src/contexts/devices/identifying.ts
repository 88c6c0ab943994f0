/** Identification of devices, and what they report of themselves. */
import { timingSafeEqual } from 'node:crypto'
import { deviceAuthorisationStatus } from '@gatehouse/contract/enums/devices'
import type { Platform } from '../../platform/context.ts'
import { lockState } from './data.ts'
import { principalOf, type DeviceDirectory } from './directory.ts'
import { deviceStatusChanged, devicesChanged } from './events.ts'
import { digestOf } from './pairing.ts'
import type { ServiceNeeds, DevicesService } from './service-types.ts'
import { updateStatus } from './status-data.ts'

const { authorising, unauthorised } = deviceAuthorisationStatus

export function createDeviceIdentifying(
  platform: Platform,
  directory: DeviceDirectory,
  signIn: ServiceNeeds['signIn'],
): Pick<DevicesService, 'authenticate' | 'byCode' | 'credentialOf' | 'noteStatus'> {
  return {
    async authenticate(code, secret) {
      const shown = digestOf(secret)
      const device = await directory.matching(code, (hash) => timingSafeEqual(hash, shown))
      return device !== null && signIn.takesSecrets(device.parkId) ? { ...device, signedInBy: 'secret' } : null
    },
    async byCode(code) {
      const entry = await directory.byCode(code)
      return entry === null ? null : principalOf(entry)
    },
    async credentialOf(code) {
      const entry = await directory.byCode(code)
      if (entry === null) return null
      const secretHash = entry.secretHash.toString('hex')
      return { deviceId: entry.id, code: entry.code, secretHash, secretsTaken: signIn.takesSecrets(entry.parkId) }
    },
    async noteStatus(scope, id, status) {
      await platform.transaction(async (tx) => {
        const before = await lockState(scope, tx, id)
        if (before === undefined) return
        // The report was sent before the pairing ended.
        const isLate = before.authorisation === unauthorised
        const { authorised: pairs, ...reported } = status
        if (isLate) reported.online = false
        const at = reported.lastSeenAt ?? platform.clock.now()
        await updateStatus(scope, tx, id, { ...reported, ...(pairs && before.authorisation === authorising && { authorised: true }) }, at)
        // Another face engine needs other templates.
        if (reported.modelId !== undefined && reported.modelId !== before.modelId)
          await platform.events.announce(tx, devicesChanged, scope.parkId, { deviceIds: [id] })
        const switched =
          reported.online === undefined || reported.online === before.online ? [] : [{ deviceId: id, online: reported.online, at }]
        await platform.events.announce(tx, deviceStatusChanged, scope.parkId, { deviceIds: [id], switched })
      })
    },
  }
}
