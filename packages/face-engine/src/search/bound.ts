/**
 * How near a row can be at most, and how far, known from one byte a number.
 *
 * A row x is stored twice: as it is, and as codes X (integers −127…127) times a scale s; so is the probe p, with codes P (−63…63) and
 * scale t. Let x̂ = s·X and p̂ = t·P, and x = x̂ + e, p = p̂ + f. Then
 *
 *     x·p = x̂·p̂ + x̂·f + e·p,   and by Cauchy–Schwarz   |x·p − x̂·p̂| ≤ ‖x̂‖·‖f‖ + ‖e‖·‖p‖.
 *
 * As ‖x − p‖² = ‖x‖² + ‖p‖² − 2·x·p, no row is nearer than
 *
 *     least = ‖x‖² + ‖p‖² − 2·s·t·(X·P) − 2·‖x̂‖·‖f‖ − 2·‖e‖·‖p‖.
 *
 * The lengths ‖x̂‖, ‖e‖, ‖p‖, ‖f‖ are the actual ones, not estimates. X·P is exact: the kernel adds products of bytes into 32 bits,
 * |X·P| ≤ 127·127·4096 < 2³¹ even with the offset below, and two neighbouring products stay below 2¹⁵, so that no machine saturates.
 *
 * The rest is computed in 32-bit floating point. Each code rounds to the nearest, so ‖e‖ ≤ ‖x‖ and ‖x̂‖ ≤ 2·‖x‖, and the terms together are
 * at most 8·N where N = ‖x‖² + ‖p‖². No more than eight roundings lie on any path, hence an error below 8·8·N·2⁻²⁴ = N·2⁻¹⁸, and the plain
 * loop's own roundings are below N·2⁻³⁵. Both squares are therefore stored smaller by the share `SLACK` = 2⁻¹⁶; 2⁻¹⁰⁰ more is taken off for
 * numbers so small that they vanish. Rows and probes longer than 2⁵⁰, whose squares would leave 32 bits, count as "may be near" always.
 *
 * A search keeps the k-th best squared distance found so far, computed exactly, and skips a row only when `least` is larger. Since that
 * distance only shrinks towards the final k-th one, no row of the true answer is ever skipped, and neither is one that ties with it.
 *
 * By the same inequality no row is farther than
 *
 *     most = ‖x‖² + ‖p‖² − 2·s·t·(X·P) + 2·‖x̂‖·‖f‖ + 2·‖e‖·‖p‖,
 *
 * which serves where the numbers themselves lie elsewhere. It is computed in 64 bits from the stored terms. Of N these hold at least
 * N·(1 − 2⁻¹⁶ − 2⁻²³) − 2⁻¹⁰⁰, of the doubt all but the share 2⁻²³ of at most 8·N; the plain loop's roundings are below N·2⁻³⁵. What is
 * missing is therefore less than N·(2⁻¹⁶ + 2⁻¹⁹), and `bracketOf` adds the share 2⁻¹⁵ of the stored squares, and 2⁻⁹⁸ for numbers that
 * vanish. `least` is computed there likewise, and its proof holds with fewer roundings. The k-th smallest `most` of any rows bounds the
 * k-th smallest distance, so that rows whose `least` is larger are not among the k nearest.
 *
 * The second factor of the fast instruction must lie in 0…127 to mean the same on every machine: the probe's codes are
 * stored as P + 64, and
 * 64·ΣX, known for each row, is taken off again.
 */

/** Codes of a row reach from −127 to 127. */
export const ROW_CODES = 127
/** Codes of a probe reach from −63 to 63 … */
export const PROBE_CODES = 63
/** … and are stored as much larger. */
export const PROBE_OFFSET = 64

const SLACK = 2 ** -16
const TINY = 2 ** -100
const LARGEST_SQUARE = 2 ** 100

export interface Quantised {
  /** What a code is worth; exact in 32 bits. */
  scale: number
  /** Sum of all codes. */
  sum: number
  /** Square of the length of the numbers. */
  square: number
  /** Length of what the codes stand for, and of what they leave out. */
  length: number
  error: number
  /** Too long for the bound: always looked at closely. */
  unbounded: boolean
}

/** Writes the nearest codes of these finite numbers into `codes`, −`most` to `most`, and measures what they leave out. */
export function quantise(numbers: Float32Array, codes: Int8Array, most: number): Quantised {
  let largest = 0
  for (let i = 0; i < numbers.length; i++) {
    const size = Math.abs(numbers[i]!)
    if (size > largest) largest = size
  }
  const scale = Math.fround(largest / most)
  let sum = 0
  let square = 0
  let kept = 0
  let lost = 0
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i]!
    // The nearest: quotients of 32-bit numbers are never so close to a half that adding one rounds up. `Math.round` takes twice as long.
    const nearest = scale === 0 ? 0 : Math.floor(number / scale + 0.5)
    const code = (nearest > most ? most : nearest < -most ? -most : nearest) | 0
    const stood = scale * code
    const left = number - stood
    codes[i] = code
    sum += code
    square += number * number
    kept += stood * stood
    lost += left * left
  }
  return { scale, sum, square, length: Math.sqrt(kept), error: Math.sqrt(lost), unbounded: square > LARGEST_SQUARE }
}

/** What the kernel is given of a row, each a 32-bit number: `least` is made of them and of the probe's. */
export interface RowTerms {
  offset: number
  scale: number
  square: number
  error: number
  length: number
}

/** No row at all: infinitely far. */
export const NO_ROW: RowTerms = { offset: 0, scale: 0, square: Infinity, error: 0, length: 0 }

export function rowTerms({ scale, sum, square, length, error, unbounded }: Quantised): RowTerms {
  if (unbounded) return { ...NO_ROW, square: -Infinity }
  return { offset: -PROBE_OFFSET * sum, scale: 2 * scale, square: square * (1 - SLACK), error: 2 * error, length: 2 * length }
}

/** What the kernel is given of a probe. `length` goes with a row's error, `error` with a row's length. */
export interface ProbeTerms {
  scale: number
  square: number
  length: number
  error: number
}

export function probeTerms({ scale, square, error, unbounded }: Quantised): ProbeTerms {
  if (unbounded) return { scale: 0, square: -Infinity, length: 0, error: 0 }
  return { scale, square: square * (1 - SLACK) - TINY, length: Math.sqrt(square), error }
}

/** What a squared distance lies between, both included. */
export interface Bracket {
  least: number
  most: number
}

/** @param products sum of the products of the row's codes and the probe's stored ones */
export function bracketOf(row: RowTerms, probe: ProbeTerms, products: number): Bracket {
  const squares = row.square + probe.square
  if (!Number.isFinite(squares)) return { least: row.square === Infinity ? Infinity : -Infinity, most: Infinity }
  const middle = squares - (products + row.offset) * row.scale * probe.scale
  const doubt = row.error * probe.length + row.length * probe.error
  return { least: middle - doubt, most: middle + doubt + squares * 2 ** -15 + 2 ** -98 }
}

/** The squared distance as the kernel takes it: in 32 bits, never smaller, and never so large that a missing row would pass. */
export const boundOf = (squared: number): number => Math.min(squared * (1 + 2 ** -22), 2 ** 120)
