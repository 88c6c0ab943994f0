/**
 * Keyboard wedges: a card or a code arrives as keys pressed faster than anybody types, ended by Enter. Slower keys, and text typed into a
 * field, are ignored.
 */

export type Typed = { kind: 'card'; number: string } | { kind: 'qr'; text: string }

export interface Wedge {
  /**
   * Take a key, as in `KeyboardEvent.key`.
   * @param now milliseconds of any clock
   * @returns the input that the key completed; null if none
   */
  press(key: string, now: number): Typed | null
}

/** Largest number of milliseconds between two keys, and least number of characters. */
const BETWEEN = 80
const SHORTEST = 4
const LONGEST = 256

/** @param format how this terminal's readers write card numbers; other text is that of a code */
export function createWedge(format: () => string): Wedge {
  let text = ''
  let last = -Infinity
  return {
    press(key, now) {
      if (now - last > BETWEEN) text = ''
      last = now
      if (key === 'Enter') {
        const whole = text
        text = ''
        return whole.length < SHORTEST ? null : typed(whole, format())
      }
      if (key.length === 1) text = (text + key).slice(-LONGEST)
      return null
    },
  }
}

function typed(text: string, format: string): Typed {
  const isNumber = (format === 'hex' ? /^[0-9a-f]{1,32}$/i : /^[0-9]{1,32}$/).test(text)
  return isNumber ? { kind: 'card', number: text } : { kind: 'qr', text }
}
