import { csvOf } from '@gatehouse/contract/files'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { addressOf, type Call } from '@gatehouse/contract'
import type { Site } from '@gatehouse/dev-env/world'
import type { Given } from '../requests.ts'
import type { CallCase, ScreenParameters } from './case.ts'

async function handIn({ client }: Site, call: Call, id: string, content: string | Uint8Array, filename: string): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), filename)
  const { bearer } = client.credentials as { bearer: string }
  const response = await fetch(client.url + addressOf(call, { id }), {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}` },
    body: form,
  })
  if (response.status !== 200) throw new Error(`handing in ${filename} is answered with ${response.status}`)
}

/** One pixel is no photo, but is a file with a name. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAGQAAABkAQAAAABYmaj5AAAAEklEQVR4nGNgGAWjYBSMgqENAAPoAAEaWUdRAAAAAElFTkSuQmCC',
  'base64',
)

/** Create an import with a row and a photo that belongs to no person yet. @param group named by the row */
async function made(site: Site, group = ''): Promise<Given> {
  const { id: groupId } = await site.personGroup()
  const { id } = await site.call(importCalls.create, { body: { groupId } })
  await handIn(
    site,
    importCalls.addRows,
    id,
    csvOf([
      ['name', 'workNumber', 'groupName'],
      ['Somebody', `rung-${id}`, group],
    ]),
    'people.csv',
  )
  await handIn(site, importCalls.addPhotos, id, PICTURE, 'nobody.png')
  const {
    content: [row],
  } = await site.call(importCalls.rows, { params: { id }, query: {} })
  const {
    content: [photo],
  } = await site.call(importCalls.strayPhotos, { params: { id }, query: {} })
  return { id, rowId: row!.id, photoId: photo!.id, workNumber: 'none' }
}

const given: CallCase['given'] = ({ site }) => made(site)

export const cases: readonly CallCase[] = [
  { call: importCalls.read, given },
  // A photo of a face is no spreadsheet.
  { call: importCalls.addRows, given, lastWord: [200, 900107] },
  { call: importCalls.addPhotos, given },
  { call: importCalls.rows, given },
  { call: importCalls.changeRow, given: async ({ site }) => ({ ...(await made(site)), values: { name: 'Another' } }) },
  { call: importCalls.addGroup, given: ({ site }) => made(site, 'Missing') },
  { call: importCalls.strayPhotos, given },
  { call: importCalls.assignPhoto, given },
  { call: importCalls.start, given },
  { call: importCalls.cancel, given },
  { call: importCalls.delete, given },
  { call: importCalls.refused, given },
]

/** What the parameters of screens name. */
export const screens = {
  staffImportDetail: { id: importCalls.read },
} satisfies ScreenParameters
