/** The last steps: what was found, what was done, and what could not be done. */
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { html } from '../../console/pages/kit/html.ts'
import type { MachineState } from '../answers.ts'
import type { Refusal } from '../deciding.ts'
import { badgeOf, type PageAnswer, type PrintedBadge } from './api.ts'
import { Heading } from './parts.ts'
import { currentLanguage, momentInWords, say } from './words.ts'

/** Nobody has to go to the desk for these. */
const NOT_FOR_THE_DESK: readonly Refusal[] = ['tooEarly', 'alreadySignedIn', 'notSignedIn', 'passageEnds']

function Names({ visitorName, hostName }: { visitorName: string; hostName: string }): VNode {
  return html`<dl class="names">
    <div>
      <dt>${say('visitor')}</dt>
      <dd>${visitorName}</dd>
    </div>
    ${
      hostName !== '' &&
      html`<div>
        <dt>${say('host')}</dt>
        <dd>${hostName}</dd>
      </div>`
    }
  </dl>`
}

type Found = PageAnswer & { step: 'confirm' }

export function Confirm({ answer, isBusy, onConfirm }: { answer: Found; isBusy: boolean; onConfirm: () => void }): VNode {
  const { purpose } = answer
  return html`<section class="step confirm">
    <${Heading}>${say(`confirm.${purpose}`)}<//>
    <${Names} ...${answer} />
    <button type="button" class="main" disabled=${isBusy} onClick=${onConfirm}>${say(purpose)}</button>
  </section>`
}

type Done = PageAnswer & { step: 'done' }

export function Finished({ answer, zone, onHome }: { answer: Done; zone: string; onHome: () => void }): VNode {
  const { session, purpose, hasHost, isDelivered, hasBadge, printsBadge } = answer
  const hasArrived = purpose === 'signIn'
  /** The server prints the badge while it is reached. */
  const isPrintedHere = hasArrived && printsBadge && hasBadge && !isDelivered
  const [badge, setBadge] = useState<PrintedBadge | null>(null)
  useEffect(() => {
    if (isPrintedHere) void badgeOf(session).then(setBadge)
  }, [session, isPrintedHere])
  useEffect(() => {
    if (badge !== null) print()
  }, [badge])
  const badgeWord = isDelivered ? 'badgePrinted' : hasBadge ? null : 'badgeDesk'
  return html`<section class="step done">
    <svg class="sign" viewBox="0 0 48 48" aria-hidden="true"><path d="M9 25l11 11L40 13" /></svg>
    <${Heading}>${say(`done.${purpose}`)}<//>
    <${Names} ...${answer} />
    <div class="said" role="status">
      ${hasArrived && hasHost && html`<p>${say(isDelivered ? 'hostTold' : 'hostLater')}</p>`}
      ${hasArrived && printsBadge && badgeWord !== null && html`<p>${say(badgeWord)}</p>`} ${!hasArrived && html`<p>${say('goodbye')}</p>`}
    </div>
    ${badge !== null && html`<button type="button" onClick=${() => print()}>${say('printBadge')}</button>`}
    <button type="button" class="main" onClick=${onHome}>${say('finish')}</button>
    ${badge !== null && html`<${BadgeSheet} badge=${badge} zone=${zone} />`}
  </section>`
}

/** The badge, which is on paper only. */
function BadgeSheet({ badge, zone }: { badge: PrintedBadge; zone: string }): VNode {
  const date = new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium', timeZone: zone }).format(badge.date)
  return html`<div class="badge-sheet" aria-hidden="true">
    <p class="badge-company">${badge.companyName}</p>
    <p class="badge-kind">${say('badge')}</p>
    <p class="badge-name">${badge.visitorName}</p>
    ${badge.hostName !== '' && html`<p>${say('host')}: ${badge.hostName}</p>`}
    <p>${date}</p>
    ${badge.code !== null && html`<img src=${badge.code} alt="" />`}
  </div>`
}

type Unfinished = PageAnswer & { step: 'refused' | 'wait' }

export function Refused({ answer, state, onHome }: { answer: Unfinished; state: MachineState | null; onHome: () => void }): VNode {
  const words = wordsOf(answer, state)
  const isForDesk = answer.step === 'refused' && !NOT_FOR_THE_DESK.includes(answer.reason)
  return html`<section class="step refused">
    <svg class="sign" viewBox="0 0 48 48" aria-hidden="true"><path d="M24 10v18M24 36v.5" /></svg>
    <${Heading}>${isForDesk ? say('refused') : answer.step === 'wait' ? say('waitTitle') : words}<//>
    ${(isForDesk || answer.step === 'wait') && html`<p class="said">${words}</p>`}
    <button type="button" class="main" onClick=${onHome}>${say('home')}</button>
  </section>`
}

function wordsOf(answer: Unfinished, state: MachineState | null): string {
  if (answer.step === 'wait') return say('wait', { seconds: answer.retryAfter })
  const { reason, from } = answer
  return say(`refused.${reason}`, {
    ...(from !== undefined && { from: momentInWords(from, state?.zone ?? 'UTC', state?.time ?? Date.now()) }),
  })
}
