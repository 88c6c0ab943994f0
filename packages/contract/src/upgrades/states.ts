/** How an upgrade goes: which state may follow which, and what the states of its devices make of a task. */
import type { jobState } from '../enums/common.ts'

export type UpgradeState = (typeof jobState.values)[number]

/**
 * What a device in progress is at. `approval`: nothing is done before a second person has agreed; `waiting`: for its turn, or for the
 * device to come back; `prompt`: for somebody at its screen, or for the night.
 */
export const UPGRADE_STEPS = ['approval', 'waiting', 'told', 'downloading', 'checking', 'prompt', 'installing'] as const
export type UpgradeStep = (typeof UPGRADE_STEPS)[number]

/**
 * Why it failed. `signature`: the package is not signed by a key that the device trusts; `key`: the device has no key to check it by;
 * `unsigned`: the server did not offer it, because the software terminal takes signed packages only. Of a device of another family more
 * may come; consoles show what they do not know.
 */
export const UPGRADE_FAILURES = [
  'md5',
  'packageInvalid',
  'signature',
  'key',
  'unsigned',
  'mismatched',
  'hardware',
  'baseTooLow',
  'noRoom',
  'notStarted',
  'fault',
  'packageManager',
  'unsupported',
  'cancelled',
  'declined',
  'superseded',
] as const
export type UpgradeFailure = (typeof UPGRADE_FAILURES)[number]

/** Whether a second person has to agree, which a forced upgrade needs: `given` and `declined` say what became of it. */
export const UPGRADE_APPROVALS = ['none', 'pending', 'given', 'declined'] as const
export type UpgradeApproval = (typeof UPGRADE_APPROVALS)[number]

/** What a device may say of itself after each state; all else that arrives is late, or a repeat. */
const REPORTABLE: Readonly<Partial<Record<UpgradeState, readonly UpgradeState[]>>> = {
  inProgress: ['inProgress', 'success', 'failed', 'alreadyNewest'],
  success: ['restarted'],
}

/** Whether a device's word moves an upgrade on. */
export const mayFollow = (from: UpgradeState, to: UpgradeState): boolean => REPORTABLE[from]?.includes(to) ?? false

/** Devices of a task by state. */
export type UpgradeCounts = Partial<Record<UpgradeState, number>>

/** State of a task: in progress while one of its devices is; failed where one has not come to the version. */
export function taskStateOf(counts: UpgradeCounts): 'inProgress' | 'success' | 'failed' {
  if ((counts.inProgress ?? 0) > 0) return 'inProgress'
  return (counts.failed ?? 0) + (counts.notRegistered ?? 0) > 0 ? 'failed' : 'success'
}
