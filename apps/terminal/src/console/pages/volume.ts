/** Volume of the terminal's voice and sounds. */
import type { VNode } from 'preact'
import { call } from './api.ts'
import { Card, Note } from './kit/card.ts'
import type { FieldValue } from './kit/form.ts'
import { html } from './kit/html.ts'
import { loadedPage, type LoadedProps } from './kit/loaded-page.ts'
import { SettingsForm, type Setting, type Settings } from './settings-form.ts'
import { say } from './words.ts'

const settings = ({ volume }: Readonly<Record<string, FieldValue>>): Setting[] => [
  { name: 'volume', kind: 'number', type: 'range', min: 0, max: 100, step: 1, hint: volume === '0' ? say('silent') : `${volume} %` },
]

function VolumeCard({ data }: LoadedProps<Settings>): VNode {
  return html`
    <${Card} title=${say('page.volume')}>
      <${Note}>${say('volumeHint')}<//>
      <${SettingsForm} settings=${settings} shown=${data} path="settings" />
    <//>
  `
}

export const VolumePage = loadedPage(() => call<Settings>('GET', 'settings'), VolumeCard)
