/** Export of access records to a file, with the texts and the local times that screens show. */
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
import { exportKind, type ExportKind } from '../../platform/export-kind.ts'
import { momentsOf } from '../../platform/http/newest-first.ts'
import type { Scope } from '../../platform/session/session.ts'
import { fileTexts } from '../../platform/texts.ts'
import type { CellKind, SheetColumn } from '../../platform/documents/xlsx.ts'
import type { RecordDependencies } from './dependencies.ts'
import { findGroupsAt, readExported } from './export-data.ts'
import { countRecords, type RecordFilter, type RecordRow } from './records-data.ts'
import { findCorrected } from './record-answers.ts'

type Filter = Omit<z.output<typeof accessRecordFilter>, 'page' | 'size' | 'pageNo' | 'pageSize' | 'after'>

interface ExportOptions {
  filter: RecordFilter
  /** When the export was requested; records received later are not in it. */
  receivedUntil: number
  /** The values that the park's sensors had measured by then, a column for each. Absent in options of earlier versions: all columns. */
  measures?: Measures
}

interface ExportedRecord extends RecordRow {
  corrected: boolean
  /** The path of the person's group; empty for a person who is not registered. */
  department: string
  /** Empty where the device is deleted. */
  deviceCode: string
}

/** Rows read, and reported as progress, at a time. */
const PAGE = 1_000
const EVERYTHING: Measures = { temperature: true, mask: true, helmet: true }

const enumWords: Record<Language, typeof en> = { en, 'zh-CN': zhCN, 'zh-TW': zhTW }

/** Return the degrees; where the sensor failed, the mark of the failure. */
function measured(temperature: number | null): number | string {
  const text = temperatureText(temperature)
  return text.endsWith('°') ? Number(text.slice(0, -1)) : text
}

function columnsOf(language: Language, { measures = EVERYTHING }: Pick<ExportOptions, 'measures'>): SheetColumn<ExportedRecord>[] {
  const { columns, corrected, erased, tooLow } = fileTexts(language).accessRecords
  const { contactRelation, passDirection, verifyType, accessResult, failReason, maskStatus, helmetStatus } = enumWords[language]
  /** Return the text of a value; a value without a text is shown as it is. */
  const word = (words: Readonly<Record<string, string>>, value: number | null): string =>
    value === null ? '' : (words[String(value)] ?? String(value))
  const column = (
    name: keyof typeof columns,
    width: number,
    value: SheetColumn<ExportedRecord>['value'],
    kind: CellKind = 'text',
  ): SheetColumn<ExportedRecord> => ({ heading: columns[name], kind, width, value })
  return [
    column('time', 22, ({ time }) => time, 'moment'),
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

/** Create the export of the records of the list, filtered like the list, newest first. */
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
  const db = platform.db

  async function* pages(scope: Scope, { filter, receivedUntil }: ExportOptions): AsyncGenerator<ExportedRecord[]> {
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
      // A department must not identify a person who was erased or deleted.
      const registered = new Set(persons.map(({ id }) => id))
      yield rows.map((row) => ({
        ...row,
        corrected: corrected.has(row.id),
        department: registered.has(row.personId ?? '') ? (paths.get(groupOf.get(row.id) ?? '') ?? '') : '',
        deviceCode: codes.get(row.deviceId) ?? '',
      }))
    }
  }

  return exportKind<Filter, ExportOptions, ExportedRecord>({
    name: 'accessRecord',
    call: exportCalls.accessRecord,
    title: (language) => fileTexts(language).accessRecords.title,
    async optionsOf(scope, filter) {
      const now = platform.clock.now()
      const window = momentsOf(filter, now, organisation.accessSettings(scope).recordDays)
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
