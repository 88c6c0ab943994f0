/** A transaction stays open while a later one commits: no device misses the earlier change. */
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { accessMethod } from '@gatehouse/contract/enums'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { startWorld, type MadePerson, type World } from '@gatehouse/dev-env/world'
import { portrait } from '@gatehouse/dev-env/portraits'
import { startCore, type Core } from '../support/device.ts'
import { until } from '../support/until.ts'

const LOCK = 4_711

/**
 * Block, from now on, transactions that announce something about `id` at their commit, with everything written and nothing of it visible,
 * until `letGo`.
 */
async function holdCommits(world: World, id: string): Promise<{ isBlocked(): Promise<boolean>; letGo(): Promise<void> }> {
  const client = new pg.Client(world.connectionString)
  await client.connect()
  const letGo = () => client.query('SELECT pg_advisory_unlock_all()').then(() => {})
  onTestFinished(async () => {
    await letGo()
    await client.query('DROP TRIGGER wait_for_test ON outbox; DROP FUNCTION wait_for_test')
    await client.end()
  })
  await client.query('SELECT pg_advisory_lock($1)', [LOCK])
  await client.query(`CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(${LOCK}); RETURN NULL; END $$`)
  await client.query(`CREATE CONSTRAINT TRIGGER wait_for_test AFTER INSERT ON outbox DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (new.payload::text LIKE '%${id}%') EXECUTE FUNCTION wait_for_test()`)
  return {
    letGo,
    async isBlocked() {
      const { rowCount } = await client.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted`, [LOCK])
      return rowCount === 1
    },
  }
}

let world: World
let gate: Core
let ann: MadePerson
let bob: MadePerson

beforeAll(async () => {
  world = await startWorld()
  const door = await world.device()
  ann = await world.person({ name: 'Ann', photo: await portrait('late ann'), permittedAt: door })
  bob = await world.person({ name: 'Bob', photo: await portrait('late bob'), permittedAt: door })
  gate = startCore({ server: world.url, code: door.code, secret: door.secret, folder: join(world.dataDir, 'gate') })
  await until('the device to hold both', () => gate.names().length === 2)
})

afterAll(async () => {
  await gate.stop()
  await world.stop()
})

const rename = ({ id, workNumber, groupId, faceIds }: MadePerson, name: string) =>
  world.call(peopleCalls.change, { body: { id, workNumber, groupId, facePhotos: faceIds, name } })

/** Return numbers and ids of what was announced about two things, in the order in which it was written. */
async function announced(...ids: string[]): Promise<{ about: string; seq: number | null }[]> {
  const client = new pg.Client(world.connectionString)
  await client.connect()
  const { rows } = await client.query<{ text: string; seq: string | null }>(
    'SELECT payload::text AS text, seq FROM outbox ORDER BY created_at, id',
  )
  await client.end()
  return rows.flatMap(({ text, seq }) =>
    ids.filter((id) => text.includes(id)).map((about) => ({ about, seq: seq === null ? null : Number(seq) })),
  )
}

test('a person changed in a transaction that commits late reaches the device, after one that began later', async () => {
  const { isBlocked, letGo } = await holdCommits(world, ann.id)
  let answered = false
  const early = rename(ann, 'Early').then(() => void (answered = true))
  await until('the transaction to stand at its commit', isBlocked)
  await rename(bob, 'Later')
  await until('the device to hold the later change', () => gate.names().includes('Later'))
  expect(answered).toBe(false)
  expect(gate.names()).toEqual(['Ann', 'Later'])
  const cursor = gate.device.state().held!.cursor

  await letGo()
  await early
  await until('the device to hold the earlier change too', () => gate.names().includes('Early'))
  expect(gate.names()).toEqual(['Early', 'Later'])
  expect(gate.device.state().held!.cursor).toBeGreaterThan(cursor)
  // Written first, and numbered last: a consumer that counts by number leaves out nothing.
  const [first, second] = (await announced(ann.id, bob.id)).slice(-2)
  expect([first!.about, second!.about]).toEqual([ann.id, bob.id])
  expect(first!.seq).toBeGreaterThan(second!.seq!)
})

test('a strategy changed in a transaction that commits late reaches the device, after a person changed later', async () => {
  const cid = await world.person({ name: 'Cid', photo: await portrait('late cid') })
  const door = gate.store.deviceId()!
  const rule = await world.timeRule()
  const fields = {
    name: 'Late strategy',
    personIds: [] as string[],
    deviceIds: [door],
    timeRuleIds: [rule.id],
    methods: [accessMethod.face, accessMethod.card],
  }
  const { id } = await world.call(strategyCalls.create, { body: fields })
  const { isBlocked, letGo } = await holdCommits(world, id)
  let answered = false
  const early = world.call(strategyCalls.change, { body: { ...fields, id, personIds: [cid.id] } }).then(() => void (answered = true))
  await until('the transaction to stand at its commit', isBlocked)
  await rename(bob, 'Last')
  await until('the device to hold the later change', () => gate.names().includes('Last'))
  expect(answered).toBe(false)
  expect(gate.names()).not.toContain('Cid')

  await letGo()
  await early
  await until('the device to hold whom the strategy names', () => gate.names().includes('Cid'))
  expect(gate.store.holdings.strategiesOf(cid.id).map((strategy) => strategy.id)).toEqual([id])
})
