/** Initial values of the form of an associated rule, and its checks beside the schema of the call. */
import { validateAudience, type AccessIssue } from '@gatehouse/access-rules'
import type { InputOf } from '@gatehouse/contract'
import type { AssociatedRule, associatedRuleChangeFields, associatedRuleFields } from '@gatehouse/contract/strategies/associated-rules'
import { newStrategy } from '../strategyValues.ts'

export type AssociatedValues = Partial<InputOf<typeof associatedRuleFields>>
type AssociatedChange = InputOf<typeof associatedRuleChangeFields>

export function newAssociatedRule(kind: 'staff' | 'visitor'): AssociatedValues {
  const { accessGroupIds: _groups, authorizedObject: _object, isDefault: _default, ...usual } = newStrategy()
  // Parks share no single visitors: a rule for visitors means all. For other rules the form asks.
  return { ...usual, kind, everybody: kind === 'visitor' }
}

export const associatedValuesOf = ({
  name,
  kind,
  parkId,
  linked,
  everybody,
  everybodyConfirmed,
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
  // A park that is no longer linked cannot be chosen again.
  ...(linked && { parkId }),
  // Where it is not confirmed that everybody is meant, the choice is left to the user.
  everybody: everybody && everybodyConfirmed,
  personIds,
  personGroupIds,
  deviceIds,
  deviceGroupIds,
  timeRuleIds,
  methods,
  validFrom,
  validTo,
})

/** Return the issues of the persons of a rule; none before its park is chosen. */
export const audienceIssues = ({ parkId, kind, everybody, personIds, personGroupIds }: Partial<AssociatedChange>): AccessIssue[] =>
  parkId === undefined
    ? []
    : validateAudience({
        kind: kind ?? 'staff',
        everybody: everybody ?? false,
        personIds: personIds ?? [],
        personGroupIds: personGroupIds ?? [],
      })
