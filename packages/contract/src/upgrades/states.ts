/** Progress of an upgrade: which state may follow which, and the state of a task from the states of its devices. */
import type { jobState } from '../enums/common.ts'

export type UpgradeState = (typeof jobState.values)[number]

/**
 * Step of a device in progress. `approval`: nothing is done before another user has approved it; `waiting`: for its turn, or for the device
 * to reconnect; `told`: the device was notified; `prompt`: waiting for a person at its screen, or for the night.
 */
export const UPGRADE_STEPS = ['approval', 'waiting', 'told', 'downloading', 'checking', 'prompt', 'installing'] as const
export type UpgradeStep = (typeof UPGRADE_STEPS)[number]

/**
 * Reason why an upgrade failed. `signature`: the package is not signed by a key that the device trusts; `key`: the device has no key to
 * check it by; `unsigned`: the server did not offer it, because the software terminal accepts signed packages only. Another family of
 * devices may report further reasons; consoles show unknown ones as they are.
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

/** Approval by another user, which a forced upgrade needs: `given` and `declined` are its results. */
export const UPGRADE_APPROVALS = ['none', 'pending', 'given', 'declined'] as const
export type UpgradeApproval = (typeof UPGRADE_APPROVALS)[number]

/** States that a device may report after each state; any other report is late or repeated. */
const REPORTABLE: Readonly<Partial<Record<UpgradeState, readonly UpgradeState[]>>> = {
  inProgress: ['inProgress', 'success', 'failed', 'alreadyNewest'],
  success: ['restarted'],
}

/** Return whether a device's report changes the state of an upgrade. */
export const mayFollow = (from: UpgradeState, to: UpgradeState): boolean => REPORTABLE[from]?.includes(to) ?? false

/** Number of devices of a task by state. */
export type UpgradeCounts = Partial<Record<UpgradeState, number>>

/** Return the state of a task: in progress while one of its devices is; failed if one has not reached the version. */
export function taskStateOf(counts: UpgradeCounts): 'inProgress' | 'success' | 'failed' {
  if ((counts.inProgress ?? 0) > 0) return 'inProgress'
  return (counts.failed ?? 0) + (counts.notRegistered ?? 0) > 0 ? 'failed' : 'success'
}
