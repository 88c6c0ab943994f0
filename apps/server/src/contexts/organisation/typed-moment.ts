/** Days and moments as people write them into the cells of a spreadsheet. */
import { endOfDay, offsetMinutes, startOfDay } from '@gatehouse/access-rules'

/** Of a text in which each blank is one: what may be tried in two ways is as long as it says here. */
const DAY = /^(\d{4}) ?[-/.年] ?(\d{1,2}) ?[-/.月] ?(\d{1,2}) ?日?(?:[T ]{1,3}(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/

/** Return `YYYY-MM-DD` of a day as people write it, its time where there is one; null for anything else. */
export function typedDay(text: string): { day: string; clock: string | null } | null {
  const match = DAY.exec(text.normalize('NFKC').trim().replace(/\s+/g, ' ')) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text.trim())
  if (match === null) return null
  const [, year, month, date, hour, minute, second] = match
  const day = `${year}-${month!.padStart(2, '0')}-${date!.padStart(2, '0')}`
  return { day, clock: hour === undefined ? null : `${hour.padStart(2, '0')}:${minute}:${second ?? '00'}` }
}

/** Return the epoch milliseconds of a moment on the clocks of a zone. A day alone is its first moment, or its last. */
export function typedMoment(text: string, zone: string, end: boolean): number | null {
  const found = typedDay(text)
  if (found === null || Number.isNaN(Date.parse(found.day))) return null
  if (found.clock === null) return end ? endOfDay(found.day, zone) : startOfDay(found.day, zone)
  const onClock = Date.parse(`${found.day}T${found.clock}Z`)
  if (Number.isNaN(onClock)) return null
  const guess = onClock - offsetMinutes(onClock, zone) * 60_000
  return onClock - offsetMinutes(guess, zone) * 60_000
}
