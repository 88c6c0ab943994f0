/** Settings: what the terminal says, how strictly it looks, how often. */
import { call } from './api.ts'
import { card, note } from './dom.ts'
import { settingsForm, type Setting, type Shown } from './setting-fields.ts'
import { methodsInWords, number, say } from './words.ts'

const DISPLAY_FIELDS = ['photo', 'name', 'workNumber', 'temperature', 'time'] as const
const wear = () => (['off', 'prompt', 'refuse'] as const).map((value) => [value, say(`wear.${value}`)] as const)

/** What keeps the promise of the park now, and for how many faces; null where the threshold is fixed. */
type Promised = { score: number; faces: number } | null

const thresholdHint = (promised: Promised): string =>
  promised === null ? say('thresholdHint') : say('thresholdPromised', { score: number(promised.score, 1), faces: number(promised.faces) })

/** Settings by card. */
const CARDS: readonly (readonly [title: string, settings: (promised: Promised) => readonly Setting[]])[] = [
  [
    'settings.texts',
    () => [
      { name: 'promptText', maxlength: 64, hint: say('promptTextHint') },
      { name: 'voicePromptText', hint: say('voicePromptTextHint') },
    ],
  ],
  [
    'settings.recognition',
    (promised) => [
      { name: 'verificationMode', kind: 'numbers', choices: methodsInWords(), hint: say('verificationModeHint') },
      { name: 'threshold', kind: 'number', min: 1, max: 100, step: 0.1, hint: thresholdHint(promised) },
      { name: 'lowThreshold', kind: 'number', min: 1, max: 100, step: 0.1 },
      { name: 'livenessSwitch', kind: 'flag' },
      { name: 'recognitionDistance', kind: 'number', min: 0.4, max: 2, step: 0.1, hint: say('distanceHint') },
      { name: 'successInterval', kind: 'number', min: 0, max: 5, step: 0.5, hint: say('successIntervalHint') },
      { name: 'failureInterval', kind: 'number', min: 0, max: 3, step: 0.5, hint: say('failureIntervalHint') },
      { name: 'maskRule', kind: 'choice', choices: wear() },
      { name: 'helmetRule', kind: 'choice', choices: wear() },
    ],
  ],
  [
    'settings.temperature',
    () => [
      { name: 'temperatureCheck', kind: 'flag' },
      { name: 'temperatureMinimum', kind: 'number', min: 20, max: 50, step: 0.1, hint: say('celsius') },
      { name: 'temperatureMaximum', kind: 'number', min: 20, max: 50, step: 0.1, hint: say('celsius') },
      {
        name: 'temperatureUnit',
        kind: 'choice',
        choices: [
          ['C', '°C'],
          ['F', '°F'],
        ],
      },
    ],
  ],
  [
    'settings.device',
    () => [
      {
        name: 'displayFields',
        kind: 'words',
        choices: DISPLAY_FIELDS.map((value) => [value, say(`shown.${value}`)] as const),
        hint: say('displayFieldsHint'),
      },
      { name: 'restartInterval', kind: 'number', min: 1, max: 100, step: 1, hint: say('restartIntervalHint') },
      {
        name: 'cardNumberFormat',
        kind: 'choice',
        choices: [
          ['decimal', say('decimal')],
          ['hex', say('hex')],
        ],
      },
    ],
  ],
]

export async function showSettings(page: HTMLElement): Promise<void> {
  const [shown, screen] = await Promise.all([call<Shown & { promised: Promised }>('GET', 'settings'), call<Shown>('GET', 'screen')])
  if (Object.values(shown.sources).includes('server')) page.append(note(say('serverSets')))
  for (const [title, settings] of CARDS) page.append(card(say(title), settingsForm(settings(shown.promised), shown, 'settings')))
  page.append(
    card(say('settings.screen'), settingsForm([{ name: 'checkDetails', kind: 'flag', hint: say('checkDetailsHint') }], screen, 'screen')),
  )
}
