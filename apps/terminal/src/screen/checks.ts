/** The checks of a decision in words. */
import type { Check } from '@gatehouse/access-rules'
import { scoreInWords } from '@gatehouse/contract/score'
import { fill } from './texts.ts'

/** One line for one check. @param when writes an instant as a person reads it */
export function checkInWords(words: Record<string, string>, check: Check, when: (instant: number) => string): string {
  const outcome = check.ok ? 'ok' : 'failed'
  switch (check.code) {
    case 'face':
      return fill(words, `check.face.${outcome}`, { score: scoreInWords(check.score), threshold: scoreInWords(check.threshold) })
    case 'strategy':
      return fill(words, `check.strategy.${outcome}`, { count: check.count ?? 0 })
    case 'strategyBegun':
      return fill(words, `check.strategyBegun.${outcome}`, { from: check.from === null ? '–' : when(check.from) })
    case 'timeRule':
      return fill(words, `check.timeRule.${check.reason ?? (check.ok ? 'period' : 'noPeriod')}`)
    case 'unknown':
      return fill(words, 'check.unknown', { number: check.number })
    default:
      return fill(words, `check.${check.code}.${outcome}`)
  }
}
