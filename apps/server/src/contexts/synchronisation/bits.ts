/** A set of small whole numbers, one bit each: 100,000 persons in 12.5 kB. */
export class Bits {
  #words: Uint32Array

  constructor(size = 0) {
    this.#words = new Uint32Array(Math.max(1, Math.ceil(size / 32)))
  }

  has(index: number): boolean {
    return ((this.#words[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0
  }

  set(index: number, member: boolean): void {
    const word = index >>> 5
    if (word >= this.#words.length) {
      if (!member) return
      const grown = new Uint32Array(Math.max(word + 1, this.#words.length * 2))
      grown.set(this.#words)
      this.#words = grown
    }
    if (member) this.#words[word]! |= 1 << (index & 31)
    else this.#words[word]! &= ~(1 << (index & 31))
  }

  /** Return the union as a new set. */
  or(other: Bits): Bits {
    const [long, short] = this.#words.length >= other.#words.length ? [this.#words, other.#words] : [other.#words, this.#words]
    const both = new Bits()
    both.#words = long.slice()
    short.forEach((word, place) => {
      both.#words[place]! |= word
    })
    return both
  }

  /** Return the members of exactly one of the two sets, in ascending order. */
  differences(other: Bits): number[] {
    const found: number[] = []
    const length = Math.max(this.#words.length, other.#words.length)
    for (let place = 0; place < length; place++) collect((this.#words[place] ?? 0) ^ (other.#words[place] ?? 0), place * 32, found)
    return found
  }

  members(): number[] {
    const found: number[] = []
    this.#words.forEach((word, place) => collect(word, place * 32, found))
    return found
  }

  count(): number {
    let total = 0
    for (let word of this.#words) for (; word !== 0; word &= word - 1) total++
    return total
  }

  /** Size in bytes. */
  get byteLength(): number {
    return this.#words.byteLength
  }
}

function collect(word: number, base: number, found: number[]): void {
  for (let rest = word; rest !== 0; rest &= rest - 1) found.push(base + 31 - Math.clz32(rest & -rest))
}
