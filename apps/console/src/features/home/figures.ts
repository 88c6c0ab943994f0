/** The figures of the strip, and the comparison of today with an ordinary day. */
import type { Cockpit, Today } from './useCockpit.ts'

export type FigureKey = 'before' | 'inside' | 'allowed' | 'rejected' | 'strangers' | 'doors' | 'registered' | 'recognised' | 'applications'

/** Return whether there has been a passage, allowed or refused. */
export const hasPassages = ({ allowed, rejected }: Pick<Today, 'allowed' | 'rejected'>): boolean => allowed + rejected > 0

/** Return whether there was a passage the day before. */
export const hadPassages = ({ previous }: Pick<Today, 'previous'>): boolean => hasPassages(previous)

/**
 * Return the figures in their order. Before the first passage of the day, one figure states this and shows the day before, in place of
 * zeros. Strangers, who also count as refused, have a figure only where there are some. A user without records sees the counts of
 * the register and of applications.
 */
export function figuresOf({ today, approvals, maySee }: Pick<Cockpit, 'today' | 'maySee' | 'approvals'>): FigureKey[] {
  const figures: FigureKey[] = []
  if (maySee.records && today && !hasPassages(today)) figures.push('before', 'inside')
  else if (maySee.records) figures.push('inside', 'allowed', 'rejected')
  if (maySee.records && today && today.strangers > 0) figures.push('strangers')
  if (maySee.devices) figures.push('doors')
  if (maySee.people && !maySee.records) figures.push('registered', 'recognised')
  if (approvals && !maySee.records) figures.push('applications')
  return figures
}

export interface Pace {
  /** Entries so far. */
  entries: number
  /** Entries of an ordinary day by this time; undefined where there is no ordinary day. */
  ordinary: number | undefined
  /** Percent above (positive) or below; undefined where an ordinary day has too few entries by this time. */
  difference: number | undefined
  /** Hour with most entries so far; undefined while there are none. */
  busiest: number | undefined
}

/** Entries of an ordinary day by this time below which today is not compared with it. */
export const ENOUGH = 10

/** Return whether there is an ordinary day to draw. */
export const hasOrdinary = (hours: Today['hours']): boolean => hours.some(({ ordinary }) => ordinary > 0)

/** Entries and exits of an hour. */
export type Hour = Pick<Today['hours'][number], 'hour' | 'in' | 'out'>

/** Return the hour with most entries; undefined where there are none. */
export function busiestOf(hours: readonly Hour[]): number | undefined {
  const most = Math.max(0, ...hours.map((hour) => hour.in))
  return most === 0 ? undefined : hours.find((hour) => hour.in === most)?.hour
}

/**
 * Compare the entries of today with those of an ordinary day.
 * @param now hour of the park's day with its fraction, such as 14.5
 */
export function paceOf(hours: Today['hours'], now: number): Pace {
  const entries = hours.reduce((sum, hour) => sum + hour.in, 0)
  // The current hour counts in part.
  const ordinary = hours.reduce((sum, { hour, ordinary: usual }) => sum + usual * Math.min(1, Math.max(0, now - hour)), 0)
  return {
    entries,
    ordinary: hasOrdinary(hours) ? Math.round(ordinary) : undefined,
    difference: ordinary < ENOUGH ? undefined : Math.round((entries / ordinary - 1) * 100),
    busiest: busiestOf(hours),
  }
}
