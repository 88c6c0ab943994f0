/** How a person sees a score. A file without imports: the terminal's page loads it as it stands. */

/**
 * Ten times the square root of the raw score, to two decimals. Computed at display only; thresholds compare raw scores.
 *
 * @param score raw, 0 to 100
 */
export const shownScore = (score: number): number => Math.round(1000 * Math.sqrt(Math.max(0, score))) / 100

/** The shown score with one decimal, never rounded up over a threshold it missed; a dash where nothing was compared. */
export const scoreInWords = (score: number | null): string => (score === null ? '–' : (Math.floor(Math.sqrt(Math.max(0, score)) * 100) / 10).toFixed(1))
