/** Which figures stand in the strip, and which of them are quiet: a figure that is nought because nothing has happened is not shouted. */
import type { Cockpit, Today } from './useCockpit.ts'

export type FigureKey = 'before' | 'inside' | 'allowed' | 'rejected' | 'strangers' | 'doors' | 'registered' | 'recognised' | 'applications'

/** Whether anybody has been at a door today. */
export const hasBegun = ({ allowed, rejected }: Pick<Today, 'allowed' | 'rejected'>): boolean => allowed + rejected > 0

/** Whether anybody was at a door the day before. */
export const hadPassages = ({ previous }: Pick<Today, 'previous'>): boolean => hasBegun(previous)

/**
 * The figures in their order. Before the first passage of the day one says so, and how the day before was; strangers, who are counted
 * among the refused as well, have a figure of their own only where there are some. Without records the register is counted, and what was handed in for it.
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
