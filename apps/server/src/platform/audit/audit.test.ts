import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { timestamp } from '../database/database.ts'
import { z } from 'zod'
import { callsOf, type Call } from '@gatehouse/contract'
import { masked } from '@gatehouse/contract/masking'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { until } from '../../../../../tests/support/until.ts'
import type { Audit, Change } from './audit-types.ts'
import { createReadBuffer, READS_WAITING_MAX } from './reads.ts'
import { HIDDEN, fieldsOf } from './marks.ts'
import type { StoredChange } from './sealed.ts'
import { newId } from '../database/ids.ts'
import type { Caller } from '../session/session.ts'

const call = callsOf('devices')

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const audit = (): Audit => world.server.platform.audit
const inTransaction = <T>(work: () => Promise<T>): Promise<T> => world.server.platform.transaction(work)

const write = call({
  method: 'POST',
  service: 'biz',
  path: '/test/door',
  permission: 'system.base',
  summary: '',
  body: z.object({ phone: masked('phone', z.string()) }),
})
const session = (): Caller => ({
  kind: 'user',
  userId: newId(),
  account: 'tester',
  operator: 'Tess Tester',
  scope: { parkId: world.park.id },
})
const run = <T>(work: () => Promise<T>, of: Call = write, who: Caller | null = session()): Promise<T> =>
  audit().during(of, who, '10.0.0.1', work)
const noteOf = (id: string, more: Partial<Change> = {}): Change => ({
  entity: 'door',
  id,
  label: `Door ${id}`,
  before: { open: false },
  after: { open: true },
  ...more,
})

interface Row {
  id: string
  module: string
  operator: string
  changes: StoredChange[]
}
const entries = (): Promise<Row[]> =>
  query<Row & Record<string, unknown>>(
    world.connectionString,
    `SELECT id, module, operator, changes FROM operation_log WHERE url LIKE '%/test/door' ORDER BY id`,
  )
const ids = async (): Promise<string[][]> => (await entries()).map(({ changes }) => changes.map(({ id }) => id))
const clear = () => query(world.connectionString, 'DELETE FROM operation_log')
const failing = async (): Promise<never> => {
  throw new Error('this change fails')
}

describe('an entry of a call that changes something', () => {
  beforeEach(clear)

  test('stands in the transaction of the change: nobody sees it before the commit', async () => {
    let inside: string[][] | undefined
    await run(() =>
      inTransaction(async () => {
        audit().note(noteOf('a'))
        inside = await ids()
      }),
    )
    expect(inside).toEqual([])
    expect(await ids()).toEqual([['a']])
  })

  test('is not there when the change fails', async () => {
    await expect(
      run(() =>
        inTransaction(async () => {
          audit().note(noteOf('a'))
          await failing()
        }),
      ),
    ).rejects.toThrow('this change fails')
    await expect(
      run(async () => {
        audit().note(noteOf('b'))
        await failing()
      }),
    ).rejects.toThrow('this change fails')
    expect(await ids()).toEqual([])
  })

  test('is one for several transactions, and tells of those that held', async () => {
    await run(async () => {
      await inTransaction(async () => audit().note(noteOf('a')))
      await inTransaction(async () => {
        audit().note(noteOf('lost'))
        await failing()
      }).catch(() => {})
      await inTransaction(async () => audit().note(noteOf('b')))
    })
    expect(await ids()).toEqual([['a', 'b']])
  })

  test('loses nothing of transactions that run at the same time', async () => {
    const doors = Array.from({ length: 6 }, (_, at) => `door-${at}`)
    await run(async () => {
      await Promise.all(doors.map((id) => inTransaction(async () => audit().note(noteOf(id)))))
    })
    const [changes, ...others] = await ids()
    expect(others).toEqual([])
    expect(changes!.toSorted()).toEqual(doors)
  })

  test('takes along what is noted before and after its transactions', async () => {
    await run(async () => {
      audit().note(noteOf('before'))
      await inTransaction(async () => audit().note(noteOf('within')))
      audit().note(noteOf('after'))
    })
    expect(await ids()).toEqual([['before', 'within', 'after']])
  })

  test('keeps for the next transaction what a failed one had taken along', async () => {
    await run(async () => {
      audit().note(noteOf('before'))
      // It fails after the entry was written, as a commit may.
      const failed = audit().transaction((writeEntry) =>
        world.server.platform.db.transaction().execute(async (tx) => {
          audit().note(noteOf('lost'))
          await writeEntry(tx)
          await failing()
        }),
      )
      await expect(failed).rejects.toThrow('this change fails')
    })
    expect(await ids()).toEqual([['before']])
  })

  test('is there without a transaction and without a note', async () => {
    await run(async () => {})
    expect(await entries()).toMatchObject([{ module: 'park', operator: 'Tess Tester', changes: [] }])
  })

  test('waits for somebody who acts, where the session cannot say it', async () => {
    const login = call({ ...write, permission: 'public' })
    await run(async () => {}, login, null)
    expect(await ids()).toEqual([])
    await run(
      async () => {
        await inTransaction(async () => audit().note(noteOf('early')))
        audit().actAs({ parkId: world.park.id, userId: null, account: 'late', operator: 'Late', source: 'local' })
        await inTransaction(async () => audit().note(noteOf('late')))
      },
      login,
      null,
    )
    expect(await entries()).toMatchObject([{ module: 'login', operator: 'Late', changes: [{ id: 'early' }, { id: 'late' }] }])
  })

  test('is left by no job, no reading call and nothing a call left running', async () => {
    await inTransaction(async () => audit().note(noteOf('job')))
    await run(async () => inTransaction(async () => audit().note(noteOf('read'))), call({ ...write, method: 'GET' }))
    let background: Promise<void> | undefined
    let release = (): void => {}
    const answered = new Promise<void>((resolve) => (release = resolve))
    await run(async () => {
      background = answered.then(() => inTransaction(async () => audit().note(noteOf('background'))))
    })
    release()
    await background
    expect(await ids()).toEqual([[]])
  })
})

describe('what an entry holds', () => {
  const fields = (change: Partial<Change>, of: Call = write) => fieldsOf(of, { ...change })

  test('is what differs, field by field, parts of documents on their own', () => {
    expect(fields({ before: { a: 1, b: 2, c: { d: [1], e: 'x' } }, after: { a: 1, b: 3, c: { d: [1], e: 'y' } } })).toEqual([
      { field: 'b', before: 2, after: 3 },
      { field: 'c.e', before: 'x', after: 'y' },
    ])
    expect(fields({ after: { a: 1, none: undefined } })).toEqual([{ field: 'a', before: null, after: 1 }])
    expect(fields({ before: { a: 1 } })).toEqual([{ field: 'a', before: 1, after: null }])
  })

  test('is never an ID number or a secret, however deep they stand', () => {
    const SEALED = '110101199003071234'
    const change = {
      labelMask: 'idNumber' as const,
      before: {
        idNumber: SEALED,
        idCard: SEALED,
        password: SEALED,
        smtp: { password: SEALED, list: [{ apiSecret: SEALED }] },
        people: [{ idNumber: SEALED }],
        key: SEALED,
        bytes: Buffer.from(SEALED),
      },
      after: {
        idNumber: `${SEALED}5`,
        idCard: '',
        password: `${SEALED}5`,
        smtp: { password: '', list: [] },
        people: [],
        key: `${SEALED}5`,
        bytes: Buffer.from('other'),
      },
      secrets: ['key'],
    }
    const listed = fields(change)
    expect(JSON.stringify(listed)).not.toContain(SEALED)
    expect(listed.find(({ field }) => field === 'password')).toEqual({ field: 'password', before: HIDDEN, after: HIDDEN })
    expect(listed.find(({ field }) => field === 'idCard')).toEqual({ field: 'idCard', before: HIDDEN, after: null })
  })

  test('is said of what only concerns a secret', () => {
    expect(fields({ before: { passwordValidity: '3m' }, after: { passwordValidity: '1y' } })).toEqual([
      { field: 'passwordValidity', before: '3m', after: '1y' },
    ])
  })

  test('is cut where it is long', () => {
    const [text, list] = fields({ after: { text: 'x'.repeat(5000), list: Array.from({ length: 5000 }, (_, at) => at) } })
    expect(String(text!.after).length).toBeLessThan(400)
    expect((list!.after as unknown[]).length).toBeLessThan(60)
  })

  test('carries marks of personal fields, from the body, the whole contract or the label', () => {
    const remove = call({ method: 'DELETE', service: 'biz', path: '/test/door', permission: 'system.base', summary: '' })
    const kinds = (of: Call, change: Partial<Change>) => Object.fromEntries(fields(change, of).map(({ field, mask }) => [field, mask]))
    expect(kinds(write, { after: { phone: '13800000000' } })).toEqual({ phone: 'phone' })
    expect(kinds(remove, { before: { realName: 'Bob', open: true } })).toEqual({ realName: 'name', open: undefined })
    expect(kinds(remove, { label: 'Bob', labelMask: 'name', before: { name: 'Bob' } })).toEqual({ name: 'name' })
    expect(kinds(remove, { label: 'Gate', before: { name: 'Gate' } })).toEqual({ name: undefined })
    expect(kinds(remove, { before: { contacts: [{ realName: 'Bob' }] } })).toEqual({ contacts: 'whole' })
  })
})

test('erasing somebody takes names and values out of all entries and leaves that something happened', async () => {
  await clear()
  await run(async () => {
    audit().note(
      noteOf('erased', {
        entity: 'person',
        label: 'Ada Lovelace',
        labelMask: 'name',
        before: { remark: 'left-handed' },
        after: { remark: '' },
      }),
    )
    audit().note(noteOf('stays', { entity: 'person', label: 'Grace Hopper' }))
  })
  await world.server.platform.transaction((tx) => audit().forget(tx, 'person', ['erased']))
  const [row] = await query<{ row: string }>(world.connectionString, 'SELECT row_to_json(operation_log)::text AS row FROM operation_log')
  expect(row!.row).not.toMatch(/Ada|Lovelace|left-handed/)
  expect(row!.row).toContain('Grace Hopper')
  expect(await ids()).toEqual([['erased', 'stays']])
})

describe('reads of personal data', () => {
  const rowOf = (url: string) => ({
    id: newId(),
    parkId: world.park.id,
    userId: null,
    account: 'a',
    operator: 'A',
    source: 'local',
    method: 'GET',
    url,
    ip: '',
    subjects: ['x'],
    persons: null,
    occurredAt: timestamp(Date.now()),
  })
  const noted = async (url: string): Promise<number> =>
    (await query<{ n: number }>(world.connectionString, 'SELECT count(*)::int AS n FROM read_log WHERE url = $1', [url]))[0]!.n

  test('are all written, more than one statement takes', async () => {
    for (let at = 0; at < 2500; at++) audit().read(call({ ...write, path: '/test/many' }), session(), '', ['x'])
    await until('all reads', async () => (await noted(write.url.replace('door', 'many'))) === 2500)
  })

  test('wait for a database that is away, so many and no more, and those left out are told', async () => {
    const faults: string[] = []
    let away = true
    const db = world.server.platform.db
    const buffer = createReadBuffer(
      {
        insertInto: (table: 'readLog') => {
          if (away) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
          return db.insertInto(table)
        },
      } as unknown as typeof db,
      (error) => faults.push((error as Error).message),
    )
    for (let at = 0; at < READS_WAITING_MAX + 7; at++) buffer.add(rowOf('/test/away'))
    await until('the failure', () => faults.includes('away'))
    expect(await noted('/test/away')).toBe(0)
    away = false
    await buffer.stop()
    expect(await noted('/test/away')).toBe(READS_WAITING_MAX)
    expect(faults.at(-1)).toMatch(/^7 reads were not noted/)
  })

  test('that the database will never take do not hold up those behind them', async () => {
    const faults: string[] = []
    const buffer = createReadBuffer(world.server.platform.db, (error) => faults.push((error as Error).message))
    buffer.add({ ...rowOf('/test/bad'), account: null as never })
    await until('the refusal', () => faults.length > 0)
    buffer.add(rowOf('/test/good'))
    await buffer.stop()
    expect(await noted('/test/good')).toBe(1)
    expect(faults).toContain('1 reads were not noted')
  })
})
