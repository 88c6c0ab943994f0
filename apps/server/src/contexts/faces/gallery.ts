/** The search among the photographs of all persons, in memory: filled at start, kept current by events. */
import {
  GalleryWorker,
  embeddingOfBytes,
  isFiniteEmbedding,
  type EngineDescription,
  type GalleryMatch,
  type PersonList,
} from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import { BEFORE_ALL_IDS } from '../../platform/database/ids.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import { createOpenEntries } from './gallery-entries.ts'

export interface SearchOptions {
  /** Largest number of persons. */
  limit: number
  /** Leaves out persons farther than this distance. */
  within?: number
  /** Persons to leave out. */
  except?: ReadonlySet<string>
  /** The only persons to search; a list where many searches are limited to the same ones. */
  only?: ReadonlySet<string> | PersonList
}

export interface SearchEachOptions {
  /** Largest number of persons for each face. */
  limit: number
  /** The only persons to search. */
  only: ReadonlySet<string>
}

export interface Gallery {
  /** Nearest persons of the park whom the caller may see, each once; empty for a template of another model or length. */
  search(scope: Scope, modelId: string, template: Uint8Array, options: SearchOptions): Promise<GalleryMatch[]>
  /**
   * The same for many faces of the running model at once: the nearest persons of each, in their order. A part of the faces is searched for
   * at a time, so that searches at doors come between.
   */
  searchEach(scope: Scope, faces: readonly Float32Array[], options: SearchEachOptions): Promise<GalleryMatch[][]>
  /** The same for the photographs of a person: the other person nearest to any of them. */
  searchByPerson(scope: Scope, personId: string, options: SearchOptions): Promise<GalleryMatch | null>
  fill(): Promise<void>
  /** Read the photographs of these persons again. */
  refresh(scope: Scope, personIds: readonly string[]): Promise<void>
  forget(scope: Scope): Promise<void>
  close(): Promise<void>
}

const PAGE = 5000
/** Faces that are searched for at a time; and comparisons, where persons are many. */
const FACES_AT_ONCE = 200
const COMPARISONS_AT_ONCE = 200_000
/** @param unseen ids of persons the caller may not see: the search contains everybody */
export function createGallery(
  platform: Platform,
  { modelId, dimensions, calibration }: EngineDescription,
  unseen: (scope: Scope) => Promise<{ ids: ReadonlySet<string> }>,
): Gallery {
  const db = platform.db
  const bytes = dimensions * 4
  const opened = createOpenEntries(platform, { modelId, dimensions })
  /** The search that is filled or being filled; null before the start and after the end. */
  let filled: Promise<GalleryWorker> | null = null

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
    // The next page is read while this one is decrypted.
    let coming = data.readTemplatesUnscoped(db, modelId, BEFORE_ALL_IDS, PAGE)
    for (;;) {
      const rows = await coming
      if (rows.length === PAGE) {
        coming = data.readTemplatesUnscoped(db, modelId, rows.at(-1)!.faceId, PAGE)
        // Awaited in the next iteration; until then its rejection must not count as unhandled.
        coming.catch(() => {})
      }
      for (const [parkId, entries] of await opened(rows)) worker.add(parkId, entries)
      if (rows.length < PAGE) return worker
    }
  }

  function begin(): Promise<GalleryWorker> {
    const filling = (filled = fillNew())
    filling.catch(() => {
      // The next search fills it again.
      if (filled === filling) filled = null
    })
    return filling
  }

  const search = (): Promise<GalleryWorker> => filled ?? begin()

  return {
    async search(scope, of, template, options) {
      if (of !== modelId || template.byteLength !== bytes) return []
      const embedding = embeddingOfBytes(template)
      if (!isFiniteEmbedding(embedding)) return []
      const { ids } = await unseen(scope)
      const except = new Set([...(options.except ?? []), ...ids])
      return (await search()).search(scope.parkId, { modelId, embedding }, { ...options, except })
    },
    async searchEach(scope, faces, { limit, only }) {
      const { ids: except } = await unseen(scope)
      const size = Math.min(FACES_AT_ONCE, Math.ceil(COMPARISONS_AT_ONCE / Math.max(1, only.size)))
      const found: GalleryMatch[][] = []
      for (let start = 0; start < faces.length; start += size) {
        const probes = faces.slice(start, start + size).map((embedding) => ({ modelId, embedding }))
        found.push(...(await (await search()).searchEach(scope.parkId, probes, { limit, except, only })))
      }
      return found
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
      // The search comes first: rows read while it is being filled again could be older than what it contains.
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
