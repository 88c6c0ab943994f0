/** Comparison of faces with the photographs of persons: distances and templates. */
import { distanceOf, distanceToAll, embeddingOfBytes } from '@gatehouse/face-engine'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import * as data from './data.ts'
import type { FacesServiceParts } from './parts.ts'
import { FACE_TEMPLATE } from './schema.ts'
import type { FacesService } from './service-types.ts'

type ComparedPhotographs = Pick<FacesService, 'compare' | 'templatesOf'>

export function createComparedPhotographs({ platform, description }: FacesServiceParts): ComparedPhotographs {
  const { calibration, modelId } = description
  const db = platform.db
  return {
    async compare(scope, personId, probe) {
      const photos = await data.findFacesOfPersons(scope, db, [personId])
      const templates = new Map(
        (
          await data.findTemplates(
            scope,
            db,
            photos.map(({ id }) => id),
            modelId,
          )
        ).map((row) => [row.faceId, row.template]),
      )
      const open = await platform.crypto.opener(scope.parkId)
      const face = { modelId, embedding: probe }
      const opened = new Map(
        [...templates].map(([id, template]) => [
          id,
          { modelId, embedding: embeddingOfBytes(open(placeOf(FACE_TEMPLATE, id, modelId), template)) },
        ]),
      )
      return {
        photos: photos.map(({ id, fileId, setAsideAt }) => {
          const own = opened.get(id)
          return { faceId: id, fileId, distance: own === undefined ? null : distanceOf(own, face), setAsideAt }
        }),
        together(faceIds) {
          const compared = faceIds.flatMap((id) => opened.get(id) ?? [])
          return compared.length === 0 ? null : distanceToAll(calibration, compared, face)
        },
      }
    },
    async templatesOf(scope, personIds, of) {
      const rows = await data.findTemplatesOfPersons(scope, db, personIds, of)
      const open = await platform.crypto.opener(scope.parkId)
      return new Map(rows.map(({ faceId, template }) => [faceId, open(placeOf(FACE_TEMPLATE, faceId, of), template)]))
    },
  }
}
