/** What matching needs of monitoring tasks. */
import type { Scope } from '../../platform/session/session.ts'

/** A task as matching needs it. */
export interface WatchingTask {
  id: string
  name: string
  /** Its groups with all groups below them. */
  groupIds: ReadonlySet<string>
  /** Raw score from which a face counts as a person's. */
  score: number
  /** Whether a person's own threshold counts where it is higher. */
  ownThresholds: boolean
  lowThreshold: number
  highThreshold: number
  strangerAlarm: boolean
  alarmSound: number
  repeatSeconds: number
}

export interface Watching {
  /**
   * Tasks that look out at a device at a moment: in control then, and within their hours by the clock of the park. From memory, kept
   * current on each node.
   */
  at(scope: Scope, deviceId: string, moment: number): Promise<readonly WatchingTask[]>
}
