/**
 * The access decision: an ordered list of steps, the first that fails rejects. It stands on its input alone, so a
 * terminal decides offline as the server would.
 */
import { failReason } from '@gatehouse/contract/enums'
import type { Check, RuleCheckReason } from './checks.ts'
import { localTime } from './local-time.ts'
import { failReasonOf, methodOf, type FailReason } from './methods.ts'
import type { AccessStrategy, DecisionInput } from './model.ts'
import { explainRuleAt } from './time-rule.ts'
import { hasBegun, hasEnded } from './validity.ts'

export interface Decision {
  verdict: 'allowed' | 'rejected'
  /** Null when allowed. */
  failReason: FailReason | null
  /** The person recognised, kept when he is rejected; null for a stranger. */
  personId: string | null
  /** Revision of the settings it was decided on. */
  revision: string
  /** In the order they were made; the last one is the one that rejected. */
  checks: Check[]
}

interface Step {
  /** The check of this step, or null where it does not concern the passage. */
  check(input: DecisionInput): Check | null
  failReason(input: DecisionInput): FailReason
}

const faceReachesThreshold: Step = {
  check({ device, evidence }) {
    if (!evidence.face) return null
    const { personId, score, distance = null } = evidence.face
    const threshold = device.thresholds.face
    return {
      code: 'face',
      ok: personId !== null && score !== null && score >= threshold,
      score: rounded(score),
      threshold: rounded(threshold),
      distance: rounded(distance),
    }
  },
  failReason: () => failReason.notRegistered,
}

const personIsRegistered: Step = {
  check: ({ evidence, person }) => ({ code: 'registered', ok: person !== null && evidence.face?.personId === person.id }),
  failReason: () => failReason.notRegistered,
}

const personIsEnabled: Step = {
  check: ({ person }) => ({ code: 'enabled', ok: person?.enabled === true }),
  failReason: () => failReason.personReturned,
}

const personIsValid: Step = {
  check({ person, moment }) {
    const { validFrom = null, validTo = null } = person ?? {}
    const ok = person !== null && hasBegun(person, moment) && !hasEnded(person, moment)
    return { code: 'validity', ok, from: validFrom, to: validTo }
  },
  failReason: () => failReason.personReturned,
}

/** A strategy that has ended is as none: the person leaves the terminal by it. */
const strategyCoversPerson: Step = {
  check(input) {
    const { length } = lasting(input)
    return { code: 'strategy', ok: length > 0, count: length }
  },
  failReason: () => failReason.noAccessStrategy,
}

/** One yet to begin is a matter of time, like a time rule before its effective date. */
const strategyHasBegun: Step = {
  check(input) {
    if (inEffect(input).length > 0) return { code: 'strategyBegun', ok: true, from: null }
    const beginnings = lasting(input).map(({ validFrom }) => validFrom ?? input.moment)
    return { code: 'strategyBegun', ok: false, from: Math.min(...beginnings) }
  },
  failReason: () => failReason.outsidePassageTime,
}

const timeRuleIsOpen: Step = {
  check(input) {
    const rules = rulesInEffect(input)
    const told = rules.find(({ open }) => open) ?? mostTelling(rules)
    if (!told) return { code: 'timeRule', ok: false, strategyId: null, ruleId: null, reason: null }
    return { code: 'timeRule', ok: told.open, strategyId: told.strategy.id, ruleId: told.ruleId, reason: told.reason }
  },
  failReason: () => failReason.outsidePassageTime,
}

const methodIsPermitted: Step = {
  check(input) {
    const method = methodOf(input.evidence)
    const opening = rulesInEffect(input).find(({ open }) => open)
    return { code: 'method', ok: opening !== undefined && takes(opening.strategy, method), method }
  },
  failReason: ({ evidence }) => failReasonOf(methodOf(evidence)),
}

const STEPS: readonly Step[] = [
  faceReachesThreshold,
  personIsRegistered,
  personIsEnabled,
  personIsValid,
  strategyCoversPerson,
  strategyHasBegun,
  timeRuleIsOpen,
  methodIsPermitted,
]

/**
 * Decides one passage. Anything missing or unreadable rejects.
 * @throws RangeError when the device's zone is unknown
 */
export function decide(input: DecisionInput): Decision {
  const preferred = { ...input, strategies: methodFirst(input) }
  const checks: Check[] = []
  const decision = (failed: Step | null): Decision => ({
    verdict: failed ? 'rejected' : 'allowed',
    failReason: failed && failed.failReason(preferred),
    personId: recognised(input, checks),
    revision: input.revision,
    checks,
  })
  for (const step of STEPS) {
    const check = step.check(preferred)
    if (!check) continue
    checks.push(check)
    if (!check.ok) return decision(step)
  }
  return decision(null)
}

/** The person of the passage, once he is known to be the one the evidence names. */
function recognised({ person }: DecisionInput, checks: readonly Check[]): string | null {
  return checks.some(({ code, ok }) => code === 'registered' && ok) ? (person?.id ?? null) : null
}

const takes = (strategy: AccessStrategy, method: number | null) => method !== null && strategy.methods.includes(method)

/** Strategies that take the method tried come first, so that every check names the one that lets the person in. */
function methodFirst({ strategies, evidence }: DecisionInput): AccessStrategy[] {
  const method = methodOf(evidence)
  return strategies.toSorted((a, b) => Number(takes(b, method)) - Number(takes(a, method)))
}

function lasting({ strategies, moment }: DecisionInput): AccessStrategy[] {
  return strategies.filter((strategy) => !hasEnded(strategy, moment))
}

function inEffect(input: DecisionInput): AccessStrategy[] {
  return lasting(input).filter((strategy) => hasBegun(strategy, input.moment))
}

interface RuleOfStrategy {
  strategy: AccessStrategy
  ruleId: string
  open: boolean
  reason: RuleCheckReason
}

function rulesInEffect(input: DecisionInput): RuleOfStrategy[] {
  const local = localTime(input.moment, input.device.zone)
  return inEffect(input).flatMap((strategy) =>
    strategy.timeRuleIds.map((ruleId): RuleOfStrategy => {
      const rule = input.timeRules.get(ruleId)
      if (!rule) return { strategy, ruleId, open: false, reason: 'missing' }
      const { open, reason } = explainRuleAt(rule, local)
      return { strategy, ruleId, open, reason }
    }),
  )
}

/** Of several closed rules, the one whose reason a person would least expect. */
const TELLING: readonly RuleCheckReason[] = ['forbiddenDate', 'beforeEffective', 'noPeriod', 'missing']
const mostTelling = (rules: readonly RuleOfStrategy[]) =>
  rules.toSorted((a, b) => TELLING.indexOf(a.reason) - TELLING.indexOf(b.reason))[0]

/** Four decimals are more than any engine resolves, and keep a record short. */
function rounded(value: number | null): number | null {
  return value === null || !Number.isFinite(value) ? null : Math.round(value * 10_000) / 10_000
}
