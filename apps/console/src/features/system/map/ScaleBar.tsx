import { scaleFor, type Units } from './scale.ts'
import styles from './map.module.css'

/** Pixels a bar may take. */
const ROOM = 120

/** @param perPixel metres a pixel spans */
export function ScaleBar({ perPixel, units }: { perPixel: number; units: Units }) {
  const { pixels, length, unit } = scaleFor(perPixel, units, ROOM)
  return (
    <span className={styles.scale} style={{ width: pixels }}>
      {length} {unit}
    </span>
  )
}
