/** Whether a person or a strategy is within its time. */
import { personStatus, type ValueOf } from '@gatehouse/contract/enums'
import type { AccessPerson, Validity } from './model.ts'

export type PersonStatus = ValueOf<typeof personStatus>

/** Whether a validity has started: `validFrom` is its first instant. */
export function hasStarted({ validFrom }: Validity, moment: number): boolean {
  return moment >= (validFrom ?? -Infinity)
}

/** Whether a validity is over: `validTo` is its last instant. An end that is no number is over. */
export function hasEnded({ validTo }: Validity, moment: number): boolean {
  return !(moment <= (validTo ?? Infinity))
}

/**
 * Status of a person at an instant: 0 disabled, 1 enabled, 2 expired. Disabled wins. Somebody whose validity has not
 * begun is enabled, and is not let in yet.
 */
export function personStatusAt(person: Pick<AccessPerson, 'enabled' | 'validTo'>, moment: number): PersonStatus {
  if (!person.enabled) return personStatus.disabled
  return hasEnded(person, moment) ? personStatus.expired : personStatus.enabled
}
