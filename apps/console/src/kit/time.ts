/** Times are epoch milliseconds, shown in the zone of the current park: its offset arrives with every answer. */
import { create } from 'zustand'
import { storage } from '../api/storage.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Minutes east of UTC: those of the browser until `recallOffset` or the first answer. */
export const useZoneOffset = create<{ offset: number }>(() => ({ offset: -new Date().getTimezoneOffset() }))

/** Use the stored offset until the first answer brings the present one. */
export function recallOffset(): void {
  const offset = storage.get('timezoneOffset')
  if (offset !== undefined) useZoneOffset.setState({ offset })
}

/** Use the `X-Timezone-Offset` of an answer, and store it for the next start. */
export function rememberOffset(header: string | null): void {
  const offset = Number(header)
  if (header === null || header === '' || !Number.isFinite(offset)) return
  if (offset !== storage.get('timezoneOffset')) storage.set('timezoneOffset', offset)
  if (offset !== useZoneOffset.getState().offset) useZoneOffset.setState({ offset })
}

/** Return `2026-11-20 18:24:07` in a zone `offset` minutes east of UTC. */
export const formatInstant = (instant: number, offset: number): string =>
  new Date(instant + offset * MINUTE).toISOString().slice(0, 19).replace('T', ' ')
export const formatDate = (instant: number, offset: number): string => formatInstant(instant, offset).slice(0, 10)

/** Return the hour of a day that starts at one: `05:00–06:00`. */
export const hourFrom = (hour: number): string => [hour, hour + 1].map((each) => `${String(each).padStart(2, '0')}:00`).join('–')

/** Return the start of the day of a time in a zone `offset` minutes east of UTC. */
export const startOfDay = (instant: number, offset: number): number => Date.parse(formatDate(instant, offset)) - offset * MINUTE

/** A time in a list: in units while it is recent, else the clock or the date. */
export type ShortTime = { unit: 'now' } | { unit: 'second' | 'minute'; count: number } | { unit: 'text'; text: string }

/**
 * Return the short form of a time: seconds and minutes for an hour, then the clock of today, then month and day, then the date.
 * @param instant and `now` in epoch milliseconds, `offset` in minutes east of UTC
 */
export function shortTime(instant: number, now: number, offset: number): ShortTime {
  const age = now - instant
  if (age >= 0 && age < 5000) return { unit: 'now' }
  if (age >= 0 && age < MINUTE) return { unit: 'second', count: Math.floor(age / 1000) }
  if (age >= 0 && age < HOUR) return { unit: 'minute', count: Math.floor(age / MINUTE) }
  return { unit: 'text', text: clockOrDate(instant, now, offset) }
}

/** Return the clock for a time of today, month and day with the clock for this year, else the date. */
export function clockOrDate(instant: number, now: number, offset: number): string {
  const text = formatInstant(instant, offset)
  const today = formatDate(now, offset)
  if (text.startsWith(today)) return text.slice(11, 16)
  if (text.slice(0, 4) === today.slice(0, 4)) return text.slice(5, 16)
  return text.slice(0, 10)
}

/** Return the whole days from now until a time, rounded up; negative once it is past. */
export const daysUntil = (instant: number, now: number): number => Math.ceil((instant - now) / DAY)

/** Return the epoch milliseconds of a wall-clock time in the park's zone; month from 0, as in `Date`. */
export const instantOfWallClock = (
  {
    year,
    month,
    day,
    hour = 0,
    minute = 0,
    second = 0,
  }: { year: number; month: number; day: number; hour?: number; minute?: number; second?: number },
  offset: number,
): number => Date.UTC(year, month, day, hour, minute, second) - offset * MINUTE
