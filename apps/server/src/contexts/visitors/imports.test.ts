/** Many visitors invited from a spreadsheet: good and bad rows, the same file twice, limits, cancelling. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import validation from '@gatehouse/contract/i18n/en/validation.json' with { type: 'json' }
import { specialCalls } from '@gatehouse/contract/people/special'
import { visitorSource, visitorStatus } from '@gatehouse/contract/enums/visitors'
import { csvOf } from '@gatehouse/contract/files'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { VISIT_IMPORT_ROWS_MAX, visitorImportCalls } from '@gatehouse/contract/visitors/imports'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { until } from '../../../../../tests/support/until.ts'
import { readXlsx } from '../../platform/documents/testing/xlsx.ts'
import { createReception, newPhone, type Reception } from './testing/reception.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const HEAD = ['姓名', '手机号', '邮箱', '被访人', '来访事由', '开始时间', '结束时间', '备注']
/** Return a moment of tomorrow on the clock of the park, as a cell has it. */
function cellAt({ site }: Reception, clock: string): string {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: site.park.zone, dateStyle: 'short' }).format(Date.now() + 86_400_000)
  return `${day} ${clock}`
}
const handIn = (at: Reception, rows: readonly (readonly string[])[]) =>
  at.site.ask(visitorImportCalls.create, { file: Buffer.from(csvOf(rows)) })
const read = (at: Reception, id: string) => at.site.call(visitorImportCalls.read, { query: { id } })
async function imported(at: Reception, rows: readonly (readonly string[])[]) {
  const answer = await handIn(at, rows)
  expect(answer, JSON.stringify(answer)).toMatchObject({ status: 200, code: 0 })
  return until('the import has ended', async () => {
    const one = await read(at, answer.data.id)
    return one.state === 'running' ? undefined : one
  })
}

test('good rows become invitations, bad ones are named by row and column, and the same file again invites nobody twice', async () => {
  const at = await createReception(world)
  await at.site.person({ name: '王经理', workNumber: 'W-77' })
  const [start, end] = [cellAt(at, '09:00'), cellAt(at, '11:30')]
  const [one, two] = [newPhone(), newPhone()]
  const rows = [
    HEAD,
    ['*张三（示例）', '13800138000', '', '', '', start, '', ''],
    ['李白', one, 'li@example.org', 'w-77', '会议', start, end, '带电脑'],
    ['杜甫', two, '', 'Ada Lovelace', 'Business', start, '', ''],
    ['白居易', 'x', 'nothing', '', '', start, end, ''],
    ['', newPhone(), '', '', '面试', 'tomorrow', end, ''],
    ['王维', newPhone(), '', '无此人', '旅游', start, end, ''],
    ['孟浩然', newPhone(), '', '', '会议', end, start, ''],
  ]
  const done = await imported(at, rows)
  expect(done).toMatchObject({ state: 'done', total: 6, invited: 2, existing: 0, refused: 4, waiting: 0 })
  expect(done.rows.map(({ line, name, issues }) => [line, name, issues.map(({ field }) => field).toSorted()])).toEqual([
    [5, '白居易', ['email', 'phone', 'reason']],
    [6, '', ['name', 'visitTime']],
    [7, '王维', ['host', 'reason']],
    [8, '孟浩然', ['visitEndTime']],
  ])
  for (const { issues } of done.rows) for (const issue of issues) expect([issue.column, issue.words]).not.toContain('')
  const { content } = await at.site.call(visitorCalls.list, { query: { page: 1, size: 20 } })
  expect(content.map(({ name }) => name).toSorted()).toEqual(['李白', '杜甫'].toSorted())
  const invited = content.find(({ name }) => name === '李白')!
  expect(invited).toMatchObject({
    source: visitorSource.invitation,
    status: visitorStatus.notYetVisited,
    visiteeName: '王经理',
    phone: one,
    remark: '带电脑',
  })
  expect(await at.read(invited.id)).toMatchObject({ email: 'li@example.org' })
  expect(await imported(at, rows)).toMatchObject({ invited: 0, existing: 2, refused: 4 })
  expect((await at.site.call(visitorCalls.list, { query: { page: 1, size: 20 } })).total).toBe(2)
  // What a row said stays with refused ones alone.
  const { db } = world.server.platform
  const kept = await db.selectFrom('visitImportRow').select(['outcome', 'details']).where('parkId', '=', at.scope.parkId).execute()
  expect(kept.every(({ outcome, details }) => (outcome === 'refused') === (details !== null))).toBe(true)
})

test('a template has the headings of the language and can be handed in; wrong files say why', async () => {
  const at = await createReception(world)
  const { bearer } = at.site.client.credentials as { bearer: string }
  for (const [language, heading] of [
    ['en', 'Name'],
    ['zh-CN', '姓名'],
    ['zh-TW', '姓名'],
  ] as const) {
    const headers = { authorization: `Bearer ${bearer}`, 'accept-language': language }
    const answer = await fetch(world.url + visitorImportCalls.template.url, { headers })
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(JSON.stringify(await readXlsx(bytes))).toContain(heading)
    // The example alone is nothing to import.
    expect(await at.site.ask(visitorImportCalls.create, { file: bytes })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'file', rule: 'sheetEmpty' }] },
    })
  }
  const refused = async (rows: readonly (readonly string[])[], rule: string) =>
    expect(await handIn(at, rows)).toMatchObject({ status: 400, data: { fields: [{ path: 'file', rule }] } })
  await refused([['姓名', '手机号']], 'sheetHead')
  await refused([HEAD, ...Array.from({ length: VISIT_IMPORT_ROWS_MAX + 1 }, () => ['某人', newPhone()])], 'sheetRows')
  expect(await at.site.ask(visitorImportCalls.create, { file: Buffer.from('PK\u0003\u0004 no workbook') })).toMatchObject({ status: 400 })
  expect(await at.site.ask(visitorImportCalls.create, {})).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'file', rule: 'required' }] },
  })
})

test('a row that cannot be stored is refused by its cell and holds up no other', async () => {
  const at = await createReception(world)
  const start = cellAt(at, '09:00')
  const done = await imported(at, [
    HEAD,
    ['李\u0000白', newPhone(), '', '', '会议', start, '', ''],
    ['杜甫', newPhone(), '', 'Ada\u0000', '会议', start, '', ''],
    ['苏轼', newPhone(), '', '', '会议', '9999-12-31 09:00', '', ''],
    ['王维', newPhone(), '', '', '会议', start, '', ''],
  ])
  expect(done).toMatchObject({ state: 'done', invited: 1, refused: 3 })
  expect(done.rows.map(({ issues }) => issues.map(({ field }) => field))).toEqual([['name'], ['host'], ['visitTime']])
})

test('an import says of no phone that it stands on the watch list: whoever reads it need not see that list', async () => {
  const at = await createReception(world)
  const { id: groupId } = await at.site.call(specialCalls.createGroup, { body: { name: 'Watched' } })
  const watched = newPhone()
  await at.site.call(specialCalls.create, { body: { name: 'Watched', phone: watched, workNumber: 'W-1', groupId } })
  const { rows } = await imported(at, [HEAD, ['李白', watched, '', '', '会议', cellAt(at, '09:00'), '', '']])
  const { visitorPhone } = validation
  expect(rows.map(({ issues }) => issues.map(({ field, words }) => [field, words]))).toEqual([[['phone', visitorPhone]]])
})

test('an import is cancelled, and that of another park does not exist', async () => {
  const at = await createReception(world)
  const start = cellAt(at, '10:00')
  const answer = await handIn(at, [
    HEAD,
    ...Array.from({ length: 60 }, (_, nth) => [`访客${nth}`, newPhone(), '', '', '会议', start, '', '']),
  ])
  const cancelled = await at.site.call(visitorImportCalls.cancel, { body: { id: answer.data.id } })
  expect(['cancelled', 'done']).toContain(cancelled.state)
  const { invited } = await until('nothing is invited any more', async () => {
    const [before, work] = [await read(at, answer.data.id), await world.server.platform.work.latest(at.scope, 'visitors.runImport')]
    return work?.state === 'running' || work?.state === 'waiting' ? undefined : before
  })
  expect((await at.site.call(visitorCalls.list, { query: { page: 1, size: 100 } })).total).toBe(invited)
  const other = await createReception(world)
  expect(await other.site.ask(visitorImportCalls.read, { query: { id: answer.data.id } })).toMatchObject({ status: 404 })
  expect(await other.site.ask(visitorImportCalls.cancel, { body: { id: answer.data.id } })).toMatchObject({ status: 404 })
})
