/** Access records as a file: what is exported of each, in the words and by the clock screens show them in. */
import type { z } from 'zod'
import { temperatureText } from '@gatehouse/access-rules'
import { scoreInWords, type Language } from '@gatehouse/contract'
import { accessRecord, type accessRecordFilter } from '@gatehouse/contract/access/calls'
import { exportCalls } from '@gatehouse/contract/exports/calls'
import type { Measures } from '@gatehouse/contract/organisation/calls'
import en from '@gatehouse/contract/i18n/en/enums.json' with { type: 'json' }
import zhCN from '@gatehouse/contract/i18n/zh-CN/enums.json' with { type: 'json' }
import zhTW from '@gatehouse/contract/i18n/zh-TW/enums.json' with { type: 'json' }
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database.ts'
import { exportKind, type ExportKind, type SheetManner } from '../../platform/export-kind.ts'
import type { Scope } from '../../platform/session.ts'
import { fileTexts } from '../../platform/texts.ts'
import type { SheetColumn } from '../../platform/xlsx.ts'
import { findCorrected, type Tables as ClinicTables } from './clinic-data.ts'
import type { AccessDependencies } from './dependencies.ts'
import { readExported } from './export-records-data.ts'
import { countRecords, type RecordFilter, type RecordRow } from './records-data.ts'
import { windowOf } from './records.ts'
import type { AccessTables } from './schema.ts'

type Filter = Omit<z.output<typeof accessRecordFilter>, 'page' | 'size' | 'pageNo' | 'pageSize' | 'after'>

interface Wish {
  filter: RecordFilter
  /** When it was asked for: what arrived later is not in it. */
  receivedUntil: number
  /** What the park's sensors told then: a column for each. Absent in wishes made before: all of them. */
  measures?: Measures
}

type ExportedRecord = RecordRow & { corrected: boolean }

/** Rows read, and noted as read, at a time. */
const PAGE = 1_000
const MINUTE = 60_000
const EVERYTHING: Measures = { temperature: true, mask: true, helmet: true }

const enumWords: Record<Language, typeof en> = { en, 'zh-CN': zhCN, 'zh-TW': zhTW }

const two = (number: number): string => String(number).padStart(2, '0')

/** `2026-11-22 18:51:42 +08:00`, the clock of the park at that moment; nothing for what no clock shows. */
function clockText(moment: number, offset: number): string {
  const local = new Date(moment + offset * MINUTE)
  if (Number.isNaN(local.getTime())) return ''
  const ahead = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`
  return `${local
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, '')} ${ahead}`
}

function columnsOf({ language, offsetOf }: SheetManner, { measures = EVERYTHING }: Pick<Wish, 'measures'>): SheetColumn<ExportedRecord>[] {
  const { columns, corrected } = fileTexts(language).accessRecords
  const { contactRelation, passDirection, verifyType, accessResult, failReason, maskStatus, helmetStatus } = enumWords[language]
  /** A value nobody has a word for is shown as it is. */
  const word = (words: Readonly<Record<string, string>>, value: number | null): string =>
    value === null ? '' : (words[String(value)] ?? String(value))
  const column = (name: keyof typeof columns, width: number, value: (row: ExportedRecord) => string): SheetColumn<ExportedRecord> => ({
    heading: columns[name],
    kind: 'text',
    width,
    value,
  })
  return [
    column('time', 28, ({ time }) => clockText(time as number, offsetOf(time as number))),
    column('personName', 20, (row) => row.personName),
    column('workNumber', 16, (row) => row.workNumber),
    column('contact', 24, ({ contactName, contactRelation: relation }) =>
      relation === null ? contactName : `${contactName} (${word(contactRelation, relation)})`,
    ),
    column('deviceName', 20, (row) => row.deviceName),
    column('direction', 10, ({ direction }) => word(passDirection, direction)),
    column('verifyType', 16, (row) => word(verifyType, row.verifyType)),
    column('result', 12, ({ result }) => word(accessResult, result)),
    column('reason', 32, (row) => [row.corrected ? corrected : '', word(failReason, row.failReason)].filter(Boolean).join(', ')),
    ...(measures.temperature ? [column('temperature', 12, ({ temperature }) => temperatureText(temperature))] : []),
    ...(measures.mask ? [column('mask', 12, ({ mask }) => word(maskStatus, mask))] : []),
    ...(measures.helmet ? [column('helmet', 12, ({ helmet }) => word(helmetStatus, helmet))] : []),
    column('score', 10, ({ score }) => scoreInWords(score)),
  ]
}

/** The records of the list, as its filters narrow it, newest first. */
export function createRecordExport(
  platform: Platform,
  { organisation, measures }: Pick<AccessDependencies, 'organisation' | 'measures'>,
): ExportKind {
  const db = platform.db as unknown as Database<AccessTables>
  const corrections = platform.db as unknown as Database<ClinicTables>

  async function* pages(scope: Scope, { filter, receivedUntil }: Wish): AsyncGenerator<ExportedRecord[]> {
    for await (const rows of readExported(scope, db, filter, receivedUntil, PAGE)) {
      const corrected = await findCorrected(
        scope,
        corrections,
        rows.map(({ id }) => id),
      )
      yield rows.map((row) => ({ ...row, corrected: corrected.has(row.id) }))
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
