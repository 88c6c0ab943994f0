/** What the camera sees, with zones and masks drawn over it, and the camera of the browser where the machine has no other. */
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { html } from '../../console/pages/kit/html.ts'
import { createCamera, type CameraTrouble } from '../../screen/camera.ts'
import type { CaptureSettings } from '../settings.ts'
import { say } from './words.ts'

export type Corner = CaptureSettings['zones'][number][number]

/** Milliseconds after which pictures are asked for again. */
const AGAIN_AFTER = 1_000

interface PictureProps {
  /** Since when a camera of the network sends pictures; null while none does. */
  liveSince: number | null
  /** Whether the browser's camera is offered. */
  takesBrowser: boolean
  areas: Pick<CaptureSettings, 'zones' | 'masks'>
  /** Corners of a polygon that is being drawn; null while none is. */
  drawn: readonly Corner[] | null
  onCorner: (corner: Corner) => void
}

export function Picture({ liveSince, takesBrowser, areas, drawn, onCorner }: PictureProps): VNode {
  const polygon = (corners: readonly Corner[], look: string) =>
    html`<polygon class=${look} points=${corners.map(({ x, y }) => `${x},${y}`).join(' ')} />`

  function place(event: MouseEvent): void {
    if (drawn === null) return
    const { left, top, width, height } = (event.currentTarget as Element).getBoundingClientRect()
    onCorner({ x: (event.clientX - left) / width, y: (event.clientY - top) / height })
  }

  return html`<div class="picture">
    ${liveSince === null ? takesBrowser && html`<${BrowserCamera} />` : html`<${LivePicture} key=${liveSince} since=${liveSince} />`}
    <svg viewBox="0 0 1 1" preserveAspectRatio="none" class=${drawn === null ? '' : 'drawing'} onClick=${place} aria-hidden="true">
      ${areas.zones.map((corners) => polygon(corners, 'zone'))} ${areas.masks.map((corners) => polygon(corners, 'mask'))}
      ${drawn !== null && drawn.length > 0 && polygon(drawn, 'drawn')}
    </svg>
  </div>`
}

/** The pictures of the camera of the network, which are asked for again where that failed. */
function LivePicture({ since }: { since: number }): VNode {
  const [attempt, setAttempt] = useState(0)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (!hasFailed) return
    const timer = setTimeout(() => {
      setFailed(false)
      setAttempt((before) => before + 1)
    }, AGAIN_AFTER)
    return () => clearTimeout(timer)
  }, [hasFailed])
  // An address of its own each time, since browsers remember pictures that failed.
  const address = `/camera?since=${since}&page=${performance.timeOrigin}&attempt=${attempt}`
  return html`<img src=${address} alt=${say('picture')} onError=${() => setFailed(true)} />`
}

/** The camera of the browser: each of its pictures is one of the stream. */
function BrowserCamera(): VNode {
  const video = useRef<HTMLVideoElement>(null)
  const [trouble, setTrouble] = useState<CameraTrouble | null>(null)
  const [isRunning, setRunning] = useState(false)
  const camera = useRef<ReturnType<typeof createCamera> | null>(null)
  useEffect(() => {
    async function send(picture: Blob): Promise<boolean> {
      await fetch('/pictures?stream=1', { method: 'POST', body: picture, headers: { 'content-type': 'image/jpeg' } }).catch(() => null)
      // The next one comes soon, since a face may be there.
      return true
    }
    camera.current = createCamera(video.current!, send, () => setTrouble('cameraMissing'))
    return () => camera.current?.stop()
  }, [])

  async function toggle(): Promise<void> {
    if (isRunning) camera.current!.stop()
    else setTrouble(await camera.current!.start())
    setRunning(camera.current!.running())
  }

  return html`<video ref=${video} muted playsinline aria-hidden="true"></video>
    <button type="button" class="over" onClick=${() => void toggle()}>${say(isRunning ? 'stopCamera' : 'startCamera')}</button>
    ${trouble !== null && html`<p class="over trouble" role="alert">${say(trouble)}</p>`}`
}
