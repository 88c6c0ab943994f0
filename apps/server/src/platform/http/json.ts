/** Parsing of JSON from clients and devices. */

/** Levels of lists and objects. No schema needs as many; deeper nesting is slow to parse, and functions that walk it recurse as deeply. */
const DEPTH_MAX = 64

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Return the position of the quote that ends the text starting at `from`; the length of the input where there is none. */
function endOfText(json: string, from: number): number {
  for (let end = json.indexOf('"', from); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0
    while (end - backslashes > from && json.charCodeAt(end - backslashes - 1) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return json.length
}

/** Return whether lists and objects are nested deeper than `most` levels; one pass, which also accepts invalid JSON. */
export function isNestedDeeper(json: string, most: number): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at)
    if (character === QUOTE) at = endOfText(json, at + 1)
    // `[` and `{`, `]` and `}` differ in one bit.
    else if ((character | 0x20) === 0x7b) {
      if (++depth > most) return true
    } else if ((character | 0x20) === 0x7d) depth--
  }
  return false
}

/** Return the value of a JSON text. @throws SyntaxError where it is not JSON, or nested too deeply */
export function parseJson(json: string): unknown {
  if (isNestedDeeper(json, DEPTH_MAX)) throw new SyntaxError(`nested deeper than ${DEPTH_MAX} levels`)
  return JSON.parse(json)
}
