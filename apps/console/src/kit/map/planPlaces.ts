/** Places on a plan: fractions of its width and height, points of a flat map, and the legs of a way over them. */
export interface Place {
  /** Fraction of the width, from the left. */
  x: number
  /** Fraction of the height, from the top. */
  y: number
}

export interface PlanPin extends Place {
  id: string
  /** Name that is shown and read out; where `tone` says a state, in words too. */
  label: string
  /** Default: `plain`. */
  tone?: 'plain' | 'active' | 'off' | 'alarm'
  /** Shown in the pin, such as its place in an order. */
  number?: number
}

/** Size of the picture in pixels. */
export interface PlanSize {
  width: number
  height: number
}

/** Latitude upwards and longitude to the right, as a flat map counts them: pixels from the lower left corner. */
type Point = [latitude: number, longitude: number]

const DIGITS = 4
const within = (fraction: number): number => Number(Math.min(1, Math.max(0, fraction)).toFixed(DIGITS))

export const pointOf = ({ x, y }: Place, { width, height }: PlanSize): Point => [(1 - y) * height, x * width]

/** Return the place of a point; of one beside the plan, the nearest on it. */
export const placeOf = ([latitude, longitude]: Point, { width, height }: PlanSize): Place => ({
  x: within(longitude / width),
  y: within(1 - latitude / height),
})

/** Fractions that an arrow key moves a pin by, and with Shift. */
const STEP = 0.01
const FINE_STEP = 0.001
const DIRECTIONS: Readonly<Record<string, Place>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** Return where an arrow key moves a pin; undefined for another key. */
export function movedBy({ x, y }: Place, { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): Place | undefined {
  const direction = DIRECTIONS[key]
  if (direction === undefined) return undefined
  const step = shiftKey ? FINE_STEP : STEP
  return { x: within(x + direction.x * step), y: within(y + direction.y * step) }
}

export interface Leg {
  from: string
  to: string
}

/** Return the legs of a path over pins, each once: pins that are not on the plan are passed over, as are repetitions of one. */
export function legsOf(path: readonly string[], pins: ReadonlySet<string>): Leg[] {
  const legs = new Map<string, Leg>()
  let from: string | undefined
  for (const to of path) {
    if (!pins.has(to)) continue
    if (from !== undefined && from !== to) legs.set(`${from} ${to}`, { from, to })
    from = to
  }
  return [...legs.values()]
}
