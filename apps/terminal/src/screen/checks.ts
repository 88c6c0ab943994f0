/** The checks of a decision in words. */
import type { Check } from '@gatehouse/access-rules'
import { scoreInWords } from '@gatehouse/contract/score'
import { fill } from './texts.ts'

type LivenessCheck = Extract<Check, { code: 'liveness' }>

function livenessOutcome({ ok, score, threshold }: LivenessCheck): string {
  if (score === null) return 'unknown'
  return ok ? (threshold === null ? 'trial' : 'ok') : 'failed'
}

/** Of a value from 0 to 1, never rounded up over a threshold it missed. */
const percentage = (value: number | null): string => (value === null ? '–' : `${(Math.floor(value * 1000) / 10).toFixed(1)} %`)

const WORN: Record<number, string> = { 0: 'missing', 1: 'worn' }

/** How a person reads an instant, and degrees Celsius. */
export interface Writing {
  when: (instant: number) => string
  degrees: (celsius: number) => string
}

/** One line for one check. */
export function checkInWords(words: Record<string, string>, check: Check, { when, degrees }: Writing): string {
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
    case 'runnerUp':
      return fill(words, `check.runnerUp.${outcome}`, { score: scoreInWords(check.score) })
    case 'liveness':
      return fill(words, `check.liveness.${livenessOutcome(check)}`, {
        score: percentage(check.score),
        threshold: percentage(check.threshold),
      })
    case 'mask':
    case 'helmet':
      return fill(words, `check.${check.code}.${check.worn === null ? 'unknown' : WORN[check.worn]}`)
    case 'temperature':
      // Below zero stand marks of the specification, not degrees of anybody.
      return check.value === null || check.value < 0
        ? fill(words, 'check.temperature.unknown')
        : fill(words, `check.temperature.${outcome}`, { value: degrees(check.value) })
    case 'secondVerification':
      return fill(words, `check.secondVerification.${check.restriction ?? (check.ok && check.outcome !== 'confirmed' ? 'away' : outcome)}`)
    case 'unknown':
      return fill(words, 'check.unknown', { number: check.number })
    default:
      return fill(words, `check.${check.code}.${outcome}`)
  }
}
