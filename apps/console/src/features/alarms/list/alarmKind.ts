/** What a kind of alarms adds to the list and the dialog that all kinds share. */
import type { ReactNode } from 'react'
import type { CaseAlarmKind } from '@gatehouse/contract/alarms/cases'
import type { EnumLike } from '../../../kit/detail/EnumTag.tsx'

/** The fields that alarms of every kind have. */
export interface AlarmRow {
  id: string
  level: number
  status: number
  deviceId: string
  deviceName: string
  /** Name of the user who handled it last. */
  operator: string
  dealingRecord: string
  dealtAt: number | null
}

/** A way to end an alarm; the first three are chosen by the keys 1, 2 and 3. */
export interface Decision {
  name: string
  label: string
  /** The one that is meant where nothing speaks against it. */
  isUsual?: boolean
}

/** How alarms of a kind are handled by a session that may. */
export interface AlarmHandling<Row extends AlarmRow> {
  /** Whether the user can begin to deal with it; kinds without such a state have none. */
  canBegin?: (row: Row) => boolean
  begin?: (row: Row) => Promise<unknown>
  canDecide: (row: Row) => boolean
  decisions: readonly Decision[]
  /** @param record what the user wrote, empty for nothing */
  decide: (row: Row, decision: string, record: string) => Promise<unknown>
}

export interface AlarmKind<Row extends AlarmRow> {
  statuses: EnumLike
  /** Its kind in cases. */
  inCases: CaseAlarmKind
  /** What happened, in the title of the dialog. */
  titleOf: (row: Row) => string
  /** All about one alarm; rows of a kind may hold less than its detail reads. */
  detail: (row: Row) => ReactNode
  /** Absent: the session may not handle alarms. */
  handling: AlarmHandling<Row> | undefined
}
