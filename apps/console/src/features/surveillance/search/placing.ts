/** Devices on the plan while they are being placed: what is stored, and what was changed since. */
import type { Place } from '../../../kit/map/planPlaces.ts'

/** Changes by device; null: taken away. */
export type Changes = ReadonlyMap<string, Place | null>

export interface PlacedDevice extends Place {
  id: string
  label: string
}

interface Named {
  id: string
  name: string
}

/** Return the devices on the plan after the changes. @param devices names of those that were added */
export function placedAfter(stored: readonly PlacedDevice[], changes: Changes, devices: readonly Named[]): PlacedDevice[] {
  const names = new Map([...devices.map(({ id, name }) => [id, name] as const), ...stored.map(({ id, label }) => [id, label] as const)])
  const places = new Map<string, Place | null>(stored.map(({ id, x, y }) => [id, { x, y }]))
  for (const [id, place] of changes) places.set(id, place)
  return [...places].flatMap(([id, place]) => (place === null ? [] : [{ id, label: names.get(id) ?? '', ...place }]))
}

/** Return what is to be saved: the changes that differ from what is stored. */
export function positionsToSave(stored: readonly PlacedDevice[], changes: Changes) {
  const before = new Map(stored.map((device) => [device.id, device]))
  return [...changes].flatMap(([deviceId, place]) => {
    const was = before.get(deviceId)
    if (was?.x === place?.x && was?.y === place?.y) return []
    return [{ deviceId, x: place?.x ?? null, y: place?.y ?? null }]
  })
}

/** Distance between pins that are placed without a pointer, and how many rows of them there are at most. */
const GAP = 0.06
const ROWS = 8
const START = 0.5

/** Return where a device is put without a pointer: in the middle, or beside what stands there. */
export function freePlace(placed: readonly Place[]): Place {
  const isFree = ({ x, y }: Place): boolean => placed.every((other) => Math.hypot(other.x - x, other.y - y) > GAP / 2)
  for (let row = 0; row < ROWS; row++)
    for (let column = 0; column < ROWS; column++) {
      const place = { x: Number((START + column * GAP).toFixed(2)), y: Number((START + row * GAP).toFixed(2)) }
      if (place.x <= 1 && place.y <= 1 && isFree(place)) return place
    }
  return { x: START, y: START }
}
