/** What the form of an associated rule starts from. */
import type { InputOf } from '@gatehouse/contract'
import type { AssociatedRule, associatedRuleFields } from '@gatehouse/contract/access/associated'
import { newStrategy } from '../strategies/strategyValues.ts'

export type AssociatedValues = Partial<InputOf<typeof associatedRuleFields>>

export function newAssociatedRule(kind: 'staff' | 'visitor'): AssociatedValues {
  const { accessGroupIds: _, ...usual } = newStrategy()
  return { ...usual, kind, everybody: true }
}

export const associatedValuesOf = ({
  name,
  kind,
  parkId,
  linked,
  everybody,
  personIds,
  personGroupIds,
  deviceIds,
  deviceGroupIds,
  timeRuleIds,
  methods,
  validFrom,
  validTo,
}: AssociatedRule): AssociatedValues => ({
  name,
  kind: kind as 'staff' | 'visitor',
  // A park that is linked no more cannot be chosen again.
  ...(linked && { parkId }),
  everybody,
  personIds,
  personGroupIds,
  deviceIds,
  deviceGroupIds,
  timeRuleIds,
  methods,
  validFrom,
  validTo,
})
