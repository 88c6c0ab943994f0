/** Greetings by time of day. */

/** Parts of the day, as in the keys of the texts. */
export type DayPart = 'dawn' | 'morning' | 'noon' | 'afternoon' | 'evening' | 'night'

/** First hour of each part, in order; the hours before the first are night. */
const BEGINS: readonly (readonly [hour: number, part: DayPart])[] = [
  [5, 'dawn'],
  [9, 'morning'],
  [11, 'noon'],
  [13, 'afternoon'],
  [18, 'evening'],
  [23, 'night'],
]

/** Return the part of the day an hour belongs to. @param hour 0 to 23 */
export const dayPartOf = (hour: number): DayPart => BEGINS.findLast(([begins]) => hour >= begins)?.[1] ?? 'night'

/** Return the hour of an instant in a zone, 0 to 23. @param zone null: the browser's */
export function hourOf(instant: number, zone: string | null): number {
  const options = { hour: 'numeric', hourCycle: 'h23', ...(zone !== null && { timeZone: zone }) } as const
  return Number(new Intl.DateTimeFormat('en', options).format(instant))
}
