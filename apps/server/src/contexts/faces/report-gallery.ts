/** Reading of the photographs of a park for its report: of the running model, of registered persons, none set aside. */
import { embeddingOfBytes } from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import { findTemplatesOfPersons } from './data.ts'
import type { ReportGallery } from './report-pairs.ts'
import { findPersonsWithPhotos } from './report-data.ts'
import type { SlicedPerson } from './report-slices.ts'
import { FACE_TEMPLATE } from './schema.ts'

export type DescribedPerson = SlicedPerson & { id: string; name: string }

export interface ReadGallery extends ReportGallery {
  /** In the order of the gallery. */
  persons: (SlicedPerson & { id: string })[]
  faceIds: string[]
  /** Number of drawn portraits that were left out. */
  drawn: number
}

export interface GalleryOptions {
  model: { modelId: string; dimensions: number }
  /** Facts of registered persons; unknown ids are left out. */
  persons(scope: Scope, ids: readonly string[]): Promise<readonly DescribedPerson[]>
  /** Persons with nothing but drawn portraits, which are no measure of an engine made for photographs. */
  drawn: ReadonlySet<string>
  /** Choose among the people; default: all. */
  choose?(ids: readonly string[]): readonly string[]
  signal: AbortSignal
}

/** Few, so that decrypting their templates blocks no request for long. */
const PERSONS_AT_ONCE = 250

export async function readGallery(
  platform: Platform,
  scope: Scope,
  { model: { modelId, dimensions }, persons, drawn, choose = (all) => all, signal }: GalleryOptions,
): Promise<ReadGallery> {
  const db = platform.db
  const open = await platform.crypto.opener(scope.parkId)
  const ids = choose(await findPersonsWithPhotos(scope, db))
  const found: ReadGallery['persons'] = []
  const faceIds: string[] = []
  const starts: number[] = []
  const parts: Float32Array[] = []
  let leftOut = 0
  for (let from = 0; from < ids.length; from += PERSONS_AT_ONCE) {
    signal.throwIfAborted()
    const some = ids.slice(from, from + PERSONS_AT_ONCE)
    const [described, rows] = await Promise.all([persons(scope, some), findTemplatesOfPersons(scope, db, some, modelId)])
    const describedById = new Map(described.map((person) => [person.id, person]))
    for (const { personId, faceId, template } of rows) {
      const person = describedById.get(personId)
      if (person === undefined) continue
      if (drawn.has(personId)) {
        leftOut++
        continue
      }
      if (found.at(-1)?.id !== personId) {
        found.push(person)
        starts.push(faceIds.length)
      }
      faceIds.push(faceId)
      parts.push(embeddingOfBytes(open(placeOf(FACE_TEMPLATE, faceId, modelId), template)))
    }
  }
  // Shared memory: the thread that compares reads it without a copy.
  const embeddings = new Float32Array(new SharedArrayBuffer(faceIds.length * dimensions * 4))
  parts.forEach((embedding, place) => embeddings.set(embedding, place * dimensions))
  return { dimensions, embeddings, starts: Uint32Array.from([...starts, faceIds.length]), persons: found, faceIds, drawn: leftOut }
}
