/** How a score is shown. A file without imports: the terminal's page loads it unchanged. */

/** The highest score that is shown and recorded: one false match in a million. Comparisons use higher scores too. */
const SHOWN_MAX = 100

/**
 * Return ten times the square root of the raw score, to two decimals. Computed at display only; thresholds compare raw scores.
 *
 * @param score raw; above 100 it is shown as 100
 */
export const shownScore = (score: number): number => Math.round(1000 * Math.sqrt(recordedScore(Math.max(0, score)))) / 100

/** Return a raw score as it is recorded: 0 to 100; compared scores can be higher. */
export const recordedScore = (score: number): number => Math.min(SHOWN_MAX, score)

/**
 * Return the shown score with one decimal, never rounded up past a threshold that it missed; a dash if nothing was compared. It exceeds 100
 * like the compared scores: where a decision is explained, score and threshold would else both read 100.
 */
export const scoreInWords = (score: number | null): string =>
  score === null ? '–' : (Math.floor(Math.sqrt(Math.max(0, score)) * 100) / 10).toFixed(1)

/**
 * Return the score for a rate of false matches, the same for every model: 60 is one pair of different people in 100 taken for one, 70 is
 * one in 1,000, 80 one in 10,000, and so on without an upper limit. A model's measured curve maps its distances to these scores.
 *
 * @param rate above 0, at most 1
 */
export const scoreOfRate = (rate: number): number => Math.max(0, 40 - 10 * Math.log10(rate))

/** Return the rate of pairs of different people that reach this score: the inverse of `scoreOfRate`. @param score raw, from 0 */
export const rateOfScore = (score: number): number => Math.min(1, 10 ** ((40 - score) / 10))
