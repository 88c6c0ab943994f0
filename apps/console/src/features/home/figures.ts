/** Which figures stand in the strip, and how today compares with an ordinary day. */
import type { Cockpit, Today } from './useCockpit.ts'

export type FigureKey = 'before' | 'inside' | 'allowed' | 'rejected' | 'strangers' | 'doors' | 'registered' | 'recognised' | 'applications'

/** Whether anybody has been at a door today. */
export const hasBegun = ({ allowed, rejected }: Pick<Today, 'allowed' | 'rejected'>): boolean => allowed + rejected > 0

/** Whether anybody was at a door the day before. */
export const hadPassages = ({ previous }: Pick<Today, 'previous'>): boolean => hasBegun(previous)

/**
 * The figures in their order: one that is nought because nothing has happened is not shouted. Before the first passage of the day one
 * says so, and how the day before was; strangers, who are counted among the refused as well, have a figure of their own only where there
 * are some. Without records the register is counted, and what was handed in for it.
 */
export function figuresOf({ today, approvals, maySee }: Pick<Cockpit, 'today' | 'maySee' | 'approvals'>): FigureKey[] {
  const figures: FigureKey[] = []
  if (maySee.records && today && !hasBegun(today)) figures.push('before', 'inside')
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
  /** Entries of an ordinary day by this time; undefined where no ordinary day is known. */
  ordinary: number | undefined
  /** Percent above (positive) or below; undefined where an ordinary day has too few entries by this time. */
  difference: number | undefined
  /** Hour with most entries so far; undefined while nobody has come in. */
  busiest: number | undefined
}

/** With fewer entries by this time an ordinary day is not compared with. */
export const ENOUGH = 10

/** Whether an ordinary day is known, and drawn. */
export const hasOrdinary = (hours: Today['hours']): boolean => hours.some(({ ordinary }) => ordinary > 0)

/** Entries and exits of an hour. */
export type Hour = Pick<Today['hours'][number], 'hour' | 'in' | 'out'>

/** Hour with most entries; undefined where nobody came in. */
export function busiestOf(hours: readonly Hour[]): number | undefined {
  const most = Math.max(0, ...hours.map((hour) => hour.in))
  return most === 0 ? undefined : hours.find((hour) => hour.in === most)?.hour
}

/**
 * How today compares with an ordinary day, counted in entries: an ordinary day is known by them.
 * @param now hour of the park's day with its fraction, such as 14.5
 */
export function paceOf(hours: Today['hours'], now: number): Pace {
  const entries = hours.reduce((sum, hour) => sum + hour.in, 0)
  // The hour under way counts as far as it has gone.
  const ordinary = hours.reduce((sum, { hour, ordinary: usual }) => sum + usual * Math.min(1, Math.max(0, now - hour)), 0)
  return {
    entries,
    ordinary: hasOrdinary(hours) ? Math.round(ordinary) : undefined,
    difference: ordinary < ENOUGH ? undefined : Math.round((entries / ordinary - 1) * 100),
    busiest: busiestOf(hours),
  }
}
