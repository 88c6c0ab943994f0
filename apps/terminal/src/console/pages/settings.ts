/** Settings of what the terminal says, how strictly it judges, and how often. */
import type { VNode } from 'preact'
import { call } from './api.ts'
import { Card, Note } from './kit/card.ts'
import { html } from './kit/html.ts'
import { loadedPage, type LoadedProps } from './kit/loaded-page.ts'
import { SettingsForm, type Setting, type Settings } from './settings-form.ts'
import { methodsInWords, number, say } from './words.ts'

const DISPLAY_FIELDS = ['photo', 'name', 'workNumber', 'temperature', 'time'] as const
const wearRules = () => (['off', 'prompt', 'refuse'] as const).map((value) => [value, say(`wear.${value}`)] as const)

/** The score that keeps the promise of the park at present, and for how many faces; null if the threshold is fixed. */
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
      { name: 'maskRule', kind: 'choice', choices: wearRules() },
      { name: 'helmetRule', kind: 'choice', choices: wearRules() },
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

const screenSettings = (): Setting[] => [{ name: 'checkDetails', kind: 'flag', hint: say('checkDetailsHint') }]

interface Shown {
  settings: Settings & { promised: Promised }
  /** Settings of the screen alone. */
  screen: Settings
}

function SettingsCards({ data: { settings, screen } }: LoadedProps<Shown>): VNode {
  return html`
    ${Object.values(settings.sources).includes('server') && html`<${Note}>${say('serverSets')}<//>`}
    ${CARDS.map(
      ([title, settingsOf]) =>
        html`<${Card} key=${title} title=${say(title)}>
          <${SettingsForm} settings=${settingsOf(settings.promised)} shown=${settings} path="settings" />
        <//>`,
    )}
    <${Card} title=${say('settings.screen')}><${SettingsForm} settings=${screenSettings} shown=${screen} path="screen" /><//>
  `
}

async function loadSettings(): Promise<Shown> {
  const [settings, screen] = await Promise.all([call<Shown['settings']>('GET', 'settings'), call<Settings>('GET', 'screen')])
  return { settings, screen }
}

export const SettingsPage = loadedPage(loadSettings, SettingsCards)
