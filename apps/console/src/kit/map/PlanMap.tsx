/**
 * The park's own plan with pins on it: zoomed, moved, and read by keyboard. Nothing is requested but the picture. The code that draws it is
 * loaded with the first plan that is shown. The component fills its container, which gives it a height.
 *
 * ```tsx
 * <PlanMap picture={plan.picture} label={t('plan')} pins={pins} selected={id} onSelect={setId} />
 * ```
 */
import { ExpandOutlined, MinusOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useEffectEvent, useRef, useState, type DragEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { DrawnPlan } from './leafletPlan.ts'
import type { Leg, Place, PlanPin, PlanSize } from './planPlaces.ts'
import styles from './plan.module.css'

interface PlanMapProps {
  /** Address of the plan. What follows a `?` is a signature: another one is no other picture. */
  picture: string
  /** What the plan shows, for screen readers. */
  label: string
  pins: readonly PlanPin[]
  /** Ids of pins in the order of a way, which is drawn with its direction. Ids without a pin are passed over. */
  path?: readonly string[]
  /** The leg of the path that is emphasised. */
  leg?: Leg | undefined
  /** Id of the selected pin, which is brought into sight. */
  selected?: string | undefined
  /** Id of a pin that is pointed at elsewhere. */
  highlighted?: string | undefined
  /** Id of the pin that gets the focus once it is this one. */
  focused?: string | undefined
  onSelect?: (id: string) => void
  /** A pin is pointed at or has the focus; undefined: none any more. */
  onHover?: (id: string | undefined) => void
  /** Pins can be moved, with the pointer and with arrow keys: by a hundredth, with Shift by a thousandth. */
  onMove?: (id: string, place: Place) => void
  /** Delete was pressed on a pin that can be moved. */
  onRemove?: (id: string) => void
  /** Something of the page was dropped on the plan. */
  onDropped?: (data: DataTransfer, place: Place) => void
}

/** Levels that a click of a button zooms by. */
const ZOOM_STEP = 0.75
const NO_PATH: readonly string[] = []

function readSize(picture: string): Promise<PlanSize> {
  const image = new Image()
  image.src = picture
  return image.decode().then(() => ({ width: image.naturalWidth, height: image.naturalHeight }))
}

export function PlanMap({ picture, label, ...content }: PlanMapProps) {
  const { t } = useTranslation()
  const element = useRef<HTMLDivElement>(null)
  const [attempt, setAttempt] = useState(0)
  const { plan, failed } = usePlan(element, picture, attempt, content)
  const { onDropped } = content

  function drop(event: DragEvent): void {
    event.preventDefault()
    const place = plan?.placeAt(event.clientX, event.clientY)
    if (place !== undefined) onDropped?.(event.dataTransfer, place)
  }
  return (
    <div className={styles.frame} role="region" aria-label={label} aria-busy={plan === undefined && !failed}>
      <div ref={element} className={styles.map} {...(onDropped && { onDragOver: (event) => event.preventDefault(), onDrop: drop })} />
      {plan && (
        <div className={styles.controls}>
          <Button size="small" icon={<PlusOutlined />} aria-label={t('plan.enlarge')} onClick={() => plan.zoom(ZOOM_STEP)} />
          <Button size="small" icon={<MinusOutlined />} aria-label={t('plan.reduce')} onClick={() => plan.zoom(-ZOOM_STEP)} />
          <Button size="small" icon={<ExpandOutlined />} aria-label={t('plan.whole')} onClick={plan.fit} />
        </div>
      )}
      {failed && (
        <div className={styles.failed} role="alert">
          <p>{t('plan.failed')}</p>
          <Button onClick={() => setAttempt(attempt + 1)}>{t('tryAgain')}</Button>
        </div>
      )}
    </div>
  )
}

/** Draw the plan and keep it as the properties say. */
function usePlan(
  element: React.RefObject<HTMLDivElement | null>,
  picture: string,
  attempt: number,
  {
    pins,
    path = NO_PATH,
    leg,
    selected,
    highlighted,
    focused,
    onSelect,
    onHover,
    onMove,
    onRemove,
  }: Omit<PlanMapProps, 'picture' | 'label'>,
) {
  const [plan, setPlan] = useState<DrawnPlan>()
  const [failed, setFailed] = useState(false)
  const select = useEffectEvent((id: string) => onSelect?.(id))
  const hover = useEffectEvent((id: string | undefined) => onHover?.(id))
  const move = useEffectEvent((id: string, place: Place) => onMove?.(id, place))
  const remove = useEffectEvent((id: string) => onRemove?.(id))
  const address = useEffectEvent(() => picture)
  const [source] = picture.split('?')
  useEffect(() => {
    let drawn: DrawnPlan | undefined
    let isDisposed = false
    setFailed(false)
    Promise.all([import('./leafletPlan.ts'), readSize(address())]).then(
      ([{ createPlan }, size]) => {
        if (isDisposed || element.current === null) return
        drawn = createPlan(element.current, address(), size, {
          select: (id) => select(id),
          hover: (id) => hover(id),
          move: (id, place) => move(id, place),
          remove: (id) => remove(id),
        })
        setPlan(drawn)
      },
      () => !isDisposed && setFailed(true),
    )
    return () => {
      isDisposed = true
      drawn?.dispose()
      setPlan(undefined)
    }
  }, [element, source, attempt])

  const editable = onMove !== undefined
  useEffect(() => {
    plan?.draw({ pins, path, leg, selected, highlighted, editable })
  }, [plan, pins, path, leg, selected, highlighted, editable])
  useEffect(() => {
    if (focused !== undefined) plan?.focus(focused)
  }, [plan, focused])
  return { plan, failed }
}
