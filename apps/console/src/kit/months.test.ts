import dayjs from 'dayjs'
import { expect, test } from 'vitest'
import { LANGUAGES } from '@gatehouse/contract'
import './days.ts'
import { monthAfter, sameDayIn, WEEK_START, weeksOf } from './months.ts'

test('months follow each other over the end of a year, in both directions', () => {
  expect([monthAfter('2026-11', 1), monthAfter('2026-12', 1), monthAfter('2026-01', -1), monthAfter('2026-03', 24)]).toEqual([
    '2026-12',
    '2027-01',
    '2025-12',
    '2028-03',
  ])
})

test('a day is found again in another month, or its last one', () => {
  expect([sameDayIn('2026-10', '2026-11-17'), sameDayIn('2026-02', '2026-01-31')]).toEqual(['2026-10-17', '2026-02-28'])
})

test('a month has its days in weeks, and nothing of its neighbours', () => {
  const weeks = weeksOf('2026-11')
  expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-11-01'])
  expect(weeks.at(-1)).toEqual(['2026-11-30', null, null, null, null, null, null])
  expect(weeks).toHaveLength(6)
  expect(weeksOf('2026-11', 0)[0]?.[0]).toBe('2026-11-01')
  expect(weeksOf('2027-02')).toHaveLength(4)
  for (const [month, days] of [
    ['2026-12', 31],
    ['2028-02', 29],
    ['2026-02', 28],
  ] as const) {
    const all = weeksOf(month)
      .flat()
      .filter((day) => day !== null)
    expect([all.length, all[0], all.at(-1)]).toEqual([days, `${month}-01`, `${month}-${days}`])
  }
})

test('weeks begin as in the date pickers of each language', () => {
  const starts = LANGUAGES.map((language) => dayjs.Ls[language.toLowerCase()]?.weekStart ?? 0)
  expect(LANGUAGES.map((language) => WEEK_START[language])).toEqual(starts)
})
