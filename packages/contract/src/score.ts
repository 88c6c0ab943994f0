/** How a person sees a score. A file without imports: the terminal's page loads it as it stands. */

/** The highest score that is shown, and that a record has: one in a million. Comparing goes on beyond it. */
const SHOWN_MAX = 100

/**
 * Ten times the square root of the raw score, to two decimals. Computed at display only; thresholds compare raw scores.
 *
 * @param score raw; whatever is above 100 is shown as 100
 */
export const shownScore = (score: number): number => Math.round(1000 * Math.sqrt(recordedScore(Math.max(0, score)))) / 100

/** A raw score as records have it: 0 to 100, where the scale that is compared goes on. */
export const recordedScore = (score: number): number => Math.min(SHOWN_MAX, score)

/**
 * The shown score with one decimal, never rounded up over a threshold it missed; a dash where nothing was compared. Where a decision is
 * explained it passes 100 as the scores that were compared do: both ends of the scale would read the same.
 */
export const scoreInWords = (score: number | null): string =>
  score === null ? '–' : (Math.floor(Math.sqrt(Math.max(0, score)) * 100) / 10).toFixed(1)

/**
 * The score that stands for a rate of false matches, the same for every model: 60 is one pair of different people in 100 taken
 * for one, 70 one in 1,000, 80 one in 10,000, and so on without an end. A model's measured curve says which of its
 * distances has that score.
 *
 * @param rate above 0, at most 1
 */
export const scoreOfRate = (rate: number): number => Math.max(0, 40 - 10 * Math.log10(rate))

/** The way back: how many pairs of different people reach this score. @param score raw, from 0 */
export const rateOfScore = (score: number): number => Math.min(1, 10 ** ((40 - score) / 10))
