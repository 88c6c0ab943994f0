/** Cases: chosen alarms exported as one file, with their pictures, the steps of their handling, and notes. */
import { z } from 'zod'
import type { Language, OutputOf } from '@gatehouse/contract'
import { caseAlarm, caseCalls, type CaseAlarmKind } from '@gatehouse/contract/alarms/cases'
import type { Platform } from '../../platform/context.ts'
import { exportKind, type ExportKind } from '../../platform/export-kind.ts'
import type { Scope } from '../../platform/session/session.ts'
import { fileTexts } from '../../platform/texts.ts'
import type { CellKind, SheetColumn } from '../../platform/documents/xlsx.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { AlarmKind, CaseEntry } from './kinds.ts'
import { enumWord } from './alarm-words.ts'
import { clockText, subjectText } from './case-words.ts'

type Filter = Omit<OutputOf<(typeof caseCalls)['export']['body']>, 'format'>
interface CaseOptions extends Filter {
  /** When the case was asked for. */
  at: number
}

/** The case itself, which is the first row, or one of its alarms. */
interface CaseRow {
  about: { name: string; notes: string; at: number } | null
  alarm: (CaseEntry & { kind: CaseAlarmKind }) | null
  /** Zone of the park, for the moments of steps. */
  zone: string
}

const row = z.object({ alarm: caseAlarm.nullable() })

/** Enums that say the status of an alarm. */
const STATUS_OF = {
  face: 'alarmHandlingStatus',
  deviceEvent: 'alarmHandlingStatusAlt',
  aiBox: 'alarmHandlingStatusAlt',
  rule: 'alarmHandlingStatusAlt',
  maintenance: 'alarmHandlingStatusAlt',
} as const satisfies Record<CaseAlarmKind, string>

function columnsOf(language: Language): SheetColumn<CaseRow>[] {
  const { columns, kinds, case: caseWord } = fileTexts(language).alarmCases
  const statusOf = (kind: CaseAlarmKind, status: number) => enumWord(language, STATUS_OF[kind], status)
  const column = (name: keyof typeof columns, width: number, value: SheetColumn<CaseRow>['value'], kind: CellKind = 'text') => ({
    heading: columns[name],
    kind,
    width,
    value,
  })
  return [
    column('kind', 16, ({ alarm }) => (alarm === null ? caseWord : kinds[alarm.kind])),
    column('time', 22, ({ about, alarm }) => alarm?.time ?? about?.at ?? null, 'moment'),
    column('subject', 24, ({ about, alarm }) => (alarm === null ? (about?.name ?? '') : subjectText(language, alarm.kind, alarm.subject))),
    column('deviceName', 20, ({ alarm }) => alarm?.deviceName ?? ''),
    column('personName', 20, ({ alarm }) => alarm?.personName ?? ''),
    column('level', 10, ({ alarm }) => (alarm === null ? '' : enumWord(language, 'alarmLevel', alarm.level))),
    column('count', 10, ({ alarm }) => alarm?.count ?? null, 'number'),
    column('status', 14, ({ alarm }) => (alarm === null ? '' : statusOf(alarm.kind, alarm.status))),
    column('handling', 48, ({ alarm, zone }) =>
      (alarm?.steps ?? [])
        .map(({ status, operator, time, record }) =>
          [clockText(time, zone), operator, statusOf(alarm!.kind, status), record].filter((part) => part !== '').join(' · '),
        )
        .join('\n'),
    ),
    column('notes', 48, ({ about }) => about?.notes ?? ''),
  ]
}

/** Create the export of a case; alarms that its user may not see are left out. */
export function createCaseExport(
  { clock }: Pick<Platform, 'clock'>,
  organisation: Pick<OrganisationService, 'park'>,
  kinds: readonly AlarmKind[],
): ExportKind {
  /** Return the alarms in the order in which they were chosen. */
  async function alarmsOf(scope: Scope, { alarms }: Pick<CaseOptions, 'alarms'>): Promise<NonNullable<CaseRow['alarm']>[]> {
    const found = new Map<string, NonNullable<CaseRow['alarm']>>()
    for (const [kind, chosen] of Map.groupBy(alarms, (alarm) => alarm.kind)) {
      const entries = await kinds
        .find(({ name }) => name === kind)!
        .forCase(
          scope,
          chosen.map(({ id }) => id),
        )
      for (const entry of entries) found.set(`${kind} ${entry.id}`, { ...entry, kind })
    }
    return [...new Set(alarms.map(({ kind, id }) => `${kind} ${id}`))].flatMap((key) => found.get(key) ?? [])
  }

  async function* pages(scope: Scope, options: CaseOptions): AsyncGenerator<CaseRow[]> {
    const { zone } = organisation.park(scope)
    const { name, notes, at } = options
    const alarms = await alarmsOf(scope, options)
    yield [{ about: { name, notes, at }, alarm: null, zone }, ...alarms.map((alarm): CaseRow => ({ about: null, alarm, zone }))]
  }

  return exportKind<Filter, CaseOptions, CaseRow>({
    name: 'alarmCase',
    call: caseCalls.export,
    title: (language) => fileTexts(language).alarmCases.title,
    optionsOf: (_, filter) => ({ ...filter, at: clock.now() }),
    // Its notes may.
    namesSomebody: () => true,
    async count(scope, options) {
      const { length } = await alarmsOf(scope, options)
      return length === 0 ? 0 : length + 1
    },
    pages,
    row,
    columns: columnsOf,
    subjectsOf: ({ alarm }) => (alarm === null ? [] : [alarm.id, ...(alarm.personId === null ? [] : [alarm.personId])]),
    picturesOf: ({ alarm }) => alarm?.fileIds ?? [],
  })
}
