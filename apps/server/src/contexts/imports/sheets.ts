/** Files an import hands out: the template with its example, and refused rows in the same form with their reasons. */
import { IMPORT_PAGE_SIZE, type Language } from '@gatehouse/contract'
import { mask } from '@gatehouse/contract/masking'
import type { CustomField } from '@gatehouse/contract/people/form'
import type { FileAnswer, Platform } from '../../platform/context.ts'
import { CSV_TYPE, csvStreamOf } from '../../platform/documents/csv.ts'
import type { Session } from '../../platform/session/session.ts'
import { fileTexts } from '../../platform/texts.ts'
import { XLSX_TYPE, xlsxOf, type Sheet } from '../../platform/documents/xlsx.ts'
import { parkClock } from '../organisation/index.ts'
import type { Check } from './check.ts'
import { columnsOf, labelOf } from './columns.ts'
import * as rowsData from './rows-data.ts'
import { exampleOf, guideSheet } from './guide.ts'
import type { RowValues } from './values.ts'
import { issueIn, issueSeenBy } from './words.ts'

/** What a file for somebody depends on: whom they see, whether masked, and the zone of their park. */
export type FileReader = Pick<Session, 'scope' | 'masking' | 'park'>

interface Line {
  values: RowValues
  reasons: string
}

const MASKED = { name: 'name', phone: 'phone', idNumber: 'idNumber', cardNumber: 'cardNumber' } as const

export function createSheets(platform: Platform, check: Check) {
  const db = platform.db

  function sheetOf(
    { park }: FileReader,
    language: Language,
    form: readonly CustomField[],
    title: string,
    rows: AsyncIterable<Line>,
    reasons: boolean,
  ): Sheet<Line> {
    const columns = columnsOf(language, form).map(({ key, heading, width }) => ({
      heading,
      width,
      kind: 'text' as const,
      value: ({ values }: Line) => values[key] ?? '',
    }))
    const last = { heading: fileTexts(language).imports.reasons, width: 60, kind: 'text' as const, value: (line: Line) => line.reasons }
    return {
      name: title,
      columns: reasons ? [...columns, last] : columns,
      rows,
      clock: parkClock(park.zone, platform.clock.now()),
    }
  }

  async function* refusedRows(
    session: FileReader,
    language: Language,
    form: readonly CustomField[],
    importId: string,
  ): AsyncGenerator<Line> {
    for (let page = 1; ; page++) {
      const { content } = await rowsData.listRows(session.scope, db, importId, { page, size: IMPORT_PAGE_SIZE, outcome: 'refused' })
      for (const row of content) {
        const values: RowValues = row.sealed === null ? { workNumber: row.workNumber } : await check.valuesOf(session.scope, row)
        if (session.masking)
          for (const [field, kind] of Object.entries(MASKED)) if (values[field] !== undefined) values[field] = mask(kind, values[field])
        const reasons = row.issues.map((issue) => {
          const [label, { words }] = [labelOf(language, form, issue.field), issueIn(language, issueSeenBy(session.scope, issue))]
          return label === '' ? words : `${label}: ${words}`
        })
        yield { values, reasons: reasons.join(' ') }
      }
      if (content.length < IMPORT_PAGE_SIZE) return
    }
  }

  return {
    template(session: FileReader, language: Language, form: readonly CustomField[], format: 'xlsx' | 'csv'): FileAnswer {
      const title = fileTexts(language).imports.template
      const rows = (async function* () {
        yield { values: exampleOf(language, form), reasons: '' }
      })()
      const sheet = sheetOf(session, language, form, title, rows, false)
      return format === 'csv'
        ? { bytes: csvStreamOf(sheet), contentType: CSV_TYPE, filename: `${title}.csv` }
        : {
            bytes: xlsxOf(sheet, platform.clock.now(), guideSheet(language, form, sheet.clock)),
            contentType: XLSX_TYPE,
            filename: `${title}.xlsx`,
          }
    },
    refused(session: FileReader, language: Language, form: readonly CustomField[], importId: string): FileAnswer {
      const title = fileTexts(language).imports.refused
      const sheet = sheetOf(session, language, form, title, refusedRows(session, language, form, importId), true)
      return { bytes: xlsxOf(sheet, platform.clock.now()), contentType: XLSX_TYPE, filename: `${title}.xlsx` }
    },
  }
}
