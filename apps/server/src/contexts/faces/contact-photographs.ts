/** Photographs of contacts. They take no part in comparisons of persons. */
import { distanceOf, embeddingOfBytes } from '@gatehouse/face-engine'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { refuse } from '../../platform/http/refusal.ts'
import * as data from './data.ts'
import type { FacesServiceParts } from './parts.ts'
import { deletePhotos, photoOf } from './photo-rows.ts'
import { FACE_TEMPLATE } from './schema.ts'
import type { FacesService } from './service-types.ts'

type ContactPhotographs = Pick<
  FacesService,
  'assignContact' | 'releaseContacts' | 'photosOfContacts' | 'facesOfContacts' | 'compareContact' | 'templatesOfContacts'
>

export function createContactPhotographs({ platform, description, embedding }: FacesServiceParts): ContactPhotographs {
  const { modelId } = description
  const db = platform.db

  const releaseContacts: FacesService['releaseContacts'] = async (tx, scope, contactIds) =>
    deletePhotos(platform, tx, scope, await data.findFacesOfContacts(scope, tx, contactIds))

  return {
    async assignContact(tx, scope, contactId, faceId, field) {
      const [present] = await data.findFacesOfContacts(scope, tx, [contactId])
      if (present?.id === faceId) return
      await releaseContacts(tx, scope, [contactId])
      if (!(await data.attachToContact(scope, tx, faceId, contactId))) refuse(200201, field)
      await platform.storage.keep(
        tx,
        scope,
        (await data.findFaces(scope, tx, [faceId])).map((row) => row.fileId),
      )
      await embedding.makeMissing(tx, scope, [faceId])
    },
    releaseContacts,
    async photosOfContacts(scope, contactIds, within) {
      const rows = await data.findFacesOfContacts(scope, within ?? db, contactIds)
      return new Map(rows.map((row) => [row.contactId!, photoOf(platform, scope, row)]))
    },
    async facesOfContacts(scope, contactIds) {
      return new Map((await data.findFacesOfContacts(scope, db, contactIds)).map((row) => [row.contactId!, row.id]))
    },
    async compareContact(scope, contactId, probe) {
      const [row] = await data.findTemplatesOfContacts(scope, db, [contactId], modelId)
      if (row === undefined) return null
      const open = await platform.crypto.opener(scope.parkId)
      const template = open(placeOf(FACE_TEMPLATE, row.faceId, modelId), row.template)
      return distanceOf({ modelId, embedding: embeddingOfBytes(template) }, { modelId, embedding: probe })
    },
    async templatesOfContacts(scope, contactIds, of) {
      const rows = await data.findTemplatesOfContacts(scope, db, contactIds, of)
      const open = await platform.crypto.opener(scope.parkId)
      return new Map(rows.map(({ faceId, template }) => [faceId, open(placeOf(FACE_TEMPLATE, faceId, of), template)]))
    },
  }
}
