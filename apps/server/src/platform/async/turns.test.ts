/** One holder at a time for each key, in the order of arrival, and no endless waiting. */
import { expect, it } from 'vitest'
import { SemaphoreFull } from './semaphore.ts'
import { createTurns, serialised } from './turns.ts'

const soon = () => new Promise((resolve) => setImmediate(resolve))

it('lets one in at a time, in the order they came, and others elsewhere at once', async () => {
  const turns = createTurns({ waitingMax: 10, patienceMs: 60_000 })
  const came: string[] = []
  const enter = (key: string, name: string) =>
    turns.enter(key).then((leave) => {
      came.push(name)
      return leave
    })
  const first = await enter('vault', 'first')
  const waiting = [enter('vault', 'second'), enter('vault', 'third')]
  const elsewhere = await enter('hall', 'elsewhere')
  await soon()
  expect(came).toEqual(['first', 'elsewhere'])
  elsewhere()
  first()
  ;(await waiting[0]!)()
  ;(await waiting[1]!)()
  expect(came).toEqual(['first', 'elsewhere', 'second', 'third'])
  ;(await enter('vault', 'later'))()
  expect(came.at(-1)).toBe('later')
})

it('turns away at once whoever would be one too many', async () => {
  const turns = createTurns({ waitingMax: 1, patienceMs: 60_000 })
  const leave = await turns.enter('vault')
  const second = turns.enter('vault')
  await expect(turns.enter('vault')).rejects.toThrow(SemaphoreFull)
  leave()
  ;(await second)()
})

it('turns away whoever has waited too long, and goes on', async () => {
  const turns = createTurns({ waitingMax: 10, patienceMs: 20 })
  const leave = await turns.enter('vault')
  await expect(turns.enter('vault')).rejects.toThrow(SemaphoreFull)
  leave()
  ;(await turns.enter('vault'))()
})

it('goes on after work that failed, and has no limits of its own', async () => {
  const turns = createTurns()
  const done: number[] = []
  const first = turns.during('vault', () => Promise.reject(new Error('lost the key')))
  const others = [1, 2, 3].map((number) => turns.during('vault', async () => done.push(number)))
  await expect(first).rejects.toThrow('lost the key')
  expect(await Promise.all(others)).toEqual([1, 2, 3])
  expect(done).toEqual([1, 2, 3])
})

it('runs serialised work one after the other, also after a run that failed', async () => {
  const [events, ends] = [[] as string[], [Promise.withResolvers<void>(), Promise.withResolvers<void>()]]
  let runs = 0
  const work = serialised(async () => {
    const run = runs++
    events.push(`start ${run}`)
    await ends[run]!.promise
    events.push(`end ${run}`)
    return run
  })
  const [first, second] = [work(), work()]
  await soon()
  ends[1]!.resolve()
  await soon()
  expect(events).toEqual(['start 0'])
  ends[0]!.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  expect(await second).toBe(1)
  expect(events).toEqual(['start 0', 'start 1', 'end 1'])
})
