/** Settings of the terminal as the console shows and changes them; what the server sets is shown with that reason. */
import type { AccessDevice } from '@gatehouse/access-rules'
import { terminalSettingValues } from '@gatehouse/contract/configuration/settings'
import { fieldIssuesOf } from '@gatehouse/contract'
import { VOICE_PROMPT_MAX } from '@gatehouse/contract/limits'
import { z } from 'zod'
import { ConsoleRefusal } from './answers.ts'
import { read, type ConsoleCalls } from './call.ts'
import { SETTING_NAMES, type LocalSettings, type LocalValues, type SettingName } from '../settings/local-settings.ts'

/** The account has a form of its own, which asks for the password. The picture of the screen saver is handed in, not named. */
const ELSEWHERE: readonly SettingName[] = ['consoleAccount', 'screenSaver']
const names = SETTING_NAMES.filter((name) => !ELSEWHERE.includes(name))
const change = z.record(z.string(), z.unknown())

export interface SettingsParts {
  settings: LocalSettings
  /** What a face must reach now; null before the first settings. */
  asked: () => AccessDevice['thresholds'] | null
}

/** What keeps the promise of the park now, and for how many faces; null where the threshold is fixed. */
function promisedOf(asked: AccessDevice['thresholds'] | null): { score: number; faces: number } | null {
  const { face: score, templates: faces = null } = asked ?? {}
  return score === undefined || faces === null ? null : { score, faces }
}

/** Each value with where it comes from. */
export function shownSettings(settings: LocalSettings) {
  return { values: settings.effective(), sources: settings.sources() }
}

/**
 * Sets values at this terminal; a null goes back to what is built in.
 * @throws ConsoleRefusal voiceTextTooLong, parametersWrong with the fields
 */
export function setHere(settings: LocalSettings, asked: Record<string, unknown>): void {
  const sources = settings.sources()
  const known = Object.entries(asked).filter(([name]) => (names as string[]).includes(name))
  const locked = known.filter(([name]) => sources[name as SettingName] === 'server')
  if (locked.length > 0) throw new ConsoleRefusal('parametersWrong', { fields: locked.map(([path]) => ({ path, rule: 'setByServer' })) })
  const voice = asked['voicePromptText']
  if (typeof voice === 'string' && Buffer.byteLength(voice.trim()) > VOICE_PROMPT_MAX) {
    throw new ConsoleRefusal('voiceTextTooLong', {
      fields: [{ path: 'voicePromptText', rule: 'bytes', params: { limit: VOICE_PROMPT_MAX } }],
    })
  }
  const fits = terminalSettingValues.partial().safeParse(Object.fromEntries(known.filter(([, value]) => value !== null)))
  if (!fits.success) throw new ConsoleRefusal('parametersWrong', { fields: fieldIssuesOf(fits.error) })
  try {
    settings.set(Object.fromEntries(known) as LocalValues)
  } catch (error) {
    if (error instanceof z.ZodError) throw new ConsoleRefusal('parametersWrong', { fields: fieldIssuesOf(error) })
    throw error
  }
}

export function settingsCalls({ settings, asked }: SettingsParts): ConsoleCalls {
  const shown = () => ({ ...shownSettings(settings), promised: promisedOf(asked()) })
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
