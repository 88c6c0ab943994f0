/** The first steps: what the visitor came to do, and who they are, by a code or a number. */
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { html } from '../../console/pages/kit/html.ts'
import { LANGUAGES, type Language } from '../../screen/texts.ts'
import type { MachineState } from '../answers.ts'
import type { Purpose } from '../deciding.ts'
import { postPicture, type PageAnswer } from './api.ts'
import { Heading, Keys, LivePicture, useReader } from './parts.ts'
import { currentLanguage, LANGUAGE_NAMES, say } from './words.ts'

/** Digits of a phone number, at most. */
const PHONE_MAX = 20

export interface WelcomeProps {
  state: MachineState | null
  onPurpose: (purpose: Purpose) => void
  onCode: (text: string, purpose: Purpose) => void
  onLanguage: (language: Language) => void
}

export function Welcome({ state, onPurpose, onCode, onLanguage }: WelcomeProps): VNode {
  useReader((text) => onCode(text, 'signIn'))
  const choice = (purpose: Purpose, isMain: boolean) =>
    html`<button type="button" class=${isMain ? 'choice main' : 'choice'} onClick=${() => onPurpose(purpose)}>
      <span class="choice-word">${say(purpose)}</span><span class="choice-hint">${say(`${purpose}Hint`)}</span>
    </button>`
  return html`<section class="step welcome">
    <div class="greeting">
      <${Heading}>${state?.companyName ? say('welcomeTo', { company: state.companyName }) : say('welcome')}<//>
      ${state?.address && html`<p class="quiet">${state.address}</p>`}
    </div>
    <div class="choices">${choice('signIn', true)} ${state?.openSignOff !== false && choice('signOff', false)}</div>
    <div class="languages" role="group" aria-label=${say('language')}>
      ${LANGUAGES.map(
        (language) =>
          html`<button
            type="button"
            key=${language}
            lang=${language}
            aria-pressed=${String(language === currentLanguage())}
            onClick=${() => onLanguage(language)}
          >
            ${LANGUAGE_NAMES[language]}
          </button>`,
      )}
    </div>
  </section>`
}

export interface IdentifyProps {
  purpose: Purpose
  isBusy: boolean
  onCode: (text: string, purpose: Purpose) => void
  onPhone: (phone: string, purpose: Purpose) => void
  onAnswer: (answer: PageAnswer) => void
}

export function Identify({ purpose, isBusy, onCode, onPhone, onAnswer }: IdentifyProps): VNode {
  const [phone, setPhone] = useState('')
  const [hasCamera, setHasCamera] = useState(true)
  useReader((text) => (/^\d+$/.test(text) ? onPhone(text, purpose) : onCode(text, purpose)))
  const add = (key: string) => setPhone((before) => (before + key).slice(0, PHONE_MAX))
  const erase = () => setPhone((before) => before.slice(0, -1))
  useEffect(() => {
    const press = ({ key, ctrlKey, altKey, metaKey }: KeyboardEvent) => {
      if (ctrlKey || altKey || metaKey) return
      if (/^\d$/.test(key)) add(key)
      else if (key === 'Backspace') erase()
      // A letter comes from a code that a reader types, whose digits are no number.
      else if (/^[a-z]$/i.test(key)) setPhone('')
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])

  async function search(frame: Blob): Promise<void> {
    const answer = await postPicture('camera-code', { purpose }, frame).catch(() => null)
    if (answer !== null && answer.step !== 'left') onAnswer(answer)
  }

  const report = (trouble: unknown) => setHasCamera(trouble === null)

  function submit(event: Event): void {
    event.preventDefault()
    if (phone !== '' && !isBusy) onPhone(phone, purpose)
  }

  return html`<section class="step identify">
    <${Heading}>${say('identify')}<//>
    <div class="ways">
      <div class="way">
        ${hasCamera && html`<${LivePicture} className="code" onFrame=${search} onTrouble=${report} />`}
        <p>${say(hasCamera ? 'codeHint' : 'cameraOff')}</p>
      </div>
      <form class="way" onSubmit=${submit}>
        <p id="phone-label">${say('phone')}</p>
        <output class="digits" aria-labelledby="phone-label">${phone}</output>
        <p class="quiet">${say('phoneHint')}</p>
        <${Keys} rows=${['123', '456', '789', '0']} onKey=${add} onErase=${erase} />
        <button type="submit" class="main" disabled=${phone === '' || isBusy}>${say('next')}</button>
      </form>
    </div>
  </section>`
}
