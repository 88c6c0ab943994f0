/** Changes of domains, notices, limits and organisations: fields that are left out stay, and what was read can be sent back unchanged. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { sendingAs, type Send } from '../../../../../tests/support/as-written.ts'

const BUSINESS = '/bizService/uface/v1'

let world: World
let send: Send
beforeAll(async () => {
  world = await startWorld()
  send = sendingAs(world.client)
})
afterAll(() => world?.stop())

type Fields = Record<string, unknown>
const rowOf = (data: unknown, id: unknown): Fields => (data as { content: Fields[] }).content.find((one) => one['id'] === id)!

test('a domain', async () => {
  const read = async (id: unknown): Promise<Fields> => rowOf((await send('GET', `${BUSINESS}/domain/list`)).data, id)
  const fields = { address: 'https://gate.example.org', name: 'Gate', remark: 'Main site', showType: 'custom' }
  const { data } = await send('POST', `${BUSINESS}/domain`, fields)
  const domain = await read(data['id'])
  expect(domain).toMatchObject(fields)
  expect(await send('PUT', `${BUSINESS}/domain`, { id: domain['id'], name: 'Harbour' })).toMatchObject({ status: 200, code: 0 })
  const renamed = await read(domain['id'])
  expect(renamed).toEqual({ ...domain, name: 'Harbour', version: 2 })
  expect(await send('PUT', `${BUSINESS}/domain`, renamed)).toMatchObject({ status: 200, code: 0 })
  await send('PUT', `${BUSINESS}/domain`, { id: domain['id'], name: null, remark: '', showType: null, logo: null })
  expect(await read(domain['id'])).toMatchObject({ address: fields.address, name: '', remark: '', showType: 'neutral', logo: '' })
  const other = await send('PUT', `${BUSINESS}/domain`, { ...(await read(domain['id'])), organisationName: 'Another' })
  expect(other.data.fields).toMatchObject([{ path: 'organisationName', rule: 'readOnly' }])
})

test('a notice', async () => {
  const read = async (id: unknown): Promise<Fields> => rowOf((await send('GET', `${BUSINESS}/system/notice`)).data, id)
  const words = (text: string) => ({ 'zh-CN': text, 'zh-TW': text, en: text })
  const { data } = await send('POST', `${BUSINESS}/system/notice`, { title: words('Upgrade'), content: words('Tonight') })
  const notice = await read(data['id'])
  expect(await send('PUT', `${BUSINESS}/system/notice`, { id: notice['id'], title: words('Maintenance') })).toMatchObject({ code: 0 })
  const changed = await read(notice['id'])
  expect(changed).toEqual({ ...notice, title: words('Maintenance'), version: 2 })
  expect(await send('PUT', `${BUSINESS}/system/notice`, { ...changed, read: true })).toMatchObject({ status: 200, code: 0 })
})

test('a limit', async () => {
  const read = async (id: unknown): Promise<Fields> => rowOf((await send('POST', `${BUSINESS}/device/limit/list`, { id })).data, id)
  const { data } = await send('POST', `${BUSINESS}/device/limit/add`, { organisationId: world.park.id, deviceType: 1, limit: 5 })
  const limit = await read(data['id'])
  expect(await send('POST', `${BUSINESS}/device/limit/update`, { ...limit, limit: 6, used: 3 })).toMatchObject({ status: 200, code: 0 })
  expect(await send('POST', `${BUSINESS}/device/limit/update`, { id: limit['id'] })).toMatchObject({ status: 200, code: 0 })
  expect(await read(limit['id'])).toMatchObject({ limit: 6, deviceType: 1 })
  const moved = await send('POST', `${BUSINESS}/device/limit/update`, { ...(await read(limit['id'])), deviceType: 2 })
  expect(moved.data.fields).toMatchObject([{ path: 'deviceType', rule: 'readOnly' }])
})

test('an organisation, with the codes of the specification', async () => {
  const read = async (): Promise<Fields> => (await send('GET', `${BUSINESS}/areaCodes/${world.park.id}`)).data
  const park = await read()
  expect(park).toMatchObject({ code: park['areaCode'], authorisationCode: expect.stringMatching(/^[0-9A-Z]{10}$/) })
  const { data } = await send('GET', `${BUSINESS}/areaCodes/getVerificationCode?id=${world.park.id}`)
  expect(park['authorisationCode']).toBe(data['verificationCode'])
  expect(await send('POST', `${BUSINESS}/areaCodes/update`, { ...park, devices: 99 })).toMatchObject({ status: 200, code: 0 })
  expect(await send('POST', `${BUSINESS}/areaCodes/update`, { id: park['id'], zone: 'Asia/Taipei' })).toMatchObject({
    status: 200,
    code: 0,
  })
  const before = await read()
  expect(before).toMatchObject({ name: park['name'], parkType: park['parkType'], modules: park['modules'], zone: 'Asia/Taipei' })
  const typed = await send('POST', `${BUSINESS}/areaCodes/update`, { id: park['id'], parkType: null })
  expect(typed.data.fields).toMatchObject([{ path: 'parkType', rule: 'required' }])
  const coded = await send('POST', `${BUSINESS}/areaCodes/update`, { ...before, authorisationCode: 'ABCDE12345' })
  expect(coded.data.fields).toMatchObject([{ path: 'authorisationCode', rule: 'readOnly' }])
  const areas = await world.session({ permissions: ['system', 'system.area'] })
  expect((await sendingAs(areas)('GET', `${BUSINESS}/areaCodes/${world.park.id}`)).data['authorisationCode']).toBeNull()
})
