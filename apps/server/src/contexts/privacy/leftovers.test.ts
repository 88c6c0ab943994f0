/** After an erasure and the nightly job, the files of the database contain nothing of the person: they are read byte by byte. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { runJob } from '../../../../../tests/support/jobs.ts'
import { until } from '../../../../../tests/support/until.ts'

const NAME = 'Quillon Featherstonehaugh'
const PHONE = '13987650123'
const JOB = 'privacy.clearLeftovers'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

/** Return the connection string of the world's database for the superuser of the run's server. */
function asSuperuser(): string {
  const url = new URL(process.env.SCRATCH_SERVER_URL!)
  url.pathname = new URL(world.connectionString).pathname
  return url.href
}

/** Return the names of the tables, indexes and catalogues whose files contain a text. */
async function filesHolding(text: string): Promise<string[]> {
  await query(asSuperuser(), 'CHECKPOINT')
  const rows = await query<{ name: string }>(
    asSuperuser(),
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'i', 't', 'm')
      AND position($1::bytea IN pg_read_binary_file(pg_relation_filepath(oid))) > 0 ORDER BY 1`,
    [Buffer.from(text)],
  )
  return rows.map(({ name }) => name)
}

const waiting = async (): Promise<number> =>
  (await query(world.connectionString, 'SELECT 1 FROM erasure WHERE leftovers_since IS NOT NULL')).length

async function erase(personIds: string[], reason = 'Asked for in writing') {
  const { erasureIds } = await world.call(privacyCalls.erase, { body: { personIds, reason } })
  const read = (id: string) => world.call(privacyCalls.read, { params: { id } })
  await until('the receipts to be complete', async () =>
    (await Promise.all(erasureIds.map(read))).every(({ completedAt }) => completedAt !== null),
  )
  return Promise.all(erasureIds.map(read))
}

describe('somebody who was changed, looked at and erased', () => {
  test('is in no file of the database any more', async () => {
    const person = await world.person({ name: NAME, phone: PHONE })
    await world.call(peopleCalls.status, { body: { ids: [person.id], status: 0 } })
    await world.call(auditCalls.operations, { query: {} })
    await query(asSuperuser(), 'ANALYZE')
    expect(await filesHolding(NAME)).toContain('person')
    await erase([person.id])
    // The problem the job solves: a deleted row stays in its file.
    expect(await filesHolding(NAME)).toContain('person')
    expect(await waiting()).toBe(1)

    await runJob(world, JOB)
    await until('the job', async () => (await waiting()) === 0)
    expect(await filesHolding(NAME)).toEqual([])
    expect(await filesHolding(PHONE)).toEqual([])
  })

  test('stays noted as long as an older transaction may still see the rows', async () => {
    const reader = new pg.Client(world.connectionString)
    await reader.connect()
    onTestFinished(() => reader.end())
    const person = await world.person({ name: 'Seen Sigrid' })
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    await reader.query('SELECT count(*) FROM person')
    await erase([person.id])
    await runJob(world, JOB)
    await until('the job to have run', async () => {
      const [job] = await query<{ over: boolean }>(
        world.connectionString,
        'SELECT due_at > now() AND ended_at >= started_at AS over FROM scheduled_job WHERE name = $1',
        [JOB],
      )
      return job!.over
    })
    expect(await waiting()).toBe(1)

    await reader.query('COMMIT')
    await runJob(world, JOB)
    await until('the job', async () => (await waiting()) === 0)
    expect(await filesHolding('Seen Sigrid')).toEqual([])
  })
})

describe('the reason of an erasure', () => {
  test('keeps neither name nor phone number of the person, however they are written', async () => {
    const person = await world.person({ name: 'Odd (Name) +1', phone: '13987650456' })
    const [receipt] = await erase([person.id], 'odd (name)  +1, 13987650456, asked by letter')
    expect(receipt!.reason).toBe('•••, •••, asked by letter')
  })

  test.each([
    ['张三', '', ['三张要求删除', '张 三，要求删除', '张·三（本人）'], ['•••要求删除', '•••，要求删除', '•••（本人）']],
    ['欧阳铁军', '', ['铁军欧阳来信', '铁 军 欧阳来信'], ['•••来信', '•••来信']],
    [
      'John Smith',
      '',
      ['Smith, John asked', 'JOHN   SMITH asked', 'from smith.john@example.org'],
      ['••• asked', '••• asked', 'from •••@example.org'],
    ],
    ['J Smith', '', ['Smith J asked', 'The blacksmith jumps', 'Taj Smithfield'], ['••• asked', 'The blacksmith jumps', 'Taj Smithfield']],
    ['Li Na', '', ['Na Li asked', 'a delicious alibi, Nairobi'], ['••• asked', 'a delicious alibi, Nairobi']],
    ['Anna Maria van Dyck', '', ['van Dyck, Anna Maria'], ['•••']],
    ['Theo Taylor', '13987650457', ['139 8765-0457 called'], ['••• called']],
  ])('of %s keeps the name in no other order, with no other spaces or letters', async (name, phone, written, kept) => {
    const reasons: string[] = []
    for (const reason of written) {
      const person = await world.person({ name, ...(phone !== '' && { phone }) })
      reasons.push((await erase([person.id], reason))[0]!.reason)
    }
    expect(reasons).toEqual(kept)
    // Spellings that occur in other receipts are found by a query.
    const [stranger, named] = [await world.person({ name: 'Quentin Quux' }), await world.person({ name, ...(phone !== '' && { phone }) })]
    const [before] = await erase([stranger.id], written.join(' | '))
    await erase([named.id], 'by letter')
    expect((await world.call(privacyCalls.read, { params: { id: before!.id } })).reason).toBe(kept.join(' | '))
  })

  test('of several together keeps none of their names, and neither does one that was written before', async () => {
    const [one, two, three] = [
      await world.person({ name: '欧阳铁军' }),
      await world.person({ name: 'Bettina Lindqvist' }),
      await world.person({ name: 'Carola Lindqvist' }),
    ]
    const [before] = await erase([three.id], 'Sister of Bettina Lindqvist')
    expect(before!.reason).toBe('Sister of Bettina Lindqvist')
    const both = await erase([one.id, two.id], '欧阳铁军先生和 BETTINA LINDQVIST 要求')
    expect(both.map(({ reason }) => reason)).toEqual(['•••先生和 ••• 要求', '•••先生和 ••• 要求'])
    expect((await world.call(privacyCalls.read, { params: { id: before!.id } })).reason).toBe('Sister of •••')
  })
})
