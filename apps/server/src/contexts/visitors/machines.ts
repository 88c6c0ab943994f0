/** Visitor machines: the devices that the configuration of a park names, and what they decide by. */
import type { VisitorMachineSettings } from '@gatehouse/contract/device/visitor-machine'
import { NotFound } from '../../platform/http/refusal.ts'
import type { DeviceIdentity, Scope } from '../../platform/session/session.ts'
import type { Configuration } from './configuration.ts'

export interface Machines {
  /** Return the settings of the visitor machines of a park, by device. */
  settingsOf(scope: Scope): Promise<Map<string, VisitorMachineSettings>>
  /** @throws NotFound for a device that is no visitor machine */
  assertMachine(device: Pick<DeviceIdentity, 'deviceId' | 'parkId'>): void
}

export function createMachines(configuration: Pick<Configuration, 'of' | 'stored'>): Machines {
  return {
    async settingsOf(scope) {
      const { visitorMachines, visitorMachinesPrint, ...fields } = await configuration.stored(scope)
      const { companyName, address, forcedCardIssue, certificateRequired, openSignOff, signInLeadMinutes } = fields
      const settings: VisitorMachineSettings = {
        companyName,
        address,
        forcedCardIssue,
        certificateRequired,
        openSignOff,
        signInLeadMinutes,
        printsBadge: visitorMachinesPrint,
      }
      return new Map(visitorMachines.map((id) => [id, settings]))
    },
    assertMachine({ parkId, deviceId }) {
      if (!configuration.of({ parkId }).visitorMachines.includes(deviceId)) throw new NotFound()
    },
  }
}
