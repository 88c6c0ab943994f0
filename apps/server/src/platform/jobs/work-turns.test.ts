import { describe, expect, test } from 'vitest'
import { PLACES, PLACES_OF_STARTING_OVER, fits, inTurn, toGiveWay, type OpenWork, type Placed } from './work-turns.ts'

const open = (id: string, parkId: string, more: Partial<OpenWork> = {}): OpenWork => ({
  id,
  parkId,
  kind: 'test.any',
  createdAt: 0,
  servedAt: null,
  attended: false,
  ...more,
})
const order = (...all: OpenWork[]): string[] => inTurn(all).map(({ id }) => id)
const placed = (parkId: string, startsOver = false): Placed => ({ parkId, startsOver })
const times = (count: number, one: Placed): Placed[] => Array.from({ length: count }, () => one)

describe('the order of turns', () => {
  test('is that of asking where nothing was served yet', () => {
    expect(order(open('late', 'a', { createdAt: 3 }), open('early', 'b', { createdAt: 1 }), open('middle', 'c', { createdAt: 2 }))).toEqual(
      ['early', 'middle', 'late'],
    )
  })

  test('leaves out what is attended, and puts parks of which something is behind all others', () => {
    expect(
      order(
        open('running', 'a', { createdAt: 1, attended: true }),
        open('of the same', 'a', { createdAt: 2 }),
        open('of another', 'b', { createdAt: 9 }),
      ),
    ).toEqual(['of another', 'of the same'])
  })

  test('begins with the park that was served longest ago, whatever else that park has waiting', () => {
    expect(
      order(
        open('served late', 'a', { createdAt: 1, servedAt: 50 }),
        open('never served, of a park served late', 'a', { createdAt: 2 }),
        open('served early', 'b', { createdAt: 3, servedAt: 40 }),
        open('new', 'c', { createdAt: 45 }),
      ),
    ).toEqual(['served early', 'new', 'never served, of a park served late', 'served late'])
  })
})

describe('the places of a node', () => {
  test('are as many as there are, and one park has all but one', () => {
    const own = times(PLACES - 1, placed('a'))
    expect(fits(own, placed('a'))).toBe(false)
    expect(fits(own, placed('b'))).toBe(true)
    expect(fits([...own, placed('b')], placed('c'))).toBe(false)
  })

  test('are not all for what starts over, and of those one park has all but one', () => {
    const own = times(PLACES_OF_STARTING_OVER - 1, placed('a', true))
    expect(fits(own, placed('a', true))).toBe(false)
    expect(fits(own, placed('a'))).toBe(true)
    expect(fits([...own, placed('b', true)], placed('c', true))).toBe(false)
    expect(fits([...own, placed('b', true)], placed('c'))).toBe(true)
  })
})

describe('giving way', () => {
  const attempt = (parkId: string, since: number, startsOver = false) => ({ ...placed(parkId, startsOver), since })
  const attended = (...parkIds: string[]): OpenWork[] => parkIds.map((parkId, at) => open(`attended ${at}`, parkId, { attended: true }))

  test('is for the park with most attempts, then for the oldest', () => {
    const all = [attempt('a', 1), attempt('b', 2), attempt('b', 3), attempt('c', 4)]
    expect(toGiveWay(all, all, placed('d'), attended('a', 'b', 'b', 'c'))).toBe(all[1])
    const even = [attempt('a', 2), attempt('b', 1), attempt('c', 3), attempt('d', 4)]
    expect(toGiveWay(even, even, placed('e'), attended('a', 'b', 'c', 'd'))).toBe(even[1])
  })

  test('is only for those whose slice is over', () => {
    const all = [attempt('a', 1), attempt('b', 2), attempt('c', 3), attempt('d', 4)]
    expect(toGiveWay(all, [all[2]!], placed('e'), attended('a', 'b', 'c', 'd'))).toBe(all[2])
    expect(toGiveWay(all, [], placed('e'), attended('a', 'b', 'c', 'd'))).toBeNull()
  })

  test('is not for a park that is attended no more than the one that waits, unless it is the same', () => {
    const all = [attempt('a', 1), attempt('b', 2), attempt('c', 3), attempt('d', 4)]
    expect(toGiveWay(all, all, placed('e'), attended('a', 'b', 'c', 'd', 'e'))).toBeNull()
    const own = [attempt('a', 1), attempt('a', 2), attempt('a', 3)]
    expect(toGiveWay(own, own, placed('a'), attended('a', 'a', 'a'))).toBe(own[0])
  })

  test('is for what starts over only where nothing else makes room', () => {
    const all = [attempt('a', 1, true), attempt('b', 2), attempt('c', 3, true), attempt('d', 4)]
    expect(toGiveWay(all, all, placed('e'), attended('a', 'b', 'c', 'd'))).toBe(all[1])
    const full = [attempt('a', 1, true), attempt('b', 2, true), attempt('c', 3, true), attempt('d', 4)]
    expect(toGiveWay(full, full, placed('e', true), attended('a', 'b', 'c', 'd'))).toBe(full[0])
  })
})
