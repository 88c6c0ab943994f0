/** The legs of a way over a plan, each with an arrow in its direction. */
import { DivIcon, LayerGroup, Marker, Polyline, type Map as LeafletMap } from 'leaflet'
import { legsOf, pointOf, type Leg, type PlanPin, type PlanSize } from './planPlaces.ts'
import styles from './plan.module.css'

export interface ShownLegs {
  pins: readonly PlanPin[]
  path: readonly string[]
  leg: Leg | undefined
}

/** Part of a leg at which its arrow stands: beyond the middle, so that the arrows of both directions are apart. */
const ARROW_AT = 0.62

/** Return the function that draws the legs of a way. */
export function createLegs(map: LeafletMap, size: PlanSize): (content: ShownLegs) => void {
  const legs = new LayerGroup().addTo(map)
  let drawnLegs = ''

  return ({ pins: placed, path, leg }) => {
    const places = new Map(placed.map((pin) => [pin.id, pin]))
    const all = legsOf(path, new Set(places.keys()))
    const key = JSON.stringify([all.map(({ from, to }) => [from, to].map((id) => [places.get(id)!.x, places.get(id)!.y])), leg])
    if (key === drawnLegs) return
    drawnLegs = key
    legs.clearLayers()
    for (const { from, to } of all) {
      const [[lat, lng], [toLat, toLng]] = [pointOf(places.get(from)!, size), pointOf(places.get(to)!, size)]
      const isCurrent = leg !== undefined && leg.from === from && leg.to === to
      const className = `${styles.leg} ${isCurrent ? styles.current : ''}`
      const ends: [number, number][] = [
        [lat, lng],
        [toLat, toLng],
      ]
      new Polyline(ends, { interactive: false, className }).addTo(legs)
      const arrow = document.createElement('i')
      arrow.style.rotate = `${Math.atan2(lat - toLat, toLng - lng)}rad`
      const icon = new DivIcon({ html: arrow, className: `${styles.arrow} ${isCurrent ? styles.current : ''}`, iconSize: [0, 0] })
      const at: [number, number] = [lat + ARROW_AT * (toLat - lat), lng + ARROW_AT * (toLng - lng)]
      new Marker(at, { icon, interactive: false, keyboard: false, zIndexOffset: -10_000 }).addTo(legs)
    }
  }
}
