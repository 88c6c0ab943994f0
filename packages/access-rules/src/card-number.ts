/** Numbers of cards, as readers and lists write them. */

/**
 * The number itself, in decimal digits. A reader says `00AF`, a list `175`, another `af`: all of them are one card. Numbers are never
 * cut or turned round, so two cards never become one.
 * @param format `hex` or `decimal`
 * @returns null for a text that is no number of the format
 */
export function cardNumberOf(text: string, format: string): string | null {
  const digits = (format === 'hex' ? /^[0-9a-f]+$/i : /^[0-9]+$/).test(text)
  return digits ? BigInt(format === 'hex' ? `0x${text}` : text).toString() : null
}
