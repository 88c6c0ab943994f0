/** The steps of a decision, in their order: what was shown, who it is, when and how they may pass, what the server says. */
import { failReason } from '@gatehouse/contract/enums'
import type { Check } from './checks.ts'
import type { Factor, FailReason } from './evidence.ts'
import type { AccessDevice, AccessPerson } from './model.ts'
import { elapsedBetween, faceThresholdOf, isMatched, isNobodys, refusalOfFactor } from './factors.ts'
import { failReasonOf, type AccessMethod } from './methods.ts'
import { mostTelling, opening, takes, waitOf } from './openings.ts'
import type { Passage } from './passage.ts'
import { isFever, isTemperature } from './measured.ts'
import { failReasonOfServer, isAwayOutcome, outcomeOf, restrictionOf } from './second-verification.ts'
import { hasStarted, hasEnded } from './validity.ts'

/** What a pending passage waits for. The door stays shut; decide again once it is there or its time is over. */
export type Awaited =
  /** One of these factors, up to an instant in epoch milliseconds. */
  | { what: 'factor'; factors: readonly Factor[]; until: number }
  /** What a sensor says of these, up to an instant in epoch milliseconds. */
  | { what: 'measurement'; of: readonly Measurement[]; until: number }
  /** The server's word on the method tried, within so many milliseconds. */
  | { what: 'secondVerification'; method: AccessMethod; timeoutMs: number }

export interface Step {
  /** What has to be there before this step can be made; null when it can. */
  awaits?(passage: Passage): Awaited | null
  /** The checks of this step, none where it does not concern the passage. The first that fails rejects. */
  checks(passage: Passage): readonly Check[]
  failReason(passage: Passage): FailReason
}

export type Measurement = 'mask' | 'helmet' | 'temperature'

/** A face that names nobody is a stranger's; a genuine card of nobody is one's that is not registered. */
const somebodyIsNamed: Step = {
  checks: (passage) => (passage.first === null ? [] : [checkOfFactor(passage, passage.first)]),
  failReason: ({ evidence, first }) =>
    first === null || first === 'face' || isNobodys(evidence, first) ? failReason.notRegistered : refusalOfFactor(first),
}

const personIsRegistered: Step = {
  checks({ anonymous, claims, person }) {
    return anonymous ? [] : [{ code: 'registered', ok: person !== null && claims[0]?.personId === person.id }]
  },
  failReason: () => failReason.notRegistered,
}

/**
 * Of many faces the nearest is taken, and must lead the best of all others: a face close to two persons is not known to be
 * either. It concerns a face that names the person. Where a card does, the face is compared with one, and no lead is needed.
 */
const faceLeads: Step = {
  checks({ device, evidence, first, person }) {
    const { personId, runnerUp = null } = evidence.face ?? {}
    if (first !== 'face' || runnerUp === null || runnerUp.personId === personId) return []
    const margin = marginBetween(device, person, runnerUp.personId)
    if (margin <= 0) return []
    return [{ code: 'runnerUp', ok: runnerUp.lead >= margin, score: rounded(runnerUp.score), margin: rounded(margin) }]
  },
  failReason: () => failReason.faceVerifyFailed,
}

const factorsAreInTime: Step = {
  checks({ device, evidence, first, others }) {
    const limit = device.factorTimeoutMs ?? null
    if (limit === null || first === null || others.length === 0) return []
    const elapsed = elapsedBetween(evidence, [first, ...others])
    return [{ code: 'factorTime', ok: elapsed !== null && elapsed <= limit, elapsed, limit }]
  },
  failReason: () => failReason.verificationTimedOut,
}

const otherFactorsMatch: Step = {
  checks: (passage) => passage.others.map((factor) => checkOfFactor(passage, factor)),
  failReason(passage) {
    const failed = passage.others.find((factor) => !isMatched(passage, factor))
    return failed ? refusalOfFactor(failed) : failReason.unknown
  },
}

/** Whose card one carries and whose face one has are the same person's, or somebody passes for somebody else. */
const factorsNameOnePerson: Step = {
  checks({ claims }) {
    if (claims.length < 2) return []
    const contacts = new Set(claims.flatMap(({ contactId }) => contactId ?? []))
    return [{ code: 'samePerson', ok: claims.every(({ personId }) => personId === claims[0]?.personId) && contacts.size <= 1 }]
  },
  failReason: () => failReason.substitute,
}

/**
 * Asked once it is certain whose face it is and that nothing else shown speaks against it: a stranger's picture is a stranger's, one
 * that could be two persons' names nobody, and what is told by name is that somebody held up the picture of this person.
 * An engine that cannot tell opens nothing where a living face is demanded.
 */
const faceIsAlive: Step = {
  checks({ device, evidence }) {
    const seen = evidence.face ?? evidence.idPortrait
    if (!device.liveness || !seen) return []
    const { refuses, threshold } = device.liveness
    const score = seen.liveness?.score ?? null
    if (refuses)
      return [
        {
          code: 'liveness',
          ok: score !== null && threshold !== null && score >= threshold,
          score: rounded(score),
          threshold: rounded(threshold),
        },
      ]
    return score === null ? [] : [{ code: 'liveness', ok: true, score: rounded(score), threshold: null }]
  },
  failReason: () => failReason.livenessCheckFailed,
}

const personIsEnabled: Step = {
  checks: ({ anonymous, person }) => (anonymous ? [] : [{ code: 'enabled', ok: person?.enabled === true }]),
  failReason: () => failReason.personReturned,
}

const personIsValid: Step = {
  checks({ anonymous, person, moment }) {
    if (anonymous) return []
    const { validFrom = null, validTo = null } = person ?? {}
    const ok = person !== null && hasStarted(person, moment) && !hasEnded(person, moment)
    return [{ code: 'validity', ok, from: instant(validFrom), to: instant(validTo) }]
  },
  failReason: () => failReason.personReturned,
}

/** A strategy that has ended is as none: the person leaves the terminal by it. */
const strategyCoversPerson: Step = {
  checks: ({ lasting }) => [{ code: 'strategy', ok: lasting.length > 0, count: lasting.length }],
  failReason: () => failReason.noAccessStrategy,
}

/** One yet to begin is a matter of time, like a time rule before its effective date. */
const strategyHasStarted: Step = {
  checks({ inEffect, lasting, moment }) {
    if (inEffect.length > 0) return [{ code: 'strategyBegun', ok: true, from: null }]
    return [{ code: 'strategyBegun', ok: false, from: instant(Math.min(...lasting.map(({ validFrom }) => validFrom ?? moment))) }]
  },
  failReason: () => failReason.outsidePassageTime,
}

const timeRuleIsOpen: Step = {
  checks(passage) {
    const decisive = opening(passage) ?? mostTelling(passage)
    if (!decisive) return [{ code: 'timeRule', ok: false, strategyId: null, ruleId: null, reason: null }]
    return [{ code: 'timeRule', ok: decisive.open, strategyId: decisive.strategy.id, ruleId: decisive.ruleId, reason: decisive.reason }]
  },
  failReason: () => failReason.outsidePassageTime,
}

/** Where one factor more would do, the device waits for it. */
const secondFactorFollows: Step = {
  awaits(passage) {
    const wait = waitOf(passage)
    return wait && passage.moment <= wait.until ? { what: 'factor', ...wait } : null
  },
  checks(passage) {
    const wait = waitOf(passage)
    if (!wait) return []
    const limit = passage.device.factorTimeoutMs ?? null
    return [{ code: 'factorTime', ok: false, elapsed: passage.moment - wait.until + (limit ?? 0), limit }]
  },
  failReason: () => failReason.verificationTimedOut,
}

const methodIsPermitted: Step = {
  checks(passage) {
    const open = opening(passage)
    return [{ code: 'method', ok: open !== null && takes(open, passage.method), method: passage.method }]
  },
  failReason: ({ first, method, others }) =>
    method === null && first !== null && others.length === 0 ? refusalOfFactor(first) : failReasonOf(method),
}

/** Milliseconds a sensor has, from the first factor on, to say what the device decides by. */
const MEASURED_WITHIN_MS = 3_000

/** A sensor may be slower than a camera. */
const sensorsHaveMeasured: Step = {
  awaits({ device, evidence, first, moment }) {
    const { measured = {} } = evidence
    const of = MEASUREMENTS.filter((measurement) => isDemanded(device, measurement) && (measured[measurement] ?? null) === null)
    const until = (first === null ? Number.NaN : (evidence[first]?.seenAt ?? Number.NaN)) + MEASURED_WITHIN_MS
    return of.length > 0 && moment <= until ? { what: 'measurement', of, until } : null
  },
  checks: () => [],
  failReason: () => failReason.unknown,
}

const MEASUREMENTS: readonly Measurement[] = ['temperature', 'mask', 'helmet']

const isDemanded = ({ wear, temperature }: AccessDevice, measurement: Measurement): boolean =>
  measurement === 'temperature' ? (temperature ?? null) !== null : wear?.[measurement] === 'refuse'

/** What no sensor measured is refused too, like a fever: nobody knows that it is none. */
const hasNoFever: Step = {
  checks({ device: { temperature }, evidence }) {
    if (!temperature) return []
    const value = evidence.measured?.temperature ?? null
    const ok = value !== null && isTemperature(value) && !isFever(value, temperature)
    return [{ code: 'temperature', ok, value: rounded(value) }]
  },
  failReason: () => failReason.abnormalTemperature,
}

const wears = (what: 'mask' | 'helmet', reason: FailReason): Step => ({
  checks({ device: { wear }, evidence }) {
    const rule = wear?.[what] ?? 'off'
    if (rule === 'off') return []
    const worn = evidence.measured?.[what] ?? null
    return [{ code: what, ok: rule === 'prompt' || worn === true, worn: worn === null ? null : Number(worn) }]
  },
  failReason: () => reason,
})

/** The server is asked about persons: what names nobody it cannot handle. */
const serverConfirms: Step = {
  awaits({ anonymous, device, evidence, method }) {
    if (!device.secondVerification || evidence.secondVerification || anonymous || method === null) return null
    return { what: 'secondVerification', method, timeoutMs: device.secondVerification.timeoutMs }
  },
  checks(passage) {
    const asks = passage.device.secondVerification
    if (!asks) return []
    const answer = answerTo(passage)
    const outcome = outcomeOf(answer)
    const ok = outcome === 'confirmed' || (asks.offline === 'allow' && isAwayOutcome(outcome))
    return [{ code: 'secondVerification', ok, outcome, restriction: restrictionOf(answer) }]
  },
  failReason: (passage) => failReasonOfServer(answerTo(passage)),
}

/** Made one after the other; the first that fails rejects. */
export const STEPS: readonly Step[] = [
  somebodyIsNamed,
  personIsRegistered,
  faceLeads,
  factorsAreInTime,
  otherFactorsMatch,
  factorsNameOnePerson,
  faceIsAlive,
  personIsEnabled,
  personIsValid,
  strategyCoversPerson,
  strategyHasStarted,
  timeRuleIsOpen,
  secondFactorFollows,
  methodIsPermitted,
  sensorsHaveMeasured,
  hasNoFever,
  wears('mask', failReason.noMask),
  // The specification knows no reason of its own for a missing helmet.
  wears('helmet', failReason.unknown),
  serverConfirms,
]

const answerTo = ({ anonymous, evidence }: Passage) => (anonymous ? undefined : evidence.secondVerification)

function checkOfFactor(passage: Passage, factor: Factor): Check {
  const ok = isMatched(passage, factor)
  if (factor !== 'face') return { code: factor, ok }
  const { score = null, distance = null } = passage.evidence.face ?? {}
  const { face, templates = null } = passage.device.thresholds
  const [threshold, usual] = [rounded(faceThresholdOf(passage)), rounded(face)]
  return {
    code: 'face',
    ok,
    score: rounded(score),
    threshold,
    distance: rounded(distance),
    ...(templates !== null && { templates }),
    ...(usual !== null && usual !== threshold && { usual }),
  }
}

/** Points of score by which a person must lead another one: more where the two are known to be taken for each other. */
export function marginBetween(
  { margin = 0, lookAlikeMargin = 0 }: Pick<AccessDevice, 'margin' | 'lookAlikeMargin'>,
  person: Pick<AccessPerson, 'lookAlikes'> | null,
  otherId: string,
): number {
  return person?.lookAlikes?.includes(otherId) ? Math.max(margin, lookAlikeMargin) : margin
}

/** What is no instant is none. */
const instant = (value: number | null) => (Number.isFinite(value) ? value : null)

/** Four decimals are more than any engine resolves, and keep a record short. */
function rounded(value: number | null): number | null {
  return value === null || !Number.isFinite(value) ? null : Math.round(value * 10_000) / 10_000
}
