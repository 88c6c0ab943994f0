/** What the form of a written rule starts from. */
import type { InputOf } from '@gatehouse/contract'
import type { WrittenRule, writtenRuleFields } from '@gatehouse/contract/approvals/written-rules'

export type WrittenRuleValues = Partial<InputOf<typeof writtenRuleFields>>

/** Stands in the address where a rule's id would, for a rule not yet made. */
export const NEW_WRITTEN_RULE = 'new'

export const newWrittenRule = (): WrittenRuleValues => ({
  everybodyExcept: false,
  kinds: [],
  personGroupIds: [],
  personIds: [],
  deviceIds: [],
  deviceGroupIds: [],
  periods: [],
  reaction: 'refuse',
  enabled: true,
  sentence: '',
})

export const writtenRuleValuesOf = ({
  name,
  everybodyExcept,
  kinds,
  personGroupIds,
  personIds,
  deviceIds,
  deviceGroupIds,
  periods,
  reaction,
  enabled,
  sentence,
}: WrittenRule): WrittenRuleValues => ({
  name,
  everybodyExcept,
  kinds,
  personGroupIds,
  personIds,
  deviceIds,
  deviceGroupIds,
  periods,
  reaction,
  enabled,
  sentence,
})
