/** Each plain field passes through everything that a person does, and comes out unchanged. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf } from '@gatehouse/contract'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { csvOf, csvRowsOf, csvTextOf } from '@gatehouse/contract/files'
import texts from '@gatehouse/contract/i18n/en/files.json' with { type: 'json' }
import { importCalls } from '@gatehouse/contract/imports/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { PLAIN_FIELDS } from '@gatehouse/contract/people/plain-fields'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { formOf, personsOf } from '../../../../../tests/support/persons.ts'
import { until } from '../../../../../tests/support/until.ts'
import { snakeCase } from '../../platform/database/names.ts'
import { PLAIN_COLUMNS } from './schema.ts'

let world: World
let site: Site
let persons: ReturnType<typeof personsOf>
beforeAll(async () => {
  world = await startWorld()
  site = await world.addPark()
  persons = personsOf(site)
})
afterAll(() => world?.stop())

const headersOf = ({ client }: Site) => ({
  authorization: `Bearer ${(client.credentials as { bearer: string }).bearer}`,
  'accept-language': 'en',
})

async function csvFrom(from: Site, address: string): Promise<string[][]> {
  const response = await fetch(`${world.url}${address}`, { headers: headersOf(from) })
  expect(response.status).toBe(200)
  return csvRowsOf(csvTextOf(new Uint8Array(await response.arrayBuffer()))!)
}

/** Upload these rows and run the import. */
async function imported(into: Site, rows: readonly (readonly string[])[]) {
  const { id: groupId } = await into.personGroup()
  const { id } = await into.call(importCalls.create, { body: { groupId, mode: 'createAndChange' } })
  const form = new FormData()
  form.append('file', new Blob([csvOf(rows)]), 'people.csv')
  const answer = await fetch(into.client.url + addressOf(importCalls.addRows, { id }), {
    method: 'POST',
    headers: headersOf(into),
    body: form,
  })
  expect(await answer.json()).toMatchObject({ code: 0, data: { issues: [] } })
  await into.call(importCalls.start, { params: { id }, body: {} })
  const read = () => into.call(importCalls.read, { params: { id } })
  await until('the import to end', async () => (await read()).state === 'done')
  return (await read()).rows
}

const listed = async (from: Site, filter: { groupId?: string; workNumber?: string }) =>
  (await from.call(peopleCalls.list, { query: filter })).content

describe.each(PLAIN_FIELDS)('%s', (field) => {
  const heading = texts.persons.columns[field]
  const [one, other] = ['One of ’em, "so"', '另一个']

  test('is stored in its column, and nothing of it where it is empty', async () => {
    const stored = async (id: string) =>
      (
        await query<{ value: string | null }>(
          world.connectionString,
          `select ${snakeCase(PLAIN_COLUMNS[field])} as value from person where id = $1`,
          [id],
        )
      )[0]
    const id = await persons.made({ [field]: ` ${one} ` })
    expect(await stored(id)).toEqual({ value: one })
    await persons.change(id, { [field]: '' })
    expect(await stored(id)).toEqual({ value: null })
    expect((await persons.read(id))[field]).toBe('')
    expect(await persons.create({ [field]: 'x'.repeat(101) })).toMatchObject({ code: 200225 })
  })

  test('is answered by itself and in lists, and stays what it was where a change leaves it out', async () => {
    const id = await persons.made({ workNumber: `answered ${field}`, [field]: one })
    expect((await persons.read(id))[field]).toBe(one)
    expect((await listed(site, { workNumber: `answered ${field}` })).map((person) => person[field])).toEqual([one])
    await persons.change(id, { [field]: undefined, remark: 'Other' })
    expect(await persons.read(id)).toMatchObject({ [field]: one, remark: 'Other' })
  })

  test('stands in the operation log, and is named where two change it at once', async () => {
    const id = await persons.made({ [field]: one })
    const form = formOf(await persons.read(id))
    expect(await site.ask(peopleCalls.change, { body: { ...form, [field]: other } })).toMatchObject({ code: 0 })
    const { content } = await site.call(auditCalls.operations, { query: {} })
    const { changes } = await site.call(auditCalls.operation, { params: { id: content[0]!.id } })
    expect(changes[0]!.fields).toEqual([expect.objectContaining({ field, before: one, after: other })])
    const late = await site.ask(peopleCalls.change, { body: { ...form, [field]: 'third' } })
    expect(late).toMatchObject({ status: 409, data: { fields: [{ path: field, rule: 'conflict' }] } })
  })

  test('is copied', async () => {
    const id = await persons.made({ [field]: one })
    const { id: groupId } = await site.personGroup()
    await site.call(peopleCalls.copy, { body: { ids: [id], groupId } })
    expect((await listed(site, { groupId })).map((person) => person[field])).toEqual([one])
  })

  test('is exported, and imported from what was exported', async () => {
    const id = await persons.made({ workNumber: `sent ${field}`, [field]: one })
    const sheet = await csvFrom(site, `${peopleCalls.export.url}?format=csv&ids=${id}`)
    // The other park has no such group.
    const group = sheet[0]!.indexOf(texts.persons.columns.groupName)
    const rows = sheet.map((row) => row.toSpliced(group, 1))
    const at = rows[0]!.indexOf(heading)
    expect(rows[1]![at]).toBe(one)
    const elsewhere = await world.addPark()
    expect(await imported(elsewhere, rows)).toMatchObject({ create: 1, refused: 0 })
    expect((await listed(elsewhere, {})).map((person) => person[field])).toEqual([one])
    // A second time it is unchanged; another text changes it.
    expect(await imported(elsewhere, rows)).toMatchObject({ same: 1, change: 0 })
    expect(await imported(elsewhere, [rows[0]!, rows[1]!.with(at, other)])).toMatchObject({ same: 0, change: 1 })
    expect((await listed(elsewhere, {})).map((person) => person[field])).toEqual([other])
  })

  test('is a column of the template, with an example', async () => {
    const [headings, example] = await csvFrom(site, `${importCalls.template.url}?format=csv`)
    expect(example![headings!.indexOf(heading)]).toMatch(/./)
  })
})
