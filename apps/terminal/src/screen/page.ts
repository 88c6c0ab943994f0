/** The terminal's screen: shows what happens, takes pictures from the camera, from files and from what is dropped. */
import type { TerminalState, Verdict } from '../terminal.ts'
import type { Texts } from '../http/texts.ts'
import { createCamera, type CameraTrouble } from './camera.ts'
import { fill, firstLanguage, loadTexts, rememberLanguage, type Language } from './texts.ts'
import { element, messageOf, showChecks, showClock, showLabels, showMessage, showState, type Message } from './view.ts'

const CAMERA_WANTED = 'gatehouse.terminal.camera'
const LARGEST = 10 * 1_048_576
/** Milliseconds a verdict stays after somebody passed; a picture of one's own choice stays until the next. */
const VERDICT_STAYS = 8_000

/** What an HTTP status of the picture call means to somebody at the screen. */
const REFUSED: Record<number, string | undefined> = { 403: 'notAllowedFromHere', 413: 'tooLarge', 503: 'engineFailed' }

let texts: Texts
let state: TerminalState | null = null
let reached = true
/** Terminal's clock minus this browser's. */
let clockOffset = 0
let verdict: Verdict | null = null
let message: (() => Message) | null = null
let trouble: CameraTrouble | null = null
let clearing: ReturnType<typeof setTimeout> | undefined
/** A picture chosen here is being checked: its answer is awaited, events have to wait. */
let checking = false
/** Record of the picture chosen here, which is on the screen already, and whole. */
let pictureOf: string | null = null

const video = element<HTMLVideoElement>('video')
const picture = element<HTMLImageElement>('picture')
const file = element<HTMLInputElement>('file')
const camera = createCamera(video, sendFrame, showStage)

const direction = () => state?.device?.direction
const zone = () => state?.device?.zone

async function speak(language: Language): Promise<void> {
  texts = await loadTexts(language)
  document.documentElement.lang = language
  element<HTMLSelectElement>('language').value = language
  render()
}

function render(): void {
  showLabels(texts, camera.running())
  if (state) showState(texts, state, reached)
  showClock(zone(), clockOffset)
  showMessage(message?.() ?? { tone: 'idle', word: fill(texts.own, camera.running() ? 'idleCamera' : 'idlePicture') })
  showChecks(texts, verdict, zone())
  const words = trouble ? fill(texts.own, trouble) : ''
  element('camera-trouble').textContent = words
  element('camera-trouble').hidden = !words
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
  picture.removeAttribute('src')
  showStage()
}

/** The same verdict comes as an answer and as an event; the second changes nothing. */
function take(next: Verdict, staysFor?: number): void {
  if (verdict?.occurredAt === next.occurredAt && message) return
  verdict = next
  say(() => messageOf(texts, next, direction()), staysFor)
}

function showStage(): void {
  const shows = camera.running() ? 'camera' : picture.hasAttribute('src') ? 'picture' : 'nothing'
  element('stage').dataset.shows = shows
  video.hidden = shows !== 'camera'
  picture.hidden = shows !== 'picture'
  render()
}

function showPicture(address: string): void {
  if (picture.src.startsWith('blob:')) URL.revokeObjectURL(picture.src)
  picture.src = address
  showStage()
}

async function post(image: Blob, path: string): Promise<{ status: number; answer: Verdict & { reason: unknown } }> {
  const response = await fetch(path, { method: 'POST', body: image, headers: { 'content-type': image.type || 'application/octet-stream', 'accept-language': document.documentElement.lang } })
  return { status: response.status, answer: await response.json() }
}

/** A frame of the camera. @returns whether it showed a face */
async function sendFrame(frame: Blob): Promise<boolean> {
  try {
    const { status, answer } = await post(frame, '/frame?stream=1')
    if (status !== 200) return false
    if (answer.repeated) say(() => messageOf(texts, answer, direction()), VERDICT_STAYS)
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
  const again = (key: string) => say(() => ({ tone: 'again', word: fill(texts.own, 'tryAgain'), reason: fill(texts.own, key) }))
  if (chosen.size > LARGEST) return again('tooLarge')
  say(() => ({ tone: 'looking', word: fill(texts.own, 'looking') }))
  checking = true
  try {
    const { status, answer } = await post(chosen, '/frame')
    checking = false
    if (status === 200) {
      pictureOf = answer.recordId
      take(answer)
    } else again(REFUSED[status] ?? 'busy')
  } catch {
    checking = false
    again('notReachable')
  }
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
    state = JSON.parse(data) as TerminalState
    clockOffset = state.time - Date.now()
    reached = true
    render()
  })
  events.addEventListener('verdict', ({ data }) => {
    if (!checking) take(JSON.parse(data) as Verdict, VERDICT_STAYS)
  })
  events.addEventListener('picture', ({ data }) => {
    const { recordId, image } = JSON.parse(data) as { recordId: string; image: string }
    if (!checking && recordId !== pictureOf && verdict?.recordId === recordId) showPicture(image)
  })
  events.addEventListener('error', () => {
    reached = false
    render()
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
listen()
takeDropped()
setInterval(() => showClock(zone(), clockOffset), 1000)
element('choose').addEventListener('click', () => file.click())
file.addEventListener('change', () => {
  const chosen = file.files?.[0]
  file.value = ''
  if (chosen) void checkPicture(chosen)
})
element('camera-switch').addEventListener('click', () => switchCamera(!camera.running()))
element<HTMLSelectElement>('language').addEventListener('change', ({ target }) => {
  const language = (target as HTMLSelectElement).value as Language
  rememberLanguage(language)
  void speak(language)
})
if (localStorage.getItem(CAMERA_WANTED) === 'on') switchCamera(true)
