/** Imports: the preview before anything is done, what is done, and what is returned. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { csvOf } from '@gatehouse/contract/files'
import { importCalls, type ImportRow, type PersonImport } from '@gatehouse/contract/imports/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { personFormCalls } from '@gatehouse/contract/people/form'
import { addressOf } from '@gatehouse/contract'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type Made, type Site, type World } from '@gatehouse/dev-env/world'
import { readXlsx } from '../../platform/documents/testing/xlsx.ts'
import { until } from '../../../../../tests/support/until.ts'
import { workbookOf, zipOf, type Cell } from './testing/files.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

interface Answered {
  status: number
  code: number
  data: PersonImport & { fields?: { path: string; rule: string; params?: object }[] }
}

/** Upload a file under a name. */
async function handIn(
  client: Client,
  call: typeof importCalls.addRows | typeof importCalls.addPhotos,
  id: string,
  bytes: Uint8Array,
  filename: string,
): Promise<Answered> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), filename)
  const { bearer } = client.credentials as { bearer: string }
  const response = await fetch(client.url + addressOf(call, { id }), {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'accept-language': 'en' },
    body: form,
  })
  return { status: response.status, ...((await response.json()) as { code: number; data: Answered['data'] }) }
}

async function download(client: Client, address: string, language = 'en'): Promise<Buffer> {
  const { bearer } = client.credentials as { bearer: string }
  const response = await fetch(client.url + address, { headers: { authorization: `Bearer ${bearer}`, 'accept-language': language } })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

/** Create an import of a park, with helpers. */
async function begin(
  site: Site,
  more: { mode?: 'createOnly' | 'createAndChange'; kind?: 'staff' | 'customer' | 'special'; groupId?: string } = {},
) {
  const group = await site.personGroup()
  const { id } = await site.call(importCalls.create, { body: { groupId: group.id, ...more } })
  const params = { id }
  const sheet = (rows: readonly (readonly Cell[])[]) => handIn(site.client, importCalls.addRows, id, workbookOf(rows), 'people.xlsx')
  const photos = (bytes: Uint8Array, filename = 'photos.zip') => handIn(site.client, importCalls.addPhotos, id, bytes, filename)
  const rows = async (query: Partial<{ outcome: ImportRow['outcome']; withIssue: number }> = {}) =>
    (await site.call(importCalls.rows, { params, query: { size: 100, ...query } })).content
  const read = () => site.call(importCalls.read, { params })
  const over = () => until('the import to end', async () => ['done', 'failed', 'cancelled'].includes((await read()).state), 120)
  const run = async () => {
    await site.call(importCalls.start, { params, body: {} })
    await over()
    return read()
  }
  const stray = async () => (await site.call(importCalls.strayPhotos, { params, query: { size: 100 } })).content
  return { id, params, group, sheet, photos, rows, read, run, over, stray }
}

const personsOf = async (site: Site) => (await site.call(peopleCalls.list, { query: { size: 100, sort: 'workNumber' } })).content
const HEAD = ['Name', 'Work no.', 'Phone', 'Group'] as const
const issues = ({ issues: found }: Pick<ImportRow, 'issues'>) => found.map(({ field, code, rule }) => [field, code ?? rule])

describe('a spreadsheet', () => {
  let site: Site
  beforeAll(async () => {
    site = await world.addPark()
  })

  test('is shown as what it would do, and does that, once', async () => {
    const one = await begin(site)
    const { data } = await one.sheet([
      HEAD,
      ['Ann', '0012', '138001', null],
      ['Bob', 1001, 138002, one.group.name],
      [],
      ['Carl', 'C-3', null, 'Nowhere'],
    ])
    expect(data.rows).toEqual({ create: 2, change: 0, photo: 0, same: 0, refused: 1 })
    expect(data.can).toEqual({ change: true, start: true, cancel: false, delete: true })
    expect(
      (await one.rows()).map(({ line, workNumber, outcome, groupName, finished }) => [line, workNumber, outcome, groupName, finished]),
    ).toEqual([
      [2, '0012', 'create', one.group.name, false],
      [3, '1001', 'create', one.group.name, false],
      // Its group does not exist: the name is that of the file.
      [5, 'C-3', 'refused', 'Nowhere', false],
    ])
    expect(await personsOf(site)).toEqual([])
    const done = await one.run()
    expect(done).toMatchObject({ state: 'done', work: { state: 'done', done: 2, total: 2, failed: 0 } })
    expect(done.can).toEqual({ change: true, start: false, cancel: false, delete: true })
    const persons = await personsOf(site)
    expect(persons.map(({ name, workNumber, phone, groupId }) => ({ name, workNumber, phone, groupId }))).toEqual([
      { name: 'Ann', workNumber: '0012', phone: '138001', groupId: one.group.id },
      { name: 'Bob', workNumber: '1001', phone: '138002', groupId: one.group.id },
    ])
    // Again, and with the same file again.
    await one.run()
    await one.sheet([HEAD, ['Ann', '0012', '138001', null], ['Bob', 1001, 138002, one.group.name]])
    expect((await one.run()).rows).toMatchObject({ same: 2, create: 0 })
    expect((await personsOf(site)).map(({ id, version }) => [id, version])).toEqual(persons.map(({ id, version }) => [id, version]))
  })

  test('names no group only where the import has one: without it none is begun [VAL-074]', async () => {
    expect(await site.ask(importCalls.create, { body: {} as never })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'groupId', rule: 'required' }] },
    })
    const foreign = await world.personGroup()
    expect(await site.ask(importCalls.create, { body: { groupId: foreign.id } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'groupId' }] },
    })
  })
})

describe('columns', () => {
  test("are known by their headings in three languages, by the names of the fields and by the titles of the park's own", async () => {
    const site = await world.addPark({ zone: 'Asia/Shanghai' })
    const { fields } = await site.call(personFormCalls.change, {
      body: { fields: [{ title: 'Shift', required: true }, { title: '工区' }] },
    })
    const outer = await site.personGroup({ name: '总部' })
    const inner = await site.personGroup({ name: '研发', parentId: outer.id })
    const other = await site.personGroup({ name: '分部' })
    await site.personGroup({ name: '研发', parentId: other.id })
    const one = await begin(site)
    const answer = await one.sheet([
      [
        '姓名*',
        '工號',
        'phone',
        '性别',
        '人员分组',
        '卡类型',
        'Card number format',
        '卡号',
        'ID type',
        '证件号码',
        '国籍',
        '出生日期',
        '有效期自',
        '有效期至',
        'personalPassword',
        '人脸使用同意',
        '备注',
        'shift',
        '工区',
        '喜欢的颜色',
        '姓名',
      ],
      [
        '王小明',
        '0007',
        '13800138000',
        '男',
        '总部/研发',
        'IC 卡',
        'hex',
        '00AF',
        '护照',
        'E12345678',
        '中国',
        { day: '1990-05-06' },
        { moment: '2026-01-02T08:30' },
        { day: '2030-12-31' },
        4711,
        '是',
        '备 注',
        'early',
        'A',
        'blue',
        'x',
      ],
      [
        '李',
        '0008',
        null,
        'f',
        '研发',
        null,
        null,
        null,
        null,
        null,
        null,
        '1991/2/3',
        null,
        '2030年1月5日',
        null,
        null,
        null,
        'late',
        null,
        null,
        null,
      ],
    ])
    expect(answer.data.issues).toMatchObject([
      { rule: 'sheetColumns', params: { columns: '喜欢的颜色, 姓名' }, words: expect.stringContaining('喜欢的颜色') },
    ])
    expect((await one.rows()).map((row) => [row.workNumber, row.outcome, issues(row)])).toEqual([
      ['0007', 'create', []],
      ['0008', 'refused', [['groupName', 'ambiguousGroup']]],
    ])
    expect(await one.run()).toMatchObject({ state: 'done' })
    const [person] = await personsOf(site)
    expect(person).toMatchObject({
      name: '王小明',
      workNumber: '0007',
      phone: '13800138000',
      gender: 1,
      groupId: inner.id,
      cardType: 2,
      cardNumberFormat: 'hex',
      cardNumber: '00AF',
      idType: 'passport',
      idNumber: 'E12345678',
      nationality: '中国',
      birthday: '1990-05-06',
      validFrom: Date.UTC(2026, 0, 2, 0, 30),
      validTo: Date.UTC(2030, 11, 31, 15, 59, 59, 999),
      hasPersonalPassword: true,
      faceConsent: 'given',
      remark: '备 注',
    })
    expect(person!.customFields).toEqual([
      { id: fields[0]!.id, title: 'Shift', value: 'early' },
      { id: fields[1]!.id, title: '工区', value: 'A' },
    ])
    // Without the fields the park's form requires.
    const two = await begin(site)
    await two.sheet([
      ['Name', 'Work no.'],
      ['Nobody', '9'],
    ])
    expect((await two.rows()).map(issues)).toEqual([[[`custom.${fields[0]!.id}`, 'required']]])
  })
})

describe('rules', () => {
  test('are those of the person form and of the register, found before the run, each with its code on its field', async () => {
    const site = await world.addPark()
    const taken = await site.person({ name: 'Taken', workNumber: 'T1', phone: '555001', cardNumber: '175', idNumber: 'ABC1x' })
    const one = await begin(site)
    const head = [
      'Name',
      'Work no.',
      'Phone',
      'Card number',
      'Card number format',
      'ID number',
      'Valid from',
      'Valid until',
      'Gender',
      'Birthday',
      'Personal password',
    ]
    const row = (...cells: Cell[]) => cells
    await one.sheet([
      head,
      row('a/b', '1'),
      row('Phone', '2', '12a'),
      row('Phone2', '3', '555001'),
      row('Card', '4', null, 'AF', 'hex'),
      row('Id', '5', null, null, null, 'abc1X'),
      row('Turned', '6', null, null, null, null, '2026-05-01', '2026-04-01'),
      row('Words', '7', null, null, null, null, null, 'soon', 'lady', '30.2.2020', '12'),
      row('x'.repeat(33), '8'),
      row('Nobody', null),
      row('Twin', '10', '777'),
      row('Twin2', '11', '777'),
      row('First', '12'),
      row('Second', '12'),
      row('Asterisk*', '13'),
      row('Taken', 'T1', '999'),
    ])
    expect((await one.rows()).map((each) => [each.line, each.outcome, ...issues(each)])).toEqual([
      [2, 'refused', ['name', 'name']],
      [3, 'refused', ['phone', 900114]],
      [4, 'refused', ['phone', 200005]],
      [5, 'refused', ['cardNumber', 200207]],
      [6, 'refused', ['idNumber', 200214]],
      [7, 'refused', ['validTo', 'periodOrder']],
      [8, 'refused', ['validTo', 'moment'], ['gender', 'invalid'], ['birthday', 'date'], ['personalPassword', 'digits']],
      [9, 'refused', ['name', 200225]],
      [10, 'refused', ['workNumber', 'required']],
      [11, 'create'],
      [12, 'refused', ['phone', 200005]],
      [13, 'create'],
      [14, 'refused', ['workNumber', 200215]],
      [15, 'refused', ['name', 'name']],
      [16, 'refused', ['workNumber', 200215]],
    ])
    expect((await site.call(peopleCalls.read, { query: { id: taken.id } })).phone).toBe('555001')
  })

  test('somebody of the same name is never overwritten, whatever the mode [FIELD-21]', async () => {
    const site = await world.addPark()
    const there = await site.person({ name: '王伟', workNumber: 'W1', phone: '100' })
    for (const mode of ['createOnly', 'createAndChange'] as const) {
      const one = await begin(site, { mode })
      await one.sheet([HEAD, ['王伟', mode === 'createOnly' ? 'W2' : 'W3', null, null]])
      expect((await one.run()).rows.create).toBe(1)
    }
    const persons = await personsOf(site)
    expect(persons.map(({ name, workNumber }) => [name, workNumber])).toEqual([
      ['王伟', 'W1'],
      ['王伟', 'W2'],
      ['王伟', 'W3'],
    ])
    expect(persons[0]).toMatchObject({ id: there.id, phone: '100', version: 1 })
  })

  test('a number that is taken is refused, changed, or the same; empty cells leave what is there', async () => {
    const site = await world.addPark()
    const group = await site.personGroup()
    const ann = await site.person({ name: 'Ann', workNumber: 'A', phone: '100', groupId: group.id, remark: 'kept' })
    const bob = await site.person({ name: 'Bob', workNumber: 'B', phone: '200', groupId: group.id })
    await site.call(peopleCalls.status, { body: { ids: [bob.id], status: 0 } })
    const cells: Cell[][] = [[...HEAD], ['Ann B', 'A', null, null], ['Bob', 'B', '201', null], ['Ann', 'A2', '100', null]]
    const strict = await begin(site)
    await strict.sheet(cells)
    // A refused row is found by the name in the file, not by that of the person who has the number.
    expect((await strict.rows()).map((row) => [row.name, row.workNumber, row.outcome, ...issues(row)])).toEqual([
      ['Ann B', 'A', 'refused', ['workNumber', 200215]],
      ['Bob', 'B', 'refused', ['workNumber', 200224]],
      ['Ann', 'A2', 'refused', ['phone', 200005]],
    ])
    const open = await begin(site, { mode: 'createAndChange' })
    await open.sheet(cells)
    expect((await open.rows()).map((row) => [row.workNumber, row.outcome, row.personId, ...issues(row)])).toEqual([
      ['A', 'change', ann.id],
      ['B', 'refused', bob.id, ['workNumber', 200224]],
      ['A2', 'refused', null, ['phone', 200005]],
    ])
    await open.run()
    expect(await site.call(peopleCalls.read, { query: { id: ann.id } })).toMatchObject({
      name: 'Ann B',
      phone: '100',
      remark: 'kept',
      groupId: group.id,
      version: 2,
    })
    await open.sheet([HEAD, ['Ann B', 'A', '100', group.name]])
    expect((await open.rows({ outcome: 'same' })).map(({ workNumber }) => workNumber)).toEqual(['A'])
  })
})

describe('a refused row', () => {
  test('comes back as a spreadsheet with its reasons, can be handed in again, or is corrected here', async () => {
    const site = await world.addPark()
    const one = await begin(site)
    await one.sheet([HEAD, ['Ann', '1', 'no', null], ['Bob', '02', 'x', 'Nowhere'], ['Carl', '3', null, null]])
    await one.run()
    const address = addressOf(importCalls.refused, { id: one.id })
    const { rows } = await readXlsx(await download(site.client, address, 'zh-CN'))
    const table = rows.map((row) => row.map(({ value }) => value))
    expect(table[0]!.slice(0, 3)).toEqual(['姓名', '工号', '手机号'])
    expect(table[0]!.at(-1)).toBe('失败原因')
    expect(table.slice(1).map((cells) => [cells[0], cells[1], cells[2], cells[4]])).toEqual([
      ['Ann', '1', 'no', null],
      ['Bob', '02', 'x', 'Nowhere'],
    ])
    expect(table[1]!.at(-1)).toMatch(/^手机号: /)
    // Corrected in the file: the same workbook, the reasons still in it.
    const file = (await download(site.client, address)).toString('latin1')
    expect(file.startsWith('PK')).toBe(true)
    const again = await handIn(site.client, importCalls.addRows, one.id, Buffer.from(file, 'latin1'), 'again.xlsx')
    expect(again.data).toMatchObject({ issues: [], rows: { create: 1, refused: 2 } })
    const [ann] = await one.rows({ outcome: 'refused' })
    expect(
      await site.call(importCalls.changeRow, { params: one.params, body: { rowId: ann!.id, values: { phone: '12345' } } }),
    ).toMatchObject({ outcome: 'create', phone: '12345', issues: [] })
    expect(
      await site.ask(importCalls.changeRow, { params: one.params, body: { rowId: ann!.id, values: { shoeSize: '9' } } }),
    ).toMatchObject({ status: 400 })
    expect((await one.run()).rows).toMatchObject({ create: 2, refused: 1 })
    expect((await personsOf(site)).map(({ name, phone }) => [name, phone])).toEqual([
      ['Ann', '12345'],
      ['Carl', ''],
    ])
    const finished = (await one.rows({ outcome: 'create' }))[0]!
    expect(
      await site.ask(importCalls.changeRow, { params: one.params, body: { rowId: finished.id, values: { phone: '1' } } }),
    ).toMatchObject({ status: 400 })
  })

  test('the template is a file with every column that is known, in three languages', async () => {
    const site = await world.addPark()
    await site.call(personFormCalls.change, { body: { fields: [{ title: 'Shift' }] } })
    for (const [language, heading, female, remark] of [
      ['en', 'Work no.', 'One of: Male / Female / Unknown', 'Example row: it is not imported and may be deleted.'],
      ['zh-CN', '工号', '可选值：男 / 女 / 未知', '示例行，不会导入，可以删除'],
      ['zh-TW', '工號', '可選值：男 / 女 / 未知', '範例列，不會匯入，可以刪除'],
    ] as const) {
      const bytes = await download(site.client, `${importCalls.template.url}?format=xlsx`, language)
      const { rows, parts } = await readXlsx(bytes)
      expect(rows[0]!.map(({ value }) => value)).toEqual(expect.arrayContaining([heading, 'Shift']))
      // An example row shows how to fill in the sheet, and is not imported; the second sheet describes the values of each column.
      expect(rows).toHaveLength(2)
      expect(rows[1]!.every(({ value }) => value !== null)).toBe(true)
      const guide = parts.get('xl/worksheets/sheet2.xml')!
      for (const words of [heading, 'Shift', female, '1990-05-20']) expect(guide).toContain(`>${words}`)
      expect(guide).not.toContain('{{')
      const one = await begin(site)
      expect((await handIn(site.client, importCalls.addRows, one.id, bytes, 'template.xlsx')).data).toMatchObject({
        issues: [],
        rows: { create: 0, refused: 0 },
      })
      // The example is recognised by its remark, whichever columns were removed, and by that remark alone.
      const remarkAt = rows[1]!.findIndex(({ value }) => value === remark)
      const workNumberAt = rows[0]!.findIndex(({ value }) => value === heading)
      const nameAt = rows[1]!.findIndex(({ value }) => String(value).startsWith('*'))
      for (const kept of [rows[0]!.flatMap((_, at) => (at === nameAt ? [] : [at])), [workNumberAt, remarkAt]]) {
        const [head, example] = rows.map((row) => kept.map((at) => row[at]!.value as string))
        const near = example!.map((value) => (value === remark ? `${remark} 1` : value))
        expect((await (await begin(site)).sheet([head!, example!])).data.rows).toMatchObject({ create: 0, refused: 0 })
        expect((await (await begin(site)).sheet([head!, near])).data.rows).toMatchObject({ create: 0, refused: 1 })
      }
    }
    const csv = await download(site.client, `${importCalls.template.url}?format=csv`)
    expect(csv.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    expect(csv.toString()).toContain('Work no.')
    // If the example stays above the first person, only that person is imported.
    const one = await begin(site)
    const filled = Buffer.from(`${csv.toString()}Ann,0012\r\n`)
    expect((await handIn(site.client, importCalls.addRows, one.id, filled, 'template.csv')).data.rows).toMatchObject({
      create: 1,
      refused: 0,
    })
    expect((await one.rows()).map(({ name, workNumber }) => [name, workNumber])).toEqual([['Ann', '0012']])
  })

  test('an export of persons that is handed in unchanged changes nobody, and one that is changed only who was', async () => {
    const site = await world.addPark({ zone: 'Asia/Shanghai' })
    const [research, sales] = [await site.personGroup({ name: 'Research' }), await site.personGroup({ name: 'Sales' })]
    const [platform] = await Promise.all(
      [research, sales].map(({ id }) => site.call(peopleCalls.createGroup, { body: { name: 'Platform', parentId: id, type: 1 } })),
    )
    // The last moment of 31 December in Shanghai, as a form sends it and as an import does.
    const end = Date.UTC(2030, 11, 31, 16)
    await site.person({
      name: 'Ada',
      workNumber: '0042',
      groupId: platform!.id,
      phone: '13800138000',
      gender: 2,
      birthday: '1985-12-10',
      cardNumber: '0000471',
      idType: 'passport',
      idNumber: '00AB123',
      personalPassword: '471147',
      validFrom: Date.UTC(2026, 6, 1, 10, 30, 5, 250),
      validTo: end - 1,
      faceConsent: true,
      remark: '=1+1',
    })
    await site.person({ name: 'Bob', workNumber: '1001', groupId: sales.id, validTo: end - 1000 })
    const before = (await personsOf(site)).map(({ updatedAt: _, version: __, ...person }) => person)
    for (const format of ['xlsx', 'csv']) {
      const bytes = await download(site.client, `${peopleCalls.export.url}?format=${format}&kind=staff`)
      const one = await begin(site, { mode: 'createAndChange' })
      expect((await handIn(site.client, importCalls.addRows, one.id, bytes, `staff.${format}`)).data).toMatchObject({
        issues: [],
        rows: { create: 0, change: 0, photo: 0, same: 2, refused: 0 },
      })
    }
    expect((await personsOf(site)).map(({ updatedAt: _, version: __, ...person }) => person)).toEqual(before)
    const csv = (await download(site.client, `${peopleCalls.export.url}?format=csv&kind=staff`)).toString()
    const one = await begin(site, { mode: 'createAndChange' })
    const moved = Buffer.from(csv.replace('Research / Platform', 'Sales / Platform'))
    expect((await handIn(site.client, importCalls.addRows, one.id, moved, 'staff.csv')).data.rows).toMatchObject({ change: 1, same: 1 })
  })
})

describe('files that are not taken', () => {
  let one: Awaited<ReturnType<typeof begin>>
  let site: Site
  beforeAll(async () => {
    site = await world.addPark()
    one = await begin(site)
  })
  const rules = ({ data }: Answered) => data.fields?.map(({ path, rule }) => [path, rule])

  test('a CSV file is read as UTF-8 with a byte-order mark, and refused with 900107 without [VAL-218]', async () => {
    const text = csvOf([
      ['姓名', '工号'],
      ['王', '0042'],
    ])
    expect(await handIn(site.client, importCalls.addRows, one.id, Buffer.from(text.slice(1)), 'a.csv')).toMatchObject({
      status: 200,
      code: 900107,
    })
    expect(
      await handIn(site.client, importCalls.addRows, one.id, Buffer.concat([Buffer.from('\uFEFF'), Buffer.from([0xd0, 0xd5])]), 'a.csv'),
    ).toMatchObject({ code: 900107 })
    expect((await handIn(site.client, importCalls.addRows, one.id, Buffer.from(text), 'a.csv')).data.rows.create).toBe(1)
    expect((await one.rows()).map(({ name, workNumber }) => [name, workNumber])).toEqual([['王', '0042']])
  })

  test('a workbook that is none, has no known heading, or unpacks to gigabytes gets a sentence, and what was there stays', async () => {
    const sheet = (bytes: Uint8Array) => handIn(site.client, importCalls.addRows, one.id, bytes, 'a.xlsx')
    await one.sheet([HEAD, ['Stays', '77']])
    const { rows } = await one.read()
    expect(rules(await sheet(zipOf([{ name: 'readme.txt', bytes: Buffer.from('x') }])))).toEqual([['file', 'sheetUnreadable']])
    expect(rules(await sheet(workbookOf([HEAD]).subarray(0, 900)))).toEqual([['file', 'sheetUnreadable']])
    expect(rules(await sheet(Buffer.from('d0cf11e0a1b11ae1', 'hex')))).toEqual([['file', 'sheetUnreadable']])
    expect(
      rules(
        await sheet(
          workbookOf([
            ['Colour', 'Size'],
            ['a', 'b'],
          ]),
        ),
      ),
    ).toEqual([['file', 'sheetHead']])
    const workbook = {
      name: 'xl/workbook.xml',
      bytes: Buffer.from('<workbook xmlns:r="r"><sheets><sheet name="x" sheetId="1" r:id="rId1"/></sheets></workbook>'),
    }
    const bomb = zipOf([workbook, { name: 'xl/worksheets/sheet1.xml', bytes: Buffer.alloc(100), declaredSize: 0xf0000000, deflate: true }])
    expect(rules(await sheet(bomb))).toEqual([['file', 'sheetTooLarge']])
    expect(
      rules(
        await sheet(
          zipOf([workbook, { name: 'xl/worksheets/sheet1.xml', bytes: Buffer.from('<worksheet>&lol;</worksheet>'), deflate: true }]),
        ),
      ),
    ).toEqual([['file', 'sheetUnreadable']])
    expect((await one.read()).rows).toEqual(rows)
  })

  test('a spreadsheet of more than 50 MB is refused by the server too [VAL-216]', async () => {
    expect((await handIn(site.client, importCalls.addRows, one.id, Buffer.alloc(50 * 1_048_576 + 1), 'a.xlsx')).status).toBe(413)
  })

  test('nothing that was received stays on the disk', () => {
    expect(readdirSync(join(world.dataDir, 'received'))).toEqual([])
  })
})

describe('who may', () => {
  test('persons show masked to those who see them so, who neither make nor fill imports: rows tell what is registered', async () => {
    const site = await world.addPark()
    const one = await begin(site)
    await one.sheet([HEAD, ['Wang Xiaoming', '1', '13800138000', 'Nowhere']])
    const [received] = await one.rows()
    await site.call(importCalls.changeRow, { params: one.params, body: { rowId: received!.id, values: { cardNumber: '5566778899' } } })
    const client = await world.session({ park: site.park, masking: true })
    const { content } = await client.call(importCalls.rows, { params: one.params, query: {} })
    expect(content[0]!.values).toMatchObject({ cardNumber: '******8899' })
    expect(content).toMatchObject(
      [{ name: 'W***********g', phone: '138****8000', workNumber: '1' }].map((row) => ({ ...row, name: expect.stringContaining('*') })),
    )
    const forbidden = { status: 403, code: 100510 }
    expect(await client.ask(importCalls.create, { body: { groupId: one.group.id } })).toMatchObject(forbidden)
    expect(
      await client.ask(importCalls.changeRow, { params: one.params, body: { rowId: content[0]!.id, values: { phone: '13800138001' } } }),
    ).toMatchObject(forbidden)
    const guesses = workbookOf([HEAD, ['Guess', '2', '13800138001', null]])
    const handed = await handIn(client, importCalls.addRows, one.id, guesses, 'guesses.xlsx')
    expect(handed.status).toBe(403)
    expect(await one.rows()).toHaveLength(1)
    expect((await one.rows())[0]).toMatchObject({ name: 'Wang Xiaoming', phone: '13800138000', values: { cardNumber: '5566778899' } })
    const { rows } = await readXlsx(await download(client, addressOf(importCalls.refused, { id: one.id })))
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toContain('13800138000')
  })
})

describe('a group that is not there', () => {
  const named = (rows: ImportRow[]) => rows.map(({ workNumber, groupName, outcome }) => [workNumber, groupName, outcome])

  test('is named with the row, added with those above it, and then all rows that name it are right', async () => {
    const site = await world.addPark()
    const company = await site.personGroup({ name: 'Company' })
    const one = await begin(site)
    await one.sheet([
      HEAD,
      ['Ann', '1', null, 'company / Yard'],
      ['Bob', '2', null, 'Company/Yard'],
      ['Eve', '3', null, 'Harbour'],
      ['Kim', '4', null, null],
    ])
    const refused = await one.rows({ outcome: 'refused' })
    expect(named(refused)).toEqual([
      ['1', 'company / Yard', 'refused'],
      ['2', 'Company/Yard', 'refused'],
      ['3', 'Harbour', 'refused'],
    ])
    expect(refused[2]!.issues).toMatchObject([
      { field: 'groupName', words: 'There is no group Harbour. Add it first, or leave the cell empty.' },
    ])
    const add = (rowId: string) => site.ask(importCalls.addGroup, { params: one.params, body: { rowId } })
    expect((await add(refused[0]!.id)).data).toMatchObject({ workNumber: '1', groupName: 'Yard', outcome: 'create', issues: [] })
    expect(named(await one.rows()).slice(1, 3)).toEqual([
      ['2', 'Yard', 'create'],
      ['3', 'Harbour', 'refused'],
    ])
    const tree = await site.call(peopleCalls.groupTree, { query: { type: 1 } })
    expect(tree.find(({ id }) => id === company.id)?.children.map(({ name }) => name)).toEqual(['Yard'])
    // No group is missing any more, and Kim names none.
    for (const row of [refused[0]!, (await one.rows())[3]!]) expect((await add(row.id)).status).toBe(400)
  })

  test('that no group may be called is refused with the reason', async () => {
    const site = await world.addPark()
    const one = await begin(site)
    await one.sheet([HEAD, ['Ann', '1', null, 'R&D: east!']])
    const [row] = await one.rows()
    const answer = await site.ask(importCalls.addGroup, { params: one.params, body: { rowId: row!.id } })
    expect([answer.status, answer.data]).toMatchObject([400, { fields: [{ path: 'rowId', rule: 'groupName' }] }])
  })

  test('of the watch list stands in its own tree', async () => {
    const site = await world.addPark()
    const list = await site.call(specialCalls.createGroup, { body: { name: 'Wanted' } })
    const one = await begin(site, { kind: 'special', groupId: list.id })
    await one.sheet([HEAD, ['Ann', '1', null, 'Thieves']])
    const [row] = await one.rows()
    await site.call(importCalls.addGroup, { params: one.params, body: { rowId: row!.id } })
    expect((await site.call(specialCalls.groupTree, {})).map(({ name }) => name)).toContain('Thieves')
    expect((await one.rows())[0]).toMatchObject({ groupName: 'Thieves', outcome: 'create' })
  })
})

describe('an import', () => {
  test('is removed with what it held, not while it runs, and a group that is deleted meanwhile stops nothing', async () => {
    const site = await world.addPark()
    const one = await begin(site)
    const other: Made = await site.personGroup()
    await one.sheet([HEAD, ['Ann', '1', null, other.name], ['Bob', '2', null, null]])
    await site.call(peopleCalls.deleteGroup, { query: { id: other.id } })
    expect(await one.run()).toMatchObject({ state: 'done', rows: { create: 1, refused: 1 } })
    expect((await one.rows({ outcome: 'refused' })).map(issues)).toEqual([[['groupName', 'unknownGroup']]])
    expect((await site.call(importCalls.list, { query: {} })).content.map(({ id }) => id)).toEqual([one.id])
    await site.call(importCalls.delete, { params: one.params })
    expect((await site.ask(importCalls.read, { params: one.params })).status).toBe(404)
    expect((await personsOf(site)).map(({ name }) => name)).toEqual(['Bob'])
  })
})
