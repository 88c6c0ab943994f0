/** Embeddings as bytes: little-endian float32, the form they are stored and sent in. */
import { endianness } from 'node:os'

/** Bytes of their own in the order in which this machine keeps numbers: 50,000 embeddings are read while a terminal starts. */
function inOrder(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const own = new Uint8Array(bytes)
  if (endianness() === 'BE') Buffer.from(own.buffer).swap32()
  return own
}

/** 4 bytes to a number. */
export function bytesOfEmbedding(embedding: Float32Array): Uint8Array {
  return inOrder(new Uint8Array(embedding.buffer, embedding.byteOffset, embedding.byteLength))
}

/** Return whether there is an embedding of finite numbers. Millions are looked at: what is not finite, less itself, is not zero. */
export function isFiniteEmbedding(numbers: Float32Array | null): numbers is Float32Array {
  if (numbers === null) return false
  let zero = 0
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i]!
    zero += number - number
  }
  return zero === 0
}

/** @throws RangeError when the bytes are not whole numbers of float32 */
export function embeddingOfBytes(bytes: Uint8Array): Float32Array {
  if (bytes.byteLength % 4 !== 0) throw new RangeError(`${bytes.byteLength} bytes are no embedding`)
  return new Float32Array(inOrder(bytes).buffer)
}
