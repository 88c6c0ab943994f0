/** Events reach every consumer, in whatever order transactions commit, and whichever node leads. */
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { openDatabase, sql, type Database } from '@gatehouse/server/platform/database/database'
import {
  createEvents,
  defineEvent,
  on,
  type Consumer,
  type EventEnvelope,
  type Events,
  type EventsOptions,
} from '@gatehouse/server/platform/events/events'
import { newId } from '@gatehouse/server/platform/database/ids'
import { createLog } from '@gatehouse/server/platform/log'
import { migrate, noKeys } from '@gatehouse/server/platform/database/migrations'
import { outboxUpkeep } from '@gatehouse/server/platform/events/outbox-upkeep'
import { platformMigrations } from '@gatehouse/server/platform/database/schema'
import { LEADER_LOCK } from '@gatehouse/server/platform/events/sequencer'
import { scratchDatabase, templateDatabase } from '@gatehouse/server/platform/postgres/scratch'
import { query } from '../support/embedded-postgres.ts'
import { until } from '../support/until.ts'

const noted = defineEvent('note.written', z.object({ word: z.string() }))
const PARK = newId()

interface Heard {
  word: string
  seq: number
  id: string
}
interface Node {
  events: Events
  db: Database
  /** Words received by this node's consumers, with their numbers. */
  once: Heard[]
  everyNode: Heard[]
  /** Return the process number of the connection by which this node leads or listens. */
  session(): Promise<number>
  stop(): Promise<void>
}
interface NodeOptions extends EventsOptions {
  consumers?: readonly Consumer[]
}

async function database(): Promise<string> {
  const template = await templateDatabase('the platform alone', async (connectionString) => {
    const handle = openDatabase(connectionString)
    // Later migrations of the platform read tables of contexts, which do not exist here.
    await migrate(handle.db, platformMigrations.slice(0, 1), noKeys)
    await handle.close()
  })
  const { connectionString, drop } = await scratchDatabase({ template })
  onTestFinished(drop)
  return connectionString
}

/** Start one server's share of the events, on a database others may use too. */
async function node(connectionString: string, { consumers = [], ...options }: NodeOptions = {}): Promise<Node> {
  const handle = openDatabase(connectionString)
  let session: pg.Client | undefined
  const events = createEvents({ ...handle, client: async () => (session = await handle.client()) }, createLog('silent'), options)
  const heard = { once: [] as Heard[], everyNode: [] as Heard[] }
  for (const mode of ['once', 'everyNode'] as const) {
    events.consume({
      name: `test.${mode}`,
      mode,
      handlers: [on(noted, ({ payload, seq, id }) => void heard[mode].push({ word: payload.word, seq, id }))],
    })
  }
  for (const consumer of consumers) events.consume(consumer)
  await events.start()
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= events.stop().then(handle.close))
  onTestFinished(stop)
  return {
    events,
    db: handle.db,
    ...heard,
    session: async () => Number((await session!.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid),
    stop,
  }
}

const write = ({ db, events }: Node, word: string) => db.transaction().execute((tx) => events.announce(tx, noted, PARK, { word }))
const words = (heard: readonly { word: string }[]) => heard.map(({ word }) => word)

/** Announce in a transaction that stays open until `commit`. */
async function writeSlowly({ db, events }: Node, word: string): Promise<{ commit(): Promise<void> }> {
  const written = Promise.withResolvers<void>()
  const allowed = Promise.withResolvers<void>()
  const over = db.transaction().execute(async (tx) => {
    await events.announce(tx, noted, PARK, { word })
    written.resolve()
    await allowed.promise
  })
  await Promise.race([written.promise, over])
  return {
    commit: async () => {
      allowed.resolve()
      await over
    },
  }
}

describe('events', () => {
  test('of a transaction that was open while a later one committed are missed by nobody', async () => {
    const one = await node(await database())
    const early = await writeSlowly(one, 'early')
    await write(one, 'late')
    await one.events.settled()
    expect(words(one.once)).toEqual(['late'])
    expect(words(one.everyNode)).toEqual(['late'])

    await early.commit()
    await one.events.settled()
    for (const heard of [one.once, one.everyNode]) {
      expect(words(heard)).toEqual(['late', 'early'])
      expect(heard[1]!.seq).toBeGreaterThan(heard[0]!.seq)
    }
  })

  test('of a transaction that is rolled back are heard by nobody', async () => {
    const one = await node(await database())
    const failing = one.db.transaction().execute(async (tx) => {
      await one.events.announce(tx, noted, PARK, { word: 'never' })
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    await write(one, 'after')
    await one.events.settled()
    expect(words(one.once)).toEqual(['after'])
  })

  test('go on from where the leader stopped when another node takes over', async () => {
    const connectionString = await database()
    const leader = await node(connectionString)
    const follower = await node(connectionString)
    await write(leader, 'one')
    await write(follower, 'two')
    await until('the leader to handle both', async () => {
      await leader.events.settled()
      return leader.once.length === 2
    })
    await until('the follower to hear both', () => follower.everyNode.length === 2)
    expect(follower.once).toEqual([])

    const open = await writeSlowly(follower, 'three')
    await leader.stop()
    await write(follower, 'four')
    await open.commit()
    await until('the follower to take over', async () => {
      await follower.events.settled()
      return follower.once.length === 2
    })
    expect(words(leader.once).toSorted()).toEqual(['one', 'two'])
    expect(words(follower.once).toSorted()).toEqual(['four', 'three'])
    expect(words(follower.everyNode).toSorted()).toEqual(['four', 'one', 'three', 'two'])
    const seqs = follower.everyNode.map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b))
    expect(new Set(seqs).size).toBe(4)
  })

  test('are led again after the leader lost its connections', async () => {
    const connectionString = await database()
    const one = await node(connectionString)
    await write(one, 'before')
    await one.events.settled()
    await query(
      connectionString,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await until('an event to be handled again', async () => {
      await write(one, 'again')
      await one.events.settled()
      return words(one.once).includes('again')
    })
    expect(words(one.once)[0]).toBe('before')
    expect(words(one.everyNode)).toContain('again')
  })

  test('that a dead leader numbered and told nobody of are heard, and numbering goes on behind them', async () => {
    const connectionString = await database()
    const dead = new pg.Client(connectionString)
    dead.on('error', () => {})
    await dead.connect()
    await dead.query('select pg_advisory_lock($1)', [LEADER_LOCK])
    const [pid] = (await dead.query<{ pid: number }>('select pg_backend_pid() as pid')).rows
    const one = await node(connectionString)
    expect(one.events.leading()).toBe(false)
    await write(one, 'numbered')
    await write(one, 'waiting')
    await dead.query(`with first as (update outbox set seq = 1 where payload ->> 'word' = 'numbered' returning seq)
      update outbox_head set seq = (select seq from first)`)
    await query(connectionString, 'select pg_terminate_backend($1)', [pid!.pid])
    await until('the node to lead and to hear both', async () => {
      await one.events.settled()
      return one.once.length === 2 && one.everyNode.length === 2
    })
    expect(one.events.leading()).toBe(true)
    expect(one.once.map(({ word, seq }) => [word, seq])).toEqual([
      ['numbered', 1],
      ['waiting', 2],
    ])
  })

  test('of two nodes under load have gapless numbers and an order that cuts of the leader do not change', async () => {
    const EACH = 1_000
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
    console.log(`seed ${seed}`)
    let state = seed
    const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648

    const connectionString = await database()
    const nodes = [await node(connectionString), await node(connectionString)] as const
    const cuts = new Set(Array.from({ length: 5 }, () => Math.floor(random() * EACH * 0.9)))
    let cut = 0
    async function load(one: Node, name: string, cutting: boolean): Promise<void> {
      for (let n = 0; n < EACH; n++) {
        await write(one, `${name}${n}`)
        one.events.poke()
        if (!cutting || !cuts.has(n)) continue
        await until('the leader to be cut off', async () => {
          const leader = nodes.find(({ events }) => events.leading())
          if (leader === undefined) return false
          const [row] = await query<{ done: boolean }>(connectionString, 'select pg_terminate_backend($1) as done', [
            await leader.session(),
          ])
          return row?.done
        })
        cut++
      }
    }
    await Promise.all([load(nodes[0], 'a', true), load(nodes[1], 'b', false)])
    expect(cut).toBe(cuts.size)

    const all = 2 * EACH
    const distinct = (heard: readonly Heard[]) => new Set(heard.map(({ seq }) => seq)).size
    await until(
      'both nodes to have heard everything',
      () => nodes.every(({ everyNode }) => everyNode.length >= all) && distinct([...nodes[0].once, ...nodes[1].once]) === all,
    )

    const numbers = await query<{ seq: number; id: string }>(connectionString, 'select seq, id from outbox order by seq')
    expect(numbers.map(({ seq }) => Number(seq))).toEqual(Array.from({ length: all }, (_, at) => at + 1))
    const idOf = new Map(numbers.map(({ seq, id }) => [Number(seq), id]))
    for (const { everyNode } of nodes) {
      expect(everyNode.map(({ seq }) => seq)).toEqual(Array.from({ length: all }, (_, at) => at + 1))
    }
    for (const { once, everyNode } of nodes) {
      for (const { seq, id } of [...once, ...everyNode]) expect(id).toBe(idOf.get(seq))
      // A node goes back by one batch at most, and from there on leaves nothing out.
      for (let at = 1; at < once.length; at++) expect(once[at]!.seq).toBeGreaterThan(once[at - 1]!.seq - 500)
    }
    // Each cut repeats at most one batch.
    expect(nodes[0].once.length + nodes[1].once.length).toBeLessThanOrEqual(all + cuts.size * 500)
    // Words of one writer arrive in the order they were written.
    for (const name of ['a', 'b']) {
      const written = words(nodes[0].everyNode).filter((word) => word.startsWith(name))
      expect(written).toEqual(Array.from({ length: EACH }, (_, n) => `${name}${n}`))
    }
  })

  test('are not left behind while the database cuts their handler off [FIELD-7]', async () => {
    const connectionString = await database()
    const own = openDatabase(connectionString)
    onTestFinished(own.close)
    let cuts = 12
    const heard: string[] = []
    const faulty: Consumer = {
      name: 'test.faulty',
      mode: 'once',
      handlers: [
        on(noted, async ({ payload }) => {
          if (payload.word === 'hard' && cuts > 0) {
            cuts--
            await sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(own.db)
          }
          heard.push(payload.word)
        }),
      ],
    }
    const one = await node(connectionString, { consumers: [faulty] })
    for (const word of ['before', 'hard', 'after']) await write(one, word)
    await until('all three to be handled', async () => {
      await one.events.settled()
      return heard.length === 3
    })
    expect(heard).toEqual(['before', 'hard', 'after'])
    expect(cuts).toBe(0)
    expect(words(one.once)).toEqual(['before', 'hard', 'after'])
    expect(await query(connectionString, 'select * from event_failure')).toEqual([])
  })

  test.each([
    ['a fault of its own', new Error('of its own')],
    ['a lock that is never released', Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })],
  ])('are left behind and noted when their handler keeps failing on %s, and the rest goes on [FIELD-7]', async (_, error) => {
    let tries = 0
    const heard: string[] = []
    const failing: Consumer = {
      name: 'test.failing',
      mode: 'once',
      handlers: [
        on(noted, ({ payload }) => {
          if (payload.word !== 'bad') return void heard.push(payload.word)
          tries++
          throw error
        }),
      ],
    }
    const connectionString = await database()
    const one = await node(connectionString, { consumers: [failing], patienceMs: 0 })
    for (const word of ['before', 'bad', 'after']) await write(one, word)
    await until('the event behind the bad one', async () => {
      await one.events.settled()
      return heard.includes('after')
    })
    expect(heard).toEqual(['before', 'after'])
    expect(tries).toBe(5)
    expect(words(one.once)).toEqual(['before', 'bad', 'after'])
    const failures = await query<{ consumer: string; seq: string }>(connectionString, 'select consumer, seq from event_failure')
    expect(failures.map(({ consumer, seq }) => [consumer, Number(seq)])).toEqual([['test.failing', 2]])
  })

  test('of one consumer do not wait for the handlers of another', async () => {
    const blocked = Promise.withResolvers<void>()
    const slow: Consumer = { name: 'test.slow', mode: 'everyNode', handlers: [on(noted, () => blocked.promise)] }
    const one = await node(await database(), { consumers: [slow] })
    for (const word of ['one', 'two', 'three']) {
      await write(one, word)
      one.events.poke()
    }
    await until('the others to hear all three', () => one.once.length === 3 && one.everyNode.length === 3)
    blocked.resolve()
  })

  test('are not heard again behind a cursor that another node has moved on', async () => {
    const connectionString = await database()
    const reached = Promise.withResolvers<void>()
    const blocked = Promise.withResolvers<void>()
    const heard: string[] = []
    const slow: Consumer = {
      name: 'test.slow',
      mode: 'once',
      handlers: [
        on(noted, async ({ payload }) => {
          heard.push(payload.word)
          reached.resolve()
          await blocked.promise
        }),
      ],
    }
    const one = await node(connectionString, { consumers: [slow] })
    await write(one, 'one')
    one.events.poke()
    await reached.promise
    for (const word of ['two', 'three']) await write(one, word)
    one.events.poke()
    await until('all to be numbered', () => one.everyNode.length === 3)
    await query(connectionString, `update event_consumer set seq = 3 where name = 'test.slow'`)
    blocked.resolve()
    await write(one, 'four')
    await until('the one behind them', async () => {
      await one.events.settled()
      return heard.includes('four')
    })
    expect(heard).toEqual(['one', 'four'])
    expect(await query(connectionString, `select seq from event_consumer where name = 'test.slow'`)).toEqual([{ seq: 4 }])
  })

  test('are read once for all consumers of a node that stand at the same place', async () => {
    const handle = openDatabase(await database())
    let reads = 0
    const counted = handle.db.withPlugin({
      transformQuery({ node: asked }) {
        if (asked.kind === 'SelectQueryNode' && JSON.stringify(asked.from).includes('"name":"outbox"')) reads++
        return asked
      },
      transformResult: async ({ result }) => result,
    })
    const events = createEvents({ ...handle, db: counted }, createLog('silent'))
    onTestFinished(() => events.stop().then(handle.close))
    const heard: string[] = []
    for (let n = 0; n < 8; n++) {
      // Half of them ignore these events, and still advance with the others.
      const handlers = n % 2 === 0 ? [on(noted, ({ payload }) => void heard.push(payload.word))] : []
      events.consume({ name: `test.${n}`, mode: n < 4 ? 'once' : 'everyNode', handlers })
    }
    await events.start()
    for (const word of ['one', 'two']) {
      await handle.db.transaction().execute(async (tx) => {
        for (const part of ['a', 'b', 'c']) await events.announce(tx, noted, PARK, { word: word + part })
      })
      await events.settled()
    }
    expect(heard).toHaveLength(4 * 6)
    expect(reads).toBe(2)
  })

  test('are repeated from the last stored cursor, with the same id, when a node dies between handling and storing', async () => {
    const connectionString = await database()
    const first = await node(connectionString)
    for (const word of ['one', 'two', 'three']) await write(first, word)
    await first.events.settled()
    await first.stop()
    // The state after a crash: handled, not stored.
    await query(connectionString, `update event_consumer set seq = 1 where name = 'test.once'`)
    const second = await node(connectionString)
    await second.events.settled()
    expect(second.once).toEqual(first.once.slice(1))
  })

  test('reach a `once` consumer that is added later from the oldest one kept, and are then not repeated', async () => {
    const connectionString = await database()
    const first = await node(connectionString)
    for (const word of ['one', 'two', 'three']) await write(first, word)
    await first.events.settled()
    await first.stop()
    await query(connectionString, 'delete from outbox where seq = 1')
    const heard: EventEnvelope[] = []
    const later: Consumer = { name: 'test.later', mode: 'once', handlers: [on(noted, (event) => void heard.push(event))] }
    const second = await node(connectionString, { consumers: [later] })
    await second.events.settled()
    expect(heard.map(({ seq }) => seq)).toEqual([2, 3])
    await second.stop()
    const third = await node(connectionString, { consumers: [later] })
    await write(third, 'four')
    await third.events.settled()
    expect(heard.map(({ seq }) => seq)).toEqual([2, 3, 4])
    expect(words(third.once)).toEqual(['four'])
  })

  test('are told to consumers that begin before the caches are filled', async () => {
    const connectionString = await database()
    const other = await node(connectionString)
    await write(other, 'before')
    await other.events.settled()
    const handle = openDatabase(connectionString)
    const events = createEvents(handle, createLog('silent'))
    onTestFinished(() => events.stop().then(handle.close))
    const heard: string[] = []
    events.consume({ name: 'test.cache', mode: 'everyNode', handlers: [on(noted, ({ payload }) => void heard.push(payload.word))] })
    await events.begin()
    await write(other, 'while filling')
    await other.events.settled()
    await events.start()
    await events.settled()
    expect(heard).toEqual(['while filling'])
  })
})

describe('upkeep of the outbox', () => {
  const seqs = async (connectionString: string) =>
    (await query<{ seq: string }>(connectionString, 'select seq from outbox order by seq')).map(({ seq }) => Number(seq))
  const age = (connectionString: string, upTo: number, days: number) =>
    query(connectionString, `update outbox set created_at = now() - make_interval(days => $2) where seq <= $1`, [upTo, days])
  const upkeepOf = ({ db, events }: Node) => outboxUpkeep({ db, events, clock: { now: () => Date.now() } })

  test('drops events of more than a day that every `once` consumer has heard, and none that wait', async () => {
    const connectionString = await database()
    const one = await node(connectionString)
    for (const word of ['one', 'two', 'three', 'four']) await write(one, word)
    await one.events.settled()
    await age(connectionString, 3, 2)
    await query(connectionString, `update event_consumer set seq = 2 where name = 'test.once'`)
    await expect(upkeepOf(one).run()).resolves.toMatchObject({ outcome: 'success' })
    expect(await seqs(connectionString)).toEqual([3, 4])
    await query(connectionString, `update event_consumer set seq = 4 where name = 'test.once'`)
    await upkeepOf(one).run()
    expect(await seqs(connectionString)).toEqual([4])
  })

  test('goes on over more rows than one delete takes, and leaves no hole behind an event that is younger', async () => {
    const connectionString = await database()
    const one = await node(connectionString)
    await query(
      connectionString,
      `insert into outbox (id, name, park_id, payload, seq, created_at)
      select gen_random_uuid(), 'other.happened', $1, '{}', n,
        now() - make_interval(days => case n when 11000 then 0 else 2 end) from generate_series(1, 11005) n`,
      [PARK],
    )
    await query(connectionString, 'update outbox_head set seq = 11005')
    await one.events.settled()
    await one.stop()
    const two = await node(connectionString)
    await upkeepOf(two).run()
    expect(await seqs(connectionString)).toEqual([11_000, 11_001, 11_002, 11_003, 11_004, 11_005])
  })

  test('waits thirty days for a cursor nobody here knows, and keeps failures as long', async () => {
    const connectionString = await database()
    const one = await node(connectionString)
    for (const word of ['one', 'two']) await write(one, word)
    await one.events.settled()
    await query(connectionString, `insert into event_consumer (name, seq) values ('of.another', 0)`)
    await query(
      connectionString,
      `insert into event_failure (consumer, event_id, seq, reason, created_at)
      select 'test.once', gen_random_uuid(), days, '', now() - make_interval(days => days) from unnest(array[29, 31]) days`,
    )
    await age(connectionString, 2, 29)
    await upkeepOf(one).run()
    expect(await seqs(connectionString)).toEqual([1, 2])
    await age(connectionString, 1, 31)
    await upkeepOf(one).run()
    expect(await seqs(connectionString)).toEqual([2])
    expect((await query<{ seq: string }>(connectionString, 'select seq from event_failure')).map(({ seq }) => Number(seq))).toEqual([29])
  })
})
