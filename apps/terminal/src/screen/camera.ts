/** The camera before the terminal: its picture on the screen, its frames to the engine, one at a time. */

/** Why there is no picture, as a key of the texts. */
export type CameraTrouble = 'cameraInsecure' | 'cameraDenied' | 'cameraMissing' | 'cameraBusy'

export interface Camera {
  running(): boolean
  /** @returns null if the camera runs */
  start(): Promise<CameraTrouble | null>
  stop(): void
}

const FRAME_WIDTH = 640
/** Milliseconds of rest after a frame with a face, and after one without, so that an empty hall costs little. */
const REST = { face: 120, empty: 400 }

/**
 * @param send sends a frame to the terminal; true if it showed a face
 * @param onLost called when the camera was unplugged or taken away
 */
export function createCamera(video: HTMLVideoElement, send: (frame: Blob) => Promise<boolean>, onLost: () => void): Camera {
  const canvas = document.createElement('canvas')
  let stream: MediaStream | null = null

  async function watch(own: MediaStream): Promise<void> {
    while (own.active) {
      const frame = document.hidden ? null : await grab()
      const face = frame !== null && (await send(frame))
      await new Promise((resolve) => setTimeout(resolve, face ? REST.face : REST.empty))
    }
  }

  function grab(): Promise<Blob | null> {
    const { videoWidth, videoHeight } = video
    if (videoWidth === 0) return Promise.resolve(null)
    canvas.width = Math.min(FRAME_WIDTH, videoWidth)
    canvas.height = Math.round((canvas.width * videoHeight) / videoWidth)
    canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
    return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.88))
  }

  function stop(): void {
    for (const track of stream?.getTracks() ?? []) track.stop()
    stream = null
    video.srcObject = null
  }

  return {
    running: () => stream !== null,
    async start() {
      // Browsers offer the camera only to pages from this machine or over https.
      if (!navigator.mediaDevices) return 'cameraInsecure'
      try {
        const own = await navigator.mediaDevices.getUserMedia({
          video: { width: { ideal: 1280 }, height: { ideal: 720 }, facingMode: 'user' },
        })
        stream = own
        video.srcObject = own
        own.getVideoTracks()[0]?.addEventListener('ended', () => {
          stop()
          onLost()
        })
        await video.play()
        void watch(own)
        return null
      } catch (error) {
        stop()
        return troubleOf(error)
      }
    },
    stop,
  }
}

function troubleOf(error: unknown): CameraTrouble {
  const { name } = error as { name?: string }
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'cameraDenied'
  return name === 'NotReadableError' || name === 'AbortError' ? 'cameraBusy' : 'cameraMissing'
}
