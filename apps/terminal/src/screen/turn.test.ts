import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTurn } from './turn.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const STAYS = 8_000
const verdict = (name: string, occurredAt: number, kind: 'allowed' | 'rejected' | 'pending' = 'allowed') => ({
  name,
  occurredAt,
  verdict: kind,
})
const stranger = verdict('stranger', 20, 'rejected')

/** A screen that records what it was asked to show of the door, in order; `free` when nothing occupies it any more. */
function screen() {
  const shown: string[] = []
  const turn = createTurn<ReturnType<typeof verdict>>({
    stays: STAYS,
    show: ({ name }) => shown.push(name),
    onFree: () => shown.push('free'),
  })
  return { turn, shown }
}

describe('what is on the screen', () => {
  test('goes by itself, a refusal, another message and an admission alike', () => {
    for (const message of [verdict('ann', 10), stranger, verdict('bob', 30, 'pending'), null]) {
      const { turn, shown } = screen()
      expect(turn.takesScreen(message)).toBe(true)
      vi.advanceTimersByTime(STAYS - 1)
      expect(shown).toEqual([])
      vi.advanceTimersByTime(1)
      expect(shown).toEqual(['free'])
      vi.advanceTimersByTime(STAYS)
      expect(shown).toEqual(['free'])
    }
  })

  test('stays as long again with each that follows, and for good while a picture is checked', () => {
    const { turn, shown } = screen()
    turn.takesScreen(stranger)
    vi.advanceTimersByTime(STAYS - 1)
    turn.takesScreen(verdict('ann', 10))
    vi.advanceTimersByTime(STAYS - 1)
    turn.keepsScreen()
    vi.advanceTimersByTime(10 * STAYS)
    expect(shown).toEqual([])
  })

  test('goes with the door where it admits: nobody is told to pass a door that has closed, not even once more', () => {
    const { turn, shown } = screen()
    const ann = verdict('ann', 10)
    turn.takesScreen(ann)
    turn.door(true)
    vi.advanceTimersByTime(3_000)
    expect(turn.takesScreen(ann)).toBe(true)
    turn.door(true)
    turn.door(false)
    expect(shown).toEqual(['free'])
    expect(turn.takesScreen(ann)).toBe(false)
    expect(turn.takesScreen(verdict('ann', 20))).toBe(true)
    vi.advanceTimersByTime(STAYS)
    expect(shown).toEqual(['free', 'free'])
  })

  test('admits nobody anew who stands there still when the door has closed, whoever was shown in between', () => {
    const { turn, shown } = screen()
    const [ann, bob] = [verdict('ann', 10), verdict('bob', 11)]
    turn.takesScreen(ann)
    turn.door(true)
    turn.takesScreen(bob)
    turn.takesScreen(stranger)
    turn.door(false)
    expect([turn.takesScreen(ann), turn.takesScreen(bob), turn.takesScreen(stranger)]).toEqual([false, false, true])
    expect(shown).toEqual([])
  })

  test('a refusal stays where the door closes behind another, and a door that was not open yet ends nothing', () => {
    const { turn, shown } = screen()
    turn.door(true)
    turn.takesScreen(stranger)
    turn.door(false)
    expect(shown).toEqual([])
    turn.takesScreen(verdict('ann', 10))
    turn.door(false)
    expect(shown).toEqual([])
  })

  test('an admission that had to wait is not shown when its door has closed meanwhile; a refusal is', () => {
    for (const [kind, expected] of [
      ['allowed', []],
      ['rejected', ['ann']],
    ] as const) {
      const { turn, shown } = screen()
      const answered = turn.begin()
      turn.happened(verdict('ann', 10, kind))
      turn.door(true)
      turn.door(false)
      answered(stranger)
      vi.advanceTimersByTime(2_500)
      expect(shown).toEqual(expected)
    }
  })
})

test('what is decided at the door is shown at once where nobody chose a picture', () => {
  const { turn, shown } = screen()
  turn.happened(verdict('ann', 10))
  turn.happened(verdict('bob', 11))
  expect(shown).toEqual(['ann', 'bob'])
})

describe('where somebody chose a picture', () => {
  test('its verdict is there for a moment whoever stands before the camera, who is told then', () => {
    const { turn, shown } = screen()
    const answered = turn.begin()
    expect(turn.checking()).toBe(true)
    expect(answered(stranger)).toBe(true)
    expect(turn.checking()).toBe(false)
    turn.happened(verdict('ann', 30))
    vi.advanceTimersByTime(1_900)
    expect(shown).toEqual([])
    vi.advanceTimersByTime(200)
    expect(shown).toEqual(['ann'])
    turn.happened(verdict('bob', 40))
    expect(shown).toEqual(['ann', 'bob'])
  })

  test.each([
    ['before the answer', (door: () => void, answer: () => void) => [door, answer]],
    ['after it', (door: () => void, answer: () => void) => [answer, door]],
  ])('its own verdict, told %s as an event too, takes the place of nobody', (_when, inOrder) => {
    const { turn, shown } = screen()
    const answered = turn.begin()
    const steps = inOrder(
      () => [verdict('ann', 10), verdict('bob', 15), stranger].forEach(turn.happened),
      () => void answered(stranger),
    )
    for (const step of steps) step()
    vi.advanceTimersByTime(3_000)
    expect(shown).toEqual(['bob'])
  })

  test('nobody waits for one that needs another step, or got no verdict for so long that others came and went', () => {
    const { turn, shown } = screen()
    turn.begin()(verdict('ann', 10, 'pending'))
    vi.advanceTimersByTime(1)
    turn.happened(verdict('ann', 11))
    expect(shown).toEqual(['ann'])

    const answered = turn.begin()
    turn.happened(verdict('bob', 20))
    vi.advanceTimersByTime(STAYS)
    expect(answered(null)).toBe(true)
    vi.advanceTimersByTime(3_000)
    expect(shown).toEqual(['ann'])
  })

  test('and another meanwhile, only the verdict on that one counts, and has its moment', () => {
    const { turn, shown } = screen()
    const [first, second] = [turn.begin(), turn.begin()]
    expect(first(stranger)).toBe(false)
    expect(turn.checking()).toBe(true)
    turn.happened(stranger)
    turn.happened(verdict('ann', 30))
    vi.advanceTimersByTime(3_000)
    expect(shown).toEqual([])
    expect(second(verdict('bob', 40))).toBe(true)
    vi.advanceTimersByTime(1_900)
    const third = turn.begin()
    vi.advanceTimersByTime(1_000)
    expect(shown).toEqual([])
    expect(third(stranger)).toBe(true)
    vi.advanceTimersByTime(2_100)
    expect(shown).toEqual(['ann'])
  })
})
