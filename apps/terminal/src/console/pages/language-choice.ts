/** The choice of the language of the pages. Text typed on them is kept. */
import type { VNode } from 'preact'
import { wordsOf } from './api.ts'
import { html } from './kit/html.ts'
import { announce } from './kit/notice.ts'
import { LANGUAGES, remember, say, speak, type Language } from './words.ts'

export function LanguageChoice(): VNode {
  const choose = ({ currentTarget }: Event) => {
    const language = (currentTarget as HTMLSelectElement).value as Language
    remember(language)
    speak(language).catch((error: unknown) => announce(wordsOf(error)))
  }
  return html`<span class="language">
    <select aria-label=${say('language')} value=${document.documentElement.lang} onChange=${choose}>
      ${LANGUAGES.map(([language, words]) => html`<option key=${language} value=${language} lang=${language}>${words}</option>`)}
    </select>
  </span>`
}
