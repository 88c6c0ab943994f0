/**
 * Settings as requests and answers name them, field by field, and as they are stored: only the fields that are set, null
 * for a field that is set to no value.
 */
import type { z } from 'zod'
import {
  VALUELESS_SETTINGS,
  deviceOwnSettings,
  zoneMinutes,
  zoneText,
  type SomeSettings,
  type TerminalSettings,
  type deviceSettingFields,
} from '@gatehouse/contract/configuration/settings'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { withoutGaps } from './checks.ts'
import type { StoredSettings } from './data.ts'

type Fields = z.output<typeof deviceSettingFields>
type ValuelessName = (typeof VALUELESS_SETTINGS)[number]
/** Settings in a request; absent: unchanged, null: inherited. */
export type RequestedSettings = Partial<Fields> & {
  withoutValue?: readonly ValuelessName[] | null | undefined
  /** All settings at once, the former form of requests. */
  settings?: SomeSettings | undefined
}

const NAMES = Object.keys(deviceOwnSettings.shape) as (keyof SomeSettings)[]

/** Return settings as an answer names them, only those that are set. */
export const inWords = (settings: StoredSettings): Partial<Fields> =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const { [name]: value } = settings
      return value === undefined ? [] : [[name, name === 'timeZone' && typeof value === 'number' ? zoneText(value) : value]]
    }),
  )

/** Return every field of an answer; null if not set. */
export const fieldsOf = (settings: StoredSettings): Required<Fields> & { withoutValue: ValuelessName[] } => ({
  ...(Object.fromEntries(NAMES.map((name) => [name, null])) as Required<Fields>),
  ...inWords(settings),
  withoutValue: VALUELESS_SETTINGS.filter((name) => settings[name] === null),
})

/** Return the effective settings of a device: every field of an answer, without `withoutValue`. */
export function wholeFieldsOf(settings: TerminalSettings): Required<Fields> & Pick<TerminalSettings, 'displayFields'> {
  const { withoutValue: _none, ...fields } = fieldsOf(settings)
  return { ...fields, displayFields: settings.displayFields }
}

/** Return the fields that many devices share, without the network address, which belongs to one device. */
export function sharedFieldsOf(settings: StoredSettings) {
  const { networkMode: _mode, ip: _ip, subnetMask: _mask, gateway: _gateway, ...shared } = fieldsOf(settings)
  return { ...shared, withoutValue: shared.withoutValue.filter((name) => name in shared) }
}

/** Return what is stored after a request. @throws InvalidRequest for a field with a value that is also in `withoutValue` */
export function settingsAfter(before: StoredSettings, { settings, withoutValue, ...requested }: RequestedSettings): StoredSettings {
  const after: Record<string, unknown> = { ...(settings === undefined ? before : withoutGaps(settings)) }
  if (withoutValue !== undefined) for (const name of VALUELESS_SETTINGS) if (after[name] === null) delete after[name]
  for (const name of NAMES) {
    const { [name]: value } = requested
    if (value === null) delete after[name]
    else if (value !== undefined) after[name] = name === 'timeZone' ? zoneMinutes(value as string) : value
  }
  for (const name of withoutValue ?? []) {
    if (requested[name] != null) throw new InvalidRequest([{ path: name, rule: 'twoNames' }])
    after[name] = null
  }
  return after as StoredSettings
}
