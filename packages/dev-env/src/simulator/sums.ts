/** Sums of versions modulo 2^64, as the device protocol has them. */

/** @param words as 16 hexadecimal digits each */
export function sumOf(words: Iterable<string>): string {
  let sum = 0n
  for (const word of words) sum += BigInt(`0x${word}`)
  return BigInt.asUintN(64, sum).toString(16).padStart(16, '0')
}
