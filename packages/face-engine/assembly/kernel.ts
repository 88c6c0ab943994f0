/**
 * The arithmetic of the search, in AssemblyScript: `src/search/bound.ts` says what is computed here and why it is right, and
 * `src/search/code-blocks.ts` how the memory is laid out. Compiled twice, with relaxed SIMD and without; both give the same numbers.
 */

/** Rows of one chunk. */
const ROWS: usize = 64

/** Sixteen products of a row's codes (−127…127) and the probe's (1…127), summed in four lanes. */
@inline
function products(row: usize, probe: v128, sums: v128): v128 {
  const codes = v128.load(row)
  if (ASC_FEATURE_RELAXED_SIMD) return i32x4.relaxed_dot_i8x16_i7x16_add_s(codes, probe, sums)
  const low = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_s(codes), i16x8.extend_low_i8x16_s(probe))
  const high = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_s(codes), i16x8.extend_high_i8x16_s(probe))
  return i32x4.add(sums, i32x4.add(low, high))
}

/**
 * Looks for the next four rows of a chunk of which one may be as near as `bound`.
 * @param chunk address of the chunk
 * @param from first row to look at, a multiple of four
 * @param probe address of the probe's codes
 * @param width codes of a row, a multiple of 16
 * @returns 16 times the first row of the four, plus a bit for each that may be; −1 when there are none
 */
export function scan(
  chunk: usize,
  from: usize,
  probe: usize,
  width: usize,
  scale: f32,
  square: f32,
  length: f32,
  error: f32,
  bound: f32,
): i32 {
  const block: usize = 4 * width + 80
  const scales = f32x4.splat(scale)
  const squares = f32x4.splat(square)
  const lengths = f32x4.splat(length)
  const errors = f32x4.splat(error)
  const bounds = f32x4.splat(bound)
  for (let row = from; row < ROWS; row += 4) {
    let at = chunk + (row >> 2) * block
    let a = i32x4.splat(0)
    let b = i32x4.splat(0)
    let c = i32x4.splat(0)
    let d = i32x4.splat(0)
    for (let probed = probe, end = probe + width; probed < end; probed += 16) {
      const codes = v128.load(probed)
      a = products(at, codes, a)
      b = products(at + 16, codes, b)
      c = products(at + 32, codes, c)
      d = products(at + 48, codes, d)
      at += 64
    }
    // Four times four lanes become one sum a row.
    const ab = i32x4.add(i32x4.shuffle(a, b, 0, 4, 1, 5), i32x4.shuffle(a, b, 2, 6, 3, 7))
    const cd = i32x4.add(i32x4.shuffle(c, d, 0, 4, 1, 5), i32x4.shuffle(c, d, 2, 6, 3, 7))
    const sums = i32x4.add(v128.shuffle<i64>(ab, cd, 0, 2), v128.shuffle<i64>(ab, cd, 1, 3))
    const dot = f32x4.mul(f32x4.mul(f32x4.convert_i32x4_s(i32x4.add(sums, v128.load(at))), v128.load(at, 16)), scales)
    const doubt = f32x4.add(f32x4.mul(v128.load(at, 48), lengths), f32x4.mul(v128.load(at, 64), errors))
    const least = f32x4.sub(f32x4.sub(f32x4.add(v128.load(at, 32), squares), dot), doubt)
    const near = i32x4.bitmask(f32x4.le(least, bounds))
    if (near) return ((<i32>row) << 4) | near
  }
  return -1
}

/** Reads memory as fast as it comes, and adds it up: what a search can be held against. @param bytes a multiple of 64 */
export function readAll(from: usize, bytes: usize): i64 {
  let a = i64x2.splat(0)
  let b = i64x2.splat(0)
  for (let end = from + bytes; from < end; from += 64) {
    a = i64x2.add(a, i64x2.add(v128.load(from), v128.load(from, 16)))
    b = i64x2.add(b, i64x2.add(v128.load(from, 32), v128.load(from, 48)))
  }
  a = i64x2.add(a, b)
  return i64x2.extract_lane(a, 0) + i64x2.extract_lane(a, 1)
}
