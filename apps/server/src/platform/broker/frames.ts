/** Ends a connection at the header of an MQTT frame that is too large, before any of it is kept. */
import type { Socket } from 'node:net'

/**
 * Reads along with whoever reads the socket by `readable` and `read()`: a `data` listener beside those sees each chunk
 * first and does not make the stream flow.
 * @param limitOf largest remaining length, in bytes, of a frame of this MQTT packet type (1 CONNECT, 3 PUBLISH, …)
 * @param onExcess called once, with the length that was announced
 */
export function limitFrames(socket: Socket, limitOf: (type: number) => number, onExcess: (bytes: number) => void): void {
  let type = 0
  /** Bytes of the present frame still to come. */
  let left = 0
  let length = 0
  /** Which byte of the length comes next; -1 at the start of a frame. */
  let lengthByte = -1

  function read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (left > 0) {
        const taken = Math.min(left, chunk.length - at)
        left -= taken
        at += taken
        continue
      }
      const byte = chunk[at++]!
      if (lengthByte < 0) {
        type = byte >> 4
        length = 0
        lengthByte = 0
        continue
      }
      length += (byte & 0x7f) * 128 ** lengthByte++
      // A length of more than four bytes is no MQTT; the parser says so.
      if ((byte & 0x80) !== 0 && lengthByte < 4) continue
      lengthByte = -1
      left = length
      if (length <= limitOf(type)) continue
      socket.off('data', read)
      return onExcess(length)
    }
  }
  socket.on('data', read)
}
