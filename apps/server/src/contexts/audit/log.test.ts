import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isWrite, LANGUAGES, LIST_OFFSET_MAX, type Call } from '@gatehouse/contract'
import { calls } from '@gatehouse/contract/calls'
import { auditCalls, type OperationEntry } from '@gatehouse/contract/audit/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { createClient, logIn, type Client } from '@gatehouse/dev-env/client'
import { ADMIN, startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { until } from '../../../../../tests/support/until.ts'
import { newId } from '../../platform/database/ids.ts'
import { namedReads } from '../../platform/texts.ts'
import { maskerOf } from '../../platform/session/masking.ts'
import type { Caller } from '../../platform/session/session.ts'

const DAY = 86_400_000
let now = Date.now()
let world: World
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => now } })
})
afterAll(() => world?.stop())

const operations = (client: Pick<Client, 'call'>, asked: object = {}) => client.call(auditCalls.operations, { query: asked })
const namesOf = ({ content }: { content: OperationEntry[] }): string[] => content.map(({ subjects }) => subjects[0]?.label ?? '')

/** Create a park whose log is empty: the login of its administrator is removed. */
async function newPark(): Promise<Site> {
  const site = await world.addPark()
  await query(world.connectionString, 'DELETE FROM operation_log WHERE park_id = $1', [site.park.id])
  return site
}

/** Insert entries as they would be after a while, directly into the table. */
async function insertEntries(
  park: string,
  count: number,
  more: { account?: string; operator?: string; source?: string; module?: string; label?: string } = {},
): Promise<void> {
  const { account = 'somebody', operator = 'Somebody', source = 'local', module = 'person', label = 'Thing' } = more
  await query(
    world.connectionString,
    `INSERT INTO operation_log (id, park_id, user_id, account, operator, source, module, method, url, ip, occurred_at, changes)
     SELECT gen_random_uuid(), $1, NULL, $2, $3, $4, $5, 'PUT', '/bizService/uface/v1/person/base', '10.0.0.1',
     to_timestamp(($6::bigint - at * 1000) / 1000.0),
            jsonb_build_array(jsonb_build_object('entity', 'thing', 'id', 'thing-' || at, 'label', $7 || ' ' || at))
       FROM generate_series(1, $8::int) at`,
    [park, account, operator, source, module, now, label, count],
  )
}

describe('what was done', () => {
  test('stands in the log with who, where from and what about, newest first', async () => {
    const { park, ...site } = await newPark()
    const group = await site.personGroup({ name: 'Workshop' })
    await site.call(roleCalls.create, { body: { name: 'Night_guard', roleSign: 'other', permissions: ['access.record'] } as never })
    const { content, total } = await operations(site)
    expect(total).toBe(2)
    expect(content[0]).toMatchObject({
      account: ADMIN.account,
      source: 'local',
      module: 'system',
      content: 'Created a role: Night_guard',
      method: 'POST',
      url: roleCalls.create.url,
      areaName: park.name,
    })
    expect(content[1]).toMatchObject({ module: 'person', url: peopleCalls.createGroup.url })
    expect(group.id).toBeTruthy()
  })

  test('is told field by field, before and after', async () => {
    const { park } = await newPark()
    const client = await world.session({ park, organisationId: world.server.contexts.organisation.service.root().id, roleSign: 'admin' })
    await client.call(auditCalls.changeRetention, { body: { months: 12 } })
    const [entry] = (await operations(client)).content
    expect(await client.call(auditCalls.operation, { params: { id: entry!.id } })).toMatchObject({
      id: entry!.id,
      module: 'installation',
      changes: [{ entity: 'setting', label: 'audit.retention', kind: 'changed', fields: [{ field: 'months', before: 24, after: 12 }] }],
    })
  })

  test('is filtered by account, operator, module and source [BEH-200]', async () => {
    const site = await newPark()
    await insertEntries(site.park.id, 2, { account: 'alice', operator: 'Alice Ashe', label: 'Apple' })
    await insertEntries(site.park.id, 3, {
      account: 'key-7',
      operator: 'Gate programme',
      source: 'thirdParty',
      module: 'access',
      label: 'Banana_1',
    })
    const total = async (asked: object): Promise<number> => (await operations(site, asked)).total
    expect(await total({})).toBe(5)
    expect(await total({ account: 'LIC' })).toBe(2)
    expect(await total({ operator: 'programme' })).toBe(3)
    expect(await total({ module: 'access' })).toBe(3)
    expect(await total({ source: 'local' })).toBe(2)
    expect(await total({ source: 'thirdParty', module: 'person' })).toBe(0)
    expect(await total({ subject: 'apple' })).toBe(2)
    // Wildcards have no effect: the typed text is searched for literally.
    expect(await total({ subject: 'Banana_' })).toBe(3)
    expect(await total({ subject: 'Banan__' })).toBe(0)
    expect(await site.ask(auditCalls.operations, { query: { module: 'cooking' as never } })).toMatchObject({ status: 400 })
  })

  test('is looked back on 7 days unless told, at most 366', async () => {
    const site = await newPark()
    await insertEntries(site.park.id, 1)
    const begin = now
    now = begin + 8 * DAY
    const client = await siteAgain(site)
    expect((await operations(client, { account: 'somebody' })).total).toBe(0)
    expect((await operations(client, { startTime: begin - DAY, account: 'somebody' })).total).toBe(1)
    expect((await operations(client, { endTime: begin + DAY })).total).toBe(1)
    expect(await client.ask(auditCalls.operations, { query: { startTime: now - 367 * DAY } })).toMatchObject({ status: 200, code: 900007 })
    expect(await client.ask(auditCalls.operations, { query: { startTime: now, endTime: now - DAY } })).toMatchObject({
      status: 200,
      code: 900007,
    })
    now = begin
  })

  test('is the park’s own, and of all parks only for who administers the installation', async () => {
    const [here, there] = [await newPark(), await newPark()]
    await insertEntries(here.park.id, 1, { label: 'Here' })
    await insertEntries(there.park.id, 1, { label: 'There' })
    const guest = await world.session({ park: here.park })
    expect(namesOf(await operations(guest))).toEqual(['Here 1'])
    expect(await guest.ask(auditCalls.operations, { query: { all: true } })).toMatchObject({ status: 403, code: 100510 })
    expect(await guest.ask(auditCalls.reads, { query: { all: true } })).toMatchObject({ status: 403, code: 100510 })
    const root = await world.session({
      park: here.park,
      roleSign: 'operator',
      organisationId: world.server.contexts.organisation.service.root().id,
    })
    const all = await operations(root, { all: true, size: 100 })
    expect(namesOf(all)).toEqual(expect.arrayContaining(['Here 1', 'There 1']))
    const foreign = all.content.find(({ subjects }) => subjects[0]?.label === 'There 1')!
    expect(await guest.ask(auditCalls.operation, { params: { id: foreign.id } })).toMatchObject({ status: 404 })
    expect(await root.call(auditCalls.operation, { params: { id: foreign.id } })).toMatchObject({ areaName: there.park.name })
    expect(await guest.ask(auditCalls.operation, { params: { id: 'none' } })).toMatchObject({ status: 404 })
  })

  test('is counted to 10,001 and read on by cursor without a gap', async () => {
    const site = await newPark()
    await insertEntries(site.park.id, LIST_OFFSET_MAX + 50)
    const first = await operations(site, { size: 100 })
    expect(first).toMatchObject({ total: LIST_OFFSET_MAX + 1, totalExact: false })
    const second = await operations(site, { size: 100, after: first.next })
    expect(second.content).toEqual((await operations(site, { size: 100, page: 2 })).content)
    expect(await site.ask(auditCalls.operations, { query: { size: 100, page: 101 } })).toMatchObject({ status: 400 })
    expect(await site.ask(auditCalls.operations, { query: { after: 'nonsense' } })).toMatchObject({ status: 400 })
    let last = await operations(site, { size: 100, page: 100 })
    last = await operations(site, { size: 100, after: last.next })
    expect(last.content).toHaveLength(50)
    expect(last.next).toBeUndefined()
  })
})

/** Log the administrator in again, after the session has expired. */
async function siteAgain({ park }: Site): Promise<Client> {
  const { access_token: bearer } = await logIn(createClient(world.url), { ...ADMIN, areaCode: park.areaCode })
  return createClient(world.url, { bearer })
}

test('who sees personal data masked sees them masked in the log', async () => {
  const site = await newPark()
  const caller: Caller = { kind: 'user', userId: newId(), account: 'x', operator: 'Tess Tester', scope: { parkId: site.park.id } }
  await world.server.platform.audit.during(peopleCalls.change as Call, caller, '', async () => {
    world.server.platform.audit.note({
      entity: 'person',
      id: 'p',
      label: 'Ada Lovelace',
      labelMask: 'name',
      before: { name: 'Ada Byron', phone: '13800001111', remark: 'a' },
      after: { name: 'Ada Lovelace', phone: '13800002222', remark: 'b' },
    })
  })
  const [entry] = (await operations(site)).content
  expect(entry).toMatchObject({ operator: 'Tess Tester', subjects: [{ label: 'Ada Lovelace' }] })
  const masked = await world.session({ park: site.park, masking: true })
  const list = await operations(masked)
  const detail = await masked.call(auditCalls.operation, { params: { id: entry!.id } })
  expect(JSON.stringify([list, detail])).not.toMatch(/Lovelace|Byron|Tess Tester|1380000/)
  expect(detail.changes[0]).toMatchObject({
    label: 'A********e',
    fields: expect.arrayContaining([
      { field: 'remark', before: 'a', after: 'b' },
      { field: 'phone', before: '138****1111', after: '138****2222' },
    ]),
  })
  // The search itself is recorded in the log of reads.
  await until('the note', async () => (await site.call(auditCalls.reads, { query: { subject: 'p' } })).total === 1)
})

describe('who saw whom', () => {
  test('a person that was looked at is found by id, with the names that are still known', async () => {
    const site = await newPark()
    const [ada, grace] = [await site.person({ name: 'Ada Lovelace' }), await site.person({ name: 'Grace Hopper' })]
    const guard = await world.session({ park: site.park })
    await guard.call(peopleCalls.read, { query: { id: ada.id } })
    await guard.call(peopleCalls.list, { query: {} })
    const found = await until('both reads', async () => {
      const page = await site.call(auditCalls.reads, { query: { subject: ada.id } })
      // Counted a moment after the rows were read: what was inserted in between is in the count alone.
      return page.content.length === 2 ? page : null
    })
    expect(found.content.map(({ url }) => url).toSorted()).toEqual([peopleCalls.read.url, peopleCalls.list.url].toSorted())
    for (const { subjects } of found.content) expect(subjects[0]).toEqual({ id: ada.id, name: 'Ada Lovelace' })
    expect((await site.call(auditCalls.reads, { query: { subject: grace.id } })).total).toBe(1)
    const account = found.content[0]!.account
    expect((await site.call(auditCalls.reads, { query: { account: account.slice(2) } })).total).toBe(2)
    expect((await site.call(auditCalls.reads, { query: { account: 'nobody' } })).total).toBe(0)
    const masked = await world.session({ park: site.park, masking: true })
    expect(JSON.stringify(await masked.call(auditCalls.reads, { query: {} }))).not.toContain('Lovelace')
    // Another park sees nothing.
    expect(
      (await (await world.session({ park: (await newPark()).park })).call(auditCalls.reads, { query: { subject: ada.id } })).total,
    ).toBe(0)
  })

  test('what is read is worded in every language', () => {
    const read = calls
      // What a link opens is read by nobody who has an account.
      .filter(({ permission }) => permission !== 'public')
      .filter((one) => one.readsPersonal === true || (!isWrite(one) && maskerOf(one.data) !== null))
      .map(({ method, url }) => `${method} ${url}`)
    // A device that fetches persons is recorded under the user who paired it.
    const others = [auditCalls.operation, deviceProtocolCalls.changes].map(({ method, url }) => `${method} ${url}`)
    for (const language of LANGUAGES)
      expect(namedReads(language).toSorted(), language).toEqual([...new Set([...read, ...others])].toSorted())
  })
})

test('entries older than the months they are kept are deleted, younger ones stay', async () => {
  const site = await newPark()
  const root = await world.session({
    park: site.park,
    roleSign: 'admin',
    organisationId: world.server.contexts.organisation.service.root().id,
  })
  const { version } = await root.call(auditCalls.retention, {})
  await root.call(auditCalls.changeRetention, { body: { months: 3, version } })
  await query(world.connectionString, 'DELETE FROM operation_log')
  await query(world.connectionString, 'DELETE FROM read_log')
  for (const days of [5, 60, 95, 800]) {
    const at = now
    now = at - days * DAY
    await insertEntries(site.park.id, 1, { label: `Age ${days}` })
    world.server.platform.audit.read(
      peopleCalls.read as Call,
      { kind: 'user', userId: newId(), scope: { parkId: site.park.id }, account: String(days), operator: 'X' },
      '',
      ['somebody'],
    )
    now = at
  }
  await until('the reads', async () => (await query(world.connectionString, 'SELECT id FROM read_log')).length === 4)
  const job = world.server.contexts.audit.jobs!.find(({ name }) => name === 'audit.dropOld')!
  expect(await job.run()).toMatchObject({ outcome: 'success' })
  expect(await job.run()).toMatchObject({ outcome: 'skipped' })
  const left = await query<{ label: string }>(world.connectionString, 'SELECT labels AS label FROM operation_log ORDER BY occurred_at')
  expect(left.map(({ label }) => label)).toEqual(['Age 60 1', 'Age 5 1'])
  expect(await query(world.connectionString, 'SELECT id FROM read_log')).toHaveLength(2)
  expect(await site.ask(auditCalls.changeRetention, { body: { months: 0 } })).toMatchObject({ status: 400 })
  const guest = await world.session({ park: site.park })
  expect(await guest.ask(auditCalls.changeRetention, { body: { months: 1 } })).toMatchObject({ status: 403 })
})
