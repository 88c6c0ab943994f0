/** Initial values of the form of a written rule. */
import type { InputOf } from '@gatehouse/contract'
import type { WrittenRule, writtenRuleFields } from '@gatehouse/contract/approvals/written-rules'

export type WrittenRuleValues = Partial<InputOf<typeof writtenRuleFields>>

/** Stands for the id in the address of a rule to be added. */
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
