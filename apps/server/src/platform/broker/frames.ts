/** Ends a connection at the header of an MQTT frame that is too large, before any of it is buffered. */
import type { Socket } from 'node:net'

/**
 * Check the frames of a socket whose reader uses `readable` and `read()`: an additional `data` listener sees each chunk first and does
 * not make the stream flow.
 * @param limitOf largest remaining length, in bytes, of a frame of this MQTT packet type (1 CONNECT, 3 PUBLISH, …)
 * @param onExcess called once, with the announced length
 */
export function limitFrames(socket: Socket, limitOf: (type: number) => number, onExcess: (bytes: number) => void): void {
  let type = 0
  /** Remaining bytes of the present frame. */
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
      // A length of more than four bytes is invalid in MQTT; the parser reports it.
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
