import { importCalls } from '@gatehouse/contract/imports/calls'
import { addressOf } from '@gatehouse/contract'
import type { Client } from '@gatehouse/dev-env/client'

/** Add the rows of a sheet to an import. */
export async function addSheet(client: Client, url: string, id: string, lines: readonly string[]): Promise<void> {
  const sheet = new FormData()
  sheet.append('file', new Blob([`\uFEFF${lines.join('\r\n')}\r\n`]), 'people.csv')
  await fetch(url + addressOf(importCalls.addRows, { id }), {
    method: 'POST',
    headers: { authorization: `Bearer ${(client.credentials as { bearer: string }).bearer}`, 'accept-language': 'en' },
    body: sheet,
  })
}
