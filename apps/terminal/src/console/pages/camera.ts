/** A picture from the camera of whoever sits at the console. */
import { ask, button, h, tell } from './dom.ts'
import { say } from './words.ts'

/** Asks for a picture; nothing comes where there is no camera, or it is not allowed. */
export async function takePicture(onPicture: (picture: Blob) => void): Promise<void> {
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

  ask(
    say('camera'),
    (close) => {
      video.addEventListener('emptied', stop)
      return [
        video,
        h(
          'div',
          { class: 'actions' },
          button(say('cancel'), close),
          button(say('take'), () => take(close), { class: 'primary' }),
        ),
      ]
    },
    true,
  )
  video.closest('dialog')?.addEventListener('close', stop)
}
