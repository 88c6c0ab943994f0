/**
 * Whether a change of a written rule makes it forbid less. A rule that asks for a second person protects nothing where the first one can
 * switch it off, make the change, and switch it on again: whatever loosens such a rule waits for a second person as well.
 */
import { weekOf, without } from '@gatehouse/access-rules'
import type { Breach } from '@gatehouse/contract/approvals/written-rules'
import { Hindered } from '../../platform/http/refusal.ts'
import type { NewPassage } from '../strategies/index.ts'
import type { WrittenRuleValues } from './written-rules-data.ts'
import type { Forbidden } from './written-rules-check.ts'

/** What of a rule decides, and whether it does. */
type Deciding = Pick<WrittenRuleValues, Exclude<keyof Forbidden, 'periods'> | 'reaction' | 'enabled'> & Pick<Forbidden, 'periods'>

const contains = (whole: readonly string[], part: readonly string[]): boolean => part.every((one) => whole.includes(one))
const WHOM = ['kinds', 'personGroupIds', 'personIds'] as const
const WHERE = ['deviceIds', 'deviceGroupIds'] as const

/**
 * Whether a rule that asks for a second person would forbid less afterwards. One that refuses instead counts as looser, too: anybody may
 * switch off a rule that refuses.
 */
export function isLoosened(before: Deciding, after: Deciding): boolean {
  if (!before.enabled || before.reaction !== 'ask') return false
  if (!after.enabled || after.reaction !== 'ask' || after.everybodyExcept !== before.everybodyExcept) return true
  const [whole, part] = before.everybodyExcept ? [before, after] : [after, before]
  return !(
    WHOM.every((field) => contains(whole[field], part[field])) &&
    WHERE.every((field) => contains(after[field], before[field])) &&
    without(weekOf(before.periods), weekOf(after.periods)).length === 0
  )
}

/** A change that loosens a rule, to which nobody else has agreed. */
export class LoosensWrittenRule extends Hindered {
  /** As pending changes have it: nobody passes by this alone. */
  readonly breaches: Breach[]
  readonly passages: Record<string, NewPassage[]>
  constructor({ id, name, sentence }: Breach['rule']) {
    const breaches: Breach[] = [
      { rule: { id, name, sentence }, reaction: 'ask', personCount: 0, deviceCount: 0, deviceNames: [], periods: [], dates: [] },
    ]
    super([{ path: '', rule: 'writtenRuleLoosened', params: { name, sentence } }], { breaches })
    this.breaches = breaches
    this.passages = { [id]: [] }
  }
}
