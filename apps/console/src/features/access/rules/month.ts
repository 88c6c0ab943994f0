/** Months as calendars show them. Months are `YYYY-MM`, days `YYYY-MM-DD`. */

const DAY = 86_400_000

const numberOf = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1

/** The month so many after another; before it where `by` is negative. */
export function monthAfter(month: string, by: number): string {
  const number = numberOf(month) + by
  return `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`
}

/** Weeks from Monday on; null where a day belongs to another month. */
export function weeksOf(month: string): (string | null)[][] {
  const first = Date.parse(`${month}-01`)
  const days = (Date.parse(`${monthAfter(month, 1)}-01`) - first) / DAY
  const before = (new Date(first).getUTCDay() + 6) % 7
  return Array.from({ length: Math.ceil((before + days) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, weekday) => {
      const day = week * 7 + weekday - before
      return day >= 0 && day < days ? new Date(first + day * DAY).toISOString().slice(0, 10) : null
    }),
  )
}

/** Dates put together, each once, in order. */
export const together = (...dates: readonly (readonly string[])[]): string[] => [...new Set(dates.flat())].toSorted()
