/** How a person sees a score. A file without imports: the terminal's page loads it as it stands. */

/**
 * Ten times the square root of the raw score, to two decimals. Computed at display only; thresholds compare raw scores.
 *
 * @param score raw, 0 to 100
 */
export const shownScore = (score: number): number => Math.round(1000 * Math.sqrt(Math.max(0, score))) / 100

/** The shown score with one decimal, never rounded up over a threshold it missed; a dash where nothing was compared. */
export const scoreInWords = (score: number | null): string =>
  score === null ? '–' : (Math.floor(Math.sqrt(Math.max(0, score)) * 100) / 10).toFixed(1)

/**
 * The score that stands for a rate of false matches, the same for every model: 60 is one pair of different people in 100 taken
 * for one, 70 one in 1,000, 80 one in 10,000. A model's measured curve says which of its distances has that score.
 *
 * @param rate above 0, at most 1
 */
export const scoreOfRate = (rate: number): number => Math.min(100, Math.max(0, 40 - 10 * Math.log10(rate)))

/** The way back: how many pairs of different people reach this score. @param score raw, 0 to 100 */
export const rateOfScore = (score: number): number => Math.min(1, 10 ** ((40 - score) / 10))
