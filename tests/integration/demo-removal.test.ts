/**
 * The demo campus can be removed at any time, also while it is created: everything it created is deleted, and what users added stays.
 * @module-tag extended
 */
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { demoCampusOf, startDemo, type DemoOutcome } from '@gatehouse/dev-env/demo/demo'
import { startWorld, type Made, type World } from '@gatehouse/dev-env/world'
import { query } from '../support/embedded-postgres.ts'
import { contentsOf } from '../support/contents.ts'
import { hastenTakeover } from '../support/takeover.ts'
import { until } from '../support/until.ts'

const SIZE = { persons: 3, weeks: 1, recordSteps: 2 }
/** Steps of the creation: persons, and the records of two devices. */
const STEPS = 7

/** Tables in which traces stay: logs, tombstones of devices, sessions. */
const LOGS = ['operation_log', 'read_log', 'history', 'work', 'token', 'outbox', 'outbox_head', 'event_consumer', 'device_removal']
/** Tables of the server's own bookkeeping; what matters of organisation, history and files is compared separately. */
const BOOKKEEPING = ['demo', 'organisation', 'data_key', 'scheduled_job', 'sync_audience', 'sync_change', 'settings_part', 'file']

let world: World
afterEach(() => world?.stop())

const remove = async () => {
  const { status, code, data } = await world.ask(organisationCalls.removeDemo, {})
  return { status, code, state: data.state, removed: data.removed }
}
type Removal = Awaited<ReturnType<typeof remove>>

/** Return the contents besides logs and bookkeeping. Files without references are deleted within a day. */
async function contents() {
  await world.settled()
  const things = await contentsOf(world, [...LOGS, ...BOOKKEEPING])
  const rows = (statement: string) => query<Record<string, unknown>>(world.connectionString, statement)
  return {
    things,
    files: await rows('SELECT id FROM file WHERE kept ORDER BY id'),
    organisation: await rows('SELECT id, name, zone FROM organisation ORDER BY id'),
    history: await rows(`SELECT DISTINCT entity_id FROM history WHERE entity <> 'park' ORDER BY entity_id`),
  }
}

/** Add one thing of each kind, as a user adds them to the park of the demo. */
async function addOwn(): Promise<void> {
  const [group, doors, rule] = [await world.personGroup(), await world.deviceGroup(), await world.timeRule()]
  const [person, device] = [await world.person({ groupId: group.id }), await world.device({ groupId: doors.id })]
  await world.strategy({ persons: [person], personGroups: [group], devices: [device], deviceGroups: [doors], timeRules: [rule] })
  await world.session()
}

let before: Awaited<ReturnType<typeof contents>>

/** Start a new installation and begin the demo; then a user adds things of their own. */
async function begin(): Promise<{ names: unknown }> {
  world = await startWorld()
  const { organisation: names } = await contents()
  await demoCampusOf(world.server, SIZE)
  await addOwn()
  before = await contents()
  return { names }
}

interface Moment {
  /** After this many requests of the process that creates the demo. */
  request?: number
  /** After this many steps. */
  done?: number
}

/**
 * Create the demo as `npm start` does.
 * @param after called at each moment
 * @returns how it ended; null where it was removed before there was anything to see
 */
async function make(
  after: (moment: Moment) => Promise<void> | void = () => {},
  signal = new AbortController().signal,
): Promise<DemoOutcome | null> {
  const campus = await demoCampusOf(world.server, SIZE)
  if (campus === null) throw new Error('there is no demo campus')
  let requests = 0
  const through = (client: Client): Pick<Client, 'call'> => ({
    async call(call, input, broken) {
      const answer = await client.call(call, input, broken)
      await after({ request: ++requests })
      return answer
    },
  })
  await after({ request: 0 })
  const demo = await startDemo(world.server, campus, signal, { through })
  const outcome = (await demo?.fill(({ done }) => void after({ done }))) ?? null
  await demo?.stop()
  return outcome
}

/** Request the removal twice at the same time, as by a user who clicks the button again. */
const removeTwice = () => Promise.all([remove(), remove()])

function expectSuccess(removals: readonly Removal[]): void {
  for (const removal of removals) expect(removal).toMatchObject({ status: 200, code: 0, state: 'none' })
}

test.each<[string, Moment]>([
  ['its beginning', { request: 0 }],
  ['its first request', { request: 1 }],
  ['departments', { request: 12 }],
  ['a device', { request: 24 }],
  ['a strategy', { request: 34 }],
  ['a photograph', { request: 40 }],
  ['a person', { request: 43 }],
  ['records of the first device', { done: 4 }],
  ['the last step', { done: STEPS }],
])('removed after %s, the demo leaves everything as it was before', async (_, moment) => {
  const { names } = await begin()
  let removals: Promise<Removal[]> | undefined
  const outcome = await make((reached) => {
    if (reached.request === moment.request && reached.done === moment.done) removals ??= removeTwice()
  })
  expectSuccess(await removals!)
  expect(moment.done === STEPS ? [null, 'removed', 'complete'] : [null, 'removed']).toContain(outcome)
  expect(await contents()).toEqual({ ...before, organisation: names })
  expect(await remove()).toMatchObject({ status: 200, code: 0, state: 'none', removed: {} })
  expect(await demoCampusOf(world.server, SIZE)).toBeNull()
})

test('complete, the demo goes with its devices, and asked again there is nothing to do', async () => {
  await begin()
  const campus = (await demoCampusOf(world.server, SIZE))!
  const demo = (await startDemo(world.server, campus, new AbortController().signal))!
  expect(await demo.fill()).toBe('complete')
  expect(await world.call(organisationCalls.demo, {})).toMatchObject({ state: 'ready' })
  expect((await world.call(deviceCalls.summary, {})).online).toBe(2)
  expect(await remove()).toMatchObject({ code: 0, removed: { persons: SIZE.persons, devices: 3, strategies: 6, timeRules: 3 } })
  // Its simulated devices are released automatically.
  await demo.removed
  expect(await remove()).toMatchObject({ status: 200, code: 0, state: 'none', removed: {} })
})

/** Ids by name. */
const groupsOf = (nodes: readonly { id: string; name: string; children: unknown }[]): Map<string, string> =>
  new Map(
    nodes.flatMap((node) => [
      [node.name, node.id] as const,
      ...groupsOf(node.children as { id: string; name: string; children: unknown }[]),
    ]),
  )

test('what users put among the things of the demo stays, with what it cannot do without', async () => {
  await begin()
  await make()
  const own: Record<string, Made> = {}
  const departments = groupsOf(await world.call(peopleCalls.groupTree, { query: {} }))
  const doors = groupsOf(await world.call(deviceCalls.groupTree, {}))
  const rules = new Map((await world.call(timeRuleCalls.all, {})).map(({ name, id }) => [name, id]))
  const terminal = (await world.call(deviceCalls.list, { query: { code: 'DEMO-1' } })).content[0]!
  own['person'] = await world.person({ name: 'Mine', groupId: departments.get('安保部')! })
  own['device'] = await world.device({ name: 'My door', groupId: doors.get('南门')! })
  own['group'] = await world.personGroup({ name: 'Below', parentId: departments.get('研发部')! })
  own['strategy'] = await world.strategy({
    persons: [own['person']],
    devices: [terminal, own['device']],
    personGroups: [{ id: departments.get('产品部')!, name: '产品部' }],
    timeRules: [{ id: rules.get('夜班')!, name: '夜班' }],
  })
  await passAt(terminal.id, own['person'])

  await world.settled()
  const foreseen = await world.call(organisationCalls.foreseeDemoRemoval, {})
  const removal = await remove()
  expect(removal).toMatchObject({ code: 0, state: 'none', removed: { personGroups: 14, deviceGroups: 1, timeRules: 2 } })
  await world.settled()
  const { persons: people, devices, strategies, records: passages } = removal.removed
  expect(foreseen.goes).toEqual({ persons: people, devices, strategies, records: passages })
  expect(foreseen.stays).toEqual({
    persons: (await world.call(peopleCalls.list, { query: {} })).total,
    devices: (await world.call(deviceCalls.list, { query: {} })).total,
    strategies: (await world.call(strategyCalls.find, { body: {} })).total,
    records: (await world.call(recordCalls.find, { body: {} })).total,
  })
  const persons = (await world.call(peopleCalls.list, { query: {} })).content
  expect(persons.map(({ name }) => name)).toContain('Mine')
  expect(persons.some(({ workNumber }) => workNumber.startsWith('BH'))).toBe(false)
  expect([...groupsOf(await world.call(peopleCalls.groupTree, { query: {} })).keys()]).toEqual(
    expect.arrayContaining(['园区运营中心', '安保部', '海澜科技', '研发部', 'Below']),
  )
  expect((await world.call(deviceCalls.list, { query: {} })).content).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: 'My door', groupId: doors.get('南门') })]),
  )
  const strategy = (await world.call(strategyCalls.find, { body: {} })).content.find(({ id }) => id === own['strategy']!.id)
  expect(strategy).toMatchObject({ deviceIds: [own['device'].id], personGroupIds: [], timeRules: [{ name: '夜班' }], personCount: 1 })
  // Passages of people who stay are kept, at any door.
  const records = await world.call(recordCalls.find, { body: {} })
  expect(records.content.map(({ personName, deviceName }) => [personName, deviceName])).toEqual([['Mine', terminal.name]])
  const counted = 'SELECT count FROM passage_hour UNION ALL SELECT count FROM passage_pending'
  expect(await query(world.connectionString, counted)).toEqual([{ count: 1 }])
  // They belong to the user from now on.
  await world.call(strategyCalls.delete, { query: { id: own['strategy'].id } })
})

/** Ingest a passage the way the gateway does. */
async function passAt(deviceId: string, person: Made): Promise<void> {
  const record = { seq: 1, occurredAt: world.clock.now(), personId: person.id, personName: person.name, result: 1, failReason: null }
  const more = { verifyType: 1, direction: 1, score: 90, checks: '[]', revision: '', hasPicture: false }
  await world.server.contexts.records.ingest(
    { deviceId, parkId: world.park.id },
    { epoch: 'mine', oldestSeq: 1, sentAt: world.clock.now(), records: [{ ...record, ...more }] },
  )
}

test('the numbers and names a user has already stay theirs, and the demo does without', async () => {
  await begin()
  let own: string[] = []
  const outcome = await make(async ({ request }) => {
    if (request !== 1) return
    const rule = await world.timeRule({ name: '夜班' })
    const person = await world.person({ name: 'Mine', workNumber: 'BH0003' })
    const device = await world.device({ name: 'My door', code: 'DEMO-2' })
    own = [rule.id, person.id, device.id]
  })
  expect(outcome).toBe('complete')
  expectSuccess([await remove()])
  const [persons, devices, rules] = [
    (await world.call(peopleCalls.list, { query: { workNumber: 'BH0003' } })).content,
    (await world.call(deviceCalls.list, { query: { code: 'DEMO-2' } })).content,
    await world.call(timeRuleCalls.all, {}),
  ]
  expect([...rules, ...persons, ...devices].map(({ id }) => id)).toEqual(expect.arrayContaining(own))
  expect(persons).toMatchObject([{ name: 'Mine', status: 1 }])
})

test('names and zones a user has changed meanwhile stay', async () => {
  await begin()
  await make()
  const { organisation } = world.server.contexts
  await organisation.service.change(world.park.id, { name: 'My campus', zone: 'Asia/Shanghai' })
  expectSuccess([await remove()])
  const { parkName, zone } = await world.call(organisationCalls.parkInfo, {})
  expect(parkName).toBe('My campus')
  expect(zone).toBe(world.park.zone)
})

test('a new password of the administrator, which ends all other sessions, does not end the making', async () => {
  await begin()
  const outcome = await make(async ({ request }) => {
    if (request === 20 || request === 41) await world.call(ownCalls.endOtherSessions, {})
  })
  expect(outcome).toBe('complete')
})

test('the maker ends with what failed, and the next start goes on with it', async () => {
  await begin()
  const failing = make(async ({ request }) => {
    if (request !== 24) return
    const groups = await world.call(deviceCalls.groupTree, {})
    for (const { id, deviceCount } of groups) if (deviceCount === 0) await world.call(deviceCalls.deleteGroup, { query: { id } })
  })
  await expect(failing).rejects.toThrow(/answers 400/)
  expect(await world.call(organisationCalls.demo, {})).toMatchObject({ state: 'preparing' })
  await world.interrupted(async () => {})
  expect(await make()).toBe('complete')
})

test('half made when the server ended, the demo is gone on with or removed, as asked', async () => {
  const { names } = await begin()
  const stopping = new AbortController()
  await expect(make(({ request }) => void (request === 42 && stopping.abort()), stopping.signal)).rejects.toThrow(/abort/)
  await world.interrupted(async () => {})
  expect(await demoCampusOf(world.server, SIZE)).not.toBeNull()
  expectSuccess(await removeTwice())
  expect(await contents()).toEqual({ ...before, organisation: names })
})

test.each(['stopped', 'killed'])('a removal goes on after the server was %s in the middle of it', async (how) => {
  const { names } = await begin()
  await make()
  // A lock on a person of the demo blocks the removal.
  const client = new pg.Client(world.connectionString)
  await client.connect()
  await client.query(`BEGIN; SELECT 1 FROM person WHERE work_number = 'BH0001' FOR UPDATE`)
  const asked = remove().catch(() => null)
  await until('the removal to wait', async () => {
    const rows = await query(
      world.connectionString,
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%person%'`,
    )
    return rows.length > 0
  })
  expect(await world.call(organisationCalls.demo, {})).toMatchObject({ state: 'removing' })
  const restarted = world.interrupted(async () => {
    if (how === 'stopped') return
    await query(world.connectionString, `UPDATE work SET state = 'running', runner = gen_random_uuid() WHERE kind = 'demo.remove'`)
    await hastenTakeover(world.connectionString)
  })
  await client.query('ROLLBACK')
  await client.end()
  await restarted
  await asked
  await until('the removal to end by itself', async () => (await world.call(organisationCalls.demo, {})).state === 'none')
  expect(await contents()).toEqual({ ...before, organisation: names })
  expect(await remove()).toMatchObject({ status: 200, code: 0, state: 'none' })
})

test('a removal that failed is asked for again', async () => {
  await begin()
  await make()
  // A state that a fault of the server would leave.
  await query(world.connectionString, 'ALTER TABLE record_gap RENAME TO record_gap_away')
  expect(await remove()).toMatchObject({ status: 200, code: 0, state: 'removing' })
  await query(world.connectionString, 'ALTER TABLE record_gap_away RENAME TO record_gap')
  expect(await remove()).toMatchObject({ status: 200, code: 0, state: 'none' })
})

test('nothing is made by the maker’s session once the demo was asked to go', async () => {
  await begin()
  const campus = (await demoCampusOf(world.server, SIZE))!
  const scope = { parkId: campus.parkId }
  const { service } = world.server.contexts.demo
  const admin = (await world.call(identityCalls.profile, {})).id
  const maker = createClient(world.url, { bearer: await service.openSession(scope, admin) })
  await maker.call(peopleCalls.createGroup, { body: { name: 'Made' } })
  // Before its token is revoked: a request with a valid token is refused too.
  await query(world.connectionString, `UPDATE demo SET state = 'removing'`)
  expect(await maker.ask(peopleCalls.createGroup, { body: { name: 'Too_late' } })).toMatchObject({ status: 400 })
  expectSuccess([await remove()])
  expect(await maker.ask(peopleCalls.createGroup, { body: { name: 'Much_too_late' } })).toMatchObject({ status: 401 })
  expect([...groupsOf(await world.call(peopleCalls.groupTree, { query: {} })).keys()]).toEqual([expect.stringMatching('Group_')])
})

test('a demo that version 0.1 made is removed by the numbers and names it was made under', async () => {
  await begin()
  await make()
  await world.interrupted(async () => {
    const done = `UPDATE organisation SET demo_done = ${STEPS}, demo_total = ${STEPS} WHERE type = 300`
    const forget = `DROP TABLE demo_thing; DROP TABLE demo; DELETE FROM kysely_migration WHERE name LIKE '%-demo-%'`
    await query(world.connectionString, `${done}; ${forget}`)
  })
  expect(await world.call(organisationCalls.demo, {})).toEqual({ state: 'ready', done: STEPS, total: STEPS })
  expect(await remove()).toMatchObject({ state: 'none', removed: { persons: SIZE.persons, devices: 3, strategies: 6, personGroups: 18 } })
  expect({ ...(await contents()), organisation: [] }).toEqual({ ...before, organisation: [] })
})

test('where nothing was ever made, a removal has nothing to do', async () => {
  world = await startWorld()
  expect(await remove()).toEqual({ status: 200, code: 0, state: 'none', removed: {} })
  expect(await demoCampusOf(world.server, SIZE)).not.toBeNull()
})
