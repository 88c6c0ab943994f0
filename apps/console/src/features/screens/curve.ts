/** Shapes of the day's curve, in a box of 24 hours by 100. */
export interface Hour {
  hour: number
  in: number
  out: number
  ordinary: number
}

/** Height of the box that no hour passes; a quiet day is not blown up. */
export const topOf = (hours: readonly Hour[]): number =>
  Math.ceil(Math.max(10, ...hours.map((hour) => Math.max(hour.in, hour.out, hour.ordinary))))

/** A soft line through points, leaving none of them above the highest. */
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

/** Points of one kind of value, from the left edge of its hour to `until` (hours with fraction). */
export function pointsOf(hours: readonly Hour[], field: 'in' | 'out' | 'ordinary', until: number): [number, number][] {
  const top = topOf(hours)
  return hours.filter(({ hour }) => hour + 0.5 <= until || hour === 0).map((hour) => [hour.hour + 0.5, 100 - (hour[field] / top) * 100])
}

/** The whole hours under the highest number of entries; undefined where nobody came. */
export function busiestOf(hours: readonly Hour[]): number | undefined {
  const most = Math.max(0, ...hours.map((hour) => hour.in))
  return most === 0 ? undefined : hours.find((hour) => hour.in === most)?.hour
}
