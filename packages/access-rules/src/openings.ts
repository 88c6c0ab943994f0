/** Of all rules in effect at a passage, the one that is reported; and whether one factor more would open. */
import type { RuleCheckReason } from './checks.ts'
import type { Factor } from './evidence.ts'
import { missingFactors, type AccessMethod } from './methods.ts'
import type { Passage, RuleOfStrategy } from './passage.ts'

/** Whether the strategy of a rule takes a method. */
export const takes = ({ strategy }: RuleOfStrategy, method: AccessMethod | null) => method !== null && strategy.methods.includes(method)

/** The open rule that lets the person in, else one that is open for other methods; null when all are closed. */
export function opening(passage: Passage): RuleOfStrategy | null {
  const open = passage.rules().filter((rule) => rule.open)
  return open.find((rule) => takes(rule, passage.method)) ?? open[0] ?? null
}

const TELLING: readonly RuleCheckReason[] = ['forbiddenDate', 'beforeEffective', 'noPeriod', 'missing']

/** Of several closed rules, the one whose reason a person would least expect, best of a strategy that takes the method. */
export function mostTelling(passage: Passage): RuleOfStrategy | null {
  const rank = (rule: RuleOfStrategy) => 2 * TELLING.indexOf(rule.reason) + Number(!takes(rule, passage.method))
  return passage.rules().toSorted((a, b) => rank(a) - rank(b))[0] ?? null
}

/** The wait for a second factor, where what was shown is not enough and it is known since when. */
export function waitOf({ device, evidence, first, method, others, rules }: Passage): { factors: Factor[]; until: number } | null {
  const until =
    first === null || others.length > 0 ? Number.NaN : (evidence[first]?.seenAt ?? Number.NaN) + (device.factorTimeoutMs ?? Number.NaN)
  if (first === null || !Number.isFinite(until)) return null
  const open = rules().filter((rule) => rule.open)
  const factors = missingFactors(
    [first],
    open.flatMap(({ strategy }) => strategy.methods),
  )
  return factors.length > 0 && !open.some((rule) => takes(rule, method)) ? { factors, until } : null
}
