/** Checks of a decision in words. */
import type { Check } from '@gatehouse/access-rules'
import { scoreInWords } from '@gatehouse/contract/score'
import { fill } from './texts.ts'

type LivenessCheck = Extract<Check, { code: 'liveness' }>

function livenessOutcome({ ok, score, threshold }: LivenessCheck): string {
  if (score === null) return 'unknown'
  return ok ? (threshold === null ? 'trial' : 'ok') : 'failed'
}

/** Return a value from 0 to 1 in percent, rounded down so that it never seems to reach a threshold it missed. */
const percentage = (value: number | null): string => (value === null ? '–' : `${(Math.floor(value * 1000) / 10).toFixed(1)} %`)

const WORN: Record<number, string> = { 0: 'missing', 1: 'worn' }

/** How instants and degrees Celsius are written for people. */
export interface Writing {
  when: (instant: number) => string
  degrees: (celsius: number) => string
}

/** Return one line for one check. */
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
      // Values below zero are codes of the specification, not temperatures.
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
