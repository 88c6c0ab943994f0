/** A picture from the camera of the browser. */
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from './kit/button.ts'
import { Dialog } from './kit/dialog.ts'
import { html } from './kit/html.ts'
import { announce } from './kit/notice.ts'
import { say } from './words.ts'

/** Milliseconds until a second picture can be taken: two pictures of the same moment would say no more than one. */
const REST_MS = 1_500

interface Shot {
  onPicture: (picture: Blob) => void
  /** Whether this is the second picture of the same face, which is optional. */
  isSecond: boolean
}

export interface Camera {
  /** Take a picture; `onPicture` is not called if there is no camera or its use is not allowed. */
  take(onPicture: Shot['onPicture'], options?: { isSecond?: boolean }): Promise<void>
  /** The dialog with the picture of the camera while one is being taken; otherwise null. */
  dialog: VNode | null
}

/** Use the camera of the browser. It is switched off when the dialog is closed or the page is left. */
export function useCamera(): Camera {
  const [shot, setShot] = useState<(Shot & { stream: MediaStream }) | null>(null)
  const isLeft = useRef(false)
  useEffect(() => () => void (isLeft.current = true), [])
  return {
    async take(onPicture, { isSecond = false } = {}) {
      const stream = await navigator.mediaDevices
        ?.getUserMedia({ video: { width: { ideal: 1280 }, height: { ideal: 960 }, facingMode: 'user' } })
        .catch(() => null)
      if (!stream) return announce(say(navigator.mediaDevices ? 'noCamera' : 'cameraInsecure'))
      if (isLeft.current) return switchOff(stream)
      setShot({ onPicture, isSecond, stream })
    },
    dialog: shot && html`<${CameraDialog} ...${shot} onClose=${() => setShot(null)} />`,
  }
}

const switchOff = (stream: MediaStream): void => stream.getTracks().forEach((track) => track.stop())

function CameraDialog({ stream, isSecond, onPicture, onClose }: Shot & { stream: MediaStream; onClose: () => void }): VNode {
  const video = useRef<HTMLVideoElement>(null)
  const [isResting, setResting] = useState(isSecond)
  /** Before its first frame a camera has no picture to take. */
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    video.current!.srcObject = stream
    video.current!.play().catch(() => {})
    return () => switchOff(stream)
  }, [stream])
  useEffect(() => {
    if (!isSecond) return
    const timer = setTimeout(() => setResting(false), REST_MS)
    return () => clearTimeout(timer)
  }, [isSecond])

  function take(): void {
    const canvas = document.createElement('canvas')
    canvas.width = video.current!.videoWidth
    canvas.height = video.current!.videoHeight
    canvas.getContext('2d')?.drawImage(video.current!, 0, 0)
    canvas.toBlob((picture) => picture && onPicture(picture), 'image/jpeg', 0.92)
    onClose()
  }

  return html`
    <${Dialog} title=${say(isSecond ? 'cameraAgain' : 'camera')} isWide onClose=${onClose}>
      ${isSecond && html`<p>${say('cameraAgainHint')}</p>`}
      <video ref=${video} muted playsinline onLoadedData=${() => setSeen(true)} />
      <div class="actions">
        <${Button} onPress=${onClose}>${say(isSecond ? 'skip' : 'cancel')}<//>
        <${Button} look="primary" inactive=${isResting || !isSeen} onPress=${take}>${say('take')}<//>
      </div>
    <//>
  `
}
