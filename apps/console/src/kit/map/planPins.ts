/** The pins of a plan: real buttons, which are dragged and moved by keyboard where the plan is edited. */
import { DivIcon, Marker, type Map as LeafletMap } from 'leaflet'
import { movedBy, placeOf, pointOf, type Place, type PlanPin, type PlanSize } from './planPlaces.ts'
import styles from './plan.module.css'

export interface PlanHandlers {
  select: (id: string) => void
  hover: (id: string | undefined) => void
  move: (id: string, place: Place) => void
  remove: (id: string) => void
}

export interface ShownPins {
  pins: readonly PlanPin[]
  selected: string | undefined
  highlighted: string | undefined
  /** Whether pins can be moved. */
  editable: boolean
}

interface DrawnPins {
  draw: (content: ShownPins) => void
  /** Give the focus to a pin. */
  focus: (id: string) => void
}

/** Pins up to which each shows its name; of more, those that are pointed at do. */
const NAMES_MAX = 24
const ALARM_MARK = '!'

interface DrawnPin {
  marker: Marker
  button: HTMLButtonElement
}

export function createPins(map: LeafletMap, size: PlanSize, handlers: PlanHandlers): DrawnPins {
  const pins = new Map<string, DrawnPin>()
  let content: ShownPins | undefined
  /** Id of the pin that is being dragged: it stays with the pointer, whatever is drawn meanwhile. */
  let dragged: string | undefined

  const pinOf = (id: string): PlanPin | undefined => content?.pins.find((pin) => pin.id === id)

  function typed(event: KeyboardEvent, id: string): void {
    const pin = pinOf(id)
    if (!content?.editable || pin === undefined) return
    const place = movedBy(pin, event)
    if (place !== undefined) handlers.move(id, place)
    else if (event.key === 'Delete' || event.key === 'Backspace') handlers.remove(id)
    else return
    // The map itself moves by arrow keys.
    event.preventDefault()
    event.stopPropagation()
  }

  function addPin(id: string): DrawnPin {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = styles.pin ?? ''
    button.append(document.createElement('b'), document.createElement('span'))
    const marker = new Marker([0, 0], {
      icon: new DivIcon({ html: button, className: styles.place ?? '', iconSize: [0, 0] }),
      keyboard: false,
      autoPan: true,
    })
    button.addEventListener('click', () => handlers.select(id))
    button.addEventListener('dblclick', (event) => event.stopPropagation())
    button.addEventListener('keydown', (event) => typed(event, id))
    for (const name of ['mouseenter', 'focus']) button.addEventListener(name, () => handlers.hover(id))
    for (const name of ['mouseleave', 'blur']) button.addEventListener(name, () => handlers.hover(undefined))
    marker.on('dragstart', () => void (dragged = id))
    marker.on('dragend', () => {
      dragged = undefined
      const { lat, lng } = marker.getLatLng()
      handlers.move(id, placeOf([lat, lng], size))
      // A pin that was let go beside the plan returns to its edge, whatever becomes of the move.
      if (content !== undefined) draw(content)
    })
    return { marker, button }
  }

  function drawPin({ marker, button }: DrawnPin, pin: PlanPin, { selected, highlighted, editable, pins: all }: ShownPins): void {
    const { id, label, tone = 'plain', number } = pin
    if (id !== dragged) marker.setLatLng(pointOf(pin, size))
    if (!map.hasLayer(marker)) marker.addTo(map)
    if (editable) marker.dragging?.enable()
    else marker.dragging?.disable()
    const isSelected = id === selected
    marker.setZIndexOffset(isSelected || id === highlighted ? 10_000 : 0)
    Object.assign(button.dataset, { pin: id, tone, names: String(all.length <= NAMES_MAX), highlighted: String(id === highlighted) })
    button.setAttribute('aria-pressed', String(isSelected))
    const mark = number === undefined ? (tone === 'alarm' ? ALARM_MARK : '') : String(number)
    button.firstElementChild!.textContent = mark
    button.lastElementChild!.textContent = label
  }

  function draw(next: ShownPins): void {
    content = next
    const ids = new Set(next.pins.map(({ id }) => id))
    for (const [id, { marker, button }] of pins) {
      if (ids.has(id)) continue
      // The focus stays on the map.
      if (button === document.activeElement) map.getContainer().focus({ preventScroll: true })
      marker.remove()
      pins.delete(id)
    }
    for (const pin of next.pins) {
      const drawn = pins.get(pin.id) ?? addPin(pin.id)
      pins.set(pin.id, drawn)
      drawPin(drawn, pin, next)
    }
  }

  return {
    draw,
    focus(id) {
      pins.get(id)?.button.focus({ preventScroll: true })
    },
  }
}
