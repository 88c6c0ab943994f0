import { csvOf } from '@gatehouse/contract/files'
import { visitorImportCalls } from '@gatehouse/contract/visitors/imports'
import type { CallCase, Ground } from './case.ts'

/** Hand in a spreadsheet with one row, which is refused: nobody is invited by it. */
async function importId({ site }: Ground): Promise<string> {
  const file = Buffer.from(
    csvOf([
      ['name', 'phone', 'visitTime'],
      ['Nobody', 'x', 'x'],
    ]),
  )
  return (await site.call(visitorImportCalls.create, { file })).id
}

export const cases: readonly CallCase[] = [
  // A photo of a face is no spreadsheet.
  { call: visitorImportCalls.create, lastWord: [200, 900107] },
  { call: visitorImportCalls.read, given: async (ground) => ({ id: await importId(ground) }) },
  { call: visitorImportCalls.cancel, given: async (ground) => ({ id: await importId(ground) }) },
]
