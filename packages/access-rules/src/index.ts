export { CHECKS_MAX_BYTES, decodeChecks, encodeChecks, type Check, type RuleCheckReason } from './checks.ts'
export { decide, type Decision } from './decide.ts'
export { endOfDay, localDate, localTime, offsetMinutes, startOfDay, type LocalTime } from './local-time.ts'
export type { FailReason } from './methods.ts'
export type {
  AccessDevice,
  AccessPerson,
  AccessStrategy,
  DecisionInput,
  Evidence,
  FaceEvidence,
  Period,
  TimeRule,
  Validity,
} from './model.ts'
export { explainRule, isOpen, nextOpening, type RuleExplanation, type RuleReason } from './time-rule.ts'
export { validateStrategy, validateTimeRule, type AccessIssue, type StrategyDraft, type TimeRuleDraft } from './validation.ts'
export { personStatusAt, type PersonStatus } from './validity.ts'
