/** Templates in transit: base64 of little-endian float32. */
import { bytesOfEmbedding, embeddingOfBytes, isFiniteEmbedding } from '@gatehouse/face-engine'

/**
 * @param dimensions length of the model's embeddings
 * @returns null if the text is no such embedding
 */
export function decodeTemplate(text: string, dimensions: number): Float32Array | null {
  return embeddingOf(Buffer.from(text, 'base64'), dimensions)
}

/** Return the embedding in bytes, or null if they are not one of this length. */
export function embeddingOf(bytes: Uint8Array, dimensions: number): Float32Array | null {
  if (bytes.length !== dimensions * 4) return null
  const embedding = embeddingOfBytes(bytes)
  return isFiniteEmbedding(embedding) ? embedding : null
}

/** Return the text form of an embedding. */
export function encodeTemplate(embedding: Float32Array): string {
  return Buffer.from(bytesOfEmbedding(embedding)).toString('base64')
}
