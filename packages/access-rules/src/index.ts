export { CHECKS_MAX_BYTES, decodeChecks, encodeChecks, type Check, type RuleCheckReason } from './checks.ts'
export { cardNumberOf } from './card-number.ts'
export { decide, type Decision } from './decide.ts'
export { accessDeviceOf, thresholdAt } from './device.ts'
export type { ComparedFaces } from './device.ts'
export { isEntitled, openingsAt, strategyHours, type Door, type Opening } from './entitlement.ts'
export type {
  Evidence,
  FaceEvidence,
  Factor,
  FailReason,
  Measured,
  PersonFactor,
  PlainFactor,
  Restriction,
  SecondVerification,
} from './evidence.ts'
export { personNamed, thresholdFor } from './factors.ts'
export { endOfDay, localDate, localTime, offsetMinutes, startOfDay, type LocalTime } from './local-time.ts'
export { promptsOf, temperatureStatusOf, temperatureText } from './measured.ts'
export {
  CREDENTIAL_KINDS,
  credentialsOf,
  evidenceReported,
  factorsOf,
  isFaceAlone,
  methodOf,
  verifyTypeOf,
  type AccessMethod,
  type CredentialKind,
} from './methods.ts'
export type { AccessDevice, AccessPerson, AccessStrategy, DecisionInput, Period, TimeRule, Validity } from './model.ts'
export { during, minutesOf, openSpans, unionOf, weekDifference, weekMinutes, without, type Span } from './open-hours.ts'
export { marginBetween, type Awaited, type Measurement } from './steps.ts'
export { explainRule, isOpen, nextOpening, type RuleExplanation, type RuleReason } from './time-rule.ts'
export {
  validateAudience,
  validateCombination,
  validateDatesBeside,
  validateStrategy,
  validateTimeRule,
  type AccessIssue,
  type AudienceDraft,
  type StrategyDraft,
  type TimeRuleDraft,
} from './validation.ts'
export { hasStarted, hasEnded, personStatusAt, type PersonStatus } from './validity.ts'
export { NO_HOURS, isOpenNever, newlyWithin, unionOfHours, wallHours, weekOf, weekPeriods, type WallHours } from './wall-hours.ts'
