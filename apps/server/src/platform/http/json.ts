/** JSON from outside. */

/** Levels of lists and objects. No schema comes near; deeper nesting is slow to parse and makes whatever walks it recurse as deep. */
const DEPTH_MAX = 64

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Where the text ends that begins after `from`; the end of all where it does not end. */
function endOfText(json: string, from: number): number {
  for (let end = json.indexOf('"', from); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0
    while (end - backslashes > from && json.charCodeAt(end - backslashes - 1) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return json.length
}

/** Whether lists and objects are nested deeper than so many levels; one pass, without regard to whether it is JSON at all. */
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

/** The value of a JSON text. @throws SyntaxError where it is none, or nested too deeply */
export function parseJson(json: string): unknown {
  if (isNestedDeeper(json, DEPTH_MAX)) throw new SyntaxError(`nested deeper than ${DEPTH_MAX} levels`)
  return JSON.parse(json)
}
