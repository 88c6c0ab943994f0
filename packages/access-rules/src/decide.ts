/**
 * The access decision: an ordered list of steps, the first that fails rejects. It stands on its input alone, so a
 * terminal decides offline as the server would.
 */
import type { Check } from './checks.ts'
import type { FailReason } from './evidence.ts'
import type { DecisionInput } from './model.ts'
import { contactOf, passageOf, type Passage } from './passage.ts'
import { STEPS, type Awaited } from './steps.ts'

export interface Decision {
  /** `pending`: nothing speaks against it so far, and what `awaits` tells is missing. No record is made of it. */
  verdict: 'allowed' | 'rejected' | 'pending'
  /** Null unless rejected. */
  failReason: FailReason | null
  /** Null unless pending. */
  awaits: Awaited | null
  /** The person recognised, kept when they are rejected, also for want of a lead over the next; null for a stranger. */
  personId: string | null
  /** The contact who came in their place; null for the person. */
  contactId: string | null
  /** Revision of the settings it was decided on. */
  revision: string
  /** In the order they were made; the last one is the one that rejected. */
  checks: Check[]
}

/**
 * Decides one passage. Anything missing or unreadable rejects. A pending passage is decided again with more evidence: the
 * second factor, at a later moment, or how asking the server ended.
 * @throws RangeError when the device's zone is unknown
 */
export function decide(input: DecisionInput): Decision {
  const passage = passageOf(input)
  const checks: Check[] = []
  const decision = (verdict: Decision['verdict'], failReason: FailReason | null, awaits: Awaited | null): Decision => ({
    verdict,
    failReason,
    awaits,
    ...recognised(passage, checks),
    revision: input.revision,
    checks,
  })
  for (const step of STEPS) {
    const awaits = step.awaits?.(passage) ?? null
    if (awaits) return decision('pending', null, awaits)
    for (const check of step.checks(passage)) {
      checks.push(check)
      if (!check.ok) return decision('rejected', step.failReason(passage), null)
    }
  }
  return decision('allowed', null, null)
}

/** Who came, once the person is known to be the one the evidence names. */
function recognised({ claims, person }: Passage, checks: readonly Check[]): Pick<Decision, 'personId' | 'contactId'> {
  const isRecognised = checks.some(({ code, ok }) => code === 'registered' && ok)
  return { personId: isRecognised ? (person?.id ?? null) : null, contactId: isRecognised ? contactOf(claims) : null }
}
