/** What holds at a device: its own settings, before those of the park, before what is built in. Pure. */
import { createHash } from 'node:crypto'
import { BUILT_IN_SETTINGS, type TerminalSettings } from '@gatehouse/contract/configuration/settings'
import type { SettingRow, StoredSettings } from './data.ts'

/** What a device is sent of its settings. */
export interface Configured {
  configuration: TerminalSettings | null
  /** Another value: its secrets are others. */
  secretsRevision: string
}

/** What is needed of a row. */
export type AppliedRow = Pick<SettingRow, 'kind' | 'deviceId' | 'settings' | 'secretsRevision'>

export const parkOf = (rows: readonly AppliedRow[]): StoredSettings => ({
  ...rows.find(({ kind }) => kind === 'park')?.settings,
  ...rows.find(({ kind }) => kind === 'display')?.settings,
})

/** All fields of a device. */
export const effectiveOf = (park: StoredSettings, own: StoredSettings): TerminalSettings =>
  ({ ...BUILT_IN_SETTINGS, ...park, ...own }) as TerminalSettings

/** Whose password it is belongs to the secrets: with another account they are others. */
function revisionOf(own: string, park: string, account: string): string {
  if (own === '' && park === '') return ''
  return createHash('sha256').update(`${own}/${park}/${account}`).digest('base64url').slice(0, 16)
}

/** What each of these devices is sent; those for which nobody has set anything are left out, and those without settings of their own share one object. */
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

/** Which of these devices are sent something else after a change. */
export function touchedBy(before: readonly AppliedRow[], after: readonly AppliedRow[], deviceIds: readonly string[]): string[] {
  const [was, is] = [configuredOf(before, deviceIds), configuredOf(after, deviceIds)]
  const texts = new Map<Configured, string>()
  // Devices without settings of their own share an object: it is written out once.
  const textOf = (configured: Configured): string => {
    const known = texts.get(configured)
    if (known !== undefined) return known
    // A field may stand in another place of an object that says the same.
    const text = JSON.stringify([
      configured.secretsRevision,
      configured.configuration && Object.entries(configured.configuration).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ])
    texts.set(configured, text)
    return text
  }
  return deviceIds.filter((id) => textOf(was.get(id) ?? UNSET) !== textOf(is.get(id) ?? UNSET))
}
