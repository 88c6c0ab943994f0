/** The page of a capture camera: what it sees, how it does, and its settings. */
import { render, type VNode } from 'preact'
import { useEffect, useReducer, useState } from 'preact/hooks'
import { html } from '../../console/pages/kit/html.ts'
import { offerKey } from '../../screen/key.ts'
import { LANGUAGES, type Language } from '../../screen/texts.ts'
import type { CaptureCameraState } from '../options.ts'
import type { CaptureSettings } from '../settings.ts'
import { Picture, type Corner } from './picture.ts'
import { Settings } from './settings.ts'
import { currentLanguage, LANGUAGE_NAMES, say, speak } from './words.ts'

/** Milliseconds between two looks at the state. */
const EVERY = 1_000
const NO_AREAS = { zones: [], masks: [] }

/** Return the state of the camera; null if it does not answer. */
async function readState(): Promise<CaptureCameraState | null> {
  try {
    const response = await fetch('/state')
    return response.ok ? ((await response.json()) as CaptureCameraState) : null
  } catch {
    return null
  }
}

function Page({ refusal }: { refusal: string | null }): VNode {
  /** The last answer: what does not answer once is still the same camera, and the one of the browser goes on. */
  const [state, setState] = useState<CaptureCameraState | null>(null)
  const [isReached, setReached] = useState(false)
  const [settings, setSettings] = useState<CaptureSettings | null>(null)
  const [drawn, setDrawn] = useState<readonly Corner[] | null>(null)
  const [, renderAgain] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const read = async () => {
      const answer = await readState()
      setReached(answer !== null)
      if (answer !== null) setState(answer)
    }
    void read()
    const timer = setInterval(() => void read(), EVERY)
    return () => clearInterval(timer)
  }, [])
  const trouble = refusal ?? (isReached ? null : 'notReachable')
  const choose = (language: Language) => void speak(language).then(() => renderAgain(undefined))

  return html`<header>
      <h1>${state?.device?.name ?? state?.code ?? say('title')}</h1>
      <select aria-label=${say('language')} onChange=${({ target }: { target: HTMLSelectElement }) => choose(target.value as Language)}>
        ${LANGUAGES.map((each) => html`<option value=${each} selected=${each === currentLanguage()}>${LANGUAGE_NAMES[each]}</option>`)}
      </select>
    </header>
    <main>
      <${Picture}
        liveSince=${isReached && state?.camera?.state === 'live' ? state.camera.since : null}
        takesBrowser=${state !== null && state.camera === null}
        areas=${settings ?? NO_AREAS}
        drawn=${drawn}
        onCorner=${(corner: Corner) => setDrawn((before) => before && [...before, corner])}
      />
      <div class="cards">
        <section class="card" aria-live="polite">
          <h2>${say('state')}</h2>
          ${trouble === null ? html`<${Facts} state=${state} />` : html`<p class="trouble">${say(trouble)}</p>`}
        </section>
        <${Settings} settings=${settings} onSettings=${setSettings} drawn=${drawn} onDrawn=${setDrawn} />
      </div>
    </main>`
}

function Facts({ state }: { state: CaptureCameraState }): VNode {
  const { captures, stream, waiting, passing } = state
  const lost = passing?.lost
  const isLosing = passing !== null && state.link.kind === 'away'
  const timeOf = (moment: number) =>
    new Intl.DateTimeFormat(currentLanguage(), { timeStyle: 'medium', ...(state.device && { timeZone: state.device.zone }) }).format(moment)
  const facts: [string, string][] = [
    ['server', say(isLosing ? 'link.awayLosing' : `link.${state.link.kind}`)],
    ['camera', say(`camera.${state.camera?.state ?? 'none'}`)],
    ['engine', `${state.engine.name} · ${say(`engine.${state.engine.state}`)}`],
    ['captures', captures.lastAt === null ? '0' : say('capturesSince', { count: captures.count, time: timeOf(captures.lastAt) })],
    ['waiting', String(waiting)],
    ...(passing === null ? [] : [['keeping', say('keeping.matchedOnly')] satisfies [string, string]]),
    ['rate', say('rateOf', { rate: stream.picturesPerSecond, nth: stream.everyNth })],
    ['inView', String(stream.inView)],
  ]
  return html`<dl>
      ${facts.map(
        ([key, value]) =>
          html`<div key=${key}>
            <dt>${say(key)}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    ${lost && html`<p class="trouble" role="alert">${say('lost', { count: lost.count, time: timeOf(lost.from) })}</p>`}
    ${state.camera?.fault !== undefined && html`<p class="trouble" role="alert">${say(`fault.${state.camera.fault}`)}</p>`}
    ${!state.storageWorks && html`<p class="trouble" role="alert">${say('diskFull')}</p>`}`
}

await speak()
const refusal = await offerKey()
render(html`<${Page} refusal=${refusal} />`, document.getElementById('app')!)
