/** Cards, the parts of a page, and their common content. */
import type { VNode } from 'preact'
import { html, type Children } from './html.ts'
import { Icon } from './icon.ts'

/** A part of a page, with a heading. */
export const Card = ({ title, children }: { title: string; children: Children }): VNode =>
  html`<section class="card">
    <h2>${title}</h2>
    ${children}
  </section>`

export type Fact = readonly [name: string, value: string]

/** Names beside values. */
export const Facts = ({ facts }: { facts: readonly Fact[] }): VNode =>
  html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<div key=${name}>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`

/** A sentence about what it stands beside. */
export const Note = ({ isWarning = false, children }: { isWarning?: boolean; children: Children }): VNode =>
  html`<p class=${isWarning ? 'note warning' : 'note'}>
    ${isWarning && html`<${Icon} name="warning" />`}
    <span>${children}</span>
  </p>`

/** A progress bar. @param part done, 0 to 1 */
export const Progress = ({ part, label }: { part: number; label: string }): VNode =>
  html`<progress max="1" value=${part} aria-label=${label} />`
