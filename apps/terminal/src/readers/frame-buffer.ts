/** Buffer that collects the bytes of a line into frames. Bytes that cannot start a frame are skipped, and the buffer is bounded. */

/** Shape of a kind of frame; its bytes are counted from 0. */
export interface FrameShape<T> {
  /** Bytes every frame begins with. */
  head: readonly number[]
  /** Length of the whole frame, once enough bytes have arrived; null before. A length beyond `most` is not a frame. */
  lengthOf(bytes: Uint8Array): number | null
  most: number
  /** Parse a frame; null if it is invalid: one byte is skipped, and the next head is searched for. */
  read(frame: Uint8Array): T | null
}

export function createFrameBuffer<T>({ head, lengthOf, most, read }: FrameShape<T>): (bytes: Uint8Array) => T[] {
  let waiting = new Uint8Array()

  /** Return where the next frame may start: at the head, or at the part of it that has arrived. */
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
