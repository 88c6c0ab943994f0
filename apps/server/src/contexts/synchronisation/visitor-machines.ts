/** Visitor machines, joined to the devices that the register reads. */
import type { VisitorMachines } from './extension-points.ts'
import type { RegisterSources } from './sources.ts'

/** Return the register of devices, in which each visitor machine has what it decides by. */
export const withVisitorMachines = (
  devices: RegisterSources['devices'],
  settingsOf: VisitorMachines['settingsOf'],
): RegisterSources['devices'] => ({
  groupRows: devices.groupRows,
  async register(scope) {
    const [registered, machines] = await Promise.all([devices.register(scope), settingsOf(scope)])
    if (machines.size === 0) return registered
    return registered.map((device) => {
      const visitorMachine = machines.get(device.id)
      return visitorMachine === undefined ? device : { ...device, visitorMachine }
    })
  },
})
