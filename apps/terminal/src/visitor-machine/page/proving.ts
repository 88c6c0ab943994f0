/** The steps that make sure who the visitor is: a picture, and the number of a certificate. */
import { ID_TYPES } from './id-types.ts'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { html } from '../../console/pages/kit/html.ts'
import { postPicture, type PageAnswer } from './api.ts'
import { Countdown, Heading, Keys, LivePicture } from './parts.ts'
import { say } from './words.ts'

/** Seconds until the picture is taken. */
const COUNTDOWN = 3
const NUMBER_MAX = 64

export interface LookProps {
  answer: PageAnswer & { step: 'look' }
  onAnswer: (answer: PageAnswer) => void
  onUnanswered: (error: unknown) => void
}

export function Look({ answer, onAnswer, onUnanswered }: LookProps): VNode {
  const { session, visitorName, trouble, triesLeft, message } = answer
  const [hasCamera, setHasCamera] = useState<boolean | null>(null)
  /** Number of the attempt; `failed` waits for the visitor to try again. */
  const [attempt, setAttempt] = useState(0)
  const [phase, setPhase] = useState<'counting' | 'comparing' | 'failed'>('counting')
  const isDue = useRef(false)

  function take(): void {
    isDue.current = true
    setPhase('comparing')
  }

  async function compare(frame: Blob): Promise<void> {
    if (!isDue.current) return
    isDue.current = false
    try {
      const next = await postPicture('look', { session }, frame)
      setPhase('failed')
      onAnswer(next)
    } catch (error) {
      setPhase('failed')
      onUnanswered(error)
    }
  }

  function again(): void {
    setAttempt((before) => before + 1)
    setPhase('counting')
  }

  const report = (found: unknown) => setHasCamera(found === null)
  const reason = trouble === null ? '' : 'notMatched' in trouble ? say('notMatched', { count: triesLeft }) : (message ?? '')
  return html`<section class="step look">
    <${Heading}>${say('look')}<//>
    <p class="quiet">${visitorName} · ${say('lookHint')}</p>
    ${hasCamera !== false && html`<${LivePicture} className="face" onFrame=${compare} onTrouble=${report} />`}
    <p class="status" role="status">
      ${
        hasCamera === false
          ? say('cameraOffFace')
          : phase === 'failed'
            ? reason
            : phase === 'comparing'
              ? say('comparing')
              : hasCamera === true && html`<${Countdown} key=${attempt} seconds=${COUNTDOWN} onEnd=${take} />`
      }
    </p>
    ${phase === 'failed' && html`<button type="button" class="main" onClick=${again}>${say('again')}</button>`}
    ${phase === 'counting' && hasCamera === true && html`<button type="button" class="main" onClick=${take}>${say('takePicture')}</button>`}
  </section>`
}

export interface CertificateProps {
  visitorName: string
  isBusy: boolean
  onCertificate: (certificate: { type: string; number: string }) => void
}

export function Certificate({ visitorName, isBusy, onCertificate }: CertificateProps): VNode {
  const [type, setType] = useState<string>(ID_TYPES[0])
  const [number, setNumber] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // A reader types into the field, wherever the finger was before.
  useEffect(() => field.current?.focus(), [type])
  const add = (key: string) => setNumber((before) => (before + key).slice(0, NUMBER_MAX))

  function submit(event: Event): void {
    event.preventDefault()
    const whole = number.trim()
    if (whole !== '' && !isBusy) onCertificate({ type, number: whole })
  }

  return html`<section class="step certificate">
    <h1>${say('certificate')}</h1>
    <p class="quiet">${visitorName} · ${say('certificateHint')}</p>
    <form onSubmit=${submit}>
      <div class="types" role="group" aria-label=${say('certificateType')}>
        ${ID_TYPES.map(
          (each) =>
            html`<button type="button" key=${each} aria-pressed=${String(each === type)} onClick=${() => setType(each)}>
              ${say(`type.${each}`)}
            </button>`,
        )}
      </div>
      <label class="field">
        <span>${say('certificateNumber')}</span>
        <input
          ref=${field}
          value=${number}
          maxlength=${NUMBER_MAX}
          autocomplete="off"
          autocapitalize="characters"
          spellcheck=${false}
          inputmode="none"
          onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) => setNumber(currentTarget.value)}
        />
      </label>
      <${Keys}
        rows=${['1234567890', 'QWERTYUIOP', 'ASDFGHJKL', 'ZXCVBNM-']}
        onKey=${add}
        onErase=${() => setNumber((before) => before.slice(0, -1))}
      />
      <button type="submit" class="main" disabled=${number.trim() === '' || isBusy}>${say('next')}</button>
    </form>
  </section>`
}
