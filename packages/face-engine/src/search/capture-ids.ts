/** Ids of captures as four 32-bit numbers each, and which of them a set holds. */

export const ID_WORDS = 4
const ID_BYTES = 16
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isCaptureId = (id: string): boolean => ID.test(id)

export function writeId(id: string, words: Uint32Array, at: number): void {
  const digits = id.replaceAll('-', '')
  for (let word = 0; word < ID_WORDS; word++) words[at + word] = Number.parseInt(digits.slice(8 * word, 8 * word + 8), 16)
}

export function idOfWords(words: Uint32Array, at: number): string {
  let digits = ''
  for (let word = 0; word < ID_WORDS; word++) digits += words[at + word]!.toString(16).padStart(8, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`
}

/** Return whether an id, as words, is among these: 16 bytes each, one behind the other. */
export function membership(ids: Uint8Array): (words: Uint32Array, at: number) => boolean {
  const count = Math.floor(ids.byteLength / ID_BYTES)
  const view = new DataView(ids.buffer, ids.byteOffset, ids.byteLength)
  const own = Uint32Array.from({ length: count * ID_WORDS }, (_, word) => view.getUint32(4 * word))
  const size = 2 ** Math.ceil(Math.log2(2 * count + 2))
  // Places of ids, found from their last word on: an id lies in the first free one.
  const places = new Int32Array(size).fill(-1)
  const placeOf = (words: Uint32Array, at: number): number => {
    let place = Math.imul(words[at + 3]!, 0x9e3779b1) & (size - 1)
    for (; places[place]! >= 0; place = (place + 1) & (size - 1)) {
      const other = places[place]! * ID_WORDS
      if (
        own[other + 3] === words[at + 3] &&
        own[other + 2] === words[at + 2] &&
        own[other + 1] === words[at + 1] &&
        own[other] === words[at]
      )
        break
    }
    return place
  }
  for (let id = 0; id < count; id++) places[placeOf(own, id * ID_WORDS)] = id
  return (words, at) => places[placeOf(words, at)]! >= 0
}
