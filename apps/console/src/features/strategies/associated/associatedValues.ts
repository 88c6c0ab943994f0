/** What the form of an associated rule starts from, and what it demands beside its call. */
import { validateAudience, type AccessIssue } from '@gatehouse/access-rules'
import type { InputOf } from '@gatehouse/contract'
import type { AssociatedRule, associatedRuleChangeFields, associatedRuleFields } from '@gatehouse/contract/strategies/associated-rules'
import { newStrategy } from '../strategyValues.ts'

export type AssociatedValues = Partial<InputOf<typeof associatedRuleFields>>
type AssociatedChange = InputOf<typeof associatedRuleChangeFields>

export function newAssociatedRule(kind: 'staff' | 'visitor'): AssociatedValues {
  const { accessGroupIds: _groups, authorizedObject: _whom, isDefault: _default, ...usual } = newStrategy()
  // A link shares no single visitors: a rule about them is about all. Everybody else is asked for.
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
  // A park that is linked no more cannot be chosen again.
  ...(linked && { parkId }),
  // Where everybody may not be meant, nothing is chosen for the person at the form.
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

/** What is wrong with whom a rule is about; before its park is chosen nobody can be. */
export const audienceIssues = ({ parkId, kind, everybody, personIds, personGroupIds }: Partial<AssociatedChange>): AccessIssue[] =>
  parkId === undefined
    ? []
    : validateAudience({
        kind: kind ?? 'staff',
        everybody: everybody ?? false,
        personIds: personIds ?? [],
        personGroupIds: personGroupIds ?? [],
      })
