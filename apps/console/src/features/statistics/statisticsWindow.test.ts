import { expect, test } from 'vitest'
import { byFor, isTooFine, momentsOf, momentsOfLine, timeWords, windowIn } from './statisticsWindow.ts'

const TODAY = '2026-03-02'

test('an address without a window is of today, one with an end alone of that day', () => {
  expect(windowIn({ by: 'hour' }, TODAY)).toEqual({ from: TODAY, to: TODAY })
  expect(windowIn({ by: 'hour', from: '2026-02-01' }, TODAY)).toEqual({ from: '2026-02-01', to: TODAY })
  expect(windowIn({ by: 'hour', to: '2026-02-01' }, TODAY)).toEqual({ from: '2026-02-01', to: '2026-02-01' })
})

test('a window is seen by what it has some of, doors and groups stay', () => {
  expect(byFor('day', { from: TODAY, to: TODAY })).toBe('hour')
  expect(byFor('hour', { from: '2026-02-24', to: TODAY })).toBe('day')
  expect(byFor('day', { from: '2025-06-01', to: TODAY })).toBe('month')
  expect(byFor('device', { from: '2025-06-01', to: TODAY })).toBe('device')
  expect(isTooFine('hour', { from: '2026-01-30', to: TODAY })).toBe(true)
  expect(isTooFine('hour', { from: '2026-01-31', to: TODAY })).toBe(false)
})

test('a line stands for its own moments on the clock of the park', () => {
  const window = { from: '2026-02-10', to: TODAY }
  expect(momentsOf({ from: TODAY, to: TODAY }, 480)).toEqual({
    startTime: Date.parse('2026-03-01T16:00:00Z'),
    endTime: Date.parse('2026-03-02T15:59:59.999Z'),
  })
  expect(momentsOfLine('2026-03-02T08', 'hour', window, 480)).toEqual({
    startTime: Date.parse('2026-03-02T00:00:00Z'),
    endTime: Date.parse('2026-03-02T00:59:59.999Z'),
  })
  expect(momentsOfLine('2026-02', 'month', window, 0)).toEqual({
    startTime: Date.parse('2026-02-10T00:00:00Z'),
    endTime: Date.parse('2026-02-28T23:59:59.999Z'),
  })
  expect(['2026-03', '2026-03-02', '2026-03-02T08'].map((key) => timeWords(key, window))).toEqual(['2026-03', '2026-03-02', '03-02 08:00'])
  expect(timeWords('2026-03-02T08', { from: TODAY, to: TODAY })).toBe('08:00')
  expect(momentsOfLine('door', 'device', window, 0)).toEqual(momentsOf(window, 0))
})
