/** The clock of a park, as spreadsheets show it. */
import { offsetMinutes } from '@gatehouse/access-rules'
import type { SheetClock } from '../../platform/documents/xlsx.ts'

const DAY = 86_400_000
/** Most days whose offset is cached. */
const REMEMBERED = 10_000
/** Days before and after now at which the offset is compared: they reveal a clock that changes in the course of a year. */
const LOOKED_AT = Array.from({ length: 25 }, (_, at) => (at - 12) * 30)

const two = (number: number): string => String(number).padStart(2, '0')
const offsetText = (minutes: number): string =>
  `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`

/** @param zone IANA name */
export function parkClock(zone: string, now: number): SheetClock {
  const days = new Map<number, number | null>()
  const offset = offsetMinutes(now, zone)
  const isConstant = LOOKED_AT.every((day) => offsetMinutes(now + day * DAY, zone) === offset)
  return {
    zone: isConstant ? offsetText(offset) : zone,
    // Reading the offset takes longer than the rest of a row. A day that begins and ends with the same offset has it throughout.
    offsetOf(moment) {
      const day = Math.floor(moment / DAY)
      let offsetOfDay = days.get(day)
      if (offsetOfDay === undefined) {
        if (days.size >= REMEMBERED) days.clear()
        const begins = offsetMinutes(day * DAY, zone)
        offsetOfDay = offsetMinutes((day + 1) * DAY - 1, zone) === begins ? begins : null
        days.set(day, offsetOfDay)
      }
      return offsetOfDay ?? offsetMinutes(moment, zone)
    },
  }
}
