/** Photographs: checked by the engine, stored, given to persons, searched. */
import { FACES_PER_PERSON, FACE_FILE_MAX } from '@gatehouse/contract'
import type { FacePhoto } from '@gatehouse/contract/faces/calls'
import {
  FaceGallery,
  FacePoolBusy,
  PhotoRefusal,
  acceptedFace,
  assertSamePerson,
  bytesOfEmbedding,
  embeddingOfBytes,
  faceSquare,
  type FacePool,
  type GalleryMatch,
  type PhotoAnalysis,
} from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { Refusal, refuse } from '../../platform/refusal.ts'
import type { Scope } from '../../platform/session.ts'
import * as data from './data.ts'
import { facesChanged, facesErased } from './events.ts'
import type { FacesTables } from './schema.ts'

export interface CachedFace {
  faceId: string
  faces: { box: PhotoAnalysis['faces'][number]['box']; quality: Record<'sharpness' | 'brightness' | 'yaw' | 'pitch' | 'roll' | 'score', number> }[]
  url: string
  thumbnail: string
}

export interface FaceTemplate {
  faceId: string
  modelId: string
  template: Buffer
}

export interface FacesService {
  modelId: string
  /** Checks a photograph and keeps it until a person is saved with it. @throws Refusal with the code of what is wrong */
  cache(scope: Scope, photo: Uint8Array, faceIndex: number | undefined): Promise<CachedFace>
  /**
   * Makes these the photographs of a person, in this order; others of the person are let go.
   * @throws Refusal 200202 more than three, 200203 not the same person, 200201 unknown faceId
   */
  assign(tx: OpenTransaction, scope: Scope, personId: string, faceIds: readonly string[]): Promise<void>
  /** Lets all photographs of these persons go. */
  release(tx: OpenTransaction, scope: Scope, personIds: readonly string[]): Promise<void>
  eraseAll(tx: OpenTransaction, scope: Scope): Promise<number>
  photosOf(scope: Scope, personIds: readonly string[]): Promise<Map<string, FacePhoto[]>>
  count(scope: Scope, personIds: readonly string[]): Promise<number>
  templatesOf(scope: Scope, personIds: readonly string[]): Promise<Map<string, FaceTemplate[]>>
  /** Faces of persons without their templates, each person's in its order. */
  idsOf(scope: Scope, personIds: readonly string[]): Promise<Map<string, { faceId: string; modelId: string }[]>>
  /** Whose a photograph is, and the picture itself; null where no person has it. */
  photo(scope: Scope, faceId: string): Promise<{ personId: string; bytes: Buffer } | null>
  /** Nearest persons of the park; empty for a template of another model. */
  search(scope: Scope, modelId: string, template: Uint8Array, limit: number): GalleryMatch[]
  fill(): Promise<void>
  refresh(scope: Scope, personIds: readonly string[]): Promise<void>
  forget(scope: Scope): void
  dropAbandoned(): Promise<number>
}

const HOUR = 3_600_000

/** Turns what the engine refuses into what the caller is answered. */
function refusalOf(error: unknown): never {
  if (error instanceof PhotoRefusal) {
    const faces = error.faces.map((box) => ({ box }))
    throw new Refusal(error.code, {
      fields: [{ path: 'file', rule: `code.${error.code}`, params: { ...error.measured } }],
      ...(faces.length > 0 && { faces }),
    })
  }
  if (error instanceof FacePoolBusy) refuse(900000)
  throw error
}

export function createFacesService(platform: Platform, pool: FacePool): FacesService {
  const db = platform.db as unknown as Database<FacesTables>
  const gallery = new FaceGallery({ modelId: pool.modelId, dimensions: pool.dimensions })
  const known = new Map<string, Set<string>>()

  function remember(parkId: string, personId: string, entry: { photoId: string; embedding: Float32Array; modelId: string }): void {
    gallery.add(parkId, { personId, ...entry })
    let persons = known.get(parkId)
    if (persons === undefined) known.set(parkId, (persons = new Set()))
    persons.add(personId)
  }

  async function refresh(scope: Scope, personIds: readonly string[]): Promise<void> {
    const rows = await data.findFacesOfPersons(scope, db, personIds)
    for (const personId of personIds) {
      gallery.remove(scope.parkId, personId)
      known.get(scope.parkId)?.delete(personId)
    }
    for (const row of rows) {
      if (row.modelId !== gallery.modelId) continue
      const embedding = embeddingOfBytes(await platform.crypto.open(scope.parkId, row.template))
      remember(scope.parkId, row.personId!, { photoId: row.id, embedding, modelId: row.modelId })
    }
  }

  async function checkSamePerson(scope: Scope, rows: readonly data.FaceRow[]): Promise<void> {
    const templates = await Promise.all(
      rows.map(async (row) => ({ modelId: row.modelId, embedding: embeddingOfBytes(await platform.crypto.open(scope.parkId, row.template)) })),
    )
    const comparable = templates.filter((one) => one.modelId === gallery.modelId)
    try {
      comparable.forEach((template, index) => assertSamePerson(template, comparable.slice(0, index)))
    } catch (error) {
      if (!(error instanceof PhotoRefusal)) throw error
      throw new Refusal(error.code, { fields: [{ path: 'facePhotos', rule: `code.${error.code}`, params: { ...error.measured } }] })
    }
  }

  return {
    modelId: pool.modelId,
    refresh,
    async cache(scope, photo, faceIndex) {
      if (photo.byteLength > FACE_FILE_MAX) refuse(200206, 'file')
      const analysis = await pool.analyse(photo).catch(refusalOf)
      let face
      try {
        face = acceptedFace(analysis, faceIndex === undefined ? {} : { faceIndex })
      } catch (error) {
        refusalOf(error)
      }
      const fileId = await platform.storage.savePicture(scope, photo, 'face', faceSquare(face.box, analysis))
      const quality = { sharpness: face.sharpness, brightness: face.brightness, yaw: face.yaw, pitch: face.pitch, roll: face.roll, score: face.score }
      const faceId = newId()
      const template = await platform.crypto.seal(scope.parkId, bytesOfEmbedding(face.embedding))
      await platform.transaction(async (tx: Tx<FacesTables>) => {
        await data.insertFace(scope, tx, { id: faceId, fileId, modelId: face.modelId, template, quality }, platform.clock.now())
        await platform.storage.keep(tx, scope, [fileId])
      })
      return {
        faceId,
        faces: [{ box: face.box, quality }],
        url: platform.storage.address(scope, fileId, '320'),
        thumbnail: platform.storage.address(scope, fileId, '96'),
      }
    },
    async assign(open, scope, personId, faceIds) {
      const tx = open as Tx<FacesTables>
      const wanted = [...new Set(faceIds)]
      if (wanted.length > FACES_PER_PERSON) refuse(200202, 'facePhotos')
      const [rows, present] = await Promise.all([data.findFaces(scope, tx, wanted), data.findFacesOfPersons(scope, tx, [personId])])
      // A photograph that is gone, or that another person has, cannot be taken over.
      if (rows.length < wanted.length || rows.some((row) => row.personId !== null && row.personId !== personId)) refuse(200201, 'facePhotos')
      const dropped = present.filter((row) => !wanted.includes(row.id))
      const unchanged = dropped.length === 0 && present.length === wanted.length && present.every((row, index) => row.id === wanted[index])
      if (unchanged) return
      const byId = new Map(rows.map((row) => [row.id, row]))
      await checkSamePerson(scope, wanted.map((id) => byId.get(id)!))
      await data.deleteFaces(scope, tx, dropped.map((row) => row.id))
      await platform.storage.release(tx, scope, dropped.map((row) => row.fileId))
      for (const [position, id] of wanted.entries()) await data.attachFace(scope, tx, id, personId, position)
      await platform.events.announce(tx, facesChanged, scope.parkId, { personIds: [personId] })
    },
    async release(open, scope, personIds) {
      const tx = open as Tx<FacesTables>
      const rows = await data.findFacesOfPersons(scope, tx, personIds)
      await data.deleteFaces(scope, tx, rows.map((row) => row.id))
      await platform.storage.release(tx, scope, rows.map((row) => row.fileId))
      await platform.events.announce(tx, facesChanged, scope.parkId, { personIds: [...personIds] })
    },
    async eraseAll(open, scope) {
      const tx = open as Tx<FacesTables>
      const fileIds = await data.deleteFacesOfPark(scope, tx)
      await platform.storage.release(tx, scope, fileIds)
      await platform.events.announce(tx, facesErased, scope.parkId, {})
      return fileIds.length
    },
    async photosOf(scope, personIds) {
      const photos = new Map<string, FacePhoto[]>()
      for (const row of await data.findPicturesOfPersons(scope, db, personIds)) {
        const photo = {
          faceId: row.id,
          url: platform.storage.address(scope, row.fileId, '320'),
          thumbnail: platform.storage.address(scope, row.fileId, '96'),
        }
        photos.set(row.personId!, [...(photos.get(row.personId!) ?? []), photo])
      }
      return photos
    },
    count: (scope, personIds) => data.countFaces(scope, db, personIds),
    async templatesOf(scope, personIds) {
      const templates = new Map<string, FaceTemplate[]>()
      for (const row of await data.findFacesOfPersons(scope, db, personIds)) {
        const template = { faceId: row.id, modelId: row.modelId, template: await platform.crypto.open(scope.parkId, row.template) }
        templates.set(row.personId!, [...(templates.get(row.personId!) ?? []), template])
      }
      return templates
    },
    async idsOf(scope, personIds) {
      const faces = new Map<string, { faceId: string; modelId: string }[]>()
      for (const { personId, ...face } of await data.findFaceIdsOfPersons(scope, db, personIds)) {
        const own = faces.get(personId!)
        if (own === undefined) faces.set(personId!, [face])
        else own.push(face)
      }
      return faces
    },
    async photo(scope, faceId) {
      const [face] = await data.findFaces(scope, db, [faceId])
      if (face === undefined || face.personId === null) return null
      const bytes = await platform.storage.load(scope, face.fileId, 'full')
      return bytes === null ? null : { personId: face.personId, bytes }
    },
    search(scope, modelId, template, limit) {
      if (modelId !== gallery.modelId || template.byteLength !== gallery.dimensions * 4) return []
      return gallery.search(scope.parkId, { modelId, embedding: embeddingOfBytes(template) }, { limit })
    },
    async fill() {
      let after = '00000000-0000-0000-0000-000000000000'
      for (;;) {
        const rows = await data.readTemplatesUnscoped(db, after, 2000)
        for (const row of rows) {
          if (row.modelId !== gallery.modelId) continue
          const embedding = embeddingOfBytes(await platform.crypto.open(row.parkId, row.template))
          remember(row.parkId, row.personId!, { photoId: row.id, embedding, modelId: row.modelId })
        }
        if (rows.length < 2000) return
        after = rows.at(-1)!.id
      }
    },
    forget(scope) {
      for (const personId of known.get(scope.parkId) ?? []) gallery.remove(scope.parkId, personId)
      known.delete(scope.parkId)
    },
    async dropAbandoned() {
      const rows = await data.findAbandonedFacesUnscoped(db, platform.clock.now() - 24 * HOUR)
      for (const row of rows) {
        const scope = { parkId: row.parkId }
        await platform.transaction(async (tx: Tx<FacesTables>) => {
          await data.deleteFaces(scope, tx, [row.id])
          await platform.storage.release(tx, scope, [row.fileId])
        })
      }
      return rows.length
    },
  }
}
