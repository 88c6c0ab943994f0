/** Events reach every consumer whatever the order of commits, and whoever leads. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { openDatabase, type AnyDatabase, type OpenTransaction } from '@gatehouse/server/platform/database'
import { createEvents, defineEvent, on, type Consumer, type Events } from '@gatehouse/server/platform/events'
import { newId } from '@gatehouse/server/platform/ids'
import { createLog } from '@gatehouse/server/platform/log'
import { migrate } from '@gatehouse/server/platform/migrations'
import { platformMigrations } from '@gatehouse/server/platform/schema'
import { scratchDatabase, templateDatabase } from '@gatehouse/server/platform/postgres/scratch'
import { query } from '../support/embedded-postgres.ts'
import { until } from '../support/until.ts'

const noted = defineEvent('note.written', z.object({ word: z.string() }))
const PARK = newId()

interface Node {
  events: Events
  db: AnyDatabase
  /** Words this node's consumers were given, with their numbers. */
  once: { word: string; seq: number }[]
  everyNode: { word: string; seq: number }[]
  stop(): Promise<void>
}

async function database(): Promise<string> {
  const template = await templateDatabase('the platform alone', async (connectionString) => {
    const handle = openDatabase(connectionString)
    await migrate(handle.db, platformMigrations)
    await handle.close()
  })
  const { connectionString, drop } = await scratchDatabase({ template })
  onTestFinished(drop)
  return connectionString
}

/** One server's share of the events, on a database others may use too. */
async function node(connectionString: string): Promise<Node> {
  const handle = openDatabase(connectionString)
  const events = createEvents(handle, createLog('silent'))
  const heard = { once: [] as Node['once'], everyNode: [] as Node['everyNode'] }
  for (const mode of ['once', 'everyNode'] as const) {
    const consumer: Consumer = { name: `test.${mode}`, mode, handlers: [on(noted, ({ payload, seq }) => void heard[mode].push({ word: payload.word, seq }))] }
    events.consume(consumer)
  }
  await events.start()
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= events.stop().then(handle.close))
  onTestFinished(stop)
  return { events, db: handle.db, ...heard, stop }
}

const write = ({ db, events }: Node, word: string) => db.transaction().execute((tx) => events.announce(tx as unknown as OpenTransaction, noted, PARK, { word }))
const words = (heard: readonly { word: string }[]) => heard.map(({ word }) => word)

/** Announces in a transaction that stays open until told. */
async function writeSlowly({ db, events }: Node, word: string): Promise<{ commit(): Promise<void> }> {
  const written = Promise.withResolvers<void>()
  const allowed = Promise.withResolvers<void>()
  const over = db.transaction().execute(async (tx) => {
    await events.announce(tx as unknown as OpenTransaction, noted, PARK, { word })
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
      await one.events.announce(tx as unknown as OpenTransaction, noted, PARK, { word: 'never' })
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
    await query(connectionString, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()')
    await until('an event to be handled again', async () => {
      await write(one, 'again')
      await one.events.settled()
      return words(one.once).includes('again')
    })
    expect(words(one.once)[0]).toBe('before')
    expect(words(one.everyNode)).toContain('again')
  })
})
