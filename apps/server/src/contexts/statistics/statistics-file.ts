/** Statistics as a file: the lines and their sum. */
import type { Language } from '@gatehouse/contract'
import type { Statistics, StatisticsCounts, StatisticsRow } from '@gatehouse/contract/statistics/calls'
import type { FileAnswer } from '../../platform/context.ts'
import { CSV_TYPE, csvStreamOf } from '../../platform/documents/csv.ts'
import { XLSX_TYPE, xlsxOf, type SheetColumn } from '../../platform/documents/xlsx.ts'
import { fileTexts } from '../../platform/texts.ts'
import { parkClock } from '../organisation/index.ts'
import { NOTHING, isTime } from './counts.ts'

/** Figures of sensor measurements. */
const MEASURED: readonly (keyof StatisticsCounts)[] = ['checked', 'fever']

export interface FileOptions {
  format: 'xlsx' | 'csv'
  language: Language
  /** Only passages whose temperature was measured. */
  checked: boolean
  /** Whether terminals of the park measure temperatures. */
  temperature: boolean
  /** IANA name. */
  zone: string
  /** Epoch milliseconds. */
  now: number
}

/** Return statistics as a file of the requested format. */
export function statisticsFile(
  { rows, summary, from, to, by }: Statistics,
  { format, language, checked, temperature, zone, now }: FileOptions,
): FileAnswer {
  const { title, checkTitle, columns, keys, all, gone: deleted, noGroup } = fileTexts(language).statistics
  const words = ({ key, name }: StatisticsRow): string => (isTime(by) ? key : name || (key === '' ? noGroup : deleted))
  const number = (name: keyof StatisticsCounts): SheetColumn<[string, StatisticsCounts]> => ({
    heading: columns[name],
    kind: 'number',
    width: 14,
    value: ([, counts]) => counts[name],
  })
  const sheet = {
    name: checked ? checkTitle : title,
    columns: [
      { heading: keys[by], kind: isTime(by) ? by : ('text' as const), width: 24, value: ([name]: [string, StatisticsCounts]) => name },
      ...(Object.keys(NOTHING) as (keyof StatisticsCounts)[])
        .filter((name) => checked || temperature || !MEASURED.includes(name))
        .map(number),
    ],
    rows: (async function* () {
      for (const row of rows) yield [words(row), row] as [string, StatisticsCounts]
      yield [all, summary] as [string, StatisticsCounts]
    })(),
    clock: parkClock(zone, now),
  }
  const filename = `${sheet.name} ${from === to ? from : `${from} – ${to}`}.${format}`
  return format === 'csv'
    ? { bytes: csvStreamOf(sheet), contentType: CSV_TYPE, filename }
    : { bytes: xlsxOf(sheet, now), contentType: XLSX_TYPE, filename }
}
