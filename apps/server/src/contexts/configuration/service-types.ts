/** Interface of the settings of terminals. */
import type { Configured } from './effective.ts'
import type { DevicePrincipal, Scope, Session } from '../../platform/session/session.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Measures } from '@gatehouse/contract/organisation/calls'
import type { TerminalSettings } from '@gatehouse/contract/configuration/settings'
import type {
  DeviceSecrets,
  DeviceSettingDetail,
  DisplayConfig,
  ParkSettings,
  configurationCalls,
} from '@gatehouse/contract/configuration/calls'
import type { DataOf } from '@gatehouse/contract'
import type { SecretChange } from './secrets.ts'
import type { RequestedSettings } from './wire.ts'

/** Body of a call that changes settings. */
export type SettingChange = SecretChange & RequestedSettings & { version?: number | undefined }
export interface ConfigurationService {
  /** Return what these devices are to be set to, in one query; a device without an entry uses its own defaults. */
  configured(scope: Scope, deviceIds: readonly string[]): Promise<Map<string, Configured>>
  /** Return every field of a device, wherever it is set. @throws NotFound for a device that does not exist */
  effective(scope: Scope, deviceId: string): Promise<TerminalSettings>
  /** Return the same as an API answer. */
  shown(scope: Scope, deviceId: string): Promise<DataOf<typeof configurationCalls.effective>>
  detail(scope: Scope, deviceId: string): Promise<DeviceSettingDetail>
  /** @throws InvalidRequest if the settings contradict each other, Conflict, NotFound, Refusal 500009, 100510 (403) */
  change(session: Session, deviceId: string, change: SettingChange): Promise<void>
  /** Return what at least one terminal of the park is set to check. */
  measures(scope: Scope): Promise<Measures>
  park(scope: Scope): Promise<ParkShown>
  /** @throws as `change`, also if the own settings of a device would contradict the change */
  changePark(session: Session, change: SettingChange): Promise<void>
  display(scope: Scope): Promise<DisplayConfig>
  changeDisplay(session: Session, fields: DisplayConfig['displayFields'], version: number | undefined): Promise<void>
  /** Return the secrets that are sent to a device. */
  secretsOf(device: DevicePrincipal): Promise<DeviceSecrets>
  forgetDevices(scope: Scope, deviceIds: readonly string[]): Promise<void>
  erasePark(tx: Transaction, scope: Scope): Promise<Record<string, number>>
}
/** Settings of a park as answered, except the area code, which the call adds. */
export type ParkShown = Omit<ParkSettings, 'areaCode'>
