/** The front camera of this computer or phone: a live picture, and a shot of it. */
import { useEffect, useRef, useState, type ComponentProps } from 'react'

/** Browsers permit a camera on https and localhost only. */
type Trouble = 'notSecure' | 'noCamera'
const WIDTH = 1280
const JPEG_QUALITY = 0.95

interface Camera {
  /** For the `<video>` that shows the live picture. */
  frame: ComponentProps<'video'>
  /** Whether the live picture has started. */
  running: boolean
  trouble: Trouble | undefined
  /** Passes the present picture on as JPEG. */
  shoot: () => void
}

/**
 * Use the camera for as long as the component is mounted.
 * @param height pixels the picture should have; its width should be 1280
 */
export function useCamera({ height, take }: { height: number; take: (picture: Blob) => void }): Camera {
  const video = useRef<HTMLVideoElement>(null)
  const [trouble, setTrouble] = useState<Trouble | undefined>(navigator.mediaDevices ? undefined : 'notSecure')
  const [running, setRunning] = useState(false)

  useEffect(() => {
    if (!navigator.mediaDevices) return
    let stream: MediaStream | undefined
    let isUnmounted = false
    const stop = (): void => stream?.getTracks().forEach((track) => track.stop())
    navigator.mediaDevices.getUserMedia({ video: { facingMode: 'user', width: { ideal: WIDTH }, height: { ideal: height } } }).then(
      (opened) => {
        stream = opened
        if (isUnmounted) stop()
        else if (video.current) video.current.srcObject = opened
      },
      () => {
        if (!isUnmounted) setTrouble('noCamera')
      },
    )
    return () => {
      isUnmounted = true
      stop()
    }
  }, [height])

  function shoot(): void {
    const source = video.current
    if (!source) return
    const canvas = document.createElement('canvas')
    canvas.width = source.videoWidth
    canvas.height = source.videoHeight
    canvas.getContext('2d')?.drawImage(source, 0, 0)
    canvas.toBlob((picture) => picture && take(picture), 'image/jpeg', JPEG_QUALITY)
  }

  return { frame: { ref: video, autoPlay: true, playsInline: true, onPlaying: () => setRunning(true) }, running, trouble, shoot }
}

/** Milliseconds. */
const REST_MS = 1_500

/**
 * Enforce a pause between two pictures: two of the same moment would show no more than one.
 * @returns whether the pause is over, and a function that starts the next one
 */
export function useRest(): { rested: boolean; tire: () => void } {
  const [tired, setTired] = useState(0)
  const [restedFrom, setRestedFrom] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setRestedFrom(tired), REST_MS)
    return () => clearTimeout(timer)
  }, [tired])
  return { rested: restedFrom === tired, tire: () => setTired((before) => before + 1) }
}
