/** Alarms for live screens. */
import type { Scope } from '../../platform/session/session.ts'

/** The rows of one kind of alarm, as live screens show them. */
export interface LiveRows<Row = unknown> {
  /** Return those of these alarms that the scope sees, in the order of the ids. */
  rows(scope: Scope, ids: readonly string[]): Promise<Row[]>
  /** Return those of the ids that the scope sees, in their order. */
  seen(scope: Scope, ids: readonly string[]): Promise<string[]>
}

export type LiveAlarms = Readonly<Record<'faces' | 'rules' | 'boxes' | 'deviceEvents' | 'maintenance', LiveRows>>
