import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { accessMethod } from '@gatehouse/contract/enums'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { until } from '../../../../../tests/support/until.ts'
import { sql, type Transaction } from './database.ts'
import type { HistoryContent, HistoryEntity } from './history.ts'
import { historyMigration } from './history-migration.ts'
import { noKeys } from './migrations.ts'
import { newId } from './ids.ts'

const DAY = 86_400_000
/** Part of every name, so that a name that gets into the history is found. */
const NAME = 'Quillfeather'

let now = Date.now()
let world: World
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => now } })
})
afterAll(() => world?.stop())

const history = () => world.server.platform.history
const database = () => world.server.platform.db
const inTransaction = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => world.server.platform.transaction(work)

/** Return a generator of numbers from 0 to below 1, the same for a seed. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    const more = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((more ^ (more >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Return the faults in the rows of a park: gaps, overlaps, several valid revisions. */
async function faultsOf(parkId: string): Promise<unknown[]> {
  const { rows } = await sql`
    SELECT * FROM (
      SELECT entity, entity_id, revision, valid_from, valid_to,
             row_number() OVER own AS expected, lead(valid_from) OVER own AS next_from
        FROM history WHERE park_id = ${parkId}::uuid WINDOW own AS (PARTITION BY entity, entity_id ORDER BY revision)) AS told
     WHERE revision <> expected OR (next_from IS NOT NULL AND (valid_to IS NULL OR valid_to > next_from))`.execute(database())
  return rows
}

const SEED = Number(process.env.SEED ?? 20_261_120)

test(`any moment of a random walk of changes reads as it was (SEED=${SEED})`, { tags: 'extended' }, async () => {
  const random = randomOf(SEED)
  const below = (limit: number): number => Math.floor(random() * limit)
  const some = (ids: readonly string[], chance = 0.5): string[] => ids.filter(() => random() < chance).toSorted()
  const park = await world.addPark({ name: `${NAME} Park`, zone: 'Asia/Shanghai' })
  const scope = { parkId: park.park.id }
  const model = new Map<string, HistoryContent>([[`park/${scope.parkId}`, { zone: 'Asia/Shanghai' }]])
  const ids = (entity: HistoryEntity): string[] =>
    [...model.keys()].flatMap((key) => (key.startsWith(`${entity}/`) ? [key.slice(entity.length + 1)] : []))
  const oneOf = (entity: HistoryEntity): string | undefined => ids(entity)[below(ids(entity).length)]
  let named = 0
  const name = (): string => `${NAME} ${++named}`

  const persons = new Set<string>()
  async function writePerson(id: string | undefined): Promise<void> {
    const groupId = oneOf('personGroup')!
    const validTo = random() < 0.5 ? now + below(100) * DAY + DAY : null
    const fields = { name: name(), workNumber: `${NAME}-${named}`, groupId, validFrom: null, validTo }
    if (id !== undefined && (model.get(`person/${id}`) as { enabled: boolean }).enabled === false) return
    const made = id ?? (await park.call(peopleCalls.create, { body: fields })).id
    if (id !== undefined) await park.call(peopleCalls.change, { body: { ...fields, id } })
    persons.add(made)
    model.set(`person/${made}`, { enabled: true, groupId, validFrom: null, validTo })
  }
  async function writeStrategy(id: string | undefined): Promise<void> {
    const content = {
      methods: [accessMethod.face, accessMethod.card].slice(below(2)),
      validFrom: null,
      validTo: random() < 0.3 ? now + DAY : null,
      timeRuleIds: [oneOf('timeRule')!],
      members: some(ids('person')),
      personGroupIds: some(ids('personGroup'), 0.3),
      deviceIds: some(ids('device')),
      deviceGroupIds: some(ids('deviceGroup'), 0.3),
    }
    if (!content.methods.includes(accessMethod.card)) content.methods.push(accessMethod.card)
    const { members, ...others } = content
    const fields = { ...others, personIds: members, name: name() }
    const made = id ?? (await park.call(strategyCalls.create, { body: fields })).id
    if (id !== undefined) await park.call(strategyCalls.change, { body: { ...fields, id } })
    model.set(`strategy/${made}`, content)
  }
  async function writeRule(id: string | undefined): Promise<void> {
    const content = {
      periods: [{ weekday: 1 + below(7), start: '08:00', end: `${10 + below(9)}:00` }],
      allowedExceptionDates: random() < 0.3 ? ['2026-12-25'] : [],
      forbiddenExceptionDates: random() < 0.3 ? ['2027-01-01', '2027-01-02'] : [],
      effectiveDate: random() < 0.3 ? '2026-12-01' : null,
    }
    const made = id ?? (await park.call(timeRuleCalls.create, { body: { ...content, name: name() } })).id
    if (id !== undefined) await park.call(timeRuleCalls.change, { body: { ...content, name: name(), id } })
    model.set(`timeRule/${made}`, content)
  }
  async function writeDevice(id: string | undefined): Promise<void> {
    const content = {
      groupId: random() < 0.5 ? (oneOf('deviceGroup') ?? null) : null,
      direction: (1 + below(2)) as 1 | 2,
      type: 3 as const,
    }
    const made = id ?? (await park.call(deviceCalls.create, { body: { ...content, code: `WALK-${++named}`, name: name() } })).id
    if (id !== undefined) await park.call(deviceCalls.change, { body: { ...content, name: name(), id } })
    model.set(`device/${made}`, content)
  }
  /** Remove deleted members from the strategies, as its consumer does. */
  function forget(list: 'members' | 'deviceIds', gone: string): void {
    for (const id of ids('strategy')) {
      const content = model.get(`strategy/${id}`)! as HistoryContent & Record<typeof list, string[]>
      if (content[list].includes(gone)) model.set(`strategy/${id}`, { ...content, [list]: content[list].filter((one) => one !== gone) })
    }
  }
  const steps: (() => Promise<void>)[] = [
    () => writePerson(undefined),
    () => writePerson(oneOf('person')),
    async () => {
      const id = oneOf('person')
      if (id === undefined) return
      const { enabled, ...others } = model.get(`person/${id}`)! as HistoryContent & { enabled: boolean }
      await park.call(peopleCalls.status, { body: { ids: [id], status: enabled ? 0 : 1 } })
      model.set(`person/${id}`, { ...others, enabled: !enabled })
    },
    async () => {
      const id = ids('person').find((one) => (model.get(`person/${one}`) as { enabled: boolean }).enabled)
      if (id === undefined || random() < 0.5) return
      await park.call(peopleCalls.delete, { query: {}, body: { ids: [id] } })
      model.delete(`person/${id}`)
      forget('members', id)
    },
    async () => {
      const parentId = random() < 0.5 ? oneOf('personGroup')! : null
      const { id } = await park.call(peopleCalls.createGroup, { body: { name: `${NAME}_${++named}`, parentId } })
      model.set(`personGroup/${id}`, { parentId })
    },
    async () => {
      const id = oneOf('personGroup')!
      await park.call(peopleCalls.changeGroup, { body: { id, parentId: null } })
      model.set(`personGroup/${id}`, { parentId: null })
    },
    () => writeStrategy(undefined),
    () => writeStrategy(oneOf('strategy')),
    () => writeStrategy(oneOf('strategy')),
    async () => {
      const id = oneOf('strategy')
      if (id === undefined || random() < 0.5) return
      await park.call(strategyCalls.delete, { query: { id } })
      model.delete(`strategy/${id}`)
    },
    () => writeRule(undefined),
    () => writeRule(oneOf('timeRule')),
    () => writeDevice(undefined),
    () => writeDevice(oneOf('device')),
    async () => {
      const id = oneOf('device')
      if (id === undefined || random() < 0.5) return
      await park.call(deviceCalls.delete, { query: { ids: [id] } })
      model.delete(`device/${id}`)
      forget('deviceIds', id)
    },
    async () => {
      const { id } = await park.deviceGroup(`${NAME}_${++named}`)
      model.set(`deviceGroup/${id}`, { parentId: null })
    },
    async () => {
      const zone = ['Europe/Berlin', 'Asia/Shanghai', 'UTC'][below(3)]!
      await world.server.contexts.organisation.service.change(scope.parkId, { name: `${NAME} Park`, zone })
      model.set(`park/${scope.parkId}`, { zone })
    },
  ]

  const recorded = new Map<number, Map<string, HistoryContent>>()
  await steps[4]!()
  await writeRule(undefined)
  for (let step = 0; step < 120; step++) {
    now += below(3) * 500
    await steps[below(steps.length)]!()
    // Members that were deleted leave their strategies by an event.
    await world.settled()
    recorded.set(now, new Map(model))
  }

  const everything = new Set([...recorded.values()].flatMap((state) => [...state.keys()]))
  expect(everything.size).toBeGreaterThan(20)
  for (const [moment, state] of recorded) {
    for (const key of everything) {
      const [entity, id] = key.split('/') as [HistoryEntity, string]
      const found = await history().at(scope, entity, id, moment)
      expect(found?.content ?? null, `${key} at ${moment}`).toEqual(state.get(key) ?? null)
    }
  }
  const [last, state] = [...recorded].at(-1)!
  for (const entity of ['strategy', 'person', 'device'] as const) {
    const allFound = await history().allAt(scope, entity, last)
    const expected = [...state].flatMap(([key, { members: _, ...content }]) =>
      key.startsWith(`${entity}/`) ? [[key.slice(entity.length + 1), content]] : [],
    )
    expect(Object.fromEntries([...allFound].map(([id, { content }]) => [id, content]))).toEqual(Object.fromEntries(expected))
  }
  expect(await faultsOf(scope.parkId)).toEqual([])
  const { rows } = await sql`SELECT entity FROM history WHERE content::text ILIKE ${`%${NAME}%`}`.execute(database())
  expect(rows).toEqual([])
})

describe('revisions', () => {
  const entityId = newId()
  const scope = () => ({ parkId: world.park.id })
  const note = (id: string, content: HistoryContent | null) => inTransaction((tx) => history().note(tx, scope(), 'device', id, content))

  test('of equal content are written once, and a deletion closes the last', async () => {
    const begin = now
    await note(entityId, { direction: 1, groupId: null })
    now += 1000
    await note(entityId, { groupId: null, direction: 1 })
    expect(await history().at(scope(), 'device', entityId, now)).toEqual({
      revision: 1,
      from: begin,
      to: null,
      content: { direction: 1, groupId: null },
    })
    await note(entityId, null)
    await note(entityId, null)
    expect(await history().at(scope(), 'device', entityId, now - 1)).toMatchObject({ revision: 1, to: now })
    expect(await history().at(scope(), 'device', entityId, now)).toBeNull()
    expect(await history().at(scope(), 'device', entityId, begin - 1)).toBeNull()
    expect(await history().between(scope(), 'device', entityId, begin, now)).toHaveLength(1)
    expect(await history().between(scope(), 'device', entityId, now, now + DAY)).toEqual([])
  })

  test('do not overlap when the clock was set back', async () => {
    const id = newId()
    const begin = now
    await note(id, { direction: 1 })
    now -= DAY
    await note(id, { direction: 2 })
    now = begin + 5
    await note(id, { direction: 1 })
    expect(await history().at(scope(), 'device', id, begin)).toMatchObject({ revision: 2, content: { direction: 2 } })
    expect(await history().at(scope(), 'device', id, now)).toMatchObject({ revision: 3, content: { direction: 1 } })
    expect((await faultsOf(world.park.id)).length).toBe(0)
  })

  test('are seen by their own park only', async () => {
    const id = newId()
    await note(id, { direction: 1 })
    const abroad = { parkId: (await world.addPark()).park.id }
    expect(await history().at(abroad, 'device', id, now)).toBeNull()
    expect(await history().between(abroad, 'device', id, 0, now)).toEqual([])
  })

  test('are not there where the change was not committed', async () => {
    const id = newId()
    const failing = inTransaction(async (tx) => {
      await history().note(tx, scope(), 'device', id, { direction: 1 })
      throw new Error('changed their mind')
    })
    await expect(failing).rejects.toThrow('changed their mind')
    expect(await history().at(scope(), 'device', id, now)).toBeNull()
  })
})

describe('two writers', () => {
  test('take turns: the second reads what the first has left', async () => {
    const scope = { parkId: world.park.id }
    const id = newId()
    await inTransaction((tx) => history().note(tx, scope, 'device', id, { direction: 1 }))
    const release = Promise.withResolvers<void>()
    const noted = Promise.withResolvers<void>()
    const first = inTransaction(async (tx) => {
      await history().note(tx, scope, 'device', id, { direction: 2 })
      noted.resolve()
      await release.promise
    })
    await noted.promise
    let read = false
    const second = inTransaction((tx) =>
      history().noteAll(tx, scope, 'device', [id], async () => {
        read = true
        return new Map([[id, { direction: 1 }]])
      }),
    )
    await until('the second writer to wait', async () => {
      const { rows } = await sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(
        database(),
      )
      return rows.length > 0
    })
    expect(read).toBe(false)
    release.resolve()
    await Promise.all([first, second])
    expect(await history().at(scope, 'device', id, now)).toMatchObject({ revision: 3, content: { direction: 1 } })
    expect(await faultsOf(scope.parkId)).toEqual([])
  })

  test('many at once leave what the tables say', async () => {
    const park = await world.addPark()
    const scope = { parkId: park.park.id }
    const persons = await Promise.all(Array.from({ length: 6 }, () => park.person()))
    const rule = await park.timeRule()
    const strategy = await park.strategy({ persons, timeRules: [rule] })
    const change = (members: readonly { id: string }[]) =>
      park.ask(strategyCalls.change, {
        body: {
          id: strategy.id,
          name: strategy.name,
          personIds: members.map(({ id }) => id),
          timeRuleIds: [rule.id],
          methods: [accessMethod.card],
        },
      })
    // Some of them name a person who is being deleted; some are too late and are refused.
    await Promise.all([
      ...Array.from({ length: 12 }, (_, index) => change(persons.slice(index % 5))),
      park.ask(peopleCalls.delete, { query: {}, body: { ids: [persons[5]!.id] } }),
      park.ask(peopleCalls.status, { body: { ids: [persons[0]!.id, persons[1]!.id], status: 0 } }),
      park.ask(peopleCalls.status, { body: { ids: [persons[1]!.id, persons[0]!.id], status: 1 } }),
    ])
    await world.settled()
    const members = await sql<{
      id: string
    }>`SELECT member_id AS id FROM strategy_member WHERE strategy_id = ${strategy.id}::uuid AND kind = 'person' ORDER BY 1`.execute(
      database(),
    )
    const found = await history().at(scope, 'strategy', strategy.id, now)
    expect(found?.content.members).toEqual(members.rows.map(({ id }) => id))
    for (const { id } of persons.slice(0, 2)) {
      const { rows } = await sql<{ enabled: boolean }>`SELECT enabled FROM person WHERE id = ${id}::uuid`.execute(database())
      expect((await history().at(scope, 'person', id, now))?.content.enabled).toBe(rows[0]!.enabled)
    }
    expect(await faultsOf(scope.parkId)).toEqual([])
  })
})

test('a long list of members is stored whole only now and then, and read whole always', async () => {
  const scope = { parkId: world.park.id }
  const id = newId()
  const random = randomOf(7)
  let members = Array.from({ length: 1000 }, newId).toSorted()
  const written: [number, string[]][] = []
  for (let round = 0; round < 70; round++) {
    now += 10
    members = [...members.filter(() => random() > 0.002), newId()].toSorted()
    const content = { methods: [4], members }
    await inTransaction((tx) => history().note(tx, scope, 'strategy', id, content))
    written.push([now, members])
  }
  for (const [moment, expected] of written) expect((await history().at(scope, 'strategy', id, moment))?.content.members).toEqual(expected)
  const { rows } = await sql<{
    whole: number
  }>`SELECT count(*) FILTER (WHERE content ? 'members') AS whole FROM history WHERE entity_id = ${id}::uuid`.execute(database())
  expect(rows[0]!.whole).toBe(3)
})

test('a pseudonym takes the place of a person wherever history names them', async () => {
  const park = await world.addPark()
  const scope = { parkId: park.park.id }
  const [gone, stays] = [await park.person(), await park.person()]
  const strategy = await park.strategy({ persons: [gone, stays] })
  const pseudonym = newId()
  await inTransaction((tx) => history().pseudonymise(tx, scope, 'person', gone.id, pseudonym))
  expect(await history().at(scope, 'person', gone.id, now)).toBeNull()
  expect(await history().at(scope, 'person', pseudonym, now)).toMatchObject({ content: { enabled: true } })
  expect((await history().at(scope, 'strategy', strategy.id, now))?.content.members).toEqual([pseudonym, stays.id].toSorted())
  const { rows } = await sql`SELECT entity FROM history WHERE entity_id = ${gone.id}::uuid OR content::text LIKE ${`%${gone.id}%`}`.execute(
    database(),
  )
  expect(rows).toEqual([])
})

test('a park that is emptied takes the history of its persons and devices along, and nobody else’s', async () => {
  const [park, neighbour] = [await world.addPark(), await world.addPark()]
  for (const site of [park, neighbour]) await Promise.all([site.person(), site.device(), site.deviceGroup()])
  const kindsOf = async ({ park: { id } }: typeof park) =>
    (
      await sql<{ entity: string }>`SELECT DISTINCT entity FROM history WHERE park_id = ${id}::uuid ORDER BY entity`.execute(database())
    ).rows.map(({ entity }) => entity)
  const before = await kindsOf(neighbour)
  expect(before).toEqual(['device', 'deviceGroup', 'park', 'person', 'personGroup'])
  const { people, devices } = world.server.contexts
  await inTransaction(async (tx) => {
    for (const context of [devices, people]) await context.erasePark!(tx, { parkId: park.park.id })
  })
  expect(await kindsOf(park)).toEqual(['park'])
  expect(await kindsOf(neighbour)).toEqual(before)
})

test('what is there before history begins has its first revision from that moment on', async () => {
  const [person, device] = [await world.person({ validTo: now + 5 * DAY }), await world.device({ direction: 2 })]
  const group = await world.deviceGroup()
  const rule = await world.timeRule({
    periods: [{ weekday: 3, start: '09:00', end: '17:30' }],
    forbiddenExceptionDates: ['2027-01-01'],
    effectiveDate: '2026-11-01',
  })
  const strategy = await world.strategy({
    persons: [person],
    devices: [device],
    deviceGroups: [group],
    timeRules: [rule],
    validTo: now + DAY,
  })
  const scope = { parkId: world.park.id }
  const entities = [
    ['park', scope.parkId],
    ['person', person.id],
    ['personGroup', person.groupId],
    ['device', device.id],
    ['deviceGroup', group.id],
    ['timeRule', rule.id],
    ['strategy', strategy.id],
  ] as const
  const noted = await Promise.all(entities.map(async ([entity, id]) => (await history().at(scope, entity, id, now))!.content))
  await sql`DROP TABLE history, history_complete`.execute(database())
  await database()
    .transaction()
    .execute((tx) => historyMigration.up(tx.withoutPlugins(), noKeys))
  const since = await history().completeSince()
  for (const [index, [entity, id]] of entities.entries())
    expect(await history().at(scope, entity, id, since)).toEqual({ revision: 1, from: since, to: null, content: noted[index] })
  expect(await history().at(scope, 'person', person.id, since - 1)).toBeNull()
})
