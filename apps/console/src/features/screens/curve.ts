/** Shapes of the day's curve, in a box of 24 hours by 100. */
export interface Hour {
  hour: number
  in: number
  out: number
  ordinary: number
}

/** Return the number of passages at the top of the box; not below a minimum, so that a quiet day looks quiet. */
export const topOf = (hours: readonly Hour[]): number =>
  Math.ceil(Math.max(10, ...hours.map((hour) => Math.max(hour.in, hour.out, hour.ordinary))))

/** Return a smooth line through points that does not rise above the highest. */
export function lineThrough(points: readonly (readonly [x: number, y: number])[]): string {
  return points
    .map(([x, y], at) => {
      if (at === 0) return `M${x},${y}`
      const [beforeX, beforeY] = points[at - 1]!
      const middle = (beforeX + x) / 2
      return `C${middle},${beforeY} ${middle},${y} ${x},${y}`
    })
    .join(' ')
}

/** Return the points of one field, each at the left edge of its hour, up to `until` (hours with fraction). */
export function pointsOf(hours: readonly Hour[], field: 'in' | 'out' | 'ordinary', until: number): [number, number][] {
  const top = topOf(hours)
  return hours.filter(({ hour }) => hour + 0.5 <= until || hour === 0).map((hour) => [hour.hour + 0.5, 100 - (hour[field] / top) * 100])
}

/** Return the hour with most entries; undefined where nobody entered. */
export function busiestOf(hours: readonly Hour[]): number | undefined {
  const most = Math.max(0, ...hours.map((hour) => hour.in))
  return most === 0 ? undefined : hours.find((hour) => hour.in === most)?.hour
}
