/** Dates of rules, `YYYY-MM-DD`. */

/** Dates put together, each once, in order. */
export const together = (...dates: readonly (readonly string[])[]): string[] => [...new Set(dates.flat())].toSorted()
