/** A pad to sign on by finger, pen or mouse. Its strokes are numbers, not a picture: nothing on the server has to decode one. */
import { useEffect, useRef, useState, type PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { SIGNATURE, SIGNATURE_COORDINATES_MAX } from '@gatehouse/contract/visitors/signing'

type Strokes = readonly (readonly number[])[]

interface SignaturePadProps {
  label: string
  strokes: Strokes
  change: (strokes: number[][]) => void
}

/** Units that the pen moves before another point is kept. */
const STEP = 4
/** Strokes of one signature, at most. */
const STROKES_MAX = 100
const PEN = 6

function draw(canvas: HTMLCanvasElement, strokes: Strokes): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  context.clearRect(0, 0, SIGNATURE.width, SIGNATURE.height)
  context.lineWidth = PEN
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.strokeStyle = getComputedStyle(canvas).color
  for (const stroke of strokes) {
    context.beginPath()
    context.moveTo(stroke[0]!, stroke[1]!)
    for (let at = 0; at < stroke.length; at += 2) context.lineTo(stroke[at]!, stroke[at + 1]!)
    context.stroke()
  }
}

const bounded = (value: number, most: number): number => Math.round(Math.min(Math.max(value, 0), most))

export function SignaturePad({ label, strokes, change }: SignaturePadProps) {
  const { t } = useTranslation('visit')
  const canvas = useRef<HTMLCanvasElement>(null)
  /** The stroke that is being drawn. */
  const [current, setCurrent] = useState<number[]>()
  useEffect(() => {
    if (canvas.current) draw(canvas.current, current === undefined ? strokes : [...strokes, current])
  }, [strokes, current])

  function pointOf({ clientX, clientY, currentTarget }: PointerEvent): [number, number] {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    return [
      bounded(((clientX - left) / width) * SIGNATURE.width, SIGNATURE.width),
      bounded(((clientY - top) / height) * SIGNATURE.height, SIGNATURE.height),
    ]
  }
  const used = strokes.reduce((sum, { length }) => sum + length, current?.length ?? 0)
  function move(event: PointerEvent): void {
    if (current === undefined || used + 2 > SIGNATURE_COORDINATES_MAX) return
    const [x, y] = pointOf(event)
    if (Math.hypot(x - current.at(-2)!, y - current.at(-1)!) >= STEP) setCurrent([...current, x, y])
  }
  function end(): void {
    if (current !== undefined) change([...strokes.map((stroke) => [...stroke]), current])
    setCurrent(undefined)
  }
  return (
    <div className="signature">
      <canvas
        ref={canvas}
        width={SIGNATURE.width}
        height={SIGNATURE.height}
        role="img"
        aria-label={label}
        onPointerDown={(event) => {
          if (!event.isPrimary || strokes.length >= STROKES_MAX || used + 2 > SIGNATURE_COORDINATES_MAX) return
          event.currentTarget.setPointerCapture(event.pointerId)
          setCurrent(pointOf(event))
        }}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
      />
      {strokes.length === 0 && current === undefined && <span aria-hidden="true">{t('signHere')}</span>}
      {strokes.length > 0 && (
        <button type="button" onClick={() => change([])}>
          {t('clearSignature')}
        </button>
      )}
    </div>
  )
}
