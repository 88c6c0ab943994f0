/** Detection: tests of the camera, the engine and the readers. */
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call } from './api.ts'
import { useCamera } from './camera.ts'
import { Button } from './kit/button.ts'
import { Card, Facts, Note, type Fact } from './kit/card.ts'
import { FileButton } from './kit/file-button.ts'
import { html } from './kit/html.ts'
import { loadedPage, type LoadedProps } from './kit/loaded-page.ts'
import { Trouble, useTask } from './kit/task.ts'
import { engineInWords, number, say } from './words.ts'

interface Detectors {
  engine: { name: string; modelId: string; state: string; tellsLiving: boolean }
  /** Whether the terminal has a thermometer. */
  temperature: boolean
  wiegand: boolean
}

interface Detected {
  faces: number
  milliseconds: number
  face: { sharpness: number; brightness: number; lowerFace: number; certainty: number; liveness: number | null; width: number } | null
  nearest: { name: string; score: number } | null
}

function DetectionCards({ data: { engine, temperature, wiegand } }: LoadedProps<Detectors>): VNode {
  const celsius = (measured: { celsius: number }) => `${number(measured.celsius, 1)} °C`
  const cardNumber = (read: { card: string }) => read.card
  return html`
    <${EngineCard} engine=${engine} />
    <${ReaderCard} title=${say('temperature')} isThere=${temperature} path="detection/temperature" inWords=${celsius} />
    <${ReaderCard} title=${say('wiegand')} isThere=${wiegand} path="detection/wiegand" inWords=${cardNumber} />
  `
}

function EngineCard({ engine }: Pick<Detectors, 'engine'>): VNode {
  const camera = useCamera()
  const { isBusy, trouble, run } = useTask()
  const [picture, setPicture] = useState<Blob | null>(null)
  const [detected, setDetected] = useState<Detected | null>(null)
  const look = (shown: Blob | undefined): void =>
    void run(async () => {
      if (!shown) return
      setPicture(shown)
      setDetected(null)
      setDetected(await call<Detected>('POST', 'detection/face', shown))
    })
  const facts: Fact[] = [
    [say('engine'), engineInWords(engine)],
    [say('state'), say(`engine.${engine.state}`)],
    [say('liveness'), say(engine.tellsLiving ? 'canTell' : 'cannotTell')],
  ]
  return html`
    <${Card} title=${say('faceEngine')}>
      <${Facts} facts=${facts} />
      <${Note}>${say('detectionHint')}<//>
      <div class="actions">
        <${FileButton}
          id="test-picture"
          accept="image/jpeg,image/png,image/webp"
          inactive=${isBusy}
          onFiles=${([file]: File[]) => look(file)}
        />
        <${Button} inactive=${isBusy} onPress=${() => void camera.take(look)}>${say('camera')}<//>
      </div>
      <${Trouble} words=${trouble} />
      ${picture && html`<${Picture} picture=${picture} />`}
      <div role="status">${detected && html`<${Facts} facts=${factsOf(detected)} />`}</div>
      ${camera.dialog}
    <//>
  `
}

function Picture({ picture }: { picture: Blob }): VNode | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    const own = URL.createObjectURL(picture)
    setAddress(own)
    return () => URL.revokeObjectURL(own)
  }, [picture])
  return address === null ? null : html`<img class="picture" alt="" src=${address} />`
}

const percent = (part: number): string => `${number(part * 100, 1)} %`

function factsOf({ faces, milliseconds, face, nearest }: Detected): Fact[] {
  const facts: Fact[] = [
    [say('facesFound'), number(faces)],
    [say('took'), say('milliseconds', { count: number(milliseconds) })],
  ]
  if (face)
    facts.push(
      [say('certainty'), percent(face.certainty)],
      [say('faceWidth'), say('pixels', { count: number(face.width) })],
      [say('brightness'), number(face.brightness)],
      [say('sharpness'), number(face.sharpness, 1)],
      [say('liveness'), face.liveness === null ? say('cannotTell') : percent(face.liveness)],
    )
  if (nearest) facts.push([say('nearest'), `${nearest.name} (${number(nearest.score, 1)})`])
  return facts
}

interface ReaderCardProps {
  title: string
  isThere: boolean
  path: string
  inWords: (data: never) => string
}

function ReaderCard({ title, isThere, path, inWords }: ReaderCardProps): VNode {
  const { isBusy, trouble, run } = useTask()
  const [measured, setMeasured] = useState('')
  const test = async () => {
    setMeasured('')
    setMeasured(inWords(await call<never>('POST', path)))
  }
  if (!isThere) return html`<${Card} title=${title}><${Note}>${say('why.noSuchReader')}<//><//>`
  return html`
    <${Card} title=${title}>
      <${Button} inactive=${isBusy} onPress=${() => void run(test)}>${say('test')}<//>
      <${Trouble} words=${trouble} />
      <p class="measured" role="status">${measured}</p>
    <//>
  `
}

export const DetectionPage = loadedPage(() => call<Detectors>('GET', 'detection'), DetectionCards)
