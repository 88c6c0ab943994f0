/** The times of a visit, in the zone of its park. */
import { localDate, startOfDay } from '@gatehouse/access-rules'
import { VISIT_SPAN_MAX } from '@gatehouse/contract'

const DAY = 86_400_000
/** VAL-080: the authorisation ends at 23:59:59, whole seconds. */
const LAST_SECOND = 1000

/** Return the date so many days after a date, `YYYY-MM-DD`. */
export const dateAfter = (date: string, days: number): string => new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10)

/** Return 23:59:59 of a date. */
export const endOfDate = (date: string, zone: string): number => startOfDay(dateAfter(date, 1), zone) - LAST_SECOND

/** Return when the visitor may pass: from some minutes before the visit to the end of the authorisation. */
export const passageTimes = (
  { visitAt, expiresAt }: { visitAt: number; expiresAt: number },
  { signInLeadMinutes }: { signInLeadMinutes: number },
): { validFrom: number; validTo: number } => ({ validFrom: visitAt - signInLeadMinutes * 60_000, validTo: expiresAt })

export interface VisitTimes {
  visitAt: number
  visitEndAt: number
  validDays: number | null
  expiresAt: number
}

/** Return the times of a visit. A visit without an end and without days lasts as many days as the park says. */
export function visitTimes(
  { visitTime, visitEndTime, validDays }: { visitTime: number; visitEndTime: number | null; validDays: number | null },
  { zone, defaultValidDays }: { zone: string; defaultValidDays: number },
): VisitTimes {
  if (visitEndTime !== null && validDays === null)
    return { visitAt: visitTime, visitEndAt: visitEndTime, validDays: null, expiresAt: endOfDate(localDate(visitEndTime, zone), zone) }
  const days = validDays ?? defaultValidDays
  const end = endOfDate(dateAfter(localDate(visitTime, zone), days - 1), zone)
  // A visit for which the form names no days is a single one as long as it is short enough to be one.
  return { visitAt: visitTime, visitEndAt: end, validDays: validDays ?? (days < VISIT_SPAN_MAX ? null : days), expiresAt: end }
}

/**
 * Return the moment at which a visitor who is still signed in is signed off, or the visit expires.
 * @param time `nextDay`, or a time of the day after the authorisation; empty: the visit expires with it
 */
export function signOffMoment(expiresAt: number, time: string, zone: string): number {
  const next = startOfDay(dateAfter(localDate(expiresAt, zone), 1), zone)
  if (time === '' || time === 'nextDay') return next
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return next + (hours * 60 + minutes) * 60_000
}
