/** Conversion of stored templates into entries of the search: decrypted, and read as numbers. */
import { endianness } from 'node:os'
import { embeddingOfBytes, isFiniteEmbedding, type EngineDescription, type GalleryEntry } from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { FACE_TEMPLATE } from './schema.ts'

export interface StoredTemplate {
  faceId: string
  parkId: string
  personId: string
  template: Buffer
}

/** Return decrypted templates as entries by park; one that cannot be read is logged and left out. */
export type OpenEntries = (rows: readonly StoredTemplate[]) => Promise<Map<string, GalleryEntry[]>>

const isLittleEndian = endianness() === 'LE'

export function createOpenEntries(
  platform: Platform,
  { modelId, dimensions }: Pick<EngineDescription, 'modelId' | 'dimensions'>,
): OpenEntries {
  const bytes = dimensions * 4

  function read(plain: Buffer, into: Float32Array): void {
    if (plain.byteLength !== bytes) throw new RangeError(`a template of ${plain.byteLength} bytes`)
    if (isLittleEndian) new Uint8Array(into.buffer, into.byteOffset, bytes).set(plain)
    else into.set(embeddingOfBytes(plain))
    if (!isFiniteEmbedding(into)) throw new RangeError('a template with something that is no number')
  }

  return async (rows) => {
    const parkIds = [...new Set(rows.map(({ parkId }) => parkId))]
    const openers = new Map(await Promise.all(parkIds.map(async (parkId) => [parkId, await platform.crypto.opener(parkId)] as const)))
    const entries = new Map<string, GalleryEntry[]>(parkIds.map((parkId) => [parkId, []]))
    // One allocation for all of them: with 300,000 at start, one for each is slow.
    const numbers = new Float32Array(rows.length * dimensions)
    for (const [at, { faceId, parkId, personId, template }] of rows.entries()) {
      const embedding = numbers.subarray(at * dimensions, (at + 1) * dimensions)
      try {
        read(openers.get(parkId)!(placeOf(FACE_TEMPLATE, faceId, modelId), template), embedding)
        entries.get(parkId)!.push({ personId, photoId: faceId, modelId, embedding })
      } catch (error) {
        platform.log.error({ err: error, faceId }, 'a template cannot be read; its photograph is not compared with')
      }
    }
    return entries
  }
}
