/** Bytes of a line until they are frames: what cannot begin a frame is passed over, and nothing grows without end. */

/** What a kind of frame looks at: the first of the bytes stands at 0. */
export interface FrameShape<T> {
  /** Bytes every frame begins with. */
  head: readonly number[]
  /** Bytes of the whole frame, once enough have come to tell; null before. Beyond `most` it is none. */
  lengthOf(bytes: Uint8Array): number | null
  most: number
  /** Null for a frame that is not right: one byte is passed over, and the next head is looked for. */
  read(frame: Uint8Array): T | null
}

export function createFrameBuffer<T>({ head, lengthOf, most, read }: FrameShape<T>): (bytes: Uint8Array) => T[] {
  let waiting = new Uint8Array()

  /** Where the next frame may begin: the head, or as much of it as there is. */
  function nextHead(from: number): number {
    for (let at = from; at < waiting.length; at++)
      if (head.every((byte, place) => at + place >= waiting.length || waiting[at + place] === byte)) return at
    return waiting.length
  }

  return (bytes) => {
    const found: T[] = []
    waiting = Uint8Array.from([...waiting, ...bytes])
    let from = nextHead(0)
    for (;;) {
      const length = from + head.length <= waiting.length ? lengthOf(waiting.subarray(from)) : null
      if (length !== null && length > most) {
        from = nextHead(from + 1)
        continue
      }
      if (length === null || from + length > waiting.length) break
      const frame = read(waiting.subarray(from, from + length))
      if (frame !== null) found.push(frame)
      from = nextHead(frame === null ? from + 1 : from + length)
    }
    waiting = waiting.slice(from)
    return found
  }
}
