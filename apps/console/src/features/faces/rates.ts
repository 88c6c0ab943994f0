/** Error rates in words, such as "1 in 1,200" and "7 in 100", and scores. */
import { useTranslation } from 'react-i18next'
import type { MeasuredRate } from '@gatehouse/contract/faces/report'

/** Return a whole number with two significant figures: 1,234 becomes 1,200. No rate is more exact than that. */
export function roughly(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1)
  return Math.round(Math.round(value / step) * step)
}

/** The form in which a rate is put in words. */
type SpokenRate = { as: 'none' } | { as: 'nearlyAll' } | { as: 'oneIn'; count: number } | { as: 'of100'; count: number }

/** From this rate on "25 in 100" is clearer than "1 in 4". */
const COMMON = 0.2
/** Rate from which an event counts as nearly certain. */
const NEARLY_ALL = 0.995
/** Below this rate "1 in 1,000" is clearer than "0.1 in 100". */
const RARE = 0.001

const of100 = (rate: number): SpokenRate =>
  rate >= NEARLY_ALL ? { as: 'nearlyAll' } : { as: 'of100', count: Math.round(rate * (rate < 0.1 ? 1000 : 100)) / (rate < 0.1 ? 10 : 1) }

/** Return the form for an event that should be rare. @param rate 0 to 1 */
export const rarely = (rate: number): SpokenRate =>
  rate <= 0 ? { as: 'none' } : rate >= COMMON ? of100(rate) : { as: 'oneIn', count: roughly(1 / rate) }

/** Return the form for an event that is expected a few times in a hundred. @param rate 0 to 1 */
export const often = (rate: number): SpokenRate =>
  rate <= 0 ? { as: 'none' } : rate < RARE ? { as: 'oneIn', count: roughly(1 / rate) } : of100(rate)

/** Errors of a model at one score. */
interface Point {
  score: number
  falseNonMatchRate: number | null
}

/** Return the share of genuine attempts below a score, interpolated between the points of a curve; null outside the curve. */
export function falseNonMatchAt(curve: readonly Point[], score: number): number | null {
  const points = curve.toSorted((a, b) => a.score - b.score)
  const at = points.findIndex((point) => point.score >= score)
  const [from, to] = [points[at - 1], points[at]]
  if (to?.falseNonMatchRate == null) return null
  if (to.score === score) return to.falseNonMatchRate
  if (from?.falseNonMatchRate == null) return null
  return from.falseNonMatchRate + ((score - from.score) / (to.score - from.score)) * (to.falseNonMatchRate - from.falseNonMatchRate)
}

/** Return whether a part of the gallery is significantly worse than all of it: the intervals do not touch. */
export const clearlyWorse = (part: MeasuredRate | null, all: MeasuredRate | null): boolean =>
  part !== null && all !== null && part.low > all.high

/** Factor over the rate of the whole gallery from which a part of it is named. */
const TIMES_NAMED = 3

/** Return whether strangers of a part are confused significantly, and more than three times as often as those of the whole gallery. */
export const muchMoreOften = (part: MeasuredRate | null, all: MeasuredRate | null): boolean =>
  part !== null && all !== null && part.rate > TIMES_NAMED * all.rate && part.low > all.rate

/** Return the factor by which a lead of so many points makes the best match less likely to be chance than the second. */
export const timesRarer = (points: number): number => Math.round(10 ** (points / 10) * 10) / 10

export interface RateWords {
  number: (value: number) => string
  /** "1 in 1,200" */
  rarely: (rate: number) => string
  /** "7 in 100" */
  often: (rate: number | null) => string
  /** The interval of the true rate, with 95 % confidence. */
  between: (measured: MeasuredRate, say: 'rarely' | 'often') => string
}

/** Return functions that put rates and numbers in words of the shown language. */
export function useRateWords(): RateWords {
  const { t, i18n } = useTranslation('faces')
  const number = (value: number): string => value.toLocaleString(i18n.language)
  const words = (spoken: SpokenRate): string =>
    'count' in spoken ? t(`rate.${spoken.as}`, { n: number(spoken.count) }) : t(`rate.${spoken.as}`)
  const spokenAs = { rarely, often }
  return {
    number,
    rarely: (rate) => words(rarely(rate)),
    often: (rate) => (rate === null ? t('rate.unknown') : words(often(rate))),
    between: ({ low, high }, how) => {
      const [least, most] = [spokenAs[how](low), spokenAs[how](high)]
      if (most.as === 'none') return ''
      if (least.as === 'none') return t('rate.atMost', { high: words(most) })
      if (!('count' in least) || !('count' in most) || least.as !== most.as)
        return t('rate.between', { low: words(least), high: words(most) })
      const [from, to] = [least.count, most.count].toSorted((a, b) => a - b) as [number, number]
      return from === to ? words(least) : t(`rate.range.${least.as}`, { from: number(from), to: number(to) })
    },
  }
}

/** Return a liveness score as shown: a whole number of 100. @param score 0 to 1 */
export const livenessInWords = (score: number): string => String(Math.round(score * 100))
