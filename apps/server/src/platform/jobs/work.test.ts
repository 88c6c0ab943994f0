/**
 * Long work on a real database: stored, resumed, cancelled, and one of a kind in a park at a time. Turns of parks are tested in
 * `work-turns.test.ts`.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { timestamp } from '../database/database.ts'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { createLog } from '../log.ts'
import { WorkCancelled, WorkInterrupted, createWork, type Work, type WorkRun } from './work.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const made: Work[] = []
/** A separate node on the world's database. */
function node(
  run: (run: WorkRun) => Promise<void>,
  { kind, leads = () => true, leaderOnly = false }: { kind: string; leads?: () => boolean; leaderOnly?: boolean },
): Work {
  const { db, clock } = world.server.platform
  const work = createWork({ db, clock, log: createLog('silent'), leading: leads })
  work.define({ kind, run, ...(leaderOnly && { leaderOnly }) })
  made.push(work)
  return work
}
afterAll(() => Promise.all(made.map((work) => work.stop())))

const scope = () => ({ parkId: world.park.id })
const request = (work: Work, kind: string, input: unknown = {}) =>
  world.server.platform.transaction((tx) => work.request(tx, scope(), kind, input))

async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = Date.now() + 30_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited for ${what}`)
    await delay(15)
  }
}
const state = async (work: Work, id: string) => (await work.read(scope(), id))!
const ended = (work: Work, id: string) => until('the work to end', async () => (await state(work, id)).endedAt !== null)
/** Waits until the attempt is ended from outside. */
const aborted = (signal: AbortSignal) => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

describe('a piece of work', () => {
  test('is done once, with its progress and what it was asked for', async () => {
    const inputs: unknown[] = []
    const work = node(
      async ({ input, progress }) => {
        inputs.push(input)
        await progress({ done: 1, total: 3 })
        await progress({ done: 3, failed: 1 })
      },
      { kind: 'test.counts' },
    )
    const id = await request(work, 'test.counts', { of: 'three' })
    expect(await state(work, id)).toMatchObject({ kind: 'test.counts', state: 'waiting', done: 0, total: null, startedAt: null })
    work.start()
    await ended(work, id)
    expect(await state(work, id)).toMatchObject({ state: 'done', done: 3, total: 3, failed: 1, reason: null })
    expect(inputs).toEqual([{ of: 'three' }])
    expect(await work.latest(scope(), 'test.counts')).toMatchObject({ id })
  })

  test('goes on from what it kept when the server is stopped in the middle, on whichever node leads next', async () => {
    const states: unknown[] = []
    const run = async ({ state: kept, signal, progress }: WorkRun) => {
      states.push(kept)
      if (kept !== null) return
      await progress({ done: 5, total: 10, state: { at: 'five' } })
      await aborted(signal)
      await progress({ done: 6 })
    }
    const first = node(run, { kind: 'test.resumes' })
    const id = await request(first, 'test.resumes')
    first.start()
    await until('half of it', async () => (await state(first, id)).done === 5)
    await first.stop()
    expect(await state(first, id)).toMatchObject({ state: 'running', endedAt: null })
    const second = node(run, { kind: 'test.resumes' })
    second.start()
    await ended(second, id)
    expect(states).toEqual([null, { at: 'five' }])
    expect(await state(second, id)).toMatchObject({ state: 'done', done: 6, total: 10 })
  })

  test('is taken up again where its node died without a word, and not before', async () => {
    const { db } = world.server.platform
    const attempts: string[] = []
    const work = node(async ({ state: kept }) => void attempts.push(JSON.stringify(kept)), { kind: 'test.dies' })
    const id = await request(work, 'test.dies')
    const taken = { state: 'running', runner: randomUUID(), beatAt: timestamp(Date.now()), kept: JSON.stringify({ half: true }) } as const
    await db.updateTable('work').set(taken).where('id', '=', id).execute()
    // Requested after it: once that has run, this one was skipped.
    work.define({ kind: 'test.follows', run: async () => {} })
    const following = await request(work, 'test.follows')
    work.start()
    await ended(work, following)
    expect(attempts).toEqual([])
    await db
      .updateTable('work')
      .set({ beatAt: timestamp(Date.now() - 60_000) })
      .where('id', '=', id)
      .execute()
    await ended(work, id)
    expect(attempts).toEqual(['{"half":true}'])
  })

  test('says why it failed as a whole', async () => {
    const work = node(async () => Promise.reject(new Error('there is no room left')), { kind: 'test.fails' })
    const id = await request(work, 'test.fails')
    work.start()
    await ended(work, id)
    expect(await state(work, id)).toMatchObject({ state: 'failed', reason: 'there is no room left' })
    const again = await request(work, 'test.fails')
    expect(again).not.toBe(id)
  })

  test('ends when it is cancelled, also by another node, and knows that it was', async () => {
    const reasons: unknown[] = []
    const work = node(
      async ({ signal, progress }) => {
        await progress({ done: 1 })
        await aborted(signal)
        await progress({ done: 2 }).catch((error: unknown) => void reasons.push(error))
      },
      { kind: 'test.cancelled' },
    )
    const elsewhere = node(async () => {}, { kind: 'test.cancelled', leads: () => false })
    work.start()
    for (const canceller of [work, elsewhere]) {
      const id = await request(work, 'test.cancelled')
      await until('a beginning', async () => (await state(work, id)).done === 1)
      await canceller.cancel(scope(), id)
      await until('the attempt to hear of it', () => reasons.length === (canceller === work ? 1 : 2))
      expect(await state(work, id)).toMatchObject({ state: 'cancelled' })
      expect((await state(work, id)).endedAt).not.toBeNull()
    }
    expect(reasons.every((error) => error instanceof WorkCancelled && !(error instanceof WorkInterrupted))).toBe(true)
  })

  test('is the only one of its kind in a park; another park has its own', async () => {
    const other = await world.addPark()
    const running = new Map<string, number>()
    let most = 0
    const work = node(
      async ({ scope: { parkId } }) => {
        running.set(parkId, (running.get(parkId) ?? 0) + 1)
        most = Math.max(most, running.get(parkId)!)
        await delay(0)
        running.set(parkId, running.get(parkId)! - 1)
      },
      { kind: 'test.alone' },
    )
    const ids = await Promise.all([request(work, 'test.alone'), request(work, 'test.alone'), request(work, 'test.alone')])
    expect(new Set(ids).size).toBe(1)
    const foreign = await world.server.platform.transaction((tx) => work.request(tx, { parkId: other.park.id }, 'test.alone', {}))
    expect(foreign).not.toBe(ids[0])
    // Work of another park is not found.
    expect(await work.read(scope(), foreign)).toBeNull()
    await work.cancel(scope(), foreign)
    work.start()
    await ended(work, ids[0]!)
    await until('the other park’s', async () => (await work.read({ parkId: other.park.id }, foreign))?.state === 'done')
    expect(most).toBe(1)
  })

  test('of a kind for the leader is left alone by nodes that do not lead, and let go by one that leads no more', async () => {
    let leads = false
    const reasons: unknown[] = []
    const work = node(
      async ({ signal, progress, state: kept }) => {
        if (kept !== null) return
        await progress({ done: 1, state: { once: true } })
        await aborted(signal)
        reasons.push(signal.reason)
        signal.throwIfAborted()
      },
      { kind: 'test.leads', leads: () => leads, leaderOnly: true },
    )
    const id = await request(work, 'test.leads')
    work.start()
    leads = true
    await until('a beginning', async () => (await state(work, id)).done === 1)
    leads = false
    await until('its end', () => reasons.length === 1)
    expect(reasons[0]).toBeInstanceOf(WorkInterrupted)
    expect(await state(work, id)).toMatchObject({ state: 'running', endedAt: null })
    leads = true
    await ended(work, id)
    expect(await state(work, id)).toMatchObject({ state: 'done' })
  })
})
