/** Cached photographs: checked, kept until a person is saved with them, and deleted if no person ever is. */
import { FACE_FILE_MAX } from '@gatehouse/contract'
import type { SimilarPerson } from '@gatehouse/contract/faces/calls'
import { recordedScore } from '@gatehouse/contract/score'
import { acceptedFace, bytesOfEmbedding, distanceOfScore, faceSquare, scoreOf, type AcceptedFace } from '@gatehouse/face-engine'
import { newId } from '../../platform/database/ids.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { refusalOf } from './analysis.ts'
import * as data from './data.ts'
import { centreOf } from './face-centre.ts'
import { foremostFace } from './foremost-face.ts'
import type { FacesServiceParts } from './parts.ts'
import { deletePhotos } from './photo-rows.ts'
import { canLearnWhoLooksAlike } from './policy.ts'
import { FACE_TEMPLATE } from './schema.ts'
import type { FacesService, CacheOptions } from './service-types.ts'

const HOUR = 3_600_000
/** Largest number of persons reported to look like a new photograph. */
const SIMILAR_MAX = 3

type CachedPhotographs = Pick<FacesService, 'cache' | 'probe' | 'dropCached' | 'dropAbandoned'>

export function createCachedPhotographs(parts: FacesServiceParts): CachedPhotographs {
  const { platform, needs, analysis, policy } = parts
  const db = platform.db

  async function faceOf(
    photo: Uint8Array,
    options: {
      faceIndex?: number | undefined
      liveness?: boolean | undefined
      asAtDoor?: boolean | undefined
      background?: AbortSignal | undefined
    },
  ) {
    if (photo.byteLength > FACE_FILE_MAX) refuse(200206, 'file')
    try {
      const analysed = options.liveness === true ? { liveness: true } : {}
      const found = await (options.background === undefined
        ? analysis.analyse(photo, analysed)
        : analysis.analyseInBackground(photo, analysed, options.background))
      const face =
        options.asAtDoor === true
          ? foremostFace(found)
          : acceptedFace(found, options.faceIndex === undefined ? {} : { faceIndex: options.faceIndex })
      return { found, face }
    } catch (error) {
      return refusalOf(error)
    }
  }

  return {
    async cache(scope, photo, options) {
      if (options.personId !== undefined && (await needs.persons(scope, [options.personId])).length === 0) throw new NotFound()
      const { found, face } = await faceOf(photo, options)
      const fileId = await platform.storage.savePicture(scope, photo, 'face', faceSquare(face.box, found))
      const quality = {
        sharpness: face.sharpness,
        brightness: face.brightness,
        yaw: face.yaw,
        pitch: face.pitch,
        roll: face.roll,
        score: face.score,
      }
      const faceId = newId()
      const template = await platform.crypto.seal(
        scope.parkId,
        placeOf(FACE_TEMPLATE, faceId, face.modelId),
        bytesOfEmbedding(face.embedding),
      )
      await platform.transaction(async (tx) => {
        const now = platform.clock.now()
        await data.insertFace(scope, tx, { id: faceId, fileId, quality: { ...quality, centre: centreOf(face.box, found) } }, now)
        await data.insertTemplates(scope, tx, [{ faceId, modelId: face.modelId, template }], now)
        await platform.storage.keep(tx, scope, [fileId], 'waiting')
        platform.audit.made({ entity: 'face', id: faceId })
        await options.alongside?.(tx, faceId)
      })
      return {
        faceId,
        faces: [{ box: face.box, quality }],
        url: platform.storage.address(scope, fileId, '320'),
        thumbnail: platform.storage.address(scope, fileId, '96'),
        ...(options.viewer !== undefined &&
          canLearnWhoLooksAlike(options.viewer) && { similar: await similarTo(parts, scope, face, options) }),
        wanted: policy.of(scope).photosWanted,
      }
    },
    probe: async (photo, options = {}) => (await faceOf(photo, options)).face,
    dropCached: (scope, faceIds) =>
      platform.transaction(async (tx) => {
        const rows = await data.findFaces(scope, tx, faceIds)
        await deletePhotos(
          platform,
          tx,
          scope,
          rows.filter(({ personId, contactId }) => personId === null && contactId === null),
        )
      }),
    async dropAbandoned() {
      const rows = await data.findAbandonedFacesUnscoped(db, platform.clock.now() - 24 * HOUR)
      for (const row of rows) {
        const scope = { parkId: row.parkId }
        await platform.transaction(async (tx) => {
          await data.deleteFaces(scope, tx, [row.id])
          await platform.storage.release(tx, scope, [row.fileId])
        })
      }
      return rows.length
    },
  }
}

/** Return other persons whom the face may show, nearest first. */
async function similarTo(
  { platform, description, needs, thresholds, gallery }: FacesServiceParts,
  scope: Scope,
  face: AcceptedFace,
  { personId }: CacheOptions,
): Promise<SimilarPerson[]> {
  const { calibration } = description
  const within = distanceOfScore(calibration, (await thresholds.of(scope)).search)
  const except = new Set(personId === undefined ? [] : [personId])
  const matches = await gallery.search(scope, face.modelId, bytesOfEmbedding(face.embedding), { limit: SIMILAR_MAX, within, except })
  if (matches.length === 0) return []
  const [persons, photos] = await Promise.all([
    needs.persons(
      scope,
      matches.map((match) => match.personId),
    ),
    data.findFaces(
      scope,
      platform.db,
      matches.map(({ photoId }) => photoId),
    ),
  ])
  return matches.flatMap((match) => {
    const photo = photos.find(({ id }) => id === match.photoId)
    const person = persons.find(({ id }) => id === match.personId)
    // Deleted meanwhile, but still in the search.
    if (photo === undefined || person === undefined) return []
    return [
      {
        personId: match.personId,
        personName: person.name,
        workNumber: person.workNumber ?? '',
        score: recordedScore(scoreOf(calibration, match.distance)),
        thumbnail: platform.storage.address(scope, photo.fileId, '96'),
      },
    ]
  })
}
