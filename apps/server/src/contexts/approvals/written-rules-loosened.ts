/**
 * The check whether a change makes a written rule forbid less. A rule that requires a second person is useless if the first
 * person can switch it off, make the change, and switch it on again: a change that loosens such a rule waits for a second person
 * as well.
 */
import { weekOf, without } from '@gatehouse/access-rules'
import type { Breach } from '@gatehouse/contract/approvals/written-rules'
import { Hindered } from '../../platform/http/refusal.ts'
import type { NewPassage } from '../strategies/index.ts'
import type { WrittenRuleValues } from './written-rules-data.ts'
import type { Forbidden } from './written-rules-check.ts'

/** The deciding part of a rule, with its reaction and whether it is enabled. */
type Deciding = Pick<WrittenRuleValues, Exclude<keyof Forbidden, 'periods'> | 'reaction' | 'enabled'> & Pick<Forbidden, 'periods'>

const contains = (whole: readonly string[], part: readonly string[]): boolean => part.every((one) => whole.includes(one))
const PERSON_FIELDS = ['kinds', 'personGroupIds', 'personIds'] as const
const DOOR_FIELDS = ['deviceIds', 'deviceGroupIds'] as const

/**
 * Return whether a rule that requires a second person would forbid less afterwards. Changing it into a rule that refuses counts
 * as loosening too: anybody may switch off a rule that refuses.
 */
export function isLoosened(before: Deciding, after: Deciding): boolean {
  if (!before.enabled || before.reaction !== 'ask') return false
  if (!after.enabled || after.reaction !== 'ask' || after.everybodyExcept !== before.everybodyExcept) return true
  const [whole, part] = before.everybodyExcept ? [before, after] : [after, before]
  return !(
    PERSON_FIELDS.every((field) => contains(whole[field], part[field])) &&
    DOOR_FIELDS.every((field) => contains(after[field], before[field])) &&
    without(weekOf(before.periods), weekOf(after.periods)).length === 0
  )
}

/** The refusal of a change that loosens a rule and to which no second person has agreed. */
export class LoosensWrittenRule extends Hindered {
  /** In the form of pending changes, without persons or doors: the change itself lets nobody pass. */
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
