/** Times of forms, which are those of a clock in the park's zone. */

const MINUTE = 60_000

/** Return `2026-11-20T18:24` of a time, on a clock in a zone: the value of a field for date and time. */
export function clockIn(zone: string, instant: number): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(instant)
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? ''
  return `${of('year')}-${of('month')}-${of('day')}T${of('hour')}:${of('minute')}`
}

/** Return the time at which a clock in a zone shows this; null for what is no date. */
export function instantOf(zone: string, clock: string): number | null {
  const asUtc = Date.parse(`${clock}Z`)
  if (Number.isNaN(asUtc)) return null
  const offsetAt = (instant: number): number => Date.parse(`${clockIn(zone, instant)}Z`) - Math.floor(instant / MINUTE) * MINUTE
  // The second time with the offset of about that moment: a change of the clocks may lie between.
  return asUtc - offsetAt(asUtc - offsetAt(asUtc))
}

/** Return date and time as a text. */
export const shownTime = (language: string, zone: string, instant: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(instant)
