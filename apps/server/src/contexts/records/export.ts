/** Access records as a file: what is exported of each, in the words and by the clock screens show them in. */
import type { z } from 'zod'
import { temperatureText } from '@gatehouse/access-rules'
import { scoreInWords, type Language } from '@gatehouse/contract'
import { accessRecord, type accessRecordFilter } from '@gatehouse/contract/records/calls'
import { isPseudonym } from '@gatehouse/contract/records/pseudonym'
import { isLowSimilarity } from '@gatehouse/contract/records/refusal'
import { exportCalls } from '@gatehouse/contract/exports/calls'
import type { Measures } from '@gatehouse/contract/organisation/calls'
import en from '@gatehouse/contract/i18n/en/enums.json' with { type: 'json' }
import zhCN from '@gatehouse/contract/i18n/zh-CN/enums.json' with { type: 'json' }
import zhTW from '@gatehouse/contract/i18n/zh-TW/enums.json' with { type: 'json' }
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { exportKind, type ExportKind } from '../../platform/export-kind.ts'
import type { Scope } from '../../platform/session/session.ts'
import { fileTexts } from '../../platform/texts.ts'
import type { CellKind, SheetColumn } from '../../platform/documents/xlsx.ts'
import type { RecordDependencies } from './dependencies.ts'
import { findGroupsAt, readExported } from './export-data.ts'
import { countRecords, type RecordFilter, type RecordRow } from './records-data.ts'
import { findCorrected, windowOf } from './records.ts'
import type { RecordTables } from './schema.ts'

type Filter = Omit<z.output<typeof accessRecordFilter>, 'page' | 'size' | 'pageNo' | 'pageSize' | 'after'>

interface Wish {
  filter: RecordFilter
  /** When it was asked for: what arrived later is not in it. */
  receivedUntil: number
  /** What the park's sensors told then: a column for each. Absent in wishes made before: all of them. */
  measures?: Measures
}

interface ExportedRecord extends RecordRow {
  corrected: boolean
  /** The person's group with those above it; empty for whoever is not of the register. */
  department: string
  /** Empty where the device is gone. */
  deviceCode: string
}

/** Rows read, and noted as read, at a time. */
const PAGE = 1_000
const EVERYTHING: Measures = { temperature: true, mask: true, helmet: true }

const enumWords: Record<Language, typeof en> = { en, 'zh-CN': zhCN, 'zh-TW': zhTW }

/** Degrees; where a sensor failed, its sign. */
function measured(temperature: number | null): number | string {
  const text = temperatureText(temperature)
  return text.endsWith('°') ? Number(text.slice(0, -1)) : text
}

function columnsOf(language: Language, { measures = EVERYTHING }: Pick<Wish, 'measures'>): SheetColumn<ExportedRecord>[] {
  const { columns, corrected, erased, tooLow } = fileTexts(language).accessRecords
  const { contactRelation, passDirection, verifyType, accessResult, failReason, maskStatus, helmetStatus } = enumWords[language]
  /** A value nobody has a word for is shown as it is. */
  const word = (words: Readonly<Record<string, string>>, value: number | null): string =>
    value === null ? '' : (words[String(value)] ?? String(value))
  const column = (
    name: keyof typeof columns,
    width: number,
    value: SheetColumn<ExportedRecord>['value'],
    kind: CellKind = 'text',
  ): SheetColumn<ExportedRecord> => ({ heading: columns[name], kind, width, value })
  return [
    column('time', 22, ({ time }) => time as number, 'moment'),
    column('personName', 20, ({ personId, personName }) => (isPseudonym(personId) ? erased : personName)),
    column('workNumber', 16, (row) => row.workNumber),
    column('department', 24, (row) => row.department),
    column('contact', 24, ({ contactName, contactRelation: relation }) =>
      relation === null ? contactName : `${contactName} (${word(contactRelation, relation)})`,
    ),
    column('deviceName', 20, (row) => row.deviceName),
    column('deviceCode', 16, (row) => row.deviceCode),
    column('direction', 10, ({ direction }) => word(passDirection, direction)),
    column('verifyType', 16, (row) => word(verifyType, row.verifyType)),
    column('result', 12, ({ result }) => word(accessResult, result)),
    column('reason', 32, (row) =>
      [row.corrected ? corrected : '', isLowSimilarity(row) ? tooLow : word(failReason, row.failReason)].filter(Boolean).join(', '),
    ),
    ...(measures.temperature ? [column('temperature', 12, ({ temperature }) => measured(temperature), 'decimal')] : []),
    ...(measures.mask ? [column('mask', 12, ({ mask }) => word(maskStatus, mask))] : []),
    ...(measures.helmet ? [column('helmet', 12, ({ helmet }) => word(helmetStatus, helmet))] : []),
    column('score', 10, ({ score }) => (score === null ? null : Number(scoreInWords(score))), 'decimal'),
  ]
}

/** The records of the list, as its filters narrow it, newest first. */
export function createRecordExport(
  platform: Platform,
  {
    organisation,
    people,
    groups,
    devices,
    measures,
  }: Pick<RecordDependencies, 'organisation' | 'people' | 'groups' | 'devices' | 'measures'>,
): ExportKind {
  const db = platform.db as unknown as Database<RecordTables>

  async function* pages(scope: Scope, { filter, receivedUntil }: Wish): AsyncGenerator<ExportedRecord[]> {
    const [paths, doors] = await Promise.all([groups.paths(scope), devices.all(scope)])
    const codes = new Map(doors.map(({ id, code }) => [id, code]))
    for await (const rows of readExported(scope, db, filter, receivedUntil, PAGE)) {
      const [corrected, groupOf, persons] = await Promise.all([
        findCorrected(
          platform,
          scope,
          rows.map(({ id }) => id),
        ),
        findGroupsAt(scope, db, rows),
        people.facts(scope, [...new Set(rows.flatMap(({ personId }) => personId ?? []))]),
      ])
      // Whoever was erased or deleted is not to be told by a department.
      const registered = new Set(persons.map(({ id }) => id))
      yield rows.map((row) => ({
        ...row,
        corrected: corrected.has(row.id),
        department: registered.has(row.personId ?? '') ? (paths.get(groupOf.get(row.id) ?? '') ?? '') : '',
        deviceCode: codes.get(row.deviceId) ?? '',
      }))
    }
  }

  return exportKind<Filter, Wish, ExportedRecord>({
    name: 'accessRecord',
    call: exportCalls.accessRecord,
    title: (language) => fileTexts(language).accessRecords.title,
    async wishOf(scope, filter) {
      const now = platform.clock.now()
      const window = windowOf(filter, now, organisation.accessSettings(scope).recordDays)
      return { filter: { ...filter, ...window }, receivedUntil: now, measures: await measures(scope) }
    },
    namesSomebody: ({ filter: { personId, personName = '' } }) => personId !== undefined || personName !== '',
    count: (scope, { filter }, limit) => countRecords(scope, db, filter, limit),
    pages,
    row: accessRecord,
    columns: columnsOf,
    subjectsOf: ({ id, personId }) => [id, ...(personId === null ? [] : [personId])],
    picturesOf: ({ captureFileId }) => (captureFileId === null ? [] : [captureFileId]),
  })
}
