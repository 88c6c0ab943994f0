/** What escalation and cases ask of each kind of alarm, so that they know none of them by itself. */
import type { CaseAlarm } from '@gatehouse/contract/alarms/cases'
import { sql, type Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

export const ALARM_KINDS = ['face', 'deviceEvent', 'aiBox', 'rule', 'temperature', 'maintenance'] as const
export type AlarmKindName = (typeof ALARM_KINDS)[number]

/** Age of what an alarm is about when it is raised, beyond which it is not escalated: nobody can still do something about it. */
export const LONG_AGO = sql`interval '1 day'`

/** Alarms that nobody has dealt with in time. */
export interface OverdueQuery {
  /** Raised by this moment. */
  until: number
  /** Raised from this moment on. */
  since: number
  minLevel: number
  limit: number
}

/** An alarm that is reported because nobody has dealt with it. It names no person: whoever reads it may not see everybody. */
export interface OverdueAlarm {
  id: string
  time: number
  level: number
  deviceName: string
  /** Key of the text that says what it is about, within the words of its kind; empty where the kind says enough. */
  subject: string
}

/** An alarm of a case, and its pictures. */
export interface CaseEntry extends Omit<CaseAlarm, 'kind'> {
  fileIds: readonly string[]
}

export interface AlarmKind {
  name: AlarmKindName
  /** Alarms of a park that were not escalated yet, earliest first, without those about what happened long before they were raised. */
  overdue(scope: Scope, query: OverdueQuery): Promise<OverdueAlarm[]>
  /** Mark alarms as escalated, and announce them so that live screens show them again; return the ids of those that were still to be. */
  markEscalated(tx: Transaction, scope: Scope, ids: readonly string[], now: number): Promise<string[]>
  /** Return those of these alarms that the caller may see, in their order. */
  forCase(scope: Scope, ids: readonly string[]): Promise<CaseEntry[]>
}
