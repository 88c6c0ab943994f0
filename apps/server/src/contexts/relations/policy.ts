/** What a park may do with a link or an application it is a side of, besides what a call's permission says. */
import type { ParkRelation } from '@gatehouse/contract/relations/calls'
import type { Scope } from '../../platform/session/session.ts'
import type { RelationRow } from './data.ts'

/**
 * Return what the park of the scope may do. The park that was asked agrees or refuses, the one that asked says whom of its people it is
 * about and takes the application back, either dismisses a link, and what is over can be removed by both.
 */
export function relationAbilities(
  { parkId }: Scope,
  { status, applicantPark }: Pick<RelationRow, 'status' | 'applicantPark'>,
): ParkRelation['can'] {
  const isApplicant = applicantPark === parkId
  const [isApplied, isAgreed] = [status === 'applied', status === 'agreed']
  return {
    change: isApplicant && (isApplied || isAgreed),
    agree: isApplied && !isApplicant,
    refuse: isApplied && !isApplicant,
    dismiss: isAgreed,
    delete: (isApplied && isApplicant) || status === 'refused' || status === 'dismissed',
  }
}
