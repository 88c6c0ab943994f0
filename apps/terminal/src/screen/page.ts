/** The terminal's screen. It shows what happens, and takes pictures from the camera, from files and by drag and drop. */
import type { Awaiting } from '../passage/decision.ts'
import type { DisclosedState } from '../http/disclosure.ts'
import type { Texts } from '../http/texts.ts'
import { createCamera, type CameraTrouble } from './camera.ts'
import { createInputs } from './inputs.ts'
import { offerKey } from './key.ts'
import { offerLanguages } from './languages.ts'
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
  isOpen,
  messageOf,
  showChecks,
  showClock,
  showLabels,
  showMessage,
  showState,
  type Message,
} from './view.ts'

const CAMERA_CHOICE = 'gatehouse.terminal.camera'
const LARGEST = 10 * 1_048_576
/** Milliseconds a verdict is shown, unless the door closes before; a picture disappears with its verdict. */
const VERDICT_STAYS = 8_000

/** Meaning of an HTTP status of the picture call for a person at the screen. */
const REFUSED: Record<number, string | undefined> = { 401: 'keyNeeded', 403: 'notAllowedFromHere', 413: 'tooLarge', 503: 'engineFailed' }

let texts: Texts
let state: DisclosedState | null = null
let reached = true
/** The terminal's clock minus this browser's, in milliseconds. */
let clockOffset = 0
let verdict: ShownVerdict | null = null
/** The verdict whose checks are shown to the installer; it stays until the next. */
let examined: ShownVerdict | null = null
let message: (() => Message) | null = null
let trouble: CameraTrouble | null = null
/** The browser's camera was stopped for a picture, and is started again after it. */
let resumesCamera = false
/** Id of the record for the picture chosen here, which the screen already shows in full. */
let pictureOf: string | null = null
/** The face of the latest record. */
let portrait: { recordId: string; image: string } | null = null

const video = element<HTMLVideoElement>('video')
const picture = element<HTMLImageElement>('picture')
const blurred = element<HTMLImageElement>('picture-blurred')
const remote = element<HTMLImageElement>('remote')
const file = element<HTMLInputElement>('file')
const camera = createCamera(video, sendFrame, showStage)

/** Whether the terminal's own camera is live; this page then only shows its pictures. */
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

const turn = createTurn<ShownVerdict>({
  stays: VERDICT_STAYS,
  show(next) {
    take(next)
    showFace()
  },
  onFree: clear,
})

const inputs = createInputs({
  words: () => texts.own,
  cardNumberFormat: () => settings()?.cardNumberFormat ?? 'decimal',
  now: () => Date.now() + clockOffset,
  onVerdict: take,
  onTrouble: again,
})

async function speak(language: Language): Promise<void> {
  texts = await loadTexts(language)
  document.documentElement.lang = language
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
      word: idleWord(texts.own, camera.running() || looksItself() === true, !state?.camera, settings()?.verificationMode ?? []),
      reason: settings()?.promptText,
    },
  )
  showChecks(texts, examined, zone(), shown())
  const words = trouble ? fill(texts.own, trouble) : reached ? cameraNoticeOf(texts.own, state?.camera ?? null) : undefined
  element('camera-trouble').textContent = words ?? ''
  element('camera-trouble').hidden = !words
  element('camera-switch').hidden = Boolean(state?.camera)
}

function say(next: (() => Message) | null): void {
  message = next
  render()
}

/** Ask for another attempt. @param key of the texts, with the reason */
function again(key: string, values?: Record<string, number>): void {
  turn.takesScreen(null)
  say(() => ({ tone: 'again', word: fill(texts.own, 'tryAgain'), reason: fill(texts.own, key, values) }))
}

/** Remove everything about the last person, because people who come later must not see it. */
function clear(): void {
  verdict = null
  message = null
  portrait = null
  takePictureAway()
  showStage()
  if (!resumesCamera) return
  resumesCamera = false
  startCamera()
}

function takePictureAway(): void {
  if (isChosen()) URL.revokeObjectURL(picture.src)
  for (const each of [picture, blurred]) each.removeAttribute('src')
}

function shown(): Shown {
  const values = settings()
  return values
    ? { fields: values.displayFields, unit: values.temperatureUnit, language: document.documentElement.lang, zone: state?.zone ?? null }
    : NOTHING_SHOWN
}

/** Return a verdict in words, with the face as soon as it has arrived. */
function inWords(of: ShownVerdict): Message {
  const words = messageOf(texts, of, direction(), shown())
  const hasFace = portrait !== null && portrait.recordId === of.recordId && words.tone !== 'again' && shown().fields.includes('photo')
  return hasFace ? { ...words, portrait: portrait!.image } : words
}

/** Show a verdict. The same verdict arrives as an answer and as an event; the second changes nothing. */
function take(next: ShownVerdict): void {
  saver.somebody()
  if (next.verdict === 'pending') {
    turn.takesScreen(next)
    // The prompt says what is missing.
    return say(null)
  }
  if (verdict?.occurredAt === next.occurredAt && message) return
  if (!turn.takesScreen(next)) return
  verdict = examined = next
  say(() => inWords(next))
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
  picture.hidden = blurred.hidden = shows !== 'picture'
  document.body.dataset.shows = shows
  render()
}

function showPicture(address: string): void {
  takePictureAway()
  picture.src = blurred.src = address
  showStage()
}

/** Show the face of the latest record in place of the picture, if its verdict is shown. */
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

/** Send a frame of the camera. @returns whether it showed a face */
async function sendFrame(frame: Blob): Promise<boolean> {
  try {
    const { status, answer } = await post(frame, '/frame?stream=1')
    // A picture chosen meanwhile has stopped the camera.
    if (status !== 200 || !camera.running()) return false
    if (answer.reason === null) saver.somebody()
    if (answer.repeated) repeat(answer)
    else if (answer.failReason !== null || answer.verdict === 'allowed') take(answer)
    return answer.reason === null
  } catch {
    return false
  }
}

/** Show the verdict again: its person still stands before the camera. */
function repeat(answer: ShownVerdict): void {
  if (!turn.takesScreen(answer)) return
  verdict = examined = answer
  say(() => inWords(answer))
}

/** Check a picture that was chosen. */
async function checkPicture(chosen: Blob): Promise<void> {
  if (camera.running()) {
    resumesCamera = true
    camera.stop()
  }
  showPicture(URL.createObjectURL(chosen))
  const answered = turn.begin()
  const unanswered = (key: string) => {
    if (answered(null)) again(key)
  }
  if (chosen.size > LARGEST) return unanswered('tooLarge')
  turn.keepsScreen()
  say(() => ({ tone: 'looking', word: fill(texts.own, 'looking') }))
  const posted = await post(chosen, '/frame').catch(() => null)
  if (posted === null) return unanswered('notReachable')
  const { status, answer } = posted
  if (status !== 200) return unanswered(REFUSED[status] ?? 'busy')
  if (!answered(answer)) return
  pictureOf = answer.recordId
  take(answer)
}

/** Switch the camera; the screen does the same by itself the next time. */
function switchCamera(on: boolean): void {
  localStorage.setItem(CAMERA_CHOICE, on ? 'on' : 'off')
  trouble = null
  resumesCamera = false
  if (on) return startCamera()
  camera.stop()
  showStage()
}

/** @param isQuiet start without being asked to: a failure is not shown */
function startCamera(isQuiet = false): void {
  void camera.start().then((found) => {
    trouble = isQuiet ? null : found
    showStage()
  })
}

/** Start the camera if it was started on this screen before, or if the browser has already granted it. */
async function startChosenCamera(): Promise<void> {
  const choice = localStorage.getItem(CAMERA_CHOICE)
  if (choice === 'on') return startCamera()
  if (choice === 'off') return
  const permission = await navigator.permissions?.query({ name: 'camera' as PermissionName }).catch(() => null)
  if (permission?.state === 'granted') startCamera(true)
}

function listen(): void {
  const events = new EventSource('/events')
  events.addEventListener('state', ({ data }) => {
    const isFirst = state === null
    state = JSON.parse(data) as DisclosedState
    turn.door(isOpen(state.door))
    if (!state.showsChecks) examined = null
    clockOffset = state.time - Date.now()
    reached = true
    saver.refresh()
    if (state.camera) camera.stop()
    else if (isFirst) void startChosenCamera()
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
// A changed key in the address does not load the page again by itself.
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
// It is requested again with the next state.
remote.addEventListener('error', () => remote.removeAttribute('src'))
element('camera-switch').addEventListener('click', () => switchCamera(!camera.running()))
offerLanguages((language) => {
  rememberLanguage(language)
  void speak(language)
})
