/** Settings of the terminal as the console shows and changes them, each with its source. */
import type { AccessDevice } from '@gatehouse/access-rules'
import { terminalSettingValues } from '@gatehouse/contract/configuration/settings'
import { fieldIssuesOf } from '@gatehouse/contract'
import { VOICE_PROMPT_MAX } from '@gatehouse/contract/limits'
import { z } from 'zod'
import { ConsoleRefusal } from './answers.ts'
import { read, type ConsoleCalls } from './call.ts'
import { SETTING_NAMES, type LocalSettings, type LocalValues, type SettingName } from '../settings/local-settings.ts'

/** The account has a form of its own, which requires the password. The picture of the screen saver is uploaded, not named. */
const ELSEWHERE: readonly SettingName[] = ['consoleAccount', 'screenSaver']
const names = SETTING_NAMES.filter((name) => !ELSEWHERE.includes(name))
const change = z.record(z.string(), z.unknown())

export interface SettingsParts {
  settings: LocalSettings
  /** The scores a face must reach at present; null before the first settings. */
  thresholds: () => AccessDevice['thresholds'] | null
}

/** Return the score that keeps the park's promise at present, and for how many faces; null if the threshold is fixed. */
function promisedOf(thresholds: AccessDevice['thresholds'] | null): { score: number; faces: number } | null {
  const { face: score, templates: faces = null } = thresholds ?? {}
  return score === undefined || faces === null ? null : { score, faces }
}

/** Return each value with its source. */
export function shownSettings(settings: LocalSettings) {
  return { values: settings.effective(), sources: settings.sources() }
}

/**
 * Set values at this terminal; null restores the built-in value.
 * @throws ConsoleRefusal voiceTextTooLong, parametersWrong with the fields
 */
export function setHere(settings: LocalSettings, changes: Record<string, unknown>): void {
  const sources = settings.sources()
  const settable = Object.entries(changes).filter(([name]) => (names as string[]).includes(name))
  const locked = settable.filter(([name]) => sources[name as SettingName] === 'server')
  if (locked.length > 0) throw new ConsoleRefusal('parametersWrong', { fields: locked.map(([path]) => ({ path, rule: 'setByServer' })) })
  const voice = changes['voicePromptText']
  if (typeof voice === 'string' && Buffer.byteLength(voice.trim()) > VOICE_PROMPT_MAX) {
    throw new ConsoleRefusal('voiceTextTooLong', {
      fields: [{ path: 'voicePromptText', rule: 'bytes', params: { limit: VOICE_PROMPT_MAX } }],
    })
  }
  const fits = terminalSettingValues.partial().safeParse(Object.fromEntries(settable.filter(([, value]) => value !== null)))
  if (!fits.success) throw new ConsoleRefusal('parametersWrong', { fields: fieldIssuesOf(fits.error) })
  try {
    settings.set(Object.fromEntries(settable) as LocalValues)
  } catch (error) {
    if (error instanceof z.ZodError) throw new ConsoleRefusal('parametersWrong', { fields: fieldIssuesOf(error) })
    throw error
  }
}

export function settingsCalls({ settings, thresholds }: SettingsParts): ConsoleCalls {
  const shown = () => ({ ...shownSettings(settings), promised: promisedOf(thresholds()) })
  return {
    'GET settings': { run: shown },
    'PUT settings': {
      run(request) {
        setHere(settings, read(request, change))
        return shown()
      },
    },
  }
}
