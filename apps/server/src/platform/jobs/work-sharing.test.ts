/** How nodes and parks share long work, on a real database: parks take turns, nodes never do the same piece at once. */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { openDatabase, sql } from '../database/database.ts'
import { createLog } from '../log.ts'
import { createWork, type Work, type WorkRun } from './work.ts'
import type { WorkKind } from './work-kind.ts'
import { PLACES, PLACES_OF_STARTING_OVER } from './work-turns.ts'
import { until } from '../../../../../tests/support/until.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const made: Work[] = []
const open: (() => void)[] = []
afterEach(async () => {
  for (const release of open.splice(0)) release()
  await Promise.all(made.splice(0).map((work) => work.stop()))
})

/** A separate node on the world's database, which leads as all the others do. */
function node(kinds: WorkKind | readonly WorkKind[], { sliceMs = 60_000, db = world.server.platform.db } = {}): Work {
  const work = createWork({ db, clock: world.server.platform.clock, log: createLog('silent'), leading: () => true, sliceMs })
  for (const kind of [kinds].flat()) work.define(kind)
  made.push(work)
  return work
}

const request = (work: Work, parkId: string, kind: string): Promise<string> =>
  world.server.platform.transaction((tx) => work.request(tx, { parkId }, kind, {}))
const stateOf = async (work: Work, parkId: string, kind: string) => (await work.latest({ parkId }, kind))?.state
const isDone = (work: Work, parkId: string, kind: string) =>
  until('the work to be done', async () => (await stateOf(work, parkId, kind)) === 'done')
const parks = (count: number): string[] => Array.from({ length: count }, () => randomUUID())

/** A gate to wait for; opened at the latest when the test has ended. */
function gate(): { opened: Promise<void>; release(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  open.push(resolve)
  return { opened: promise, release: resolve }
}
/** Counts concurrent runs. */
function meter() {
  const running: string[] = []
  let most = 0
  return {
    running,
    most: () => most,
    async during(name: string, work: () => Promise<void>): Promise<void> {
      running.push(name)
      most = Math.max(most, running.length)
      await work().finally(() => running.splice(running.indexOf(name), 1))
    },
  }
}

/** Work of many parks that lasts until each park has had a number of turns, and stores each step. */
function manyTurns(parkIds: readonly string[], turns: number) {
  const had = new Map(parkIds.map((parkId) => [parkId, 0]))
  const steps = new Map<string, number[]>(parkIds.map((parkId) => [parkId, []]))
  /** Largest difference between the turns of two parks. */
  let unevenness = 0
  const { during, most } = meter()

  async function run({ scope: { parkId }, state, progress }: WorkRun): Promise<void> {
    had.set(parkId, had.get(parkId)! + 1)
    unevenness = Math.max(unevenness, Math.max(...had.values()) - Math.min(...had.values()))
    for (let done = (state as number | null) ?? 0; [...had.values()].some((count) => count < turns);) {
      steps.get(parkId)!.push(done)
      done++
      await delay(2)
      await progress({ done, state: done })
    }
  }
  return {
    run: (one: WorkRun) => during(one.scope.parkId, () => run(one)),
    most,
    unevenness: () => unevenness,
    expectEachStepOnce() {
      for (const taken of steps.values()) expect(taken).toEqual(taken.map((_, at) => at))
    },
  }
}

describe('a park', () => {
  test('does not wait for the long work of another', async () => {
    const { opened, release } = gate()
    const [long, short] = parks(2) as [string, string]
    const work = node({ kind: 'share.other', run: ({ scope }) => (scope.parkId === long ? opened : Promise.resolve()) })
    work.start()
    await request(work, long, 'share.other')
    await until('the long one to run', async () => (await stateOf(work, long, 'share.other')) === 'running')
    await request(work, short, 'share.other')
    await isDone(work, short, 'share.other')
    expect(await stateOf(work, long, 'share.other')).toBe('running')
    release()
    await isDone(work, long, 'share.other')
  })

  test('leaves a place to others, however much it asks for', async () => {
    const { opened, release } = gate()
    const { running, during, most } = meter()
    const names = Array.from({ length: PLACES + 2 }, (_, at) => `share.many${at}`)
    const work = node(names.map((kind): WorkKind => ({ kind, run: () => during(kind, () => opened) })))
    const [greedy, modest] = parks(2) as [string, string]
    for (const kind of names) await request(work, greedy, kind)
    work.start()
    await until('its share to run', () => running.length === PLACES - 1)
    await request(work, modest, names[0]!)
    await until('the other’s to run', async () => (await stateOf(work, modest, names[0]!)) === 'running')
    expect(most()).toBe(PLACES)
    release()
    for (const kind of names) await isDone(work, greedy, kind)
  })

  test('has its turn as often as each other where they are more than there are places', async () => {
    const all = parks(PLACES + 3)
    const { run, most, unevenness, expectEachStepOnce } = manyTurns(all, 3)
    const work = node({ kind: 'share.fair', run }, { sliceMs: 20 })
    for (const parkId of all) await request(work, parkId, 'share.fair')
    work.start()
    for (const parkId of all) await isDone(work, parkId, 'share.fair')
    expect(unevenness()).toBe(1)
    expect(most()).toBe(PLACES)
    expectEachStepOnce()
  })

  test('comes in among long work of as many parks as there are places', async () => {
    const long = parks(PLACES)
    const newcomer = randomUUID()
    let isOver = false
    const run = async ({ scope: { parkId }, progress }: WorkRun): Promise<void> => {
      while (parkId !== newcomer && !isOver) {
        await delay(5)
        await progress({ done: 1 })
      }
    }
    const work = node({ kind: 'share.newcomer', run }, { sliceMs: 100 })
    work.start()
    for (const parkId of long) await request(work, parkId, 'share.newcomer')
    for (const parkId of long) await until('all to run', async () => (await stateOf(work, parkId, 'share.newcomer')) === 'running')
    await request(work, newcomer, 'share.newcomer')
    await isDone(work, newcomer, 'share.newcomer')
    isOver = true
    for (const parkId of long) await isDone(work, parkId, 'share.newcomer')
  })
})

describe('work that starts over', () => {
  test('keeps its place however many wait, and leaves it at a checkpoint', async () => {
    const all = parks(PLACES_OF_STARTING_OVER)
    const last = randomUUID()
    const { opened, release } = gate()
    const attempts = new Map<string, number>()
    const signals = new Map<string, AbortSignal>()
    const run = async ({ scope: { parkId }, signal, checkpoint }: WorkRun): Promise<void> => {
      attempts.set(parkId, (attempts.get(parkId) ?? 0) + 1)
      signals.set(parkId, signal)
      if (parkId === last) return
      if (parkId !== all[0]) return opened
      while (attempts.get(parkId) === 1) {
        await delay(5)
        checkpoint()
      }
    }
    const work = node({ kind: 'share.whole', run, startsOver: true }, { sliceMs: 0 })
    work.start()
    for (const parkId of all) {
      await request(work, parkId, 'share.whole')
      await until('it to run', () => attempts.has(parkId))
    }
    await request(work, last, 'share.whole')
    await isDone(work, last, 'share.whole')
    await isDone(work, all[0]!, 'share.whole')
    release()
    for (const parkId of all.slice(1)) {
      await isDone(work, parkId, 'share.whole')
      expect(signals.get(parkId)!.aborted).toBe(false)
    }
    expect(all.map((parkId) => attempts.get(parkId))).toEqual([2, 1, 1])
  })
})

describe('several nodes', () => {
  test('share the work of many parks, and no piece is done by two', async () => {
    const all = parks(2 * PLACES)
    const { opened, release } = gate()
    const attempts: string[] = []
    const [first, second] = [meter(), meter()]
    const kindOf = ({ during }: ReturnType<typeof meter>): WorkKind => ({
      kind: 'share.nodes',
      run({ scope: { parkId } }) {
        attempts.push(parkId)
        return during(parkId, () => opened)
      },
    })
    const nodes = [node(kindOf(first)), node(kindOf(second))]
    for (const parkId of all) await request(nodes[0]!, parkId, 'share.nodes')
    for (const work of nodes) work.start()
    await until('all to run at once', () => first.running.length + second.running.length === all.length)
    expect([first.most(), second.most()]).toEqual([PLACES, PLACES])
    release()
    for (const parkId of all) await isDone(nodes[0]!, parkId, 'share.nodes')
    expect(attempts.toSorted()).toEqual(all.toSorted())
  })

  test('do each step once, though pieces go from one to the other', async () => {
    const all = parks(2 * PLACES + 3)
    const { run, expectEachStepOnce } = manyTurns(all, 3)
    const nodes = [1, 2].map(() => node({ kind: 'share.steps', run }, { sliceMs: 20 }))
    for (const parkId of all) await request(nodes[0]!, parkId, 'share.steps')
    for (const work of nodes) work.start()
    for (const parkId of all) await isDone(nodes[0]!, parkId, 'share.steps')
    expectEachStepOnce()
  })

  test('go on with what a node had begun that lost the database', async () => {
    const parkId = randomUUID()
    const { opened } = gate()
    const handle = openDatabase(world.connectionString)
    let keptAt = 0
    const lost = node(
      {
        kind: 'share.lost',
        async run({ progress }) {
          await progress({ done: 7, total: 10, state: 7 })
          keptAt++
          await opened
        },
      },
      { db: handle.db },
    )
    lost.start()
    await request(lost, parkId, 'share.lost')
    await until('it to be kept', () => keptAt === 1)
    await handle.close()
    const states: unknown[] = []
    const other = node({ kind: 'share.lost', run: async ({ state }) => void states.push(state) })
    // As if it had been silent for a minute.
    await sql`UPDATE work SET beat_at = now() - interval '1 minute' WHERE park_id = ${parkId}`.execute(world.server.platform.db)
    other.start()
    await isDone(other, parkId, 'share.lost')
    expect(states).toEqual([7])
  })
})

describe('work that waits for its next turn', () => {
  /** Work that gave way to others, which keep their places. */
  async function waitingWork(kind: string) {
    const [first, ...others] = parks(PLACES + 1) as [string, ...string[]]
    const { opened, release } = gate()
    let attempts = 0
    const run = async ({ scope: { parkId }, state, progress, signal }: WorkRun): Promise<void> => {
      if (parkId !== first) return opened
      attempts++
      if (state !== null) return
      await progress({ done: 1, state: 'half' })
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      signal.throwIfAborted()
    }
    const work = node({ kind, run }, { sliceMs: 0 })
    work.start()
    for (const parkId of [first, ...others]) {
      await request(work, parkId, kind)
      await until('it to run', async () => (await stateOf(work, parkId, kind)) === 'running')
    }
    return { work, parkId: first, others, attempts: () => attempts, release }
  }

  test('looks to its park as if it ran, and goes on when there is a place', async () => {
    const { work, parkId, attempts, release } = await waitingWork('share.waits')
    expect(await work.latest({ parkId }, 'share.waits')).toMatchObject({ state: 'running', done: 1, endedAt: null })
    expect(attempts()).toBe(1)
    release()
    await isDone(work, parkId, 'share.waits')
    expect(attempts()).toBe(2)
  })

  test('is cancelled there and then', async () => {
    const { work, parkId, others, attempts, release } = await waitingWork('share.cancelled')
    const { id } = (await work.latest({ parkId }, 'share.cancelled'))!
    await work.cancel({ parkId }, id)
    expect(await work.read({ parkId }, id)).toMatchObject({ state: 'cancelled', done: 1 })
    release()
    for (const other of others) await isDone(work, other, 'share.cancelled')
    expect(await work.read({ parkId }, id)).toMatchObject({ state: 'cancelled' })
    expect(attempts()).toBe(1)
  })

  test('is left to other nodes when this one stops', async () => {
    const { work, parkId, others, attempts, release } = await waitingWork('share.stopped')
    const stopped = work.stop()
    release()
    await stopped
    expect(await stateOf(work, parkId, 'share.stopped')).toBe('running')
    await request(work, randomUUID(), 'share.stopped')
    const seen: unknown[] = []
    const other = node({ kind: 'share.stopped', run: async ({ state }) => void seen.push(state) })
    other.start()
    for (const one of [parkId, ...others]) await isDone(other, one, 'share.stopped')
    expect(seen).toContain('half')
    expect(attempts()).toBe(1)
  })
})
