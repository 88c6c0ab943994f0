/** The page of a visitor machine: one step after the other, and back to the welcome, where nothing of the last visitor is left. */
import { render, type VNode } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { html } from '../../console/pages/kit/html.ts'
import type { MachineState } from '../answers.ts'
import type { Purpose } from '../deciding.ts'
import { machineState, post, Unanswered, type PageAnswer } from './api.ts'
import { Confirm, Finished, Refused } from './ending.ts'
import { Identify, Welcome } from './finding.ts'
import { Certificate, Look } from './proving.ts'
import { loadWords, say, speak } from './words.ts'

/** Milliseconds without input after which a visitor has gone, and those for which the last step stays. */
const IDLE = 60_000
const ENDED = 20_000
const STATE_EVERY = 5_000

type View = { step: 'welcome' } | { step: 'identify'; purpose: Purpose } | PageAnswer

function Machine(): VNode {
  const [view, setView] = useState<View>({ step: 'welcome' })
  const [state, setState] = useState<MachineState | null>(null)
  const [isReached, setReached] = useState(true)
  const [isBusy, setBusy] = useState(false)
  const [, speakAgain] = useState(0)
  const current = useRef(view)
  current.current = view

  const home = useCallback(() => {
    const before = current.current
    if ('session' in before) void post('leave', { session: before.session }).catch(() => {})
    speak(null)
    setBusy(false)
    setView({ step: 'welcome' })
  }, [])
  useHome(view, home)
  useMachineState(setState, setReached)

  const take = (answer: PageAnswer) => (answer.step === 'left' ? home() : setView(answer))
  const unanswered = (error: unknown) => {
    if (error instanceof Unanswered && !error.isBusy) setReached(false)
  }
  /** Take an answer to this step; a visitor who has left meanwhile is not shown it. */
  function onAnswer(answer: PageAnswer): void {
    if (current.current === view) take(answer)
    else if ('session' in answer) void post('leave', { session: answer.session }).catch(() => {})
  }

  /** Ask the terminal for the next step, once at a time. */
  function ask(path: string, form: object): void {
    if (isBusy) return
    setBusy(true)
    post(path, form)
      .then(onAnswer, unanswered)
      .finally(() => setBusy(false))
  }
  const onCode = (text: string, purpose: Purpose) => ask('code', { text, purpose })

  function step(): VNode {
    switch (view.step) {
      case 'identify':
        return html`<${Identify}
          purpose=${view.purpose}
          isBusy=${isBusy}
          onCode=${onCode}
          onPhone=${(phone: string, purpose: Purpose) => ask('phone', { phone, purpose })}
          onAnswer=${onAnswer}
        />`
      case 'look':
        return html`<${Look} key=${view.session} answer=${view} onAnswer=${onAnswer} onUnanswered=${unanswered} />`
      case 'certificate':
        return html`<${Certificate}
          visitorName=${view.visitorName}
          isBusy=${isBusy}
          onCertificate=${(certificate: object) => ask('certificate', { session: view.session, certificate })}
        />`
      case 'confirm':
        return html`<${Confirm} answer=${view} isBusy=${isBusy} onConfirm=${() => ask('confirm', { session: view.session })} />`
      case 'done':
        return html`<${Finished} answer=${view} zone=${state?.zone ?? 'UTC'} onHome=${home} />`
      case 'refused':
      case 'wait':
        return html`<${Refused} answer=${view} state=${state} onHome=${home} />`
      default:
        return html`<${Welcome}
          state=${state}
          onPurpose=${(purpose: Purpose) => setView({ step: 'identify', purpose })}
          onCode=${onCode}
          onLanguage=${(language: Parameters<typeof speak>[0]) => {
            speak(language)
            speakAgain((count) => count + 1)
          }}
        />`
    }
  }

  const hasBack = view.step !== 'welcome' && view.step !== 'done' && view.step !== 'refused' && view.step !== 'wait'
  return html`<header class="bar">
      ${hasBack && html`<button type="button" class="back" onClick=${home}>${say('cancel')}</button>`}
      <span class="company">${view.step === 'welcome' ? '' : (state?.companyName ?? '')}</span>
      <span class="network" role="status">${isReached ? state !== null && !state.isOnline && say('offline') : say('notReachable')}</span>
    </header>
    <main>${step()}</main>`
}

/** Go back to the welcome when a visitor has gone. */
function useHome(view: View, home: () => void): void {
  useEffect(() => {
    if (view.step === 'welcome') return
    const isEnded = view.step === 'done' || view.step === 'refused' || view.step === 'wait'
    let timer = setTimeout(home, isEnded ? ENDED : IDLE)
    const again = () => {
      clearTimeout(timer)
      timer = setTimeout(home, isEnded ? ENDED : IDLE)
    }
    const inputs = ['pointerdown', 'keydown'] as const
    for (const input of inputs) addEventListener(input, again, { capture: true, passive: true })
    return () => {
      clearTimeout(timer)
      for (const input of inputs) removeEventListener(input, again, { capture: true })
    }
  }, [view, home])
}

/** Follow the state of the machine; once it is none, the page says so. */
function useMachineState(setState: (state: MachineState) => void, setReached: (isReached: boolean) => void): void {
  useEffect(() => {
    async function refresh(): Promise<void> {
      const next = await machineState()
      if (next === 'none') return location.reload()
      setReached(next !== null)
      if (next !== null) setState(next)
    }
    void refresh()
    const timer = setInterval(() => void refresh(), STATE_EVERY)
    return () => clearInterval(timer)
  }, [setState, setReached])
}

await loadWords()
speak(null)
render(html`<${Machine} />`, document.getElementById('app')!)
