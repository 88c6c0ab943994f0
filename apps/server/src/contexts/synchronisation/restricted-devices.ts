/** Doors of restriction areas: their devices must ask the server before they open. */
import type { SecondVerification } from './extension-points.ts'
import type { RegisterSources } from './sources.ts'

/** Return the register of devices, in which each device says whether it must ask. */
export function withRestrictions(
  devices: RegisterSources['devices'],
  askingDevices: SecondVerification['asking'],
): RegisterSources['devices'] {
  return {
    groupRows: devices.groupRows,
    async register(scope) {
      const [registered, asking] = await Promise.all([devices.register(scope), askingDevices(scope)])
      return registered.map((device) => ({ ...device, secondVerification: asking.get(device.id) ?? null }))
    },
  }
}
