/** Templates as bytes: little-endian float32, the form they are stored and sent in. */

export function bytesOfTemplate(embedding: Float32Array): Buffer {
  const bytes = Buffer.alloc(embedding.length * 4)
  embedding.forEach((value, index) => bytes.writeFloatLE(value, index * 4))
  return bytes
}

/** @throws RangeError when the bytes are not whole numbers of float32 */
export function templateOfBytes(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.byteLength % 4 !== 0) throw new RangeError(`${bytes.byteLength} bytes are no template`)
  return Float32Array.from({ length: bytes.byteLength / 4 }, (_, index) => view.getFloat32(index * 4, true))
}
