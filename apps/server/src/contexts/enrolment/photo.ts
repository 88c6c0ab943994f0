/** The photo of an application: checked like any other, stored as a picture of its own, passed to the register on approval. */
import sharp from 'sharp'
import { IMAGE_PIXELS_MAX, code, type OutputOf } from '@gatehouse/contract'
import type { faceBox, SimilarPerson } from '@gatehouse/contract/faces/calls'
import type { Platform } from '../../platform/context.ts'
import { Refusal, refuse } from '../../platform/http/refusal.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { FacesService } from '../faces/index.ts'
import { type PeopleService, VISITOR_KIND } from '../people/index.ts'
import type { ApplicationRow } from './data.ts'
import { APPLICATION_TEMPLATE } from './schema.ts'

type Box = OutputOf<typeof faceBox>

/** Data of its photo that an application stores. */
export interface StoredPhoto {
  fileId: string
  modelId: string
  /** In clear; it is encrypted when the application is stored. */
  template: Buffer
  faceX: number
  faceY: number
}

export type Similar = SimilarPerson & { url: string }

export interface Photos {
  /**
   * Check a photo and store it; it is deleted after a day unless kept.
   * @param field of the form
   * @throws Refusal with the code of the fault
   */
  take(scope: Scope, bytes: Uint8Array, field: string, faceIndex?: number): Promise<StoredPhoto>
  /** Prepare the photo so that a person can be saved with it; return its `faceId`, null without a photo. @throws Refusal like `take` */
  hand(scope: Scope, row: Pick<ApplicationRow, 'fileId' | 'faceX' | 'faceY'>): Promise<string | null>
  /**
   * Return whether a photo shows the same person as the application's first one; true if the models differ, because they cannot be
   * compared.
   */
  showsSame(scope: Scope, row: Pick<ApplicationRow, 'id' | 'template' | 'modelId'>, photo: StoredPhoto): Promise<boolean>
  /** Return similar persons, the most similar first, without the person the application is about. */
  similarTo(scope: Scope, row: ApplicationRow): Promise<Similar[]>
}

const SIMILAR_MAX = 3
/** Side of the square in small pictures, as a multiple of the size of the face. */
const AROUND_FACE = 2

const middleOf = ({ x, y, width, height }: Box): { x: number; y: number } => ({ x: x + width / 2, y: y + height / 2 })

async function uprightSize(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  const { autoOrient } = await sharp(bytes, { limitInputPixels: IMAGE_PIXELS_MAX }).metadata()
  return autoOrient
}

function squareAround(box: Box, { width, height }: { width: number; height: number }): { left: number; top: number; side: number } {
  const side = Math.max(1, Math.floor(Math.min(Math.max(box.width, box.height) * AROUND_FACE, width, height)))
  const { x, y } = middleOf(box)
  const within = (middle: number, length: number): number => Math.round(Math.min(Math.max(middle - side / 2, 0), length - side))
  return { left: within(x, width), top: within(y, height), side }
}

/** Rethrow a refusal of a photo at its field of the form. */
function atField(error: unknown, field: string): never {
  if (!(error instanceof Refusal) || error.data?.fields === undefined) throw error
  throw new Refusal(error.code, { ...error.data, fields: error.data.fields.map((issue) => ({ ...issue, path: field })) })
}

export function createPhotos(
  { storage, crypto }: Pick<Platform, 'storage' | 'crypto'>,
  faces: FacesService,
  people: Pick<PeopleService, 'describe'>,
): Photos {
  /** Return which of several faces the stored one is: the picture was encoded again, and faces may be found in another order. */
  async function nearestFace(bytes: Buffer, refusal: Refusal, at: { x: number; y: number }): Promise<number> {
    const { width, height } = await uprightSize(bytes)
    const found = (refusal.data?.['faces'] ?? []) as { box: Box }[]
    const distances = found.map(({ box }) => Math.hypot(middleOf(box).x / width - at.x, middleOf(box).y / height - at.y))
    return distances.indexOf(Math.min(...distances))
  }

  return {
    async take(scope, bytes, field, faceIndex) {
      const face = await faces.probe(bytes, { faceIndex }).catch((error: unknown) => atField(error, field))
      const size = await uprightSize(bytes)
      const fileId = await storage.savePicture(scope, bytes, 'face', squareAround(face.box, size))
      const middle = middleOf(face.box)
      const template = Buffer.from(face.embedding.buffer, face.embedding.byteOffset, face.embedding.byteLength)
      return {
        fileId,
        modelId: face.modelId,
        template,
        faceX: middle.x / size.width,
        faceY: middle.y / size.height,
      }
    },
    async hand(scope, { fileId, faceX, faceY }) {
      if (fileId === null) return null
      const bytes = await storage.load(scope, fileId, 'full')
      if (bytes === null) return refuse(code.faceWithoutFeature, 'file')
      try {
        return (await faces.cache(scope, bytes, {})).faceId
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== code.multipleFaces) throw error
        const faceIndex = await nearestFace(bytes, error, { x: faceX ?? 0.5, y: faceY ?? 0.5 })
        return (await faces.cache(scope, bytes, { faceIndex })).faceId
      }
    },
    async showsSame(scope, { id, template, modelId }, photo) {
      if (template === null || modelId !== photo.modelId) return true
      return faces.isOnePerson(await crypto.open(scope.parkId, placeOf(APPLICATION_TEMPLATE, id), template), photo.template)
    },
    async similarTo(scope, { id: applicationId, template, modelId, personId, state }) {
      if (template === null || modelId === null || state !== 'pending') return []
      const opened = await crypto.open(scope.parkId, placeOf(APPLICATION_TEMPLATE, applicationId), template)
      const found = await faces.search(scope, modelId, opened, {
        limit: SIMILAR_MAX,
        except: new Set(personId === null ? [] : [personId]),
      })
      const least = (await faces.thresholdsOf(scope)).search
      const near = found.filter(({ distance }) => faces.scoreOf(distance) >= least)
      if (near.length === 0) return []
      const ids = near.map((match) => match.personId)
      const [persons, photos] = await Promise.all([people.describe(scope, ids), faces.photosOf(scope, ids)])
      return near.flatMap(({ personId: id, photoId, distance }) => {
        const person = persons.find((one) => one.id === id)
        const photo = photos.get(id)?.find(({ faceId }) => faceId === photoId)
        // Deleted meanwhile, but still found by the search; or a visitor, to whom no photo can be added.
        if (person === undefined || photo === undefined || person.kind === VISITOR_KIND) return []
        return [
          {
            personId: id,
            personName: person.name,
            workNumber: person.workNumber ?? '',
            score: faces.scoreOf(distance),
            url: photo.url,
            thumbnail: photo.thumbnail,
          },
        ]
      })
    },
  }
}
