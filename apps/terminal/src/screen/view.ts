/** Rendering of the screen: puts words and values in their places. */
import type { DisclosedState } from '../http/disclosure.ts'
import type { Texts } from '../http/texts.ts'
import { scoreInWords } from '@gatehouse/contract/score'
import { checkInWords } from './checks.ts'
import { dayPartOf, hourOf } from './greeting.ts'
import { detailsOf, temperatureInWords, type Shown, type ShownVerdict } from './shown.ts'
import { fill } from './texts.ts'

/** Colour and sign of a message. */
export type Tone = 'idle' | 'looking' | 'allowed' | 'rejected' | 'again'

/** Content of the large panel. */
export interface Message {
  tone: Tone
  word: string
  name?: string
  reason?: string
  /** Number, temperature, time. */
  details?: string
  /** Address of the face that was decided about. */
  portrait?: string
}

/** Return the element of the page with this id. */
export function element<T extends Element = HTMLElement>(id: string): T {
  // Icons are SVG elements, although the DOM types declare every element with an id as HTML.
  const found: Element | null = document.getElementById(id)
  return found as T
}

const DIRECTION_OUT = 2
/** Milliseconds off the time server from which on a notice is shown. */
const CLOCK_OFF = 2_000
const OPEN_STATES: readonly string[] = ['opening', 'opened', 'alwaysOpening', 'alwaysOpen']
const MINUTE = 60_000

/** Whether people can go through the door. */
export const isOpen = (door: DisclosedState['door']): boolean => OPEN_STATES.includes(door)

/** Return who came, and in whose place. */
const nameOf = (own: Record<string, string>, { personName, contactName = '' }: ShownVerdict): string =>
  contactName === '' ? personName : fill(own, 'byContact', { person: personName, contact: contactName })

/** Return a greeting by the time of day, with the name if it may be shown. @param direction 1 in, 2 out */
function greetingOf(own: Record<string, string>, verdict: ShownVerdict, direction: number | undefined, { fields, zone }: Shown): string {
  const words = fill(own, direction === DIRECTION_OUT ? 'takeCare' : `greet.${dayPartOf(hourOf(verdict.occurredAt, zone))}`)
  if (!fields.includes('name') || verdict.personName === '') return words
  // Two names fill the line without a greeting.
  if (verdict.contactName) return nameOf(own, verdict)
  return fill(own, direction === DIRECTION_OUT ? 'takeCareNamed' : 'greetNamed', { words, name: verdict.personName })
}

/** Return a verdict as a message. @param direction 1 in, 2 out */
export function messageOf(texts: Texts, verdict: ShownVerdict, direction: number | undefined, shown: Shown): Message {
  const { own } = texts
  const out = direction === DIRECTION_OUT ? 'Out' : ''
  // The terminal sends no name if the face may be either of two persons'.
  const name = verdict.personName !== '' && shown.fields.includes('name') ? nameOf(own, verdict) : undefined
  const details = detailsOf(verdict, shown).join(' · ')
  if (verdict.verdict === 'allowed') {
    const wear = (verdict.prompts ?? []).map((prompt) => fill(own, `wear.${prompt}`))
    const greeting = greetingOf(own, verdict, direction, shown)
    return { tone: 'allowed', word: fill(own, `allowed${out}`), name: greeting, reason: wear.join(' '), details }
  }
  if (verdict.verdict === 'pending') {
    const next = (verdict.awaits?.factors ?? []).map((factor) => fill(own, `next.${factor}`))
    return { tone: 'looking', word: fill(own, 'oneMore'), reason: next.join(' / '), name }
  }
  if (verdict.failReason !== null) {
    const { explanation } = verdict
    const ownWord = explanation === null || explanation === 'livenessUntold' ? explanation : `check.secondVerification.${explanation}`
    const reason = ownWord === null ? (texts.failReason[verdict.failReason] ?? String(verdict.failReason)) : fill(own, ownWord)
    return { tone: 'rejected', word: fill(own, `rejected${out}`), reason, name, details }
  }
  return {
    tone: 'again',
    word: fill(own, 'tryAgain'),
    reason: verdict.reason === null ? undefined : (texts.picture[verdict.reason] ?? String(verdict.reason)),
  }
}

/** Show a message in the large panel; unchanged parts are left alone so that nothing is read out twice. */
export function showMessage({ tone, word, name, reason, details, portrait }: Message): void {
  document.body.dataset.tone = tone
  if (tone !== 'idle') element('verdict-icon').setAttribute('href', `#icon-${tone}`)
  put('word', word)
  put('name', name)
  put('reason', reason)
  put('details', details)
  const face = element<HTMLImageElement>('portrait')
  face.hidden = portrait === undefined
  if (portrait === undefined) face.removeAttribute('src')
  else if (face.src !== portrait) face.src = portrait
}

/** Show the installer how a verdict came about. @param verdict null before the first */
export function showChecks(texts: Texts, verdict: ShownVerdict | null, zone: string | undefined, shown: Shown): void {
  const { own } = texts
  const degrees = (celsius: number) => temperatureInWords(celsius, shown)
  const when = (instant: number) =>
    new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(instant)
  const lines = verdict?.checks?.map((check) => line(checkInWords(own, check, { when, degrees }), check.ok)) ?? []
  if (lines.length === 0) lines.push(line(fill(own, verdict?.checks ? 'noChecks' : 'noChecksYet'), null))
  element('checks').replaceChildren(...lines)
  put('score', typeof verdict?.score === 'number' ? fill(own, 'score', { score: scoreInWords(verdict.score) }) : undefined)
  put('took', verdict?.timings ? fill(own, 'took', { count: verdict.timings.total }) : undefined)
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

/** Return an icon of the page's sprite. */
export function icon(name: string): SVGElement {
  const space = 'http://www.w3.org/2000/svg'
  const drawing = document.createElementNS(space, 'svg')
  drawing.setAttribute('class', 'icon')
  drawing.setAttribute('aria-hidden', 'true')
  const use = document.createElementNS(space, 'use')
  use.setAttribute('href', `#icon-${name}`)
  drawing.append(use)
  return drawing
}

/** Show the terminal's state. @param reached false while the terminal itself does not answer this page */
export function showState(texts: Texts, state: DisclosedState, reached: boolean): void {
  const { own } = texts
  const { device, door } = state
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
  const trouble = troubleOf(state, reached)
  const notice = trouble && noticeOf(own, trouble, state.showsChecks)
  put('notice-words', notice)
  element('notice').hidden = notice === undefined
  element('notice').dataset.urgent = String(trouble?.key.startsWith('alarm.') ?? false)

  put('door-word', texts.doorState[door])
  element('door').dataset.open = String(isOpen(door))
  element('door-icon').setAttribute('href', `#icon-door-${isOpen(door) ? 'open' : 'closed'}`)
  element('insight').hidden = !state.showsChecks
  document.body.dataset.insight = String(state.showsChecks)
  showInside(own, state)
}

/** Show the installer the inner values of the state. */
function showInside(own: Record<string, string>, { held, queue, engine, security }: DisclosedState): void {
  if (!held || !queue || !engine) return
  const failed = held.failed > 0 ? ` (${fill(own, 'personsFailed', { count: held.failed })})` : ''
  put('persons', held.renewing ? fill(own, 'personsReady', inNumbers(held.renewing)) : `${number(held.persons)}${failed}`)
  put('security', fill(own, `security.${security ?? 'unknown'}`))
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

/** A problem that needs attention. */
export interface Trouble {
  /** Key of the full text. */
  key: string
  values?: Record<string, string | number>
  /** Key of the text for people at the door; if absent, the same. */
  brief?: string
}

/** Return the most urgent problem; undefined if there is none. @param reached as in `showState` */
export function troubleOf(state: DisclosedState, reached: boolean): Trouble | undefined {
  if (!reached) return { key: 'notReachable', brief: 'brief.stopped' }
  if (!state.storageWorks) return { key: 'explain.storage', brief: 'brief.maintenance' }
  const [alarm] = state.doorway.standing
  if (alarm) return { key: `alarm.${alarm}` }
  if (state.doorway.trouble !== null) return { key: 'explain.doorTrouble', brief: 'brief.maintenance' }
  const { kind } = state.link
  if (kind === 'refused' || kind === 'foreign' || kind === 'removed') return { key: `explain.${kind}`, brief: 'brief.stopped' }
  if (state.hindered === 'liveness') return { key: 'explain.liveness', brief: 'brief.liveness' }
  if (state.hindered === 'renewing')
    return { key: 'explain.renewing', brief: 'brief.renewing', ...(state.held?.renewing && { values: inNumbers(state.held.renewing) }) }
  if (kind === 'away') return { key: 'explain.away', brief: 'brief.away' }
  if (!state.device) return kind === 'online' ? { key: 'explain.notConfigured', brief: 'brief.stopped' } : undefined
  if (state.hindered === 'clock')
    return { key: 'explain.clock', brief: 'brief.clock', values: { minutes: Math.round(Math.abs(state.clockOffset ?? 0) / MINUTE) } }
  return timeTroubleOf(state) ?? serverTroubleOf(state)
}

function timeTroubleOf({ timeServer }: DisclosedState): Trouble | undefined {
  if (!timeServer) return undefined
  const { server, offset, failure } = timeServer
  if (failure) return { key: `time.${failure}`, brief: 'brief.maintenance', values: { server } }
  if (offset === null || Math.abs(offset) <= CLOCK_OFF) return undefined
  return { key: 'time.off', brief: 'brief.clock', values: { server, seconds: (Math.abs(offset) / 1000).toFixed(1) } }
}

function serverTroubleOf({ server }: DisclosedState): Trouble | undefined {
  if (server.wished === null || server.trouble === null || server.trouble === 'trying') return undefined
  return { key: `server.${server.trouble}`, brief: 'brief.maintenance', values: { address: server.wished } }
}

/** Return a problem in words. @param isWhole in full, for the people in charge of the terminal; otherwise a short line for the public */
export const noticeOf = (own: Record<string, string>, { key, values, brief }: Trouble, isWhole: boolean): string =>
  isWhole || brief === undefined ? fill(own, key, values) : fill(own, brief)

/** Return why the terminal's own camera shows nothing; undefined if it does, and if there is none. */
export function cameraNoticeOf(own: Record<string, string>, camera: DisclosedState['camera']): string | undefined {
  if (!camera || camera.state === 'live') return undefined
  return fill(own, camera.state === 'away' ? 'cameraAway' : 'cameraConnecting')
}

/** Access methods that start with these inputs. */
const WAYS = { card: [4, 5, 14], password: [8, 9, 10, 11, 15], code: [6, 7], picture: [1] } as const

/**
 * Return the invitation shown while nobody is there.
 * @param looks whether a camera is live
 * @param takesPictures whether a picture of a face can be chosen here in place of a camera
 * @param methods those the terminal accepts; empty: any
 */
export function idleWord(own: Record<string, string>, looks: boolean, takesPictures: boolean, methods: readonly number[]): string {
  const takes = (way: keyof typeof WAYS) => methods.length === 0 || WAYS[way].some((method) => methods.includes(method))
  if (looks && takes('picture')) return fill(own, 'idleCamera')
  const ways = (['card', 'password', 'code', 'picture'] as const).filter((way) => takes(way) && (way !== 'picture' || takesPictures))
  if (ways.length === 0) return fill(own, 'idleNothing')
  const list = new Intl.ListFormat(document.documentElement.lang, { type: 'disjunction' })
  return fill(own, 'idleCan', { ways: list.format(ways.map((way) => fill(own, `can.${way}`))) })
}

/** Show the words that change only with the language. */
export function showLabels(texts: Texts, cameraRuns: boolean): void {
  const { own } = texts
  document.title = fill(own, 'title')
  const labels: Record<string, string> = {
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
  label('language', fill(own, 'language'))
  label('camera-switch', fill(own, cameraRuns ? 'stopCamera' : 'startCamera'))
  element('camera-switch').setAttribute('aria-pressed', String(cameraRuns))
  label('choose', fill(own, 'choosePicture'), fill(own, 'dropHint'))
  element('languages').setAttribute('aria-label', fill(own, 'language'))
  element<HTMLImageElement>('picture').alt = fill(own, 'pictureShown')
  element<HTMLImageElement>('remote').alt = fill(own, 'cameraPicture')
}

/** Label a button that shows only an icon. @param more further words in the tooltip */
export function label(id: string, words: string, more = ''): void {
  element(id).setAttribute('aria-label', words)
  element(id).title = more === '' ? words : `${words} – ${more}`
}

/** Show the time at the door. */
export function showClock(zone: string | undefined, offset: number): void {
  const now = new Date(Date.now() + offset)
  const language = document.documentElement.lang
  element<HTMLTimeElement>('clock').dateTime = now.toISOString()
  const written = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, { ...options, timeZone: zone }).format(now)
  const time = written({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const date = written({ weekday: 'long', month: 'long', day: 'numeric' })
  put('clock-time', time)
  put('clock-date', written({ weekday: 'short', month: 'short', day: 'numeric' }))
  put('rest-time', time)
  put('rest-date', date)
  put('saver-time', time)
  put('saver-date', date)
}

const inNumbers = ({ ready, total }: { ready: number; total: number }) => ({ ready: number(ready), total: number(total) })

const number = (value: number) => new Intl.NumberFormat(document.documentElement.lang).format(value)

/** Set a text if it changed; its place is hidden without a text. */
function put(id: string, text: string | undefined): void {
  const place = element(id)
  place.hidden = !text
  if (place.textContent !== (text ?? '')) place.textContent = text ?? ''
}
