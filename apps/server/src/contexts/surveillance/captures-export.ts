/** Export of captured or identified faces to a file, with the texts that screens show and the pictures of the captures. */
import { scoreInWords, type Language } from '@gatehouse/contract'
import { alarmMatchType, resultOrder } from '@gatehouse/contract/enums/alarms'
import en from '@gatehouse/contract/i18n/en/enums.json' with { type: 'json' }
import zhCN from '@gatehouse/contract/i18n/zh-CN/enums.json' with { type: 'json' }
import zhTW from '@gatehouse/contract/i18n/zh-TW/enums.json' with { type: 'json' }
import { captureCalls, captureRecord } from '@gatehouse/contract/surveillance/captures'
import type { Platform } from '../../platform/context.ts'
import { exportKind, type ExportKind } from '../../platform/export-kind.ts'
import type { SheetColumn } from '../../platform/documents/xlsx.ts'
import type { Cursor } from '../../platform/http/newest-first.ts'
import type { Scope } from '../../platform/session/session.ts'
import { fileTexts } from '../../platform/texts.ts'
import type { CaptureFilterQuery, CaptureLists } from './captures.ts'
import * as data from './captures-list-data.ts'

interface ExportOptions {
  filter: data.CaptureFilter
  /** When the export was requested; captures received later are not in it. */
  receivedUntil: number
}

/** A row with an empty name where nobody was found, as masking expects a text. */
type ExportedCapture = data.CaptureRow & { personName: string }

/** Rows read, and reported as progress, at a time. */
const PAGE = 1_000
const matchTypeWords: Record<Language, Readonly<Record<string, string>>> = {
  en: en.alarmMatchType,
  'zh-CN': zhCN.alarmMatchType,
  'zh-TW': zhTW.alarmMatchType,
}

function columnsOf(language: Language): SheetColumn<ExportedCapture>[] {
  const { columns } = fileTexts(language).captures
  const words = matchTypeWords[language]
  const matchTypeOf = ({ matchId, personId }: ExportedCapture): string => {
    if (matchId === null) return ''
    return words[String(personId === null ? alarmMatchType.unmatched : alarmMatchType.matched)] ?? ''
  }
  return [
    { heading: columns.captureTime, kind: 'moment', width: 22, value: ({ captureTime }) => captureTime },
    { heading: columns.deviceName, kind: 'text', width: 20, value: ({ deviceName }) => deviceName },
    { heading: columns.surveillanceName, kind: 'text', width: 20, value: ({ taskName }) => taskName ?? '' },
    { heading: columns.matchType, kind: 'text', width: 16, value: matchTypeOf },
    { heading: columns.personName, kind: 'text', width: 20, value: ({ personName }) => personName },
    { heading: columns.groupName, kind: 'text', width: 20, value: ({ groupName }) => groupName ?? '' },
    {
      heading: columns.score,
      kind: 'decimal',
      width: 12,
      value: ({ score }) => (score === null ? null : Number(scoreInWords(score))),
    },
  ]
}

/** Create the export of the captures of either list, filtered like it, newest first. */
export function createCaptureExport({ db, clock }: Pick<Platform, 'db' | 'clock'>, lists: Pick<CaptureLists, 'filterOf'>): ExportKind {
  async function* pages(scope: Scope, { filter, receivedUntil }: ExportOptions): AsyncGenerator<ExportedCapture[]> {
    let after: Cursor | null = null
    for (;;) {
      const place = { order: resultOrder.newestFirst, after, offset: 0, limit: PAGE }
      const rows: data.CaptureRow[] = await data.listCaptures(scope, db, filter, place)
      const last = rows.at(-1)
      if (last === undefined) return
      yield rows.filter(({ receivedAt }) => receivedAt <= receivedUntil).map((row) => ({ ...row, personName: row.personName ?? '' }))
      if (rows.length < PAGE) return
      after = { time: last.captureTime, id: last.id }
    }
  }

  return exportKind<CaptureFilterQuery, ExportOptions, ExportedCapture>({
    name: 'controlRecord',
    call: captureCalls.export,
    title: (language) => fileTexts(language).captures.title,
    optionsOf: async (scope, filter) => ({ filter: await lists.filterOf(scope, filter), receivedUntil: clock.now() }),
    namesSomebody: ({ filter: { personId, personName = '' } }) => personId !== undefined || personName !== '',
    count: (scope, { filter }, limit) => data.countCaptures(scope, db, filter, limit),
    pages,
    row: captureRecord,
    columns: columnsOf,
    subjectsOf: ({ captureId, personId }) => [captureId, ...(personId === null ? [] : [personId])],
    picturesOf: ({ fileId }) => (fileId === null ? [] : [fileId]),
  })
}
