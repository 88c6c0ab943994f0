import { describe, expect, test } from 'vitest'
import { ALL_DAY, daysOfPeriod, daysOfPreset, periodOf, presetOf, PRESETS, type Days } from './range.ts'

/** A Wednesday. */
const TODAY = '2026-03-04'
const EAST = 480

describe('presets', () => {
  test.each([
    ['today', '2026-03-04', '2026-03-04'],
    ['yesterday', '2026-03-03', '2026-03-03'],
    ['thisWeek', '2026-03-02', '2026-03-04'],
    ['lastWeek', '2026-02-23', '2026-03-01'],
    [7, '2026-02-26', '2026-03-04'],
    ['thisMonth', '2026-03-01', '2026-03-04'],
    ['lastMonth', '2026-02-01', '2026-02-28'],
    [30, '2026-02-03', '2026-03-04'],
  ] as const)('%s is %s to %s, and is known again by its days', (preset, from, to) => {
    expect(daysOfPreset(preset, TODAY, 1)).toEqual({ from, to })
    expect(presetOf({ from, to }, PRESETS, TODAY, 1)).toBe(preset)
  })

  test('weeks begin as the language has them', () => {
    expect(daysOfPreset('thisWeek', TODAY, 0).from).toBe('2026-03-01')
    expect(daysOfPreset('lastWeek', TODAY, 0)).toEqual({ from: '2026-02-22', to: '2026-02-28' })
    expect(daysOfPreset('thisWeek', '2026-03-01', 1).from).toBe('2026-02-23')
  })

  test('other days are none', () => {
    expect(presetOf({ from: '2026-03-01', to: '2026-03-03' }, PRESETS, TODAY, 1)).toBeUndefined()
  })
})

describe('periods', () => {
  test('a day of the park lasts from its midnight to its last millisecond', () => {
    expect(periodOf({ from: '2026-03-03', to: '2026-03-03' }, ALL_DAY, TODAY, EAST)).toEqual({
      startTime: Date.parse('2026-03-02T16:00:00Z'),
      endTime: Date.parse('2026-03-03T15:59:59.999Z'),
    })
  })

  test('one that reaches to the end of today has no end, and is read back as ending today', () => {
    const period = periodOf({ from: '2026-03-03', to: TODAY }, ALL_DAY, TODAY, EAST)
    expect(period).toEqual({ startTime: Date.parse('2026-03-02T16:00:00Z'), endTime: undefined })
    expect(daysOfPeriod(period, TODAY, EAST)).toEqual({ days: { from: '2026-03-03', to: TODAY }, times: ALL_DAY })
  })

  test('times narrow it, and are read back', () => {
    const day = { from: TODAY, to: TODAY }
    const period = periodOf(day, { from: '08:30', to: '12:00' }, TODAY, EAST)
    expect(period).toEqual({ startTime: Date.parse('2026-03-04T00:30:00Z'), endTime: Date.parse('2026-03-04T04:00:59.999Z') })
    expect(daysOfPeriod(period, TODAY, EAST)).toEqual({ days: day, times: { from: '08:30', to: '12:00' } })
  })

  test('the night of one day lasts to its end, and over two days to the morning', () => {
    const night = { from: '22:00', to: '06:00' }
    const readBack = (days: Days) => daysOfPeriod(periodOf(days, night, TODAY, EAST), TODAY, EAST)
    const first = { from: '2026-03-02', to: '2026-03-02' }
    expect(readBack(first)).toEqual({ days: first, times: { from: '22:00', to: ALL_DAY.to } })
    const both = { from: '2026-03-02', to: '2026-03-03' }
    expect(readBack(both)).toEqual({ days: both, times: night })
    expect(periodOf({ from: TODAY, to: TODAY }, night, TODAY, EAST).endTime).toBeUndefined()
  })

  test('without a start it has no days', () => {
    expect(daysOfPeriod({ endTime: 1 }, TODAY, EAST)).toBeUndefined()
  })
})
