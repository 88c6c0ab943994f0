/**
 * What this terminal is set to: what is built in, what was set at the terminal itself, and what the server sets, each
 * going before the one named earlier. Values of the terminal itself lie in `settings.json` of its data folder.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  BUILT_IN_SETTINGS,
  terminalSettings,
  terminalSettingValues,
  type SettingName,
  type TerminalSettings,
} from '@gatehouse/contract/configuration/settings'
import { writeWhole } from './whole-file.ts'

export type { SettingName }
/** Where the value of a setting comes from. */
export type SettingSource = 'builtIn' | 'local' | 'server'
/** Settings to change at the terminal; a field that is null goes back to what is built in, an absent one stays. */
export type LocalValues = { readonly [Name in SettingName]?: TerminalSettings[Name] | null }

export interface LocalSettings {
  /** What holds now, whole: built-in, then local, then what the server sets. A field the server leaves null stays the terminal's own. */
  effective(): TerminalSettings
  /** Where each value of `effective` comes from. What comes from the server cannot be changed here with effect: the console shows it as such. */
  sources(): Record<SettingName, SettingSource>
  /** What was set at this terminal, whether it holds or the server goes before it. */
  local(): Partial<TerminalSettings>
  /**
   * Sets values at this terminal; they are on the disk when it returns, and listeners have been told when `effective` changed.
   * @throws z.ZodError with the fields that do not fit, by the rules of `terminalSettings`; nothing has changed then
   * @throws Error when they cannot be written; nothing has changed then
   */
  set(values: LocalValues): void
  /** Forgets everything set at this terminal. @throws as `set` */
  reset(): void
  /** What the server sets may be another: tells the listeners if so. */
  refresh(): void
  /** Calls `listener` whenever `effective` has become another. @returns ends it */
  onChange(listener: (now: TerminalSettings, before: TerminalSettings) => void): () => void
}

/** Names of all settings. */
export const SETTING_NAMES = Object.keys(terminalSettingValues.shape) as SettingName[]
const FILE = 'settings.json'

export interface LocalSettingsOptions {
  /** Data folder of the terminal; it exists. */
  folder: string
  /** What the server sets, as of the manifest in force; null: nothing. */
  fromServer: () => TerminalSettings | null | undefined
  log?: (sentence: string) => void
}

/** Opens the settings of a data folder. A value in the file that does not fit is left out, and one sentence says so. */
export function openLocalSettings({ folder, fromServer, log = () => {} }: LocalSettingsOptions): LocalSettings {
  const file = join(folder, FILE)
  const listeners = new Set<(now: TerminalSettings, before: TerminalSettings) => void>()
  let local = readLocal(file, log)
  let made: { server: unknown; local: unknown; settings: TerminalSettings } | null = null
  /** As the listeners know it. */
  let told = effective()

  function sourceOf(name: SettingName, server: TerminalSettings | null | undefined): SettingSource {
    if (server && server[name] !== null) return 'server'
    return Object.hasOwn(local, name) ? 'local' : 'builtIn'
  }

  /** Made anew only where one of its sources is another. */
  function effective(): TerminalSettings {
    const server = fromServer()
    if (made?.server === server && made?.local === local) return made.settings
    const set = Object.entries(server ?? {}).filter(([, value]) => value !== null)
    const settings = { ...BUILT_IN_SETTINGS, ...local, ...Object.fromEntries(set) }
    made = { server, local, settings }
    return settings
  }

  function refresh(): void {
    const [before, now] = [told, effective()]
    if (now === before || JSON.stringify(now) === JSON.stringify(before)) return
    told = now
    for (const listener of listeners) listener(now, before)
  }

  function keep(next: Partial<TerminalSettings>): void {
    writeWhole(file, JSON.stringify(next, null, 2))
    local = next
    refresh()
  }

  return {
    effective,
    sources() {
      const server = fromServer()
      return Object.fromEntries(SETTING_NAMES.map((name) => [name, sourceOf(name, server)])) as Record<SettingName, SettingSource>
    },
    local: () => ({ ...local }),
    set(values) {
      const asked = Object.entries({ ...local, ...values }).filter(([, value]) => value !== null && value !== undefined)
      const whole = terminalSettings.parse(Object.fromEntries(asked))
      keep(
        picked(
          whole,
          asked.map(([name]) => name),
        ),
      )
    },
    reset: () => keep({}),
    refresh,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const picked = (whole: TerminalSettings, names: readonly string[]): Partial<TerminalSettings> =>
  Object.fromEntries(Object.entries(whole).filter(([name]) => names.includes(name)))

/** Field by field, so that what another version of the terminal wrote costs no more than itself. */
function readLocal(file: string, log: (sentence: string) => void): Partial<TerminalSettings> {
  if (!existsSync(file)) return {}
  const read = parsed(file)
  const unread: string[] = []
  const values = Object.entries(read ?? {}).flatMap(([name, value]) => {
    const fits = terminalSettingValues.shape[name as SettingName]?.safeParse(value)
    if (!fits?.success) unread.push(name)
    return fits?.success ? [[name, fits.data]] : []
  })
  if (read === null) log(`${file} cannot be read: what was set at this terminal is forgotten.`)
  if (unread.length > 0) log(`${file} holds what this version does not understand, which is passed over: ${unread.join(', ')}.`)
  return Object.fromEntries(values)
}

function parsed(file: string): object | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
