/** Templates as they travel: base64 of little-endian float32. */
import { bytesOfEmbedding, embeddingOfBytes } from '@gatehouse/face-engine'

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
  const embedding = embeddingOfBytes(bytes)
  for (const number of embedding) if (!Number.isFinite(number)) return null
  return embedding
}

/** The text form of an embedding. */
export function encodeTemplate(embedding: Float32Array): string {
  return Buffer.from(bytesOfEmbedding(embedding)).toString('base64')
}
