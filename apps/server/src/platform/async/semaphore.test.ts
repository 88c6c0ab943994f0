import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSemaphore, SemaphoreFull } from './semaphore.ts'

test('serves in the order of arrival, never more than there is room for, and everybody', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 1, maxLength: 30 }), async (sizes) => {
      const semaphore = createSemaphore(10, 100)
      const order: number[] = []
      let inside: number[] = []
      await Promise.all(
        sizes.map(async (size, place) => {
          const leave = await semaphore.enter(size)
          order.push(place)
          inside.push(size)
          const sum = inside.reduce((total, one) => total + one, 0)
          expect(sum <= 10 || inside.length === 1).toBe(true)
          await Promise.resolve()
          inside = inside.toSpliced(inside.indexOf(size), 1)
          leave()
          leave()
        }),
      )
      expect(order).toEqual(sizes.map((_, place) => place))
      expect(semaphore.idle()).toBe(true)
    }),
  )
})

test('whoever comes when too many wait is told so', async () => {
  const semaphore = createSemaphore(1, 1)
  const leave = await semaphore.enter()
  const waiting = semaphore.enter()
  await expect(semaphore.enter()).rejects.toThrow(SemaphoreFull)
  expect(semaphore.idle()).toBe(false)
  leave()
  ;(await waiting)()
  expect(semaphore.idle()).toBe(true)
})

test('whoever gives up waiting leaves no place taken, and holds up nobody', async () => {
  const semaphore = createSemaphore(2, 10)
  const leave = await semaphore.enter()
  const [patience, over] = [new AbortController(), AbortSignal.abort()]
  const large = semaphore.enter(2, 'a', patience.signal)
  const small = semaphore.enter(1, 'b')
  patience.abort()
  await expect(large).rejects.toThrow(SemaphoreFull)
  ;(await small)()
  await expect(semaphore.enter(2, 'a', over)).rejects.toThrow(SemaphoreFull)
  // A request inside is not ended.
  const inside = new AbortController()
  const leaveToo = await semaphore.enter(1, 'c', inside.signal)
  inside.abort()
  expect(semaphore.idle()).toBe(false)
  leaveToo()
  leave()
  expect(semaphore.idle()).toBe(true)
})

describe('a share for each owner', () => {
  test('is never exceeded but by one that is larger, holds up nobody else, and everybody is served, each owner in order', async () => {
    const requests = fc.array(fc.record({ owner: fc.constantFrom('a', 'b', 'c'), size: fc.integer({ min: 1, max: 14 }) }), {
      minLength: 1,
      maxLength: 30,
    })
    await fc.assert(
      fc.asyncProperty(requests, async (all) => {
        const semaphore = createSemaphore(12, 1000, 1 / 3)
        const served: number[] = []
        let inside: { owner: string; size: number }[] = []
        const sum = (some: readonly { size: number }[]): number => some.reduce((total, { size }) => total + size, 0)
        await Promise.all(
          all.map(async (one, place) => {
            const leave = await semaphore.enter(one.size, one.owner)
            served.push(place)
            inside.push(one)
            const own = inside.filter(({ owner }) => owner === one.owner)
            expect(sum(own) <= 4 || own.length === 1).toBe(true)
            expect(sum(inside) <= 12 || inside.length === 1).toBe(true)
            await Promise.resolve()
            inside = inside.filter((other) => other !== one)
            leave()
          }),
        )
        for (const owner of ['a', 'b', 'c']) {
          const own = served.filter((place) => all[place]!.owner === owner)
          expect(own).toEqual(own.toSorted((one, other) => one - other))
        }
        expect(served).toHaveLength(all.length)
        expect(semaphore.idle()).toBe(true)
      }),
    )
  })

  test('is overtaken by the others, also by those who came later', async () => {
    const semaphore = createSemaphore(4, 10, 1 / 2)
    const entered: string[] = []
    const enter = async (name: string, owner: string) => {
      const leave = await semaphore.enter(1, owner)
      entered.push(name)
      return leave
    }
    const [leave] = await Promise.all([enter('first', 'a'), enter('second', 'a')])
    const third = enter('third', 'a')
    await enter('other', 'b')
    expect(entered).toEqual(['first', 'second', 'other'])
    leave()
    await third
    expect(entered).toEqual(['first', 'second', 'other', 'third'])
  })

  test('is one of the waiting places too', async () => {
    const semaphore = createSemaphore(1, 4, 1 / 2)
    await semaphore.enter(1, 'a')
    const waiting = [semaphore.enter(1, 'a'), semaphore.enter(1, 'a')]
    await expect(semaphore.enter(1, 'a')).rejects.toThrow(SemaphoreFull)
    waiting.push(semaphore.enter(1, 'b'))
    expect(await Promise.race([...waiting, Promise.resolve('all wait')])).toBe('all wait')
  })
})
