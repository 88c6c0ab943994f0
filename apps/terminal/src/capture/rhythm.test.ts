import { expect, test } from 'vitest'
import { createRhythm } from './rhythm.ts'

/** Let pictures come for some seconds; return the searches per second of the last of them. */
function searchesPerSecond({ perSecond, takes, isSomebody }: { perSecond: number; takes: number; isSomebody: boolean }): number {
  const rhythm = createRhythm()
  const searches: number[] = []
  for (let at = 0; at < 6_000; at += 1_000 / perSecond) {
    if (!rhythm.isDue(at)) continue
    rhythm.searched(takes, isSomebody)
    searches.push(at)
  }
  return searches.filter((at) => at >= 4_000).length / 2
}

test('the search takes a third of the time at most, as long as faces can be followed', () => {
  expect(searchesPerSecond({ perSecond: 25, takes: 25, isSomebody: true })).toBeCloseTo(12.5, 0)
  expect(searchesPerSecond({ perSecond: 25, takes: 50, isSomebody: true }) * 50).toBeLessThan(400)
  // Beyond that faces would be lost between two searches.
  expect(searchesPerSecond({ perSecond: 25, takes: 400, isSomebody: true })).toBeGreaterThanOrEqual(3)
})

test('an empty scene is searched less often', () => {
  expect(searchesPerSecond({ perSecond: 25, takes: 10, isSomebody: false })).toBeLessThan(7.5)
})

test('of a camera of few pictures each is searched', () => {
  expect(searchesPerSecond({ perSecond: 4, takes: 30, isSomebody: true })).toBe(4)
})

test('tells how many pictures come, and of how many one is searched', () => {
  const rhythm = createRhythm()
  for (let at = 0; at < 4_000; at += 50) if (rhythm.isDue(at)) rhythm.searched(35, true)
  expect(rhythm.state()).toEqual({ picturesPerSecond: 20, everyNth: 2 })
})
