/** Settings that apply at a device: its own override those of the park, which override the built-in ones. Pure functions. */
import { createHash } from 'node:crypto'
import { BUILT_IN_SETTINGS, type TerminalSettings } from '@gatehouse/contract/configuration/settings'
import type { SettingRow, StoredSettings } from './data.ts'

/** Settings as a device is sent them. */
export interface Configured {
  configuration: TerminalSettings | null
  /** Changes whenever the secrets of the device change. */
  secretsRevision: string
}

/** Fields of a row that are needed here. */
export type AppliedRow = Pick<SettingRow, 'kind' | 'deviceId' | 'settings' | 'secretsRevision'>

export const parkOf = (rows: readonly AppliedRow[]): StoredSettings => ({
  ...rows.find(({ kind }) => kind === 'park')?.settings,
  ...rows.find(({ kind }) => kind === 'display')?.settings,
})

/** Return all fields of a device. */
export const effectiveOf = (park: StoredSettings, own: StoredSettings): TerminalSettings =>
  ({ ...BUILT_IN_SETTINGS, ...park, ...own }) as TerminalSettings

/** Return the revision of a device's secrets. The console account counts too, since the password belongs to it. */
function revisionOf(own: string, park: string, account: string): string {
  if (own === '' && park === '') return ''
  return createHash('sha256').update(`${own}/${park}/${account}`).digest('base64url').slice(0, 16)
}

/**
 * Return what each of these devices is sent. Devices for which nothing is set are left out, and those without settings
 * of their own share one object.
 */
export function configuredOf(rows: readonly AppliedRow[], deviceIds: readonly string[]): Map<string, Configured> {
  const park = parkOf(rows)
  const parkRevision = rows.find(({ kind }) => kind === 'park')?.secretsRevision ?? ''
  const own = new Map(rows.flatMap((row) => (row.deviceId === null ? [] : [[row.deviceId, row] as const])))
  const isSet = (settings: StoredSettings): boolean => Object.keys(settings).length > 0
  const common = effectiveOf(park, {})
  const shared: Configured = {
    configuration: isSet(park) ? common : null,
    secretsRevision: revisionOf('', parkRevision, common.consoleAccount),
  }
  const sharedCounts = shared.configuration !== null || shared.secretsRevision !== ''
  const found = new Map<string, Configured>()
  for (const id of deviceIds) {
    const row = own.get(id)
    if (row === undefined || (!isSet(row.settings) && row.secretsRevision === '')) {
      if (sharedCounts) found.set(id, shared)
      continue
    }
    const configuration = isSet(row.settings) ? effectiveOf(park, row.settings) : shared.configuration
    found.set(id, {
      configuration,
      secretsRevision: revisionOf(row.secretsRevision, parkRevision, (configuration ?? common).consoleAccount),
    })
  }
  return found
}

const UNSET: Configured = { configuration: null, secretsRevision: '' }

/** Return which of these devices are sent something else after a change. */
export function touchedBy(before: readonly AppliedRow[], after: readonly AppliedRow[], deviceIds: readonly string[]): string[] {
  const [was, is] = [configuredOf(before, deviceIds), configuredOf(after, deviceIds)]
  const texts = new Map<Configured, string>()
  // Devices without settings of their own share an object, which is serialised once.
  const textOf = (configured: Configured): string => {
    const cached = texts.get(configured)
    if (cached !== undefined) return cached
    // Sorted, since equal objects may have their fields in another order.
    const text = JSON.stringify([
      configured.secretsRevision,
      configured.configuration && Object.entries(configured.configuration).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ])
    texts.set(configured, text)
    return text
  }
  return deviceIds.filter((id) => textOf(was.get(id) ?? UNSET) !== textOf(is.get(id) ?? UNSET))
}
