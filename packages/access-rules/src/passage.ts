/** What the steps of a decision ask of one passage, each thing found out once. */
import { authorisedObject } from '@gatehouse/contract/enums'
import type { RuleCheckReason } from './checks.ts'
import { acceptedMethods } from './entitlement.ts'
import type { Factor } from './evidence.ts'
import { claimsOf, isMatched, shownFactors, type Claim } from './factors.ts'
import { localTime } from './local-time.ts'
import { methodOf, type AccessMethod } from './methods.ts'
import type { AccessStrategy, DecisionInput } from './model.ts'
import { explainRuleAt } from './time-rule.ts'
import { hasStarted, hasEnded } from './validity.ts'

/** A rule of a strategy in effect. */
export interface RuleOfStrategy {
  strategy: AccessStrategy
  ruleId: string
  open: boolean
  reason: RuleCheckReason
}

export interface Passage extends DecisionInput {
  /** The one that names the person; where none does, one that should have. Null when nothing was shown. */
  first: Factor | null
  others: readonly Factor[]
  claims: readonly Claim[]
  method: AccessMethod | null
  /** Nobody is named and nobody needs to be: the device's password alone. */
  anonymous: boolean
  /** Strategies for the person who came that have not ended; of those, the ones that have begun. */
  lasting: readonly AccessStrategy[]
  inEffect: readonly AccessStrategy[]
  /** @throws RangeError when the device's zone is unknown */
  rules: () => readonly RuleOfStrategy[]
}

/** Looks at a passage. Clocks are read only when a step asks for rules. */
export function passageOf(input: DecisionInput): Passage {
  const { evidence, moment, person } = input
  const shown = shownFactors(evidence)
  const claims = claimsOf(input)
  const first = claims[0]?.factor ?? shown.find((factor) => !isMatched(input, factor)) ?? shown[0] ?? null
  const lasting = acceptedOf(input).filter((strategy) => isFor(strategy, contactOf(claims)) && !hasEnded(strategy, moment))
  const inEffect = lasting.filter((strategy) => hasStarted(strategy, moment))
  let rules: readonly RuleOfStrategy[] | null = null
  return {
    ...input,
    first,
    others: shown.filter((factor) => factor !== first),
    claims,
    method: methodOf(evidence),
    anonymous: person === null && shown.length === 1 && first === 'devicePassword',
    lasting,
    inEffect,
    rules: () => (rules ??= rulesOf(input, inEffect)),
  }
}

/** The contact who came in the person's place, by whichever factor tells; null for the person. */
export function contactOf(claims: readonly Claim[]): string | null {
  return claims.find(({ contactId }) => contactId !== null)?.contactId ?? null
}

/** The strategies with those of their methods that the device accepts and the person may use. */
function acceptedOf({ device, person, strategies }: DecisionInput): readonly AccessStrategy[] {
  if ((device.methods ?? []).length === 0 && person?.methods == null) return strategies
  return strategies.map((strategy) => ({ ...strategy, methods: acceptedMethods(strategy.methods, device, person) }))
}

function isFor({ authorisedObject: authorised }: AccessStrategy, contactId: string | null): boolean {
  return (
    authorised === authorisedObject.both ||
    (contactId === null ? authorised !== authorisedObject.contact : authorised === authorisedObject.contact)
  )
}

function rulesOf({ device, moment, timeRules }: DecisionInput, strategies: readonly AccessStrategy[]): RuleOfStrategy[] {
  const local = localTime(moment, device.zone)
  return strategies.flatMap((strategy) =>
    strategy.timeRuleIds.map((ruleId): RuleOfStrategy => {
      const rule = timeRules.get(ruleId)
      if (!rule) return { strategy, ruleId, open: false, reason: 'missing' }
      const { open, reason } = explainRuleAt(rule, local)
      return { strategy, ruleId, open, reason }
    }),
  )
}
