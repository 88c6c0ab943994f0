/** Conversion between moments and the values of date and time fields, by the clock of the browser. */

const MINUTE_MS = 60_000

/** Return `YYYY-MM-DDTHH:MM:SS` of milliseconds since 1970. */
export const localText = (moment: number): string =>
  new Date(moment - new Date(moment).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)

/** Return `YYYY-MM-DDTHH:MM`, empty for null. */
export const localMinute = (moment: number | null): string => (moment === null ? '' : localText(moment).slice(0, 'YYYY-MM-DDTHH:MM'.length))

/** Return milliseconds since 1970, null for an empty field. */
export const instantOf = (text: string): number | null => (text === '' ? null : new Date(text).getTime())
