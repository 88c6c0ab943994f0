/** Embeddings as bytes: little-endian float32, the form they are stored and sent in. */

/** 4 bytes to a number. */
export function bytesOfEmbedding(embedding: Float32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(embedding.length * 4))
  embedding.forEach((value, place) => view.setFloat32(place * 4, value, true))
  return new Uint8Array(view.buffer)
}

/** @throws RangeError when the bytes are not whole numbers of float32 */
export function embeddingOfBytes(bytes: Uint8Array): Float32Array {
  if (bytes.byteLength % 4 !== 0) throw new RangeError(`${bytes.byteLength} bytes are no embedding`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float32Array.from({ length: bytes.byteLength / 4 }, (_, place) => view.getFloat32(place * 4, true))
}
