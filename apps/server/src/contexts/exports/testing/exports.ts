/** Exports as those who ask for them see them, for tests. */
import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'
import type { InputOf } from '@gatehouse/contract'
import { exportStatus } from '@gatehouse/contract/enums'
import { exportCalls, type ExportTask } from '@gatehouse/contract/exports/calls'
import type { Client } from '@gatehouse/dev-env/client'
import { until } from '../../../../../../tests/support/until.ts'

export type ExportBody = InputOf<(typeof exportCalls)['accessRecord']['body']>

/** Asks for records as a file; answers the task's id. */
export async function startExport(client: Pick<Client, 'url' | 'credentials'>, body: ExportBody = {}, language = 'en'): Promise<string> {
  const { bearer } = client.credentials as { bearer: string }
  const headers = { authorization: `Bearer ${bearer}`, 'accept-language': language, 'content-type': 'application/json' }
  const response = await fetch(client.url + exportCalls.accessRecord.url, { method: 'POST', headers, body: JSON.stringify(body) })
  const { code, data } = (await response.json()) as { code: number; data: { id: string } }
  if (response.status !== 200 || code !== 0)
    throw new Error(`an export is answered with ${response.status}, code ${code}: ${JSON.stringify(data)}`)
  return data.id
}

export const progressOf = (client: Pick<Client, 'call'>, id: string): Promise<ExportTask> =>
  client.call(exportCalls.progress, { query: { id } })

/** Waits until a task is in a status. */
export const isAt = (
  client: Pick<Client, 'call'>,
  id: string,
  status: keyof Pick<typeof exportStatus, 'waiting' | 'exporting' | 'exported' | 'failed'>,
): Promise<ExportTask> =>
  until(
    `the export to be ${status}`,
    async () => {
      const task = await progressOf(client, id)
      return task.status === exportStatus[status] ? task : null
    },
    120,
  )

export function fetchExport(
  { url, credentials }: Pick<Client, 'url' | 'credentials'>,
  id: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const { bearer } = credentials as { bearer: string }
  return fetch(`${url}${exportCalls.download.url}?id=${id}`, { headers: { authorization: `Bearer ${bearer}`, ...headers } })
}

/** Asks for a file, waits for it and downloads it. */
export async function exported(
  client: Client,
  body: ExportBody = {},
  language = 'en',
): Promise<{ task: ExportTask; bytes: Buffer; response: Response }> {
  const task = await isAt(client, await startExport(client, body, language), 'exported')
  const response = await fetchExport(client, task.id)
  if (response.status !== 200) throw new Error(`a download is answered with ${response.status}`)
  return { task, response, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** What a zip holds, by path in its order, by a library that has no part in making it. */
export async function partsOfZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true })
  const parts = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) parts.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return parts
}
