/** Copies of a person's photographs for another person of the same park or of another one. */
import { newId } from '../../platform/database/ids.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import * as data from './data.ts'
import { facesChanged } from './events.ts'
import type { FacesServiceParts } from './parts.ts'
import { FACE_TEMPLATE } from './schema.ts'
import type { FacesService, CopiedPhotos } from './service-types.ts'

type CopiedPhotographs = Pick<FacesService, 'copyPhotos' | 'adoptPhotos'>

export function createCopiedPhotographs({ platform, embedding }: FacesServiceParts): CopiedPhotographs {
  const db = platform.db
  return {
    async copyPhotos(scope, personId, to) {
      const there = (await data.findFacesOfPersons(scope, db, [personId])).filter((row) => row.setAsideAt === null)
      const faceIds = there.map(({ id }) => id)
      const [rows, templates, open] = await Promise.all([
        data.findStoredPhotos(scope, db, faceIds),
        data.findTemplates(scope, db, faceIds),
        platform.crypto.opener(scope.parkId),
      ])
      const copied: CopiedPhotos = []
      for (const { id, fileId } of there) {
        const copyId = newId()
        const own = templates.filter(({ faceId }) => faceId === id)
        const sealed = await Promise.all(
          own.map(async ({ modelId: of, template }) => {
            const plain = open(placeOf(FACE_TEMPLATE, id, of), template)
            return { modelId: of, template: await platform.crypto.seal(to.parkId, placeOf(FACE_TEMPLATE, copyId, of), plain) }
          }),
        )
        copied.push({
          id: copyId,
          fileId: await platform.storage.copy(scope, fileId, to),
          quality: rows.find((row) => row.id === id)!.quality,
          templates: sealed,
        })
      }
      return copied
    },
    async adoptPhotos(tx, scope, personId, photos) {
      const now = platform.clock.now()
      for (const [position, { templates, ...face }] of photos.entries()) {
        await data.insertFace(scope, tx, face, now)
        await data.insertTemplates(
          scope,
          tx,
          templates.map((row) => ({ ...row, faceId: face.id })),
          now,
        )
        await data.attachFace(scope, tx, face.id, personId, position)
      }
      await platform.storage.keep(
        tx,
        scope,
        photos.map(({ fileId }) => fileId),
      )
      await embedding.makeMissing(
        tx,
        scope,
        photos.map(({ id }) => id),
      )
      await platform.events.announce(tx, facesChanged, scope.parkId, { personIds: [personId] })
    },
  }
}
