/** Confidence intervals of shares: 95 %, two-sided. */
import type { MeasuredRate } from '@gatehouse/contract/faces/report'

const TAIL = 0.025
/** The normal's quantile that leaves out the tail. */
const NORMAL = 1.959964
/** Of Student's distribution with one and two degrees of freedom, where the expansion below is too rough. */
const STUDENT = [12.7062, 4.3027]

/**
 * The 97.5 % quantile of Student's distribution: what takes the normal's place where a variance was estimated from few persons.
 * Cornish–Fisher expansion (Abramowitz and Stegun 26.7.5), within 1 % of the tables.
 */
export function studentQuantile(freedom: number): number {
  const tabulated = STUDENT[Math.max(1, freedom) - 1]
  if (tabulated !== undefined) return tabulated
  const z = NORMAL
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160,
  ]
  return z + terms.reduce((sum, term, power) => sum + term / freedom ** (power + 1), 0)
}

/**
 * The exact interval of a share (Clopper and Pearson, by the beta distribution): with nothing observed its upper bound b is the one with
 * (1 − b)^trials = 2.5 %, the rule of three. Of dependent trials it takes their effective number, a fraction too, lessened where a variance
 * was estimated from few persons (Korn and Graubard: "Confidence intervals for proportions with small expected number of positive counts
 * estimated from survey data", Survey Methodology 1998).
 *
 * @param trials none: nothing is known, 0 to 1
 * @param quantile `studentQuantile` where the number of trials was estimated
 */
export function exactInterval(rate: number, trials: number, quantile = NORMAL): MeasuredRate {
  if (!(trials > 0)) return { rate: 0, low: 0, high: 1 }
  const effective = trials * (NORMAL / quantile) ** 2
  const observed = rate * effective
  const rest = effective - observed
  return {
    rate,
    low: observed <= 0 ? 0 : betaQuantile(TAIL, observed, rest + 1),
    high: rest <= 0 ? 1 : betaQuantile(1 - TAIL, observed + 1, rest),
  }
}

/**
 * Wilson's interval of a share of independent trials: covers 95 % on average, where the exact one covers at least as much always.
 * @param trials none: nothing is known, 0 to 1
 */
export function wilsonInterval(rate: number, trials: number): MeasuredRate {
  if (!(trials > 0)) return { rate: 0, low: 0, high: 1 }
  const squared = NORMAL ** 2 / trials
  const middle = (rate + squared / 2) / (1 + squared)
  const half = (NORMAL / (1 + squared)) * Math.sqrt((rate * (1 - rate)) / trials + squared / (4 * trials))
  return { rate, low: rate <= 0 ? 0 : Math.max(0, middle - half), high: rate >= 1 ? 1 : Math.min(1, middle + half) }
}

/** Where the beta distribution reaches a share of its mass. */
function betaQuantile(share: number, a: number, b: number): number {
  let [from, to] = [0, 1]
  // Halved relative to its size, for rates of one in a million are as much asked for as those of one in two.
  while (to - from > 1e-9 * to && to > 1e-300) {
    const middle = (from + to) / 2
    if (betaShare(middle, a, b) < share) from = middle
    else to = middle
  }
  return to
}

/** The regularised incomplete beta function, by its continued fraction (Numerical Recipes, 6.4) in Lentz's way. */
function betaShare(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  // The fraction is quick on this side only.
  if (x > (a + 1) / (a + b + 2)) return 1 - betaShare(1 - x, b, a)
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a
  const kept = (value: number) => (Math.abs(value) < 1e-300 ? 1e-300 : value)
  let c = 1
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let step = 1; step < 10_000; step++) {
    const even = (step * (b - step) * x) / ((a + 2 * step - 1) * (a + 2 * step))
    d = 1 / kept(1 + even * d)
    c = kept(1 + even / c)
    fraction *= d * c
    const odd = (-(a + step) * (a + b + step) * x) / ((a + 2 * step) * (a + 2 * step + 1))
    d = 1 / kept(1 + odd * d)
    c = kept(1 + odd / c)
    fraction *= d * c
    if (Math.abs(d * c - 1) < 1e-12) break
  }
  return front * fraction
}

/** Stirling's series, after the argument is moved to where it is exact to 12 digits. */
function logGamma(value: number): number {
  let shift = 0
  let x = value
  for (; x < 10; x++) shift += Math.log(x)
  const squared = x * x
  return (
    (x - 0.5) * Math.log(x) -
    x +
    0.5 * Math.log(2 * Math.PI) +
    (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * squared)) / squared) / squared) / x -
    shift
  )
}
