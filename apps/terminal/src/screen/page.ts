/** The terminal's screen: shows what happens, takes pictures from the camera, from files and from what is dropped. */
import type { Awaiting } from '../passage/decision.ts'
import type { TerminalState } from '../terminal.ts'
import type { Texts } from '../http/texts.ts'
import { createCamera, type CameraTrouble } from './camera.ts'
import { createInputs } from './inputs.ts'
import { offerKey } from './key.ts'
import { createSaver } from './saver.ts'
import { NOTHING_SHOWN, type Shown, type ShownVerdict } from './shown.ts'
import { createSounds } from './sound.ts'
import { fill, firstLanguage, loadTexts, rememberLanguage, type Language } from './texts.ts'
import { createTurn } from './turn.ts'
import { listenForAgreement, showUpgrade } from './upgrade.ts'
import {
  cameraNoticeOf,
  element,
  idleWord,
  messageOf,
  showChecks,
  showClock,
  showLabels,
  showMessage,
  showState,
  type Message,
} from './view.ts'

const CAMERA_WANTED = 'gatehouse.terminal.camera'
const LARGEST = 10 * 1_048_576
/** Milliseconds a verdict stays after somebody passed; a picture of one's own choice stays until the next. */
const VERDICT_STAYS = 8_000

/** What an HTTP status of the picture call means to somebody at the screen. */
const REFUSED: Record<number, string | undefined> = { 401: 'keyNeeded', 403: 'notAllowedFromHere', 413: 'tooLarge', 503: 'engineFailed' }

let texts: Texts
let state: TerminalState | null = null
let reached = true
/** Terminal's clock minus this browser's. */
let clockOffset = 0
let verdict: ShownVerdict | null = null
let message: (() => Message) | null = null
let trouble: CameraTrouble | null = null
let clearing: ReturnType<typeof setTimeout> | undefined
/** Record of the picture chosen here, which is on the screen already, and whole. */
let pictureOf: string | null = null
/** The face of the latest record. */
let portrait: { recordId: string; image: string } | null = null

const video = element<HTMLVideoElement>('video')
const picture = element<HTMLImageElement>('picture')
const remote = element<HTMLImageElement>('remote')
const file = element<HTMLInputElement>('file')
const camera = createCamera(video, sendFrame, showStage)

/** Whether the camera the terminal was started with is looking; this page then only watches. */
const looksItself = () => reached && state?.camera?.state === 'live'
/** Whether the picture on the screen was chosen here. */
const isChosen = () => picture.src.startsWith('blob:')

const direction = () => state?.device?.direction
const zone = () => state?.zone ?? undefined
const settings = () => state?.settings.values
const sounds = createSounds(
  () => ({
    volume: settings()?.volume ?? 0,
    prompt: settings()?.voicePromptText ?? '',
    file: state?.files.voice ?? null,
    language: document.documentElement.lang,
  }),
  (blocked) => {
    element('sound').hidden = !blocked
  },
)
const saver = createSaver(
  () => settings()?.screenSaverAfter ?? 0,
  (on) => {
    element('saver').hidden = !on
  },
)

const turn = createTurn<ShownVerdict>(VERDICT_STAYS, (next) => {
  take(next, VERDICT_STAYS)
  showFace()
})

const inputs = createInputs({
  words: () => texts.own,
  cardNumberFormat: () => settings()?.cardNumberFormat ?? 'decimal',
  now: () => Date.now() + clockOffset,
  onVerdict: (answer) => take(answer, VERDICT_STAYS),
  onTrouble: (key, values) =>
    say(() => ({ tone: 'again', word: fill(texts.own, 'tryAgain'), reason: fill(texts.own, key, values) }), VERDICT_STAYS),
})

async function speak(language: Language): Promise<void> {
  texts = await loadTexts(language)
  document.documentElement.lang = language
  element<HTMLSelectElement>('language').value = language
  render()
}

function render(): void {
  showLabels(texts, camera.running())
  if (state) {
    showState(texts, state, reached)
    showUpgrade(texts.own, state.upgrade)
  }
  showClock(zone(), clockOffset)
  inputs.render()
  showMessage(
    message?.() ?? {
      tone: 'idle',
      word: idleWord(texts.own, state?.camera ?? null, camera.running() || looksItself()),
      reason: settings()?.promptText,
    },
  )
  showChecks(texts, verdict, zone(), shown())
  const words = trouble ? fill(texts.own, trouble) : reached ? cameraNoticeOf(texts.own, state?.camera ?? null) : undefined
  element('camera-trouble').textContent = words ?? ''
  element('camera-trouble').hidden = !words
  element('camera-switch').hidden = Boolean(state?.camera)
}

function say(next: (() => Message) | null, staysFor?: number): void {
  clearTimeout(clearing)
  message = next
  if (staysFor !== undefined) clearing = setTimeout(clear, staysFor)
  render()
}

/** Nobody who comes later is to see who was here before. */
function clear(): void {
  verdict = null
  message = null
  portrait = null
  picture.removeAttribute('src')
  showStage()
}

function shown(): Shown {
  const values = settings()
  return values
    ? { fields: values.displayFields, unit: values.temperatureUnit, language: document.documentElement.lang, zone: state?.zone ?? null }
    : NOTHING_SHOWN
}

/** A verdict in words, with the face as soon as it is here. */
function inWords(of: ShownVerdict): Message {
  const words = messageOf(texts, of, direction(), shown())
  const hasFace = portrait !== null && portrait.recordId === of.recordId && words.tone !== 'again' && shown().fields.includes('photo')
  return hasFace ? { ...words, portrait: portrait!.image } : words
}

/** The same verdict comes as an answer and as an event; the second changes nothing. */
function take(next: ShownVerdict, staysFor?: number): void {
  saver.somebody()
  // What is missing, the prompt says.
  if (next.verdict === 'pending') return say(null)
  if (verdict?.occurredAt === next.occurredAt && message) return
  verdict = next
  say(() => inWords(next), staysFor)
  const { tone, word } = inWords(next)
  if (tone === 'allowed' || tone === 'rejected') sounds.verdict(tone === 'allowed', word)
}

function showStage(): void {
  const watches = looksItself()
  if (!watches) remote.removeAttribute('src')
  else if (!remote.hasAttribute('src')) remote.src = '/camera'
  const pictured = picture.hasAttribute('src') && (isChosen() || !watches)
  const shows = camera.running() ? 'camera' : pictured ? 'picture' : watches ? 'remote' : 'nothing'
  element('stage').dataset.shows = shows
  video.hidden = shows !== 'camera'
  remote.hidden = shows !== 'remote'
  picture.hidden = shows !== 'picture'
  render()
}

function showPicture(address: string): void {
  if (isChosen()) URL.revokeObjectURL(picture.src)
  picture.src = address
  showStage()
}

/** The face of the latest record in place of the picture, where its verdict is shown. */
function showFace(): void {
  const isPictured = !turn.checking() && shown().fields.includes('photo')
  if (isPictured && portrait && portrait.recordId !== pictureOf && portrait.recordId === verdict?.recordId) showPicture(portrait.image)
  else render()
}

async function post(image: Blob, path: string): Promise<{ status: number; answer: ShownVerdict & { reason: unknown } }> {
  const response = await fetch(path, {
    method: 'POST',
    body: image,
    headers: { 'content-type': image.type || 'application/octet-stream', 'accept-language': document.documentElement.lang },
  })
  return { status: response.status, answer: await response.json() }
}

/** A frame of the camera. @returns whether it showed a face */
async function sendFrame(frame: Blob): Promise<boolean> {
  try {
    const { status, answer } = await post(frame, '/frame?stream=1')
    // A picture that was chosen meanwhile has stopped the camera.
    if (status !== 200 || !camera.running()) return false
    if (answer.reason === null) saver.somebody()
    if (answer.repeated) say(() => inWords(answer), VERDICT_STAYS)
    else if (answer.failReason !== null || answer.verdict === 'allowed') take(answer, VERDICT_STAYS)
    return answer.reason === null
  } catch {
    return false
  }
}

/** A picture somebody chose. */
async function checkPicture(chosen: Blob): Promise<void> {
  if (camera.running()) switchCamera(false)
  showPicture(URL.createObjectURL(chosen))
  // Where the terminal looks by itself, the next person needs the screen.
  const stays = state?.camera ? VERDICT_STAYS : undefined
  const answered = turn.begin()
  const again = (key: string) => {
    if (answered(null)) say(() => ({ tone: 'again', word: fill(texts.own, 'tryAgain'), reason: fill(texts.own, key) }), stays)
  }
  if (chosen.size > LARGEST) return again('tooLarge')
  say(() => ({ tone: 'looking', word: fill(texts.own, 'looking') }))
  const posted = await post(chosen, '/frame').catch(() => null)
  if (posted === null) return again('notReachable')
  const { status, answer } = posted
  if (status !== 200) return again(REFUSED[status] ?? 'busy')
  if (!answered(answer)) return
  pictureOf = answer.recordId
  take(answer, stays)
}

function switchCamera(on: boolean): void {
  localStorage.setItem(CAMERA_WANTED, on ? 'on' : 'off')
  trouble = null
  if (!on) {
    camera.stop()
    return showStage()
  }
  void camera.start().then((found) => {
    trouble = found
    message = null
    showStage()
  })
}

function listen(): void {
  const events = new EventSource('/events')
  events.addEventListener('state', ({ data }) => {
    const isFirst = state === null
    state = JSON.parse(data) as TerminalState
    clockOffset = state.time - Date.now()
    reached = true
    saver.refresh()
    if (state.camera) camera.stop()
    else if (isFirst && localStorage.getItem(CAMERA_WANTED) === 'on') switchCamera(true)
    showStage()
  })
  events.addEventListener('verdict', ({ data }) => turn.happened(JSON.parse(data) as ShownVerdict))
  events.addEventListener('awaiting', ({ data }) => inputs.await(JSON.parse(data) as Awaiting | null))
  events.addEventListener('picture', ({ data }) => {
    const { recordId, image } = JSON.parse(data) as { recordId: string; image: string }
    portrait = { recordId, image }
    showFace()
  })
  events.addEventListener('error', () => {
    reached = false
    showStage()
  })
}

function takeDropped(): void {
  let depth = 0
  const mark = (change: number) => {
    depth = Math.max(0, depth + change)
    document.body.classList.toggle('dropping', depth > 0)
  }
  addEventListener('dragenter', () => mark(1))
  addEventListener('dragleave', () => mark(-1))
  addEventListener('dragover', (event) => event.preventDefault())
  addEventListener('drop', (event) => {
    event.preventDefault()
    mark(-depth)
    const dropped = event.dataTransfer?.files[0]
    if (dropped) void checkPicture(dropped)
  })
  addEventListener('paste', (event) => {
    const pasted = event.clipboardData?.files[0]
    if (pasted) void checkPicture(pasted)
  })
}

await speak(firstLanguage())
showStage()
const refused = await offerKey()
if (refused === null) listen()
else say(() => ({ tone: 'again', word: fill(texts.own, 'notShown'), reason: fill(texts.own, refused) }))
// Another key behind the same address is no other page.
addEventListener('hashchange', () => location.reload())
listenForAgreement()
takeDropped()
setInterval(() => showClock(zone(), clockOffset), 1000)
for (const touch of ['pointerdown', 'pointermove', 'keydown'])
  addEventListener(touch, () => saver.somebody(), { capture: true, passive: true })
for (const touch of ['pointerdown', 'keydown']) addEventListener(touch, () => sounds.touched(), { capture: true, passive: true })
element('choose').addEventListener('click', () => file.click())
file.addEventListener('change', () => {
  const chosen = file.files?.[0]
  file.value = ''
  if (chosen) void checkPicture(chosen)
})
// Asked for again with the next state.
remote.addEventListener('error', () => remote.removeAttribute('src'))
element('camera-switch').addEventListener('click', () => switchCamera(!camera.running()))
element<HTMLSelectElement>('language').addEventListener('change', ({ target }) => {
  const language = (target as HTMLSelectElement).value as Language
  rememberLanguage(language)
  void speak(language)
})
