/**
 * Settings of this terminal: the built-in values, those set at the terminal itself, and those of the server, each overriding the one
 * before. Values of the terminal itself are stored in `settings.json` of its data folder.
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
/** Settings to change at the terminal; null restores the built-in value, an absent field does not change. */
export type LocalValues = { readonly [Name in SettingName]?: TerminalSettings[Name] | null }

export interface LocalSettings {
  /**
   * Return the complete settings in force: built-in, then local, then the server's. A field the server leaves null keeps the terminal's own
   * value.
   */
  effective(): TerminalSettings
  /** Return the source of each value of `effective`. A value of the server cannot be overridden here, and the console shows it as such. */
  sources(): Record<SettingName, SettingSource>
  /** Return the values set at this terminal, even those the server overrides. */
  local(): Partial<TerminalSettings>
  /**
   * Set values at this terminal. When this returns, they are on the disk, and listeners have been called if `effective` changed.
   * @throws z.ZodError with the fields that are invalid by the rules of `terminalSettings`; nothing has changed then
   * @throws Error when they cannot be written; nothing has changed then
   */
  set(values: LocalValues): void
  /** Forget everything set at this terminal. @throws as `set` */
  reset(): void
  /** Call the listeners if the server's values have changed. */
  refresh(): void
  /** Call `listener` whenever `effective` has changed. @returns a function that ends it */
  onChange(listener: (now: TerminalSettings, before: TerminalSettings) => void): () => void
}

/** Names of all settings. */
export const SETTING_NAMES = Object.keys(terminalSettingValues.shape) as SettingName[]
const FILE = 'settings.json'

export interface LocalSettingsOptions {
  /** Data folder of the terminal; it exists. */
  folder: string
  /** Values of the server, from the manifest in force; null if there are none. */
  fromServer: () => TerminalSettings | null | undefined
  log?: (sentence: string) => void
}

/** Open the settings of a data folder. An invalid value in the file is ignored and logged. */
export function openLocalSettings({ folder, fromServer, log = () => {} }: LocalSettingsOptions): LocalSettings {
  const file = join(folder, FILE)
  const listeners = new Set<(now: TerminalSettings, before: TerminalSettings) => void>()
  let local = readLocal(file, log)
  let made: { server: unknown; local: unknown; settings: TerminalSettings } | null = null
  /** The settings last passed to the listeners. */
  let announced = effective()

  function sourceOf(name: SettingName, server: TerminalSettings | null | undefined): SettingSource {
    if (server && server[name] !== null) return 'server'
    return Object.hasOwn(local, name) ? 'local' : 'builtIn'
  }

  /** Return the settings in force; they are computed again only if one of their sources changed. */
  function effective(): TerminalSettings {
    const server = fromServer()
    if (made?.server === server && made?.local === local) return made.settings
    const set = Object.entries(server ?? {}).filter(([, value]) => value !== null)
    const settings = { ...BUILT_IN_SETTINGS, ...local, ...Object.fromEntries(set) }
    made = { server, local, settings }
    return settings
  }

  function refresh(): void {
    const [before, now] = [announced, effective()]
    if (now === before || JSON.stringify(now) === JSON.stringify(before)) return
    announced = now
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
      const requested = Object.entries({ ...local, ...values }).filter(([, value]) => value !== null && value !== undefined)
      const whole = terminalSettings.parse(Object.fromEntries(requested))
      keep(
        picked(
          whole,
          requested.map(([name]) => name),
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

/** Read field by field, so that a value written by another version of the terminal invalidates only its own field. */
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
