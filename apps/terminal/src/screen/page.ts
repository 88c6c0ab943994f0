/** The terminal's screen: shows what happens, takes pictures from the camera, from files and from what is dropped. */
import type { Awaiting } from '../passage/decision.ts'
import type { ToldState } from '../http/disclosure.ts'
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

const CAMERA_WANTED = 'gatehouse.terminal.camera'
const LARGEST = 10 * 1_048_576
/** Milliseconds a verdict stays, if the door does not close before; a picture goes with its verdict. */
const VERDICT_STAYS = 8_000

/** What an HTTP status of the picture call means to somebody at the screen. */
const REFUSED: Record<number, string | undefined> = { 401: 'keyNeeded', 403: 'notAllowedFromHere', 413: 'tooLarge', 503: 'engineFailed' }

let texts: Texts
let state: ToldState | null = null
let reached = true
/** Terminal's clock minus this browser's. */
let clockOffset = 0
let verdict: ShownVerdict | null = null
/** The verdict whose checks are shown; it stays until the next, for whoever sets the terminal up. */
let examined: ShownVerdict | null = null
let message: (() => Message) | null = null
let trouble: CameraTrouble | null = null
/** The camera of the browser was stopped for a picture, and looks again after it. */
let resumesCamera = false
/** Record of the picture chosen here, which is on the screen already, and whole. */
let pictureOf: string | null = null
/** The face of the latest record. */
let portrait: { recordId: string; image: string } | null = null

const video = element<HTMLVideoElement>('video')
const picture = element<HTMLImageElement>('picture')
const blurred = element<HTMLImageElement>('picture-blurred')
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

/** Asks for another try. @param key of the texts, saying why */
function again(key: string, values?: Record<string, number>): void {
  turn.takesScreen(null)
  say(() => ({ tone: 'again', word: fill(texts.own, 'tryAgain'), reason: fill(texts.own, key, values) }))
}

/** Nobody who comes later is to see who was here before. */
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

/** A verdict in words, with the face as soon as it is here. */
function inWords(of: ShownVerdict): Message {
  const words = messageOf(texts, of, direction(), shown())
  const hasFace = portrait !== null && portrait.recordId === of.recordId && words.tone !== 'again' && shown().fields.includes('photo')
  return hasFace ? { ...words, portrait: portrait!.image } : words
}

/** The same verdict comes as an answer and as an event; the second changes nothing. */
function take(next: ShownVerdict): void {
  saver.somebody()
  if (next.verdict === 'pending') {
    turn.takesScreen(next)
    // What is missing, the prompt says.
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
    if (answer.repeated) repeat(answer)
    else if (answer.failReason !== null || answer.verdict === 'allowed') take(answer)
    return answer.reason === null
  } catch {
    return false
  }
}

/** The person of the last verdict still stands before the camera. */
function repeat(answer: ShownVerdict): void {
  if (!turn.takesScreen(answer)) return
  verdict = examined = answer
  say(() => inWords(answer))
}

/** A picture somebody chose. */
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

/** Somebody switched the camera; the screen does so by itself the next time. */
function switchCamera(on: boolean): void {
  localStorage.setItem(CAMERA_WANTED, on ? 'on' : 'off')
  trouble = null
  resumesCamera = false
  if (on) return startCamera()
  camera.stop()
  showStage()
}

/** @param isQuiet nobody asked for it, and nobody needs to know why there is none */
function startCamera(isQuiet = false): void {
  void camera.start().then((found) => {
    trouble = isQuiet ? null : found
    showStage()
  })
}

/** Starts the camera where it was started on this screen before, or where the browser gives it without asking. */
async function startWantedCamera(): Promise<void> {
  const wanted = localStorage.getItem(CAMERA_WANTED)
  if (wanted === 'on') return startCamera()
  if (wanted === 'off') return
  const permission = await navigator.permissions?.query({ name: 'camera' as PermissionName }).catch(() => null)
  if (permission?.state === 'granted') startCamera(true)
}

function listen(): void {
  const events = new EventSource('/events')
  events.addEventListener('state', ({ data }) => {
    const isFirst = state === null
    state = JSON.parse(data) as ToldState
    turn.door(isOpen(state.door))
    if (!state.showsChecks) examined = null
    clockOffset = state.time - Date.now()
    reached = true
    saver.refresh()
    if (state.camera) camera.stop()
    else if (isFirst) void startWantedCamera()
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
offerLanguages((language) => {
  rememberLanguage(language)
  void speak(language)
})
