/** The server's word on a passage: how asking ended, and the fail reason of all but a confirmation. */
import { failReason } from '@gatehouse/contract/enums'
import { RESTRICTIONS, type FailReason, type Restriction, type SecondVerification } from './evidence.ts'

type Outcome = SecondVerification['outcome']

/** Of a refusal that gives no reason, and of asking in vain. */
const REASONS: Record<Exclude<Outcome, 'confirmed'>, FailReason> = {
  refused: failReason.cloudRefused,
  offline: failReason.cloudNeededButOffline,
  timedOut: failReason.cloudCheckTimedOut,
  failed: failReason.cloudHandlingFailed,
}

/** How asking ended; what cannot be read has failed. */
export function outcomeOf(answer: SecondVerification | undefined): Outcome {
  const outcome = answer?.outcome
  return outcome !== undefined && (outcome === 'confirmed' || Object.hasOwn(REASONS, outcome)) ? outcome : 'failed'
}

/** Why the server's word keeps the door shut: its own reason where it gave one of the specification. */
export function failReasonOfServer(answer: SecondVerification | undefined): FailReason {
  const outcome = outcomeOf(answer)
  if (outcome === 'refused') return failReason.values.find((value) => value === answer?.failReason) ?? REASONS.refused
  return outcome === 'confirmed' ? failReason.unknown : REASONS[outcome]
}

/** Whether the server could not be asked, or not in time: it may have a rule of its own at the device. */
export const isAwayOutcome = (outcome: Outcome): boolean => outcome === 'offline' || outcome === 'timedOut'

/** The rule of an area that refused; null where none did, or one this version does not know. */
export function restrictionOf(answer: SecondVerification | undefined): Restriction | null {
  return outcomeOf(answer) === 'refused' ? (RESTRICTIONS.find((restriction) => restriction === answer?.restriction) ?? null) : null
}
