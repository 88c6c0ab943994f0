/** A plan drawn by Leaflet. Loaded by `PlanMap.tsx` only where a plan is shown. */
import { CRS, ImageOverlay, Map as LeafletMap } from 'leaflet'
import 'leaflet/dist/leaflet.css'
import { createLegs, type ShownLegs } from './planLegs.ts'
import { createPins, type PlanHandlers, type ShownPins } from './planPins.ts'
import { placeOf, pointOf, type Place, type PlanSize } from './planPlaces.ts'

export interface DrawnPlan {
  draw: (content: ShownPins & ShownLegs) => void
  /** Show the whole plan. */
  fit: () => void
  zoom: (levels: number) => void
  /** Return the place below a point of the window; undefined beside the plan. */
  placeAt: (clientX: number, clientY: number) => Place | undefined
  /** Give the focus to a pin. */
  focus: (id: string) => void
  dispose: () => void
}

/** Pixels kept free around the plan, and around a pin that is brought into sight. */
const MARGIN = 12
const SIGHT: [number, number] = [56, 56]
/** Levels that the plan can be enlarged by, each of which doubles its size. */
const LEVELS = 4

/** Draw a plan into an element, which keeps its size. */
export function createPlan(element: HTMLElement, picture: string, size: PlanSize, handlers: PlanHandlers): DrawnPlan {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  // Leaflet gives the focus to the map at the first press, which would scroll the page away under the pointer.
  element.focus = (options) => HTMLElement.prototype.focus.call(element, { ...options, preventScroll: true })
  const map = new LeafletMap(element, {
    crs: CRS.Simple,
    attributionControl: false,
    zoomControl: false,
    zoomSnap: 0,
    zoomAnimation: !calm,
    fadeAnimation: !calm,
    markerZoomAnimation: !calm,
    inertia: !calm,
    maxBoundsViscosity: 0.8,
  })
  const corners: [[number, number], [number, number]] = [
    [0, 0],
    [size.height, size.width],
  ]
  const overlay = new ImageOverlay(picture, corners)
  let shown: string | undefined

  // Leaflet places nothing before it has a view, which a hidden element cannot give it.
  const hasView = (): boolean => map.getZoom() !== undefined
  function fit(): void {
    map.invalidateSize({ animate: false })
    const [x, y] = [map.getSize().x - 2 * MARGIN, map.getSize().y - 2 * MARGIN]
    if (x <= 0 || y <= 0) return
    const zoom = Math.log2(Math.min(x / size.width, y / size.height))
    map.setMinZoom(zoom).setMaxZoom(zoom + LEVELS)
    map.setView([size.height / 2, size.width / 2], zoom, { animate: false })
  }
  fit()
  overlay.addTo(map)
  map.setMaxBounds(overlay.getBounds().pad(0.5))
  const observer = new ResizeObserver(() => {
    // A plan that the user has enlarged stays so.
    if (hasView() && map.getZoom() - map.getMinZoom() > 0.01) map.invalidateSize({ animate: false })
    else fit()
  })
  observer.observe(element)
  const drawLegs = createLegs(map, size)
  const pins = createPins(map, size, handlers)

  return {
    draw(next) {
      drawLegs(next)
      pins.draw(next)
      const selected = next.selected === shown ? undefined : next.pins.find(({ id }) => id === next.selected)
      shown = next.selected
      if (selected !== undefined && hasView()) map.panInside(pointOf(selected, size), { padding: SIGHT, animate: !calm })
    },
    fit,
    zoom(levels) {
      map.setZoom(map.getZoom() + levels)
    },
    placeAt(clientX, clientY) {
      const { left, top } = element.getBoundingClientRect()
      const point = map.containerPointToLatLng([clientX - left, clientY - top])
      return overlay.getBounds().contains(point) ? placeOf([point.lat, point.lng], size) : undefined
    },
    focus: pins.focus,
    dispose() {
      observer.disconnect()
      map.remove()
    },
  }
}
