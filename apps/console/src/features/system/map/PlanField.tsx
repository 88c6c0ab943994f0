/** The plan with the entrance on it: set by a click, moved by the arrow keys. Its value is a share of width and height. */
import { EnvironmentFilled } from '@ant-design/icons'
import { useState, type KeyboardEvent, type MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { ScaleBar } from './ScaleBar.tsx'
import type { Units } from './scale.ts'
import styles from './map.module.css'

interface Place {
  x: number
  y: number
}
interface PlanFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: Place | null
  onChange?: (place: Place | null) => void
  /** Address of the plan. */
  picture: string
  /** Width of what it shows; null: not known. */
  metres: number | null
  units: Units
}

const STEP = 0.01
const MOVES: Record<string, Place> = {
  ArrowLeft: { x: -STEP, y: 0 },
  ArrowRight: { x: STEP, y: 0 },
  ArrowUp: { x: 0, y: -STEP },
  ArrowDown: { x: 0, y: STEP },
}
const within = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 1000) / 1000
const MIDDLE: Place = { x: 0.5, y: 0.5 }

export function PlanField({ id, value, onChange, picture, metres, units }: PlanFieldProps) {
  const { t } = useTranslation('system')
  const [width, setWidth] = useState(0)
  const set = (event: MouseEvent<HTMLButtonElement>): void => {
    // Pressed by the keyboard, a click is nowhere.
    if (event.detail === 0) return onChange?.(value ?? MIDDLE)
    const { left, top, width: wide, height } = event.currentTarget.getBoundingClientRect()
    onChange?.({ x: within((event.clientX - left) / wide), y: within((event.clientY - top) / height) })
  }
  const move = (event: KeyboardEvent): void => {
    const by = MOVES[event.key]
    if (!by) return
    event.preventDefault()
    const from = value ?? MIDDLE
    onChange?.({ x: within(from.x + by.x), y: within(from.y + by.y) })
  }
  return (
    <div className={styles.plan}>
      <button type="button" {...(id && { id })} aria-label={t('map.markerField')} onClick={set} onKeyDown={move}>
        <img src={picture} alt="" onLoad={({ currentTarget }) => setWidth(currentTarget.clientWidth)} />
        {value && <EnvironmentFilled style={{ left: `${value.x * 100}%`, top: `${value.y * 100}%` }} />}
      </button>
      {metres !== null && metres > 0 && width > 0 && <ScaleBar perPixel={metres / width} units={units} />}
    </div>
  )
}
