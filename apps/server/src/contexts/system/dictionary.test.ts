import { afterAll, beforeAll, expect, test } from 'vitest'
import { IMPORT_FILE_MAX } from '@gatehouse/contract'
import { csvOf, csvRowsOf, csvTextOf } from '@gatehouse/contract/files'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { dictionaryCalls } from '@gatehouse/contract/system/dictionary'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'

let world: World
let guard: Client
beforeAll(async () => {
  world = await startWorld()
  guard = await world.session({ permissions: [] })
})
afterAll(() => world?.stop())

const HEAD = ['enum', 'value', 'zh-CN', 'zh-TW', 'en']
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const label = (value: string, word: string, language: 'en' | 'zh-CN' = 'en') => ({ enum: 'gender', value, language, label: word })
const read = () => guard.call(dictionaryCalls.read, {})
const send = (rows: string[][]) => world.ask(dictionaryCalls.import, { file: bytesOf(csvOf([HEAD, ...rows])) })

async function exported(): Promise<string[][]> {
  const root = await world.session({ roleSign: 'admin', organisationId: world.server.contexts.organisation.service.root().id })
  const { bearer } = root.credentials as { bearer: string }
  const response = await fetch(world.url + dictionaryCalls.export.url, { headers: { authorization: `Bearer ${bearer}` } })
  expect(response.headers.get('content-type')).toContain('text/csv')
  const text = csvTextOf(new Uint8Array(await response.arrayBuffer()))
  expect(text).not.toBeNull()
  return csvRowsOf(text!)
}

test('everybody reads own words, which are none at first, and only an administrator at the root sets them', async () => {
  expect(await read()).toEqual({ labels: {}, version: 0 })
  expect(await guard.ask(dictionaryCalls.change, { body: { labels: [label('1', 'Gentleman')] } })).toMatchObject({ status: 403 })
  const changed = await world.call(dictionaryCalls.change, {
    body: { labels: [label('1', 'Gentleman'), label('1', '男士', 'zh-CN')], version: 0 },
  })
  expect(changed).toEqual({ labels: { en: { gender: { '1': 'Gentleman' } }, 'zh-CN': { gender: { '1': '男士' } } }, version: 1 })
  expect(await read()).toEqual(changed)
})

test('the change stands in the log word by word', async () => {
  await world.call(dictionaryCalls.change, { body: { labels: [label('2', 'Lady')] } })
  const [entry] = (await world.call(auditCalls.operations, { query: {} })).content
  const { changes } = await world.call(auditCalls.operation, { params: { id: entry!.id } })
  expect(changes).toMatchObject([{ label: 'system.dictionary', fields: [{ field: 'labels.en.gender.2', before: null, after: 'Lady' }] }])
})

test('an empty word and the built-in word both reset a value', async () => {
  const { labels } = await world.call(dictionaryCalls.change, {
    body: { labels: [label('1', ''), label('2', 'Female'), label('1', '男', 'zh-CN')] },
  })
  expect(labels).toEqual({})
})

test('what is no value, too long, or changed meanwhile is refused', async () => {
  const ask = (labels: object[], version?: number) => world.ask(dictionaryCalls.change, { body: { labels, version } as never })
  expect(await ask([label('9', 'Other')])).toMatchObject({ status: 400, data: { fields: [{ path: 'labels.0.value', rule: 'unknown' }] } })
  expect(await ask([{ ...label('1', 'x'), enum: 'toString' }])).toMatchObject({ status: 400 })
  expect(await ask([{ ...label('1', 'x'), enum: '__proto__', value: 'constructor' }])).toMatchObject({ status: 400 })
  expect(await ask([label('1', 'x'.repeat(101))])).toMatchObject({ status: 400, data: { fields: [{ path: 'labels.0.label' }] } })
  expect(await ask([label('1', 'x')], 1)).toMatchObject({ status: 409 })
})

test('what is exported is what is imported', async () => {
  await world.call(dictionaryCalls.change, { body: { labels: [label('1', '=Gentle, "man"'), label('2', '女士', 'zh-CN')] } })
  const before = await read()
  const rows = await exported()
  expect(rows[0]).toEqual(HEAD)
  expect(rows).toContainEqual(['gender', '1', '男', '男', '=Gentle, "man"'])
  // The same again changes nothing, not even the version.
  expect(await send(rows.slice(1))).toMatchObject({ code: 0, data: { changed: 0 } })
  expect(await read()).toEqual(before)
  const other = rows
    .slice(1)
    .map(([name, value, ...words]) =>
      name === 'gender' && value === '1' ? [name, value, words[0]!, words[1]!, 'Sir'] : [name!, value!, ...words],
    )
  expect(await send(other)).toMatchObject({ code: 0, data: { changed: 1 } })
  expect((await read()).labels).toEqual({ en: { gender: { '1': 'Sir' } }, 'zh-CN': { gender: { '2': '女士' } } })
})

test('a file without a byte-order mark is refused with 900107, and nothing changes [VAL-218]', async () => {
  const before = await read()
  const file = bytesOf(`${HEAD.join(',')}\r\ngender,1,甲,乙,Nobody\r\n`)
  expect(await world.ask(dictionaryCalls.import, { file })).toMatchObject({
    status: 200,
    code: 900107,
    data: { fields: [{ path: 'file' }] },
  })
  expect(await read()).toEqual(before)
})

test('a file with another head, an unknown value or a long word is refused by its line', async () => {
  const before = await read()
  expect(
    await world.ask(dictionaryCalls.import, {
      file: bytesOf(
        csvOf([
          ['enum', 'value'],
          ['gender', '1'],
        ]),
      ),
    }),
  ).toMatchObject({ status: 400, data: { fields: [{ rule: 'csvHead' }] } })
  expect(
    await send([
      ['gender', '1', '', '', 'Fine'],
      ['gender', '9', '', '', 'x'],
    ]),
  ).toMatchObject({ status: 400, data: { fields: [{ rule: 'csvValue', params: { line: 3 } }] } })
  expect(await send([['gender', '1', 'x'.repeat(101), '', '']])).toMatchObject({
    status: 400,
    data: { fields: [{ rule: 'csvLong', params: { line: 2 } }] },
  })
  expect(await world.ask(dictionaryCalls.import, {})).toMatchObject({ status: 400 })
  expect(await read()).toEqual(before)
})

test('a file of more than 50 MB is refused by the server too [VAL-216]', async () => {
  const file = new Uint8Array(IMPORT_FILE_MAX + 1)
  expect(await world.ask(dictionaryCalls.import, { file })).toMatchObject({ status: 413 })
})
