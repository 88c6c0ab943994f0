/** Customers whose validity has expired or is about to: the answer for the notice, and the file it offers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expiredCustomersStatus } from '@gatehouse/contract/enums'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { customerCalls } from '@gatehouse/contract/people/customers'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { sql } from '../../platform/database/database.ts'
import { readXlsx } from '../../platform/documents/testing/xlsx.ts'
import { until } from '../../../../../tests/support/until.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 21, 4)
const steered = { now: () => NOW }

let world: World
beforeAll(async () => {
  world = await startWorld({ clock: steered })
})
afterAll(() => world?.stop())

const statusIn = async ({ call }: Pick<Client, 'call'>) => (await call(customerCalls.checkExpired, {})).status

async function fileFor(client: Client, language = 'en') {
  const { bearer } = client.credentials as { bearer: string }
  const response = await fetch(client.url + customerCalls.expired.url, {
    headers: { authorization: `Bearer ${bearer}`, 'accept-language': language },
  })
  expect(response.status).toBe(200)
  const sheet = await readXlsx(new Uint8Array(await response.arrayBuffer()))
  return { ...sheet, values: sheet.rows.map((row) => row.map(({ value }) => value)), headers: response.headers }
}

/** Create a customer with that name whose validity ends this many days from now. */
const customer = (site: Site, name: string, days: number | null, more: object = {}) =>
  site.person({ name, kind: 'customer', validTo: days === null ? null : NOW + days * DAY, ...more })

describe('the status the notice asks for', () => {
  let site: Site
  beforeAll(async () => {
    site = await world.addPark()
  })

  test('is 3 without customers, 0 with none whose validity ends soon, 4 where there is a file to fetch [BEH-057]', async () => {
    await site.person({ name: 'Staff', validTo: NOW - DAY })
    expect(await statusIn(site)).toBe(expiredCustomersStatus.none)
    const first = await customer(site, 'Forever', null)
    expect(await statusIn(site)).toBe(expiredCustomersStatus.ok)
    const ended = await customer(site, 'Ended', -1)
    expect(await statusIn(site)).toBe(expiredCustomersStatus.hasFile)
    // Disabled by a user: there is no notice about their validity.
    await site.call(peopleCalls.status, { body: { ids: [ended.id], status: 0 } })
    expect(await statusIn(site)).toBe(expiredCustomersStatus.ok)
    await site.call(peopleCalls.status, { body: { ids: [ended.id], status: 1 } })
    await site.call(peopleCalls.delete, { query: { ids: [ended.id, first.id] } })
    expect(await statusIn(site)).toBe(expiredCustomersStatus.none)
  })

  test('a reminder is given from five days before the end on, not earlier [BEH-059]', async () => {
    const here = await world.addPark()
    await customer(here, 'Six days', 6)
    await customer(here, 'Five days', 5)
    expect(await statusIn(here)).toBe(expiredCustomersStatus.ok)
    await here.person({ name: 'A moment less', kind: 'customer', validTo: NOW + 5 * DAY - 1 })
    expect(await statusIn(here)).toBe(expiredCustomersStatus.hasFile)
    expect((await fileFor(here.client)).values.slice(1).map(([name]) => name)).toEqual(['A moment less'])
  })
})

describe('the file', () => {
  let site: Site
  beforeAll(async () => {
    site = await world.addPark({ zone: 'Asia/Shanghai' })
    await customer(site, 'Ends soon', 2, { phone: '13800138000', remark: '=1+1' })
    await customer(site, 'Ended', -2, { phone: '007', workNumber: '0042', validFrom: NOW - 30 * DAY })
    await customer(site, 'Forever', null)
    await site.person({ name: 'Staff', validTo: NOW - DAY })
  })

  test('lists customers whose validity has ended or ends soon, the earliest first, times in the zone of the park', async () => {
    const { values, name, headers } = await fileFor(site.client)
    expect(name).toBe('Expired customers')
    expect(headers.get('content-type')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    expect(decodeURIComponent(headers.get('content-disposition')!)).toBe("attachment; filename*=UTF-8''Expired customers 2026-11-21.xlsx")
    // Day 46,347 is 21 November 2026; noon in Shanghai.
    const noon = 46_347.5
    expect(values).toEqual([
      ['Name', 'Number', 'Phone', 'Group', 'Valid from (UTC+08:00)', 'Valid until (UTC+08:00)', 'Status', 'Remark'],
      ['Ended', '0042', '007', expect.any(String), noon - 30, noon - 2, 'Expired', null],
      ['Ends soon', expect.any(String), '13800138000', expect.any(String), null, noon + 2, 'Expires soon', '=1+1'],
    ])
  })

  test.each([
    ['zh-CN', '姓名', '已过期'],
    ['zh-TW', '姓名', '已過期'],
  ])('speaks %s to whom asks in it', async (language, heading, state) => {
    const { values } = await fileFor(site.client, language)
    expect(values[0]).toContain(heading)
    expect(values[1]).toContain(state)
  })

  test('masks names and phones for whom they are masked, and for nobody else', async () => {
    const masking = await world.session({ park: site.park, masking: true })
    const { values } = await fileFor(masking)
    expect(values.slice(1).map(([name, , phone]) => [name, phone])).toEqual([
      ['E***d', '*07'],
      ['E*******n', '138****8000'],
    ])
    const plain = await world.session({ park: site.park })
    expect((await fileFor(plain)).values.slice(1).map(([name, , phone]) => [name, phone])).toEqual([
      ['Ended', '007'],
      ['Ends soon', '13800138000'],
    ])
  })

  test('stands in the log of reads with everybody who is in it', async () => {
    const reader = await world.session({ park: site.park })
    await fileFor(reader)
    const { content } = await site.call(peopleCalls.list, { query: { kind: 'customer' } })
    const listed = content.filter(({ validTo }) => validTo !== null).map(({ id }) => id)
    const reads = async () =>
      (
        await sql<{
          subjects: string[]
        }>`SELECT subjects FROM read_log WHERE park_id = ${site.park.id} AND url = ${customerCalls.expired.url}`.execute(
          world.server.platform.db,
        )
      ).rows
    await until('the read is noted', async () => (await reads()).length > 0)
    expect((await reads()).every(({ subjects }) => listed.every((id) => subjects.includes(id)) && subjects.length === 2)).toBe(true)
  })

  test('without anybody in it has its headings', async () => {
    const empty = await world.addPark()
    expect((await fileFor(empty.client)).values).toHaveLength(1)
  })

  test('takes thousands of rows, each once', async () => {
    const large = await world.addPark()
    const { groupId } = await large.person()
    await sql`INSERT INTO person (id, park_id, group_id, kind, name, gender, valid_to, created_at, updated_at)
      SELECT gen_random_uuid(), ${large.park.id}::uuid, ${groupId}::uuid, 'customer', 'Customer ' || number, 3,
      ${new Date(NOW)}::timestamptz - (number / 50) * interval '1 hour', now(), now()
      FROM generate_series(1, 3500) number`.execute(world.server.platform.db)
    const names = (await fileFor(large.client)).values.slice(1).map(([name]) => name)
    expect(names).toHaveLength(3_500)
    expect(new Set(names).size).toBe(3_500)
  })
})
