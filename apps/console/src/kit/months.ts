/** Days and months of calendars. Months are `YYYY-MM`, days `YYYY-MM-DD`. */
import type { Language } from '@gatehouse/contract'

const DAY = 86_400_000

/** First day of a week by language, 0 is Sunday; date pickers take it from the same locales. */
export const WEEK_START: Record<Language, 0 | 1> = { 'zh-CN': 1, 'zh-TW': 0, en: 0 }

const numberOf = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1

/** Return the month so many after another; before it where `by` is negative. */
export function monthAfter(month: string, by: number): string {
  const number = numberOf(month) + by
  return `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`
}

export const monthOf = (day: string): string => day.slice(0, 7)

/** Return the day so many after another; before it where `by` is negative. */
export const dayAfter = (day: string, by: number): string => new Date(Date.parse(day) + by * DAY).toISOString().slice(0, 10)

export const lastDayOf = (month: string): string => dayAfter(`${monthAfter(month, 1)}-01`, -1)

/** Return the same day of another month, or its last one where it is shorter. */
export function sameDayIn(month: string, day: string): string {
  const same = `${month}${day.slice(7)}`
  return same < lastDayOf(month) ? same : lastDayOf(month)
}

/** Return the days since the start of the week. */
export const placeInWeek = (day: string, weekStart: number): number => (new Date(Date.parse(day)).getUTCDay() - weekStart + 7) % 7

/** Return the weeks of a month; null where a day belongs to another month. */
export function weeksOf(month: string, weekStart: 0 | 1 = 1): (string | null)[][] {
  const first = `${month}-01`
  const before = placeInWeek(first, weekStart)
  const days = Number(lastDayOf(month).slice(8))
  return Array.from({ length: Math.ceil((before + days) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, weekday) => {
      const day = week * 7 + weekday - before
      return day >= 0 && day < days ? dayAfter(first, day) : null
    }),
  )
}
