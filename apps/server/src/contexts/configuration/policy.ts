/**
 * Who may set the server of a device. A device that is set to another server leaves this one and obeys whoever runs the other, so the
 * permission to pair devices is required.
 */
import { SERVER_OF_DEVICE, type SettingName } from '@gatehouse/contract/configuration/settings'
import { forbid } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
import type { StoredSettings } from './data.ts'

/** Return whether the session may set devices to another server. */
export const canSetServer = ({ permissions }: Pick<Session, 'permissions'>): boolean => permissions.has('own:device.pair')

/**
 * Refuse a change of the server that devices belong to, whether it is set, changed or reset, by a session that may not set it.
 * @param fieldOf returns the field of the request that names a setting
 * @throws Refusal 100510 (403)
 */
export function assertMaySetServer(
  session: Pick<Session, 'permissions'>,
  before: StoredSettings,
  after: StoredSettings,
  fieldOf: (name: SettingName) => string = (name) => name,
): void {
  if (canSetServer(session)) return
  const changed = SERVER_OF_DEVICE.find((name) => before[name] !== after[name])
  if (changed !== undefined) forbid(fieldOf(changed), 'movesDevice')
}
