/** Volume of the terminal's voice and sounds. */
import { call } from './api.ts'
import { card, note } from './dom.ts'
import { settingsForm, type Shown } from './setting-fields.ts'
import { say } from './words.ts'

export async function showVolume(page: HTMLElement): Promise<void> {
  const shown = await call<Shown>('GET', 'settings')
  const own = settingsForm([{ name: 'volume', kind: 'number', type: 'range', min: 0, max: 100, step: 1 }], shown, 'settings')
  const slider = own.querySelector('input')!
  const hint = own.querySelector('.hint')!
  const follow = () => {
    if (!slider.disabled) hint.textContent = slider.value === '0' ? say('silent') : `${slider.value} %`
  }
  slider.addEventListener('input', follow)
  follow()
  page.append(card(say('page.volume'), note(say('volumeHint')), own))
}
