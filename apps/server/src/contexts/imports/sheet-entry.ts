/** Rows of spreadsheets as they are entered into an import. */
import { fileSizeIssue } from '@gatehouse/contract/files'
import { newId } from '../../platform/database/ids.ts'
import { sheetParser } from '../../platform/documents/sheet.ts'
import type { SheetRow } from '../../platform/documents/spreadsheet.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { invalid } from './access.ts'
import type { Check } from './check.ts'
import { headOf, headingOf, type Head } from './columns.ts'
import * as data from './data.ts'
import { isExample } from './guide.ts'
import type { ImportsParts } from './parts.ts'
import * as rowsData from './rows-data.ts'
import type { NewRow } from './rows-data.ts'
import type { ImportsService } from './service-types.ts'
import { isNothing, type RowValues } from './values.ts'

/** Rows of one spreadsheet. */
const ROWS_MAX = 50_000
/** Characters of a cell that are kept: more than any field takes. */
export const CELL_MAX = 300
const UNKNOWN_COLUMNS_MAX = 20

/** Return what is stored of a row's values: encrypted, with the keys rows are compared by. */
export async function storedValuesOf(
  check: Check,
  scope: Scope,
  id: string,
  values: RowValues,
): Promise<Pick<NewRow, 'workNumber' | 'name' | 'sealed' | 'keys'>> {
  return {
    workNumber: values.workNumber ?? '',
    name: values.name ?? '',
    sealed: await check.seal(scope, id, values),
    keys: check.keysOf(scope, values),
  }
}

export function createSheetEntry({ platform, people, check, access, answers }: ImportsParts): Pick<ImportsService, 'addRows'> {
  /** Rows of a spreadsheet as they are entered: their cells by field, encrypted. */
  async function newRows(scope: Scope, head: Head, rows: readonly SheetRow[]): Promise<NewRow[]> {
    const entered: NewRow[] = []
    for (const { line, cells } of rows) {
      const values: RowValues = {}
      for (const [at, key] of head.keys.entries()) {
        const text = cells[at] ?? ''
        if (key !== null && !isNothing(key, text)) values[key] = text
      }
      if (Object.keys(values).length === 0 || isExample(values)) continue
      const id = newId()
      entered.push({ id, line, ...(await storedValuesOf(check, scope, id, values)) })
    }
    return entered
  }

  return {
    async addRows(scope, language, id, file) {
      await access.find(scope, id)
      if (file === null) return invalid('required')
      const tooLarge = fileSizeIssue('import', file.size)
      if (tooLarge !== null) throw new InvalidRequest([tooLarge])
      const form = people.form(scope).fields
      const uploadId = newId()
      let [head, count]: [Head | null, number] = [null, 0]
      await access.inTurn(id, async () => {
        const pieces = platform.parsing.pieces(scope, sheetParser, file, { cellMax: CELL_MAX })
        // Its turn comes before the transaction begins: what waits holds nothing.
        const first = await pieces.next()
        await platform
          .transaction(async (tx) => {
            await access.lock(tx, scope, id)
            for (let found = first; found.done !== true; found = await pieces.next()) {
              let rows = found.value
              if (head === null) {
                head = headOf(rows[0]!.cells, form)
                rows = rows.slice(1)
                if (!head.keys.includes('workNumber')) invalid('sheetHead', { columns: headingOf(language, 'workNumber') })
              }
              count += rows.length
              if (count > ROWS_MAX) invalid('sheetRows', { limit: ROWS_MAX })
              await rowsData.insertRows(scope, tx, id, uploadId, await newRows(scope, head, rows))
            }
            if (head === null) invalid('sheetHead', { columns: headingOf(language, 'workNumber') })
            await data.noteUnknownColumns(scope, tx, id, head!.unknown.slice(0, UNKNOWN_COLUMNS_MAX))
            await data.reopenImport(scope, tx, id)
            platform.audit.note({ entity: 'personImport', id, before: {}, after: { rows: count } })
          })
          .finally(() => pieces.return(undefined))
        await check.all(scope, await access.find(scope, id))
      })
      return answers.read(scope, language, id)
    },
  }
}
