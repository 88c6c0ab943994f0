/** What stands on the screen: takes words and values, puts them in place. */
import type { TerminalState } from '../terminal.ts'
import type { Texts } from '../http/texts.ts'
import { scoreInWords } from '@gatehouse/contract/score'
import { checkInWords, isUndecided, livenessUntold, restrictionOf } from './checks.ts'
import { detailsOf, temperatureInWords, type Shown, type ShownVerdict } from './shown.ts'
import { fill } from './texts.ts'

/** The colour and sign of the moment. */
export type Tone = 'idle' | 'looking' | 'allowed' | 'rejected' | 'again'

/** What the large panel says. */
export interface Message {
  tone: Tone
  word: string
  name?: string
  reason?: string
  score?: string
  /** Number, temperature, time. */
  details?: string
  /** Address of the face that was decided about. */
  portrait?: string
}

/** The element of the page with this id. */
export function element<T extends Element = HTMLElement>(id: string): T {
  return document.getElementById(id) as unknown as T
}

const DIRECTION_OUT = 2
const NOT_REGISTERED = 904
/** Milliseconds off the time server from which it is said. */
const CLOCK_OFF = 2_000
const OPEN_STATES = ['opening', 'opened', 'alwaysOpening', 'alwaysOpen']

/** Who came, and in whose place. */
const nameOf = (own: Record<string, string>, { personName, contactName = '' }: ShownVerdict): string =>
  contactName === '' ? personName : fill(own, 'byContact', { person: personName, contact: contactName })

/** A verdict as a message. @param direction 1 in, 2 out */
export function messageOf(texts: Texts, verdict: ShownVerdict, direction: number | undefined, shown: Shown): Message {
  const { own } = texts
  const out = direction === DIRECTION_OUT ? 'Out' : ''
  const score = verdict.score === null ? undefined : fill(own, 'score', { score: scoreInWords(verdict.score) })
  const told = (isNamed: boolean) => ({
    name: isNamed && shown.fields.includes('name') ? nameOf(own, verdict) : undefined,
    details: detailsOf(verdict, shown, isNamed).join(' · '),
    score,
  })
  if (verdict.verdict === 'allowed') {
    const wear = (verdict.prompts ?? []).map((prompt) => fill(own, `wear.${prompt}`))
    return { tone: 'allowed', word: fill(own, `allowed${out}`), reason: wear.join(' '), ...told(true) }
  }
  if (verdict.verdict === 'pending') {
    const next = (verdict.awaits?.factors ?? []).map((factor) => fill(own, `next.${factor}`))
    return { tone: 'looking', word: fill(own, 'oneMore'), reason: next.join(' / '), name: told(true).name }
  }
  if (verdict.failReason !== null) {
    const restriction = restrictionOf(verdict.checks)
    const ownWord = livenessUntold(verdict.checks)
      ? 'livenessUntold'
      : restriction === null
        ? null
        : `check.secondVerification.${restriction}`
    const reason = ownWord === null ? (texts.failReason[verdict.failReason] ?? String(verdict.failReason)) : fill(own, ownWord)
    // Who could be two persons is greeted by the name of neither.
    const isNamed = verdict.failReason !== NOT_REGISTERED && !isUndecided(verdict.checks)
    return { tone: 'rejected', word: fill(own, `rejected${out}`), reason, ...told(isNamed) }
  }
  return {
    tone: 'again',
    word: fill(own, 'tryAgain'),
    reason: verdict.reason === null ? undefined : (texts.picture[verdict.reason] ?? String(verdict.reason)),
  }
}

/** Shows a message in the large panel; unchanged parts are left alone so that nothing is read out twice. */
export function showMessage({ tone, word, name, reason, score, details, portrait }: Message): void {
  document.body.dataset.tone = tone
  element('verdict-icon').setAttribute('href', `#icon-${tone}`)
  put('word', word)
  put('name', name)
  put('reason', reason)
  put('score', score)
  put('details', details)
  const face = element<HTMLImageElement>('portrait')
  face.hidden = portrait === undefined
  if (portrait === undefined) face.removeAttribute('src')
  else if (face.src !== portrait) face.src = portrait
}

/** Shows how the last verdict came about. @param verdict null before the first */
export function showChecks(texts: Texts, verdict: ShownVerdict | null, zone: string | undefined, shown: Shown): void {
  const { own } = texts
  const degrees = (celsius: number) => temperatureInWords(celsius, shown)
  const when = (instant: number) =>
    new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(instant)
  const lines = verdict?.checks.map((check) => line(checkInWords(own, check, { when, degrees }), check.ok)) ?? []
  if (lines.length === 0) lines.push(line(fill(own, verdict ? 'noChecks' : 'noChecksYet'), null))
  element('checks').replaceChildren(...lines)
  put('took', verdict ? fill(own, 'took', { count: verdict.timings.total }) : undefined)
}

function line(words: string, ok: boolean | null): HTMLLIElement {
  const item = document.createElement('li')
  item.className = ok === null ? 'none' : ok ? 'passed' : 'failed'
  if (ok !== null) item.append(icon(ok ? 'check' : 'cross'))
  const text = document.createElement('span')
  text.textContent = words
  item.append(text)
  return item
}

function icon(name: string): SVGElement {
  const space = 'http://www.w3.org/2000/svg'
  const drawing = document.createElementNS(space, 'svg')
  drawing.setAttribute('class', 'icon')
  drawing.setAttribute('aria-hidden', 'true')
  const use = document.createElementNS(space, 'use')
  use.setAttribute('href', `#icon-${name}`)
  drawing.append(use)
  return drawing
}

/** Shows the terminal's state. @param reached false while the terminal itself does not answer this page */
export function showState(texts: Texts, state: TerminalState, reached: boolean): void {
  const { own } = texts
  const { device, held, queue, engine, door } = state
  put('device-name', device?.name ?? state.code)
  put('saver-name', device?.name ?? state.code)
  put('saver-prompt', state.settings.values.promptText)
  const picture = element<HTMLImageElement>('saver-picture')
  picture.hidden = state.files.screenSaver === null
  if (state.files.screenSaver === null) picture.removeAttribute('src')
  else if (picture.getAttribute('src') !== state.files.screenSaver) picture.src = state.files.screenSaver
  put('direction', device ? texts.direction[device.direction] : undefined)
  const link = reached ? state.link.kind : 'lost'
  element('link').dataset.link = link
  put('link-word', fill(own, `link.${link}`))
  const notice = noticeOf(own, state, reached)
  put('notice-words', notice)
  element('notice').hidden = notice === undefined

  put('door-word', texts.doorState[door])
  const open = OPEN_STATES.includes(door)
  element('door').dataset.open = String(open)
  element('door-icon').setAttribute('href', `#icon-door-${open ? 'open' : 'closed'}`)
  const failed = held.failed > 0 ? ` (${fill(own, 'personsFailed', { count: held.failed })})` : ''
  put('persons', held.renewing ? fill(own, 'personsReady', inNumbers(held.renewing)) : `${number(held.persons)}${failed}`)
  put('security', fill(own, `security.${state.security ?? 'unknown'}`))
  put('waiting', fill(own, 'waitingCount', { records: number(queue.records), pictures: number(queue.pictures) }))
  put(
    'engine',
    engine.state === 'ready'
      ? engine.kind === 'builtin'
        ? fill(own, 'engineBuiltIn')
        : engine.name
      : fill(own, engine.state === 'failed' ? 'engineFailed' : 'engineLoading'),
  )
}

/** What somebody should see to, the most pressing first; undefined where all is well. @param reached as of `showState` */
export function noticeOf(own: Record<string, string>, state: TerminalState, reached: boolean): string | undefined {
  if (!reached) return fill(own, 'notReachable')
  if (!state.storageWorks) return fill(own, 'explain.storage')
  const [alarm] = state.doorway.standing
  if (alarm) return fill(own, `alarm.${alarm}`)
  if (state.doorway.trouble !== null) return fill(own, 'explain.doorTrouble')
  const { kind } = state.link
  if (kind === 'refused' || kind === 'foreign' || kind === 'removed') return fill(own, `explain.${kind}`)
  if (state.device?.liveness?.refuses && !state.engine.tellsLiving) return fill(own, 'explain.liveness')
  if (state.held.renewing) return fill(own, 'explain.renewing', inNumbers(state.held.renewing))
  if (kind === 'away') return fill(own, 'explain.away')
  if (!state.device) return kind === 'online' ? fill(own, 'explain.notConfigured') : undefined
  const minutes = Math.round(Math.abs(state.clockOffset ?? 0) / 60_000)
  if (minutes > 0) return fill(own, 'explain.clock', { minutes })
  return timeNoticeOf(own, state) ?? serverNoticeOf(own, state)
}

function timeNoticeOf(own: Record<string, string>, { timeServer }: TerminalState): string | undefined {
  if (!timeServer) return undefined
  const { server, offset, failure } = timeServer
  if (failure) return fill(own, `time.${failure}`, { server })
  if (offset === null || Math.abs(offset) <= CLOCK_OFF) return undefined
  return fill(own, 'time.off', { server, seconds: (Math.abs(offset) / 1000).toFixed(1) })
}

function serverNoticeOf(own: Record<string, string>, { server }: TerminalState): string | undefined {
  if (server.wished === null || server.trouble === null || server.trouble === 'trying') return undefined
  return fill(own, `server.${server.trouble}`, { address: server.wished })
}

/** Why the camera the terminal was started with shows nothing; undefined where it does, and where there is none. */
export function cameraNoticeOf(own: Record<string, string>, camera: TerminalState['camera']): string | undefined {
  if (!camera || camera.state === 'live') return undefined
  return fill(own, camera.state === 'away' ? 'cameraAway' : 'cameraConnecting')
}

/** What the large panel says while nobody is there. @param looks a camera is looking */
export function idleWord(own: Record<string, string>, camera: TerminalState['camera'], looks: boolean): string {
  if (looks) return fill(own, 'idleCamera')
  return fill(own, camera ? 'idleWithoutCamera' : 'idlePicture')
}

/** Words that only change with the language. */
export function showLabels(texts: Texts, cameraRuns: boolean): void {
  const { own } = texts
  document.title = fill(own, 'title')
  const labels: Record<string, string> = {
    'language-label': 'language',
    'camera-switch-word': cameraRuns ? 'stopCamera' : 'startCamera',
    'choose-word': 'choosePicture',
    'drop-hint': 'dropHint',
    drop: 'dropHere',
    'insight-title': 'sees',
    'door-label': 'door',
    'persons-label': 'persons',
    'waiting-label': 'waiting',
    'engine-label': 'engine',
    'security-label': 'connection',
    'sound-word': 'soundBlocked',
  }
  for (const [id, key] of Object.entries(labels)) put(id, fill(own, key))
  element<HTMLImageElement>('picture').alt = fill(own, 'pictureShown')
  element<HTMLImageElement>('remote').alt = fill(own, 'cameraPicture')
}

/** Shows the time of the door's place. */
export function showClock(zone: string | undefined, offset: number): void {
  const now = new Date(Date.now() + offset)
  const language = document.documentElement.lang
  const clock = element<HTMLTimeElement>('clock')
  clock.dateTime = now.toISOString()
  put('saver-time', new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: zone }).format(now))
  put('saver-date', new Intl.DateTimeFormat(language, { weekday: 'long', month: 'long', day: 'numeric', timeZone: zone }).format(now))
  put(
    'clock',
    new Intl.DateTimeFormat(language, {
      weekday: 'short',
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZone: zone,
    }).format(now),
  )
}

const inNumbers = ({ ready, total }: { ready: number; total: number }) => ({ ready: number(ready), total: number(total) })

const number = (value: number) => new Intl.NumberFormat(document.documentElement.lang).format(value)

/** Sets a text where it changed; nothing to say hides its place. */
function put(id: string, text: string | undefined): void {
  const place = element(id)
  place.hidden = !text
  if (place.textContent !== (text ?? '')) place.textContent = text ?? ''
}
