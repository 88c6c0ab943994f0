/** Users who see personal data masked find persons by whole values only, and cannot guess what is masked. */
import { toJSONSchema } from 'zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isWrite, type Call, type Schema } from '@gatehouse/contract'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { questionCalls } from '@gatehouse/contract/questions/calls'
import { synchronisationCalls } from '@gatehouse/contract/synchronisation/calls'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { issuingCalls } from '@gatehouse/contract/cards/issuing'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { clientCalls } from '@gatehouse/contract/identity/clients'
import { userCalls } from '@gatehouse/contract/identity/users'
import { searchedFieldsOf } from '@gatehouse/contract/masking'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient, type CallInput, type Client } from '@gatehouse/dev-env/client'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { MISSES_MAX } from '@gatehouse/server/platform/session/masked-searches'
import { ALL_CALLS, named } from '../support/all-calls.ts'
import { createFixtures, type Fixtures } from '../support/fixtures.ts'
import { requestFor } from '../support/requests.ts'
import { givenFor } from '../support/cases/all.ts'

/** Values that are unique, and a part of each that is masked. */
const SOUGHT = { name: 'Zacharias Quillon', phone: '15872376513', cardNumber: '55667788990' }
const PARTS = ['aria', '7237', '5667']

let now = Date.parse('2027-03-01T10:00:00Z')
let world: World
let here: Fixtures
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => now } })
  let isFirst = true
  // Give the first person, whom all fixtures are about, the values that are searched for.
  const site: Site = {
    ...world,
    person(options = {}) {
      const sought = isFirst ? SOUGHT : {}
      isFirst = false
      return world.person({ ...options, ...sought })
    },
  }
  here = await createFixtures(world, site)
  await world.call(issuingCalls.issue, {
    body: { personId: here.person.id, type: 0, number: '66778899001', effectiveDate: '2028-01-01', expiryDate: '2028-02-01' },
  })
  await world.settled()
})
afterAll(() => world?.stop())

const atRoot = () => world.server.contexts.organisation.service.root().id
const session = (masking: boolean): Promise<Client> => world.session({ masking, roleSign: 'admin', organisationId: atRoot() })

async function roleOf(client: Client): Promise<string> {
  const { id } = await client.call(identityCalls.profile, {})
  return (await world.call(userCalls.read, { params: { id } })).roles[0]!
}

interface Field {
  type?: string
  format?: string
  enum?: unknown
  anyOf?: Field[]
}
const isText = ({ type, format, enum: choices, anyOf = [] }: Field): boolean =>
  (type === 'string' && format === undefined && choices === undefined) || anyOf.some(isText)
const textsOf = (schema: Schema | undefined): string[] =>
  schema === undefined
    ? []
    : Object.entries(
        (toJSONSchema(schema as never, { io: 'input', unrepresentable: 'any' }) as { properties?: Record<string, Field> }).properties ?? {},
      )
        .filter(([, field]) => isText(field))
        .map(([name]) => name)

const lists = (call: Call): boolean =>
  (!isWrite(call) || call.url.includes('/export/')) &&
  !['public', 'basic', 'device'].includes(call.permission) &&
  (textsOf(call.query).length > 0 || textsOf(call.body).length > 0)

/** Whether the answer of a call contains the person when a text is sent in this field of the query or the body. */
async function finds(client: Client, call: Call, field: string, text: string): Promise<boolean> {
  const { personId: _, ...given } = await givenFor(call, here, world)
  const input = requestFor(call, { ...given, [field]: text })
  const { data } = await client.ask(call, input as CallInput<Call>)
  const answered = JSON.stringify((data as { content?: unknown } | null)?.content ?? data ?? null)
  return answered.includes(here.person.id) || answered.includes(here.recordId)
}

describe('a part of a masked value', () => {
  test.each(named(ALL_CALLS.filter(lists)))('%s finds nobody by it', async (_, call) => {
    const client = await session(true)
    const found: string[] = []
    for (const field of new Set([...textsOf(call.query), ...textsOf(call.body)])) {
      // A field that is no filter finds the person whatever its text.
      if (await finds(client, call, field, 'Nobody is called so')) continue
      for (const part of PARTS) if (await finds(client, call, field, part)) found.push(`${field} ${part}`)
    }
    expect(found).toEqual([])
  })

  const FOUND_BY_NAME: [Call, string][] = [
    [peopleCalls.list, 'name'],
    [peopleCalls.find, 'name'],
    [recordCalls.find, 'personName'],
    [strategyCalls.relatedPersons, 'name'],
    [synchronisationCalls.persons, 'name'],
    [questionCalls.whoCanPass, 'name'],
    [auditCalls.operations, 'subject'],
    [issuingCalls.list, 'name'],
  ]
  test.each(FOUND_BY_NAME.map(([call, field]) => [`${call.method} ${call.url}`, call, field] as const))(
    '%s finds the person by it for whoever sees names in full, and by the whole name for everybody',
    async (_, call, field) => {
      expect(await finds(await session(false), call, field, PARTS[0]!)).toBe(true)
      expect(await finds(await session(true), call, field, SOUGHT.name.toUpperCase())).toBe(true)
    },
  )

  test('of phones and cards is the same: the last four digits are for whoever sees them in full', async () => {
    const [full, masked] = [await session(false), await session(true)]
    for (const field of ['phone', 'cardNumber'] as const) {
      expect(await finds(full, peopleCalls.list, field, SOUGHT[field].slice(-4))).toBe(true)
      expect(await finds(masked, peopleCalls.list, field, SOUGHT[field].slice(-4))).toBe(false)
      expect(await finds(masked, peopleCalls.list, field, SOUGHT[field])).toBe(true)
    }
    const cards = async (client: Client, number: string) => (await client.call(issuingCalls.list, { query: { number } })).content
    expect(await cards(full, '9001')).toMatchObject([{ number: '66778899001' }])
    expect(await cards(masked, '9001')).toEqual([])
    expect(await cards(masked, '66778899001')).toMatchObject([{ number: '*******9001' }])
  })

  test('of the one text for names and phones is the same, and no pinyin finds anybody', async () => {
    const [full, masked] = [await session(false), await session(true)]
    const { id, workNumber } = await world.person({ name: '陈天佑', groupId: here.person.groupId })
    const found = async (client: Client, keyword: string) =>
      (await client.call(peopleCalls.list, { query: { keyword } })).content.map((one) => one.id)
    for (const keyword of ['chentianyou', 'cty', '天佑', workNumber]) expect(await found(full, keyword), keyword).toEqual([id])
    for (const keyword of ['chentianyou', 'cty', '天佑']) expect(await found(masked, keyword), keyword).toEqual([])
    for (const keyword of ['陈天佑', workNumber]) expect(await found(masked, keyword), keyword).toEqual([id])
    for (const keyword of [SOUGHT.phone.slice(-4), PARTS[0]!]) {
      expect(await found(full, keyword)).toContain(here.person.id)
      expect(await found(masked, keyword)).toEqual([])
    }
    for (const keyword of [SOUGHT.phone, SOUGHT.name.toLowerCase()]) expect(await found(masked, keyword)).toEqual([here.person.id])
  })

  test('stands in no pattern: wildcards mean themselves', async () => {
    const masked = await session(true)
    for (const name of ['%', 'Zacharias%', 'Zacharias_Quillon'])
      expect((await masked.call(peopleCalls.list, { query: { name } })).content).toEqual([])
  })

  test('of accounts is the same', async () => {
    const role = await roleOf(await world.session({ permissions: ['screen'] }))
    const { id } = await world.call(userCalls.create, {
      body: { account: 'theodora', realName: 'Theodora Quill', organisationId: world.park.id, roles: [role] },
    })
    const found = async (client: Client, realName: string) =>
      (await client.call(userCalls.list, { query: { realName } })).content.map((user) => user.id)
    expect(await found(await session(false), 'heodo')).toEqual([id])
    expect(await found(await session(true), 'heodo')).toEqual([])
    expect(await found(await session(true), 'theodora quill')).toEqual([id])
  })
})

test('masked names are in no order', async () => {
  const sorted = async (client: Client) =>
    (await client.call(peopleCalls.list, { query: { sort: 'name', order: 'desc' } })).content.map(({ id }) => id)
  const group = await world.personGroup()
  for (const name of ['Aab', 'Aac', 'Aaa']) await world.person({ name, groupId: group.id })
  const byCreation = (await world.call(peopleCalls.list, { query: { sort: 'createdAt', order: 'desc' } })).content.map(({ id }) => id)
  expect(await sorted(await session(true))).toEqual(byCreation)
  expect(await sorted(await session(false))).not.toEqual(byCreation)
})

test('every filter that looks for part of a personal field says so in the contract', () => {
  const marked = ALL_CALLS.flatMap((call) =>
    [call.query, call.body].flatMap((schema) => [...searchedFieldsOf(schema).keys()].map((field) => `${call.method} ${call.url} ${field}`)),
  )
  expect(marked).toEqual(expect.arrayContaining([`GET ${peopleCalls.list.url} phone`, `GET ${peopleCalls.list.url} cardNumber`]))
  expect(marked.length).toBeGreaterThan(20)
})

describe('searches of whoever sees personal data masked', () => {
  const search = (client: Client, phone: string, field: 'phone' | 'keyword' = 'phone') =>
    client.ask(peopleCalls.list, { query: { [field]: phone } })

  test('stand in the log of reads, whether they find anybody or not', async () => {
    const client = await session(true)
    const reads = async () => {
      await world.server.platform.audit.settled()
      return (await world.call(auditCalls.reads, { query: { size: 100 } })).content.filter(({ url }) => url === peopleCalls.list.url).length
    }
    const before = await reads()
    await search(client, '15800000000')
    await search(client, SOUGHT.phone)
    await search(client, '15800000001', 'keyword')
    expect(await reads()).toBe(before + 3)
    await search(await session(false), '15800000000')
    expect(await reads()).toBe(before + 3)
  })

  test('are held up after many that found nobody, also at once, and for nobody else', async () => {
    const [client, other] = [await session(true), await session(true)]
    const numberOf = (index: number) => `1580000${String(index).padStart(4, '0')}`
    const fieldOf = (index: number) => (index % 2 === 0 ? 'phone' : 'keyword')
    const answers = await Promise.all(Array.from({ length: MISSES_MAX + 5 }, (_, index) => search(client, numberOf(index), fieldOf(index))))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
    expect((await search(client, SOUGHT.phone)).status).toBe(429)
    // Repeating a search reveals nothing new, and a list without such a filter is not limited.
    expect((await search(client, numberOf(0))).status).toBe(200)
    expect((await client.ask(peopleCalls.list, { query: {} })).status).toBe(200)
    expect((await search(other, SOUGHT.phone)).status).toBe(200)
    const [full] = [await session(false)]
    for (let index = 0; index < MISSES_MAX + 1; index++) expect((await search(full, numberOf(index))).status).toBe(200)
    now += 10 * 60_000
    expect((await search(client, SOUGHT.phone)).status).toBe(200)
    now -= 10 * 60_000
  })

  test('that are typed character by character count as one', async () => {
    const client = await session(true)
    for (let typed = 0; typed < 8; typed++)
      for (let length = 1; length <= 11; length++)
        expect((await search(client, `${typed + 1}5800000000`.slice(0, length))).status).toBe(200)
  })

  test('are held up too where they ask whether an account has an e-mail address', async () => {
    const [client, full] = [await session(true), await session(false)]
    const isFree = (by: Client, index: number) => by.ask(userCalls.checkEmail, { query: { email: `emma${index}@example.org` } })
    for (let index = 0; index < MISSES_MAX; index++) expect((await isFree(client, index)).status).toBe(200)
    expect((await isFree(client, MISSES_MAX)).status).toBe(429)
    for (let index = 0; index <= MISSES_MAX; index++) expect((await isFree(full, index)).status).toBe(200)
  })

  test('that find somebody are not counted', async () => {
    const client = await session(true)
    for (let round = 0; round < MISSES_MAX + 5; round++)
      expect((await client.ask(peopleCalls.list, { query: { phone: SOUGHT.phone, size: 1 + (round % 90) } })).status).toBe(200)
    expect((await search(client, '15800000000')).status).toBe(200)
  })
})

describe('values that a form of theirs brings', () => {
  const numberOf = (index: number) => `1590000${String(index).padStart(4, '0')}`
  const save = (client: Client, phone: string, more: object = {}) =>
    client.ask(peopleCalls.create, { body: { name: 'Somebody', groupId: here.person.groupId, phone, ...more } })
  const readsOf = async (url: string) => {
    await world.server.platform.audit.settled()
    return (await world.call(auditCalls.reads, { query: { size: 100 } })).content.filter((entry) => entry.url === url).length
  }

  test('stand in the log of reads where somebody has them already, whatever form it is', async () => {
    const [client, full] = [await session(true), await session(false)]
    const { workNumber } = await world.call(peopleCalls.read, { query: { id: here.person.id } })
    const mine = await world.person({ groupId: here.person.groupId })
    const card = { personId: mine.id, type: 0 as const, number: '66778899001', effectiveDate: '2028-01-01', expiryDate: '2028-02-01' }
    const forms = [
      [peopleCalls.create.url, 200005, () => save(client, SOUGHT.phone)],
      [peopleCalls.create.url, 200207, () => save(client, '', { cardNumber: SOUGHT.cardNumber })],
      [peopleCalls.create.url, 200215, () => save(client, '', { workNumber })],
      [
        peopleCalls.change.url,
        200005,
        () => client.ask(peopleCalls.change, { body: { id: mine.id, name: 'Else', groupId: here.person.groupId, phone: SOUGHT.phone } }),
      ],
      [issuingCalls.issue.url, 200207, () => client.ask(issuingCalls.issue, { body: card })],
    ] as const
    for (const [url, code, ask] of forms) {
      const before = await readsOf(url)
      expect((await ask()).code).toBe(code)
      expect(await readsOf(url), `${url} ${code}`).toBe(before + 1)
    }
    const before = await readsOf(peopleCalls.create.url)
    expect((await save(full, SOUGHT.phone)).code).toBe(200005)
    expect((await save(client, numberOf(9000))).code).toBe(0)
    expect(await readsOf(peopleCalls.create.url)).toBe(before)
  })

  test('are held up like searches after many, saved or refused, and for nobody else', async () => {
    const [client, other, full] = [await session(true), await session(true), await session(false)]
    const mine = await world.person({ groupId: here.person.groupId })
    const change = (by: Client, phone: string) =>
      by.ask(peopleCalls.change, { body: { id: mine.id, name: 'Somebody', groupId: here.person.groupId, phone } })
    for (let index = 0; index < MISSES_MAX; index++) expect((await change(client, numberOf(index))).code).toBe(0)
    now += 4 * 60_000
    const delayed = await change(client, SOUGHT.phone)
    expect([delayed.status, delayed.headers.get('retry-after')]).toEqual([429, '360'])
    expect((await save(client, SOUGHT.phone)).status).toBe(429)
    expect((await client.ask(peopleCalls.list, { query: { phone: SOUGHT.phone } })).status).toBe(429)
    // Values sent back as they were shown, and forms without such values, are not limited.
    const shown = await client.call(peopleCalls.read, { query: { id: mine.id } })
    expect((await change(client, shown.phone)).code).toBe(0)
    expect((await save(client, '')).code).toBe(0)
    expect((await change(other, SOUGHT.phone)).code).toBe(200005)
    for (let index = 100; index < 100 + MISSES_MAX + 1; index++) expect((await change(full, numberOf(index))).code).toBe(0)
    now += 6 * 60_000
    expect((await change(client, SOUGHT.phone)).code).toBe(200005)
    now -= 10 * 60_000
  })

  test('of a program are counted where somebody has them, however many it saves', async () => {
    const { ApiKey, ApiSecret } = await world.call(clientCalls.create, {
      body: {
        name: 'Payroll',
        organisationId: world.park.id,
        permissions: ['person.list', 'own:person.edit'],
        enablePageDataMasking: true,
      },
    })
    const login = createClient(world.url, { basic: [ApiKey, ApiSecret] })
    const { access_token: bearer } = await login.call(identityCalls.token, { body: { grant_type: 'client_credentials' } })
    const program = createClient(world.url, { bearer })
    for (let index = 200; index <= 200 + MISSES_MAX; index++) expect((await save(program, numberOf(index))).code).toBe(0)
    for (let index = 200; index < 200 + MISSES_MAX; index++) expect((await save(program, numberOf(index))).code).toBe(200005)
    expect((await save(program, SOUGHT.phone)).status).toBe(429)
  })
})
