/** The list of persons: every filter alone, every two together, and in each sort order each person once. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InputOf } from '@gatehouse/contract'
import { personGroupType } from '@gatehouse/contract/enums/people'
import { EXPIRY_FILTERS } from '@gatehouse/contract/limits'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { sql } from '../../platform/database/database.ts'
import { cardKeyOf } from './card.ts'
import { sealedDetailsOf } from './details.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 21, 4)
const COUNT = 90
const PAGE = 100

type Query = InputOf<(typeof peopleCalls)['list']['query']>

/** A person in the test's model. */
interface Line {
  id: string
  name: string
  workNumber: string
  phone: string | null
  cardNumber: string | null
  groupId: string
  kind: 'staff' | 'customer'
  enabled: boolean
  faceCount: number
  consent: 'none' | 'given' | 'withdrawn'
  validTo: number | null
  createdAt: number
}

let world: World
let site: Site
let lines: Line[]
let groups: { top: string; below: string; other: string }
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => NOW } })
  site = await world.addPark()
  const top = await site.personGroup({ name: 'Top' })
  groups = {
    top: top.id,
    below: (await site.personGroup({ name: 'Below', parentId: top.id })).id,
    other: (await site.personGroup({ name: 'Other' })).id,
  }
  const ends = [null, -1, 0, DAY - 1, 6 * DAY, 7 * DAY, 14 * DAY, 15 * DAY, 29 * DAY, 30 * DAY, 400 * DAY]
  lines = Array.from({ length: COUNT }, (_, at): Line => ({
    id: crypto.randomUUID(),
    name: ['王伟', 'Ada_Lovelace', 'Grace % Hopper', 'ada'][at % 4]! + (at % 3 === 0 ? ` ${at}` : ''),
    workNumber: `W-${at}`,
    phone: at % 5 === 0 ? null : `1380013${String(at).padStart(4, '0')}`,
    cardNumber: at % 2 === 0 ? null : `AB${1000 + at}`,
    groupId: [groups.top, groups.below, groups.other][at % 3]!,
    kind: at % 4 < 3 ? 'staff' : 'customer',
    enabled: at % 6 !== 0,
    faceCount: at % 4,
    consent: (['none', 'given', 'withdrawn'] as const)[at % 3]!,
    validTo: at % 11 === 0 ? null : NOW + ends[at % 11]!,
    createdAt: NOW - Math.floor(at / 4) * 1_000,
  }))
  for (const one of lines) {
    const { phone, cardNumber } = one
    const { details, ...indexes } = await sealedDetailsOf(world.server.platform.crypto, { parkId: site.park.id }, one.id, {
      phone,
      email: null,
      cardNumber,
      cardKey: cardKeyOf(cardNumber, 'hex'),
      birthday: null,
      remark: '',
      instruction: '',
    })
    await sql`INSERT INTO person (id, park_id, group_id, kind, name, work_number, details, phone_index, phone_ending, card_index,
      card_ending, gender, valid_to, enabled, face_count, consent, created_at, updated_at)
      VALUES (${one.id}, ${site.park.id}, ${one.groupId}, ${one.kind}, ${one.name}, ${one.workNumber}, ${details}, ${indexes.phoneIndex},
      ${indexes.phoneEnding}, ${indexes.cardIndex}, ${indexes.cardEnding}, 3, ${one.validTo === null ? null : new Date(one.validTo)},
      ${one.enabled},
        ${one.faceCount}, ${one.consent}, ${new Date(one.createdAt)}, now())`.execute(world.server.platform.db)
  }
})
afterAll(() => world?.stop())

const holdsPart = (value: string | null, part: string): boolean => value?.toLowerCase().includes(part.toLowerCase()) === true
const ended = ({ validTo }: Line): boolean => validTo !== null && validTo < NOW

/** Each filter with its meaning. */
const filters = (): Record<string, [query: Query, holds: (one: Line) => boolean]> => ({
  'part of a name, in either case': [{ name: 'ADA' }, ({ name }) => holdsPart(name, 'ada')],
  'part of a name in Chinese': [{ name: '王' }, ({ name }) => holdsPart(name, '王')],
  'a name with what others take for a wildcard': [{ name: 'a_l' }, ({ name }) => holdsPart(name, 'a_l')],
  'another such': [{ name: '%' }, ({ name }) => holdsPart(name, '%')],
  'part of a work number': [{ workNumber: 'w-1' }, ({ workNumber }) => holdsPart(workNumber, 'w-1')],
  'a phone number': [{ phone: '13800130002' }, ({ phone }) => phone === '13800130002'],
  'the last four digits of a phone number': [{ phone: '0004' }, ({ phone }) => phone?.endsWith('0004') === true],
  'a card number in either case': [{ cardNumber: 'ab1003' }, ({ cardNumber }) => cardNumber === 'AB1003'],
  'a card number as it is written elsewhere': [{ cardNumber: String(0xab1003) }, ({ cardNumber }) => cardNumber === 'AB1003'],
  'the last four digits of a card number': [{ cardNumber: '1005' }, ({ cardNumber }) => cardNumber?.endsWith('1005') === true],
  'a group with what is below it': [{ groupId: groups.top }, ({ groupId }) => groupId === groups.top || groupId === groups.below],
  'a group with nothing below it': [{ groupId: groups.other }, ({ groupId }) => groupId === groups.other],
  staff: [{ kind: 'staff' }, ({ kind }) => kind === 'staff'],
  customers: [{ kind: 'customer' }, ({ kind }) => kind === 'customer'],
  disabled: [{ status: 0 }, ({ enabled }) => !enabled],
  enabled: [{ status: 1 }, (one) => one.enabled && !ended(one)],
  expired: [{ status: 2 }, (one) => one.enabled && ended(one)],
  'consent not asked for': [{ consent: 'none' }, ({ consent }) => consent === 'none'],
  'consent given': [{ consent: 'given' }, ({ consent }) => consent === 'given'],
  'consent withdrawn': [{ consent: 'withdrawn' }, ({ consent }) => consent === 'withdrawn'],
  'with a photograph': [{ hasFace: 1 }, ({ faceCount }) => faceCount > 0],
  'without a photograph': [{ hasFace: 0 }, ({ faceCount }) => faceCount === 0],
  'fewer photographs than two': [{ facesBelow: 2 }, ({ faceCount }) => faceCount < 2],
  'fewer photographs than three': [{ facesBelow: 3 }, ({ faceCount }) => faceCount < 3],
  ...Object.fromEntries(
    EXPIRY_FILTERS.map((days) => [
      `ends within ${days} days`,
      [{ expiringDays: days }, ({ validTo }: Line) => validTo !== null && validTo >= NOW && validTo < NOW + days * DAY] as [
        Query,
        (one: Line) => boolean,
      ],
    ]),
  ),
})

const idsOf = (some: readonly { id: string }[]): string[] => some.map(({ id }) => id).toSorted()
async function expectFound(what: string, query: Query, holds: (one: Line) => boolean): Promise<void> {
  const { content, total } = await site.call(peopleCalls.list, { query: { ...query, size: PAGE } })
  const wanted = idsOf(lines.filter(holds))
  expect(idsOf(content), what).toEqual(wanted)
  expect(total, what).toBe(wanted.length)
}

describe('a filter', () => {
  test('finds a sealed number whole or by its last four characters, by no other part of it', async () => {
    for (const query of [{ phone: '130002' }, { phone: '002' }, { phone: '13800' }, { cardNumber: 'b10' }, { cardNumber: 'B1003' }])
      await expectFound(JSON.stringify(query), query, () => false)
  })

  test('alone finds whom it means and nobody else', async () => {
    for (const [what, [query, holds]] of Object.entries(filters())) {
      expect(lines.some(holds), what).toBe(true)
      await expectFound(what, query, holds)
    }
  })

  test('with another one finds whom both mean', async () => {
    const all = Object.entries(filters())
    for (const [at, [one, [oneQuery, oneHolds]]] of all.entries())
      for (const [other, [otherQuery, otherHolds]] of all.slice(at + 1)) {
        // Of two filters on the same field only the latter remains.
        if (Object.keys(oneQuery)[0] === Object.keys(otherQuery)[0]) continue
        await expectFound(`${one}, ${other}`, { ...oneQuery, ...otherQuery }, (line) => oneHolds(line) && otherHolds(line))
      }
  })

  test('by POST finds the same', async () => {
    for (const [what, [query, holds]] of Object.entries(filters())) {
      const { content } = await site.call(peopleCalls.find, { body: { ...query, size: PAGE } })
      expect(idsOf(content), what).toEqual(idsOf(lines.filter(holds)))
    }
  })
})

test('page by page each person once, in each sort and direction, those without a value at one end', async () => {
  for (const sort of ['createdAt', 'name', 'workNumber', 'validTo'] as const)
    for (const order of ['asc', 'desc'] as const) {
      const found: { id: string; validTo: number | null; createdAt: number }[] = []
      for (let page = 1; found.length < COUNT; page++) {
        const { content } = await site.call(peopleCalls.list, { query: { sort, order, page, size: 20 } })
        expect(content.length, `${sort} ${order} ${page}`).toBeGreaterThan(0)
        found.push(...content)
      }
      expect(new Set(found.map(({ id }) => id)).size, `${sort} ${order}`).toBe(COUNT)
      if (sort === 'name' || sort === 'workNumber') continue
      const values = found.map((one) => one[sort] ?? Infinity)
      expect(values, `${sort} ${order}`).toEqual(values.toSorted((one, other) => (order === 'asc' ? one - other : other - one) || 0))
    }
})

describe('one text', () => {
  const found = async (keyword: string, on = park): Promise<string[]> =>
    (await on.call(peopleCalls.list, { query: { keyword, size: PAGE } })).content.map(({ name }) => name)
  const named = async (name: string, more: object = {}) => park.person({ name, groupId: group.id, ...more })
  let park: Site
  let group: { id: string }
  beforeAll(async () => {
    park = await world.addPark()
    group = await park.personGroup({ name: 'Register' })
    await named('陈天佑', { workNumber: 'BH0003', phone: '13609988363' })
    for (const name of ['曾小贤', '单田芳', '仇英', '單曉東', '吕布', 'Ada Lovelace']) await named(name)
  })

  test('finds a person by number, phone, name, pinyin or initials, each surname as it is read', async () => {
    const texts = {
      陈天佑: [
        'bh0003',
        'H000',
        '13609988363',
        '8363',
        '天佑',
        ' chentianyou ',
        'Chen Tianyou',
        'chentian',
        'tianyou',
        'cty',
        'CT',
        'chenty',
      ],
      曾小贤: ['zengxiaoxian', 'zxx', 'zeng xiao'],
      单田芳: ['shantianfang', 'stf'],
      仇英: ['qiuying', 'qy'],
      單曉東: ['shanxiaodong', 'sxd'],
      吕布: ['lvbu', 'lyubu', 'lübu'],
      'Ada Lovelace': ['lovel'],
    }
    for (const [name, each] of Object.entries(texts)) for (const text of each) expect(await found(text), text).toEqual([name])
    for (const text of ['3609988', 'hentian', 'tyou', '13609', '%', '_', 'zhangsan']) expect(await found(text), text).toEqual([])
    expect(await found('')).toHaveLength(7)
  })

  test('finds who has exactly that first', async () => {
    for (const [name, workNumber] of [
      ['Grace', '77'],
      ['Newest', '771'],
    ] as const)
      await named(name, { workNumber })
    expect(await found('77')).toEqual(['Grace', 'Newest'])
  })

  test('follows the name: changed, copied to another park, or gone', async () => {
    const { id } = await named('王之涣')
    expect(await found('wzh')).toEqual(['王之涣'])
    const body = { id, name: '解晓东', groupId: group.id }
    await park.call(peopleCalls.change, { body })
    expect([await found('wzh'), await found('xiexd')]).toEqual([[], ['解晓东']])
    const other = await world.addPark()
    const there = await other.personGroup({ name: 'Guests' })
    await park.call(peopleCalls.copy, { body: { ids: [id], groupId: there.id, parkId: other.park.id } })
    expect(await found('xiexd', other)).toEqual(['解晓东'])
    await park.call(peopleCalls.delete, { query: { ids: [id] } })
    expect([await found('xiexd'), await found('xiexd', other)]).toEqual([[], ['解晓东']])
  })

  test('finds nobody of the watch list in the register, and in theirs by the same text', async () => {
    const { id: groupId } = await park.personGroup({ name: 'Watched', type: personGroupType.blacklist })
    await named('尉迟恭', { kind: 'special', groupId })
    const list = (kind?: 'special') => park.call(peopleCalls.list, { query: { keyword: 'yuchi', ...(kind && { kind }) } })
    expect((await list()).content).toEqual([])
    expect((await list('special')).content).toMatchObject([{ name: '尉迟恭' }])
  })
})
