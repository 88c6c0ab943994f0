/** A picture from the camera of whoever sits at the console. */
import { ask, button, h, tell } from './dom.ts'
import { say } from './words.ts'

/** Milliseconds until a second picture can be taken: of one and the same moment two would tell no more than one. */
const REST_MS = 1_500

/**
 * Asks for a picture; nothing comes where there is no camera, or it is not allowed.
 * @param again whether it is the second of the same face, which nobody has to take
 */
export async function takePicture(onPicture: (picture: Blob) => void, { again = false } = {}): Promise<void> {
  const stream = await navigator.mediaDevices
    ?.getUserMedia({ video: { width: { ideal: 1280 }, height: { ideal: 960 }, facingMode: 'user' } })
    .catch(() => null)
  if (!stream) return tell(say(navigator.mediaDevices ? 'noCamera' : 'cameraInsecure'))
  const video = h('video', { muted: true, playsinline: true })
  video.srcObject = stream
  await video.play().catch(() => {})
  const stop = () => stream.getTracks().forEach((track) => track.stop())

  function take(close: () => void): void {
    const canvas = h('canvas')
    canvas.width = video.videoWidth
    canvas.height = video.videoHeight
    canvas.getContext('2d')?.drawImage(video, 0, 0)
    canvas.toBlob((picture) => picture && onPicture(picture), 'image/jpeg', 0.92)
    close()
  }

  const shutter = (close: () => void): HTMLButtonElement => {
    const own = button(say('take'), () => take(close), { class: 'primary' })
    own.disabled = again
    if (again) setTimeout(() => void (own.disabled = false), REST_MS)
    return own
  }

  ask(
    say(again ? 'cameraAgain' : 'camera'),
    (close) => {
      video.addEventListener('emptied', stop)
      return [
        ...(again ? [h('p', {}, say('cameraAgainHint'))] : []),
        video,
        h('div', { class: 'actions' }, button(say(again ? 'skip' : 'cancel'), close), shutter(close)),
      ]
    },
    true,
  )
  video.closest('dialog')?.addEventListener('close', stop)
}
