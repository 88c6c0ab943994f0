/**
 * Who may say which server a device belongs to. A device that is set to another server leaves this one and answers to whoever runs the
 * other: whoever may move it could as well pair one.
 */
import { SERVER_OF_DEVICE, type SettingName } from '@gatehouse/contract/configuration/settings'
import { forbid } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
import type { StoredSettings } from './data.ts'

/**
 * Refuses a change of the server that devices belong to; whether it is set, changed or given back.
 * @param fieldOf where the request names a setting
 * @throws Refusal 100510 (403)
 */
export function demandServer(
  { permissions }: Pick<Session, 'permissions'>,
  before: StoredSettings,
  after: StoredSettings,
  fieldOf: (name: SettingName) => string = (name) => name,
): void {
  if (permissions.has('own:device.pair')) return
  const changed = SERVER_OF_DEVICE.find((name) => before[name] !== after[name])
  if (changed !== undefined) forbid(fieldOf(changed), 'movesDevice')
}
