/** Templates as they travel: base64 of little-endian float32. */

/**
 * @param dimensions numbers an embedding of the model has
 * @returns null when the text is no such embedding
 */
export function decodeTemplate(text: string, dimensions: number): Float32Array | null {
  return embeddingOf(Buffer.from(text, 'base64'), dimensions)
}

/** The embedding that bytes hold, or null when they hold none of this length. */
export function embeddingOf(bytes: Uint8Array, dimensions: number): Float32Array | null {
  if (bytes.length !== dimensions * 4) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const embedding = Float32Array.from({ length: dimensions }, (_, place) => view.getFloat32(place * 4, true))
  return embedding.every(Number.isFinite) ? embedding : null
}

/** The bytes of an embedding, 4 to a number. */
export function bytesOf(embedding: Float32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(embedding.length * 4))
  embedding.forEach((value, place) => view.setFloat32(place * 4, value, true))
  return new Uint8Array(view.buffer)
}

/** The text form of an embedding. */
export function encodeTemplate(embedding: Float32Array): string {
  return Buffer.from(bytesOf(embedding)).toString('base64')
}
