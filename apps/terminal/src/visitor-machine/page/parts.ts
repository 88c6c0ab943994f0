/** Parts of several steps: the heading that takes the focus, large keys, and the live picture. */
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { html, type Children } from '../../console/pages/kit/html.ts'
import { createCamera, type CameraTrouble } from '../../screen/camera.ts'
import { createWedge } from '../../screen/inputs-wedge.ts'
import { say } from './words.ts'

/** The heading of a step. It takes the focus, so that keys and screen readers start there. */
export function Heading({ children }: { children?: Children }): VNode {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return html`<h1 ref=${heading} tabindex="-1">${children}</h1>`
}

/** Keys for a finger, row by row. */
export function Keys({ rows, onKey, onErase }: { rows: readonly string[]; onKey: (key: string) => void; onErase: () => void }): VNode {
  const key = (character: string) =>
    html`<button type="button" class="key" key=${character} onClick=${() => onKey(character)}>${character}</button>`
  return html`<div class="keys">
    ${rows.map((row, place) => {
      const erase = html`<button type="button" class="key wide" aria-label=${say('erase')} onClick=${onErase}>⌫</button>`
      return html`<div class="key-row" key=${row}>${[...row].map(key)}${place === rows.length - 1 && erase}</div>`
    })}
  </div>`
}

/** The live picture, which ends with the step. @param onFrame takes a frame; the next one comes when it is done with it */
export function LivePicture({
  onFrame,
  onTrouble,
  className,
}: {
  onFrame: (frame: Blob) => Promise<void>
  onTrouble: (trouble: CameraTrouble | null) => void
  className: string
}): VNode {
  const video = useRef<HTMLVideoElement>(null)
  const take = useRef(onFrame)
  const report = useRef(onTrouble)
  take.current = onFrame
  report.current = onTrouble
  useEffect(() => {
    let isOver = false
    const camera = createCamera(
      video.current!,
      async (frame) => {
        if (!isOver) await take.current(frame)
        return false
      },
      () => report.current('cameraMissing'),
    )
    void camera.start().then((trouble) => {
      // The step may have ended while the camera started.
      if (isOver) camera.stop()
      else report.current(trouble)
    })
    return () => {
      isOver = true
      camera.stop()
    }
  }, [])
  return html`<div class=${`live ${className}`}><video ref=${video} muted playsinline aria-hidden="true"></video></div>`
}

/** Call a function with each text that a reader types, ended by Enter; text typed into a field is left alone. */
export function useReader(onText: (text: string) => void): void {
  const take = useRef(onText)
  take.current = onText
  useEffect(() => {
    const wedge = createWedge(() => 'decimal')
    const press = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.ctrlKey || event.altKey || event.metaKey) return
      const read = wedge.press(event.key, performance.now())
      if (read === null) return
      // Otherwise Enter would press the button that has the focus.
      event.preventDefault()
      take.current(read.kind === 'qr' ? read.text : read.number)
    }
    addEventListener('keydown', press, { capture: true })
    return () => removeEventListener('keydown', press, { capture: true })
  }, [])
}

/** The seconds until something happens, counted down once. */
export function Countdown({ seconds, onEnd }: { seconds: number; onEnd: () => void }): VNode {
  const [left, setLeft] = useState(seconds)
  const end = useRef(onEnd)
  end.current = onEnd
  useEffect(() => {
    const timer = left === 0 ? null : setTimeout(() => setLeft(left - 1), 1000)
    if (left === 0) end.current()
    return () => clearTimeout(timer ?? undefined)
  }, [left])
  return html`<span>${say('pictureIn', { seconds: left })}</span>`
}
