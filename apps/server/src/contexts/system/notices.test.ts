/** Notices for all users: in three languages, the last one shown after the login until it was read. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noticeCalls } from '@gatehouse/contract/system/notices'
import { startWorld, type World } from '@gatehouse/dev-env/world'

let world: World
let now = Date.UTC(2026, 10, 21, 8)
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => now } })
})
afterAll(() => world?.stop())

const words = (about: string) => ({ 'zh-CN': `${about}（简）`, 'zh-TW': `${about}（繁）`, en: `${about} (en)` })
async function publish(about: string): Promise<string> {
  now += 1000
  return (await world.call(noticeCalls.addNotice, { body: { title: words(about), content: words(`Of ${about}`) } })).id
}

test('title and content stand in three languages; the last is given after login, until it was read by that user [BEH-199]', async () => {
  const guard = await world.session({ permissions: [], roleSign: 'other' })
  const colleague = await world.session({ permissions: [] })
  expect(await guard.call(noticeCalls.lastNotice, {})).toBeNull()
  await publish('Version 1')
  const id = await publish('Version 2')
  expect(await guard.call(noticeCalls.lastNotice, {})).toEqual({
    id,
    title: words('Version 2'),
    content: words('Of Version 2'),
    time: now,
    read: false,
    version: 1,
  })
  await guard.call(noticeCalls.readNotice, { params: { id } })
  await guard.call(noticeCalls.readNotice, { params: { id } })
  expect(await guard.call(noticeCalls.lastNotice, {})).toMatchObject({ id, read: true })
  expect(await colleague.call(noticeCalls.lastNotice, {})).toMatchObject({ id, read: false })
  const later = await publish('Version 3')
  expect(await guard.call(noticeCalls.lastNotice, {})).toMatchObject({ id: later, read: false })
  const { total, content } = await guard.call(noticeCalls.notices, { query: {} })
  expect(total).toBe(3)
  expect(content.map((notice) => [notice.title.en, notice.read])).toEqual([
    ['Version 3 (en)', false],
    ['Version 2 (en)', true],
    ['Version 1 (en)', false],
  ])
})

test('all three languages are asked for, with a title of at most 100 characters', async () => {
  const add = (title: object, content: object = words('x')) => world.ask(noticeCalls.addNotice, { body: { title, content } as never })
  expect(await add({ ...words('x'), en: ' ' })).toMatchObject({ status: 400, data: { fields: [{ path: 'title.en', rule: 'required' }] } })
  expect(await add({ 'zh-CN': '升级', en: 'Upgrade' })).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'title.zh-TW', rule: 'required' }] },
  })
  expect(await add(words('x'), { ...words('x'), 'zh-CN': '' })).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'content.zh-CN', rule: 'required' }] },
  })
  expect(await add({ ...words('x'), en: 'x'.repeat(101) })).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'title.en', rule: 'max.string' }] },
  })
})

test('one is corrected or taken back by whoever runs the installation, and by nobody else', async () => {
  const id = await publish('Mistaken')
  const client = await world.session()
  expect((await client.ask(noticeCalls.addNotice, { body: { title: words('y'), content: words('y') } })).status).toBe(403)
  expect((await client.ask(noticeCalls.removeNotice, { params: { id } })).status).toBe(403)
  await client.call(noticeCalls.readNotice, { params: { id } })
  await world.call(noticeCalls.changeNotice, { body: { id, version: 1, title: words('Right'), content: words('Right') } })
  expect(await client.call(noticeCalls.lastNotice, {})).toMatchObject({ id, title: words('Right'), read: true })
  expect(
    (await world.ask(noticeCalls.changeNotice, { body: { id, version: 1, title: words('Late'), content: words('Late') } })).status,
  ).toBe(409)
  await world.call(noticeCalls.removeNotice, { params: { id } })
  expect((await client.call(noticeCalls.lastNotice, {}))?.id).not.toBe(id)
  expect((await world.ask(noticeCalls.removeNotice, { params: { id } })).status).toBe(404)
  expect((await client.ask(noticeCalls.readNotice, { params: { id: 'no-uuid' } })).status).toBe(404)
})
