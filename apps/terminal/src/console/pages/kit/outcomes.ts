/** Outcomes of many operations, in the order in which they ended. */
import type { VNode } from 'preact'
import { html } from './html.ts'

export interface Outcome {
  /** Name of a file or a person. */
  name: string
  words: string
  isFailure: boolean
}

export const Outcomes = ({ outcomes }: { outcomes: readonly Outcome[] }): VNode =>
  html`<ol class="outcomes">
    ${outcomes.map(
      ({ name, words, isFailure }, at) =>
        html`<li key=${at} class=${isFailure ? 'failed' : 'done'}><span>${name}</span><span>${words}</span></li>`,
    )}
  </ol>`
