/** The search among the photographs of all persons, in memory: filled at start, kept in step by events. */
import { endianness } from 'node:os'
import { GalleryWorker, embeddingOfBytes, type EngineDescription, type GalleryEntry, type GalleryMatch } from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { BEFORE_ALL_IDS } from '../../platform/database/ids.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import { FACE_TEMPLATE, type FacesTables } from './schema.ts'

export interface SearchOptions {
  /** Persons at most. */
  limit: number
  /** Leaves out persons farther than this distance. */
  within?: number
  /** Persons to leave out. */
  except?: ReadonlySet<string>
  /** The only persons meant. */
  only?: ReadonlySet<string>
}

export interface Gallery {
  /** Nearest persons of the park who exist for the asker, each once; empty for a template of another model or length. */
  search(scope: Scope, modelId: string, template: Uint8Array, options: SearchOptions): Promise<GalleryMatch[]>
  /** The same for the photographs of a person: who comes nearest to any of them. */
  searchByPerson(scope: Scope, personId: string, options: SearchOptions): Promise<GalleryMatch | null>
  fill(): Promise<void>
  /** Reads the photographs of these persons anew. */
  refresh(scope: Scope, personIds: readonly string[]): Promise<void>
  forget(scope: Scope): Promise<void>
  close(): Promise<void>
}

const PAGE = 5000
const isLittleEndian = endianness() === 'LE'

/** @param unseen ids of those who do not exist for the asker: the search holds everybody */
export function createGallery(
  platform: Platform,
  { modelId, dimensions, calibration }: EngineDescription,
  unseen: (scope: Scope) => Promise<{ ids: ReadonlySet<string> }>,
): Gallery {
  const db = platform.db as unknown as Database<FacesTables>
  const bytes = dimensions * 4
  /** The search that is filled, or being filled; null before the start and after the end. */
  let filled: Promise<GalleryWorker> | null = null

  /** Opened templates as entries by park; one that cannot be read is noted and left out. */
  async function opened(
    rows: readonly { faceId: string; parkId: string; personId: string; template: Buffer }[],
  ): Promise<Map<string, GalleryEntry[]>> {
    const parkIds = [...new Set(rows.map(({ parkId }) => parkId))]
    const openers = new Map(await Promise.all(parkIds.map(async (parkId) => [parkId, await platform.crypto.opener(parkId)] as const)))
    const entries = new Map<string, GalleryEntry[]>(parkIds.map((parkId) => [parkId, []]))
    // One piece of memory for all of them: with 300,000 at start, one for each is felt.
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

  function read(plain: Buffer, into: Float32Array): void {
    if (plain.byteLength !== bytes) throw new RangeError(`a template of ${plain.byteLength} bytes`)
    if (isLittleEndian) new Uint8Array(into.buffer, into.byteOffset, bytes).set(plain)
    else into.set(embeddingOfBytes(plain))
    // A loop by index, for the same reason.
    for (let i = 0; i < dimensions; i++) if (!Number.isFinite(into[i])) throw new RangeError('a template with something that is no number')
  }

  async function fillNew(): Promise<GalleryWorker> {
    const worker = new GalleryWorker({
      modelId,
      dimensions,
      calibration,
      onDeath(error) {
        platform.log.error({ err: error }, 'the search among faces has to be filled anew')
        begin()
      },
    })
    return pour(worker).catch(async (error: unknown) => {
      await worker.close()
      throw error
    })
  }

  async function pour(worker: GalleryWorker): Promise<GalleryWorker> {
    // The next page is on its way while this one is opened.
    let coming = data.readTemplatesUnscoped(db, modelId, BEFORE_ALL_IDS, PAGE)
    for (;;) {
      const rows = await coming
      if (rows.length === PAGE) {
        coming = data.readTemplatesUnscoped(db, modelId, rows.at(-1)!.faceId, PAGE)
        // Awaited on the next turn; until then its failure is nobody's yet.
        coming.catch(() => {})
      }
      for (const [parkId, entries] of await opened(rows)) worker.add(parkId, entries)
      if (rows.length < PAGE) return worker
    }
  }

  function begin(): Promise<GalleryWorker> {
    const filling = (filled = fillNew())
    filling.catch(() => {
      // Whoever asks next begins anew.
      if (filled === filling) filled = null
    })
    return filling
  }

  const search = (): Promise<GalleryWorker> => filled ?? begin()

  return {
    async search(scope, of, template, options) {
      if (of !== modelId || template.byteLength !== bytes) return []
      const embedding = embeddingOfBytes(template)
      if (!embedding.every(Number.isFinite)) return []
      const { ids } = await unseen(scope)
      const except = new Set([...(options.except ?? []), ...ids])
      return (await search()).search(scope.parkId, { modelId, embedding }, { ...options, except })
    },
    async searchByPerson(scope, personId, options) {
      const rows = await data.findTemplatesOfPersons(scope, db, [personId], modelId)
      const entries = (await opened(rows.map((row) => ({ ...row, parkId: scope.parkId })))).get(scope.parkId) ?? []
      const { ids } = await unseen(scope)
      const except = new Set([...(options.except ?? []), ...ids, personId])
      const worker = await search()
      const nearest = await Promise.all(
        entries.map(async ({ embedding }) =>
          (await worker.search(scope.parkId, { modelId, embedding }, { ...options, limit: 1, except })).slice(0, 1),
        ),
      )
      return nearest.flat().toSorted((one, other) => one.distance - other.distance)[0] ?? null
    },
    async fill() {
      await search()
    },
    async refresh(scope, personIds) {
      // First the search: what is read while it is filled anew could be older than what is put in here.
      const worker = await search()
      const rows = await data.findTemplatesOfPersons(scope, db, personIds, modelId)
      const entries = await opened(rows.map((row) => ({ ...row, parkId: scope.parkId })))
      worker.remove(
        scope.parkId,
        personIds.map((personId) => ({ personId })),
      )
      worker.add(scope.parkId, entries.get(scope.parkId) ?? [])
    },
    async forget({ parkId }) {
      ;(await search()).drop(parkId)
    },
    async close() {
      const worker = await filled?.catch(() => null)
      filled = null
      await worker?.close()
    },
  }
}
