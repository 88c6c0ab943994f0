/** Photographs of persons: assigned, read, released. */
import { FACES_PER_PERSON } from '@gatehouse/contract'
import type { FacePhoto } from '@gatehouse/contract/faces/calls'
import { refuse } from '../../platform/http/refusal.ts'
import * as data from './data.ts'
import { facesChanged, facesErased } from './events.ts'
import { deleteAnswersOf, deleteOwnCurve } from './own-curve-data.ts'
import type { FacesServiceParts } from './parts.ts'
import { deletePhotos, photoOf } from './photo-rows.ts'
import type { FacesService, StoredFaces } from './service-types.ts'

type PersonPhotographs = Pick<FacesService, 'assign' | 'release' | 'eraseAll' | 'photosOf' | 'count' | 'storedFacesOf' | 'photo'>

export function createPersonPhotographs({ platform, policy, embedding, matching, samePerson }: FacesServiceParts): PersonPhotographs {
  const db = platform.db
  return {
    async assign(tx, scope, personId, faceIds) {
      const ids = [...new Set(faceIds)]
      if (ids.length > FACES_PER_PERSON) refuse(200202, 'facePhotos')
      const [rows, present] = await Promise.all([data.findFaces(scope, tx, ids), data.findFacesOfPersons(scope, tx, [personId])])
      // A photograph that is deleted or belongs to another person or a contact cannot be taken over.
      if (rows.length < ids.length || rows.some((row) => row.contactId !== null || (row.personId !== null && row.personId !== personId)))
        refuse(200201, 'facePhotos')
      const dropped = present.filter((row) => !ids.includes(row.id))
      const unchanged = dropped.length === 0 && present.length === ids.length && present.every((row, index) => row.id === ids[index])
      if (unchanged) return
      // At least one is compared: a person with photographs can be recognised.
      if (rows.length > 0 && rows.every((row) => row.setAsideAt !== null)) refuse(200201, 'facePhotos')
      await samePerson.assert(tx, scope, ids)
      await embedding.makeMissing(
        tx,
        scope,
        rows.filter((row) => row.personId === null).map((row) => row.id),
      )
      await data.deleteFaces(
        scope,
        tx,
        dropped.map((row) => row.id),
      )
      await platform.storage.release(
        tx,
        scope,
        dropped.map((row) => row.fileId),
      )
      for (const [position, id] of ids.entries())
        if (!(await data.attachFace(scope, tx, id, personId, position))) refuse(200201, 'facePhotos')
      await platform.storage.keep(
        tx,
        scope,
        rows.map((row) => row.fileId),
      )
      await platform.events.announce(tx, facesChanged, scope.parkId, { personIds: [personId] })
    },
    async release(tx, scope, personIds) {
      const dropped = await deletePhotos(platform, tx, scope, await data.findFacesOfPersons(scope, tx, personIds))
      await matching.release(tx, scope, personIds)
      await deleteAnswersOf(scope, tx, personIds)
      await platform.events.announce(tx, facesChanged, scope.parkId, { personIds: [...personIds] })
      return dropped
    },
    async eraseAll(tx, scope) {
      const fileIds = await data.deleteFacesOfPark(scope, tx)
      await platform.storage.release(tx, scope, fileIds)
      await matching.eraseAll(tx, scope)
      await deleteOwnCurve(scope, tx)
      await policy.erase(tx, scope)
      await platform.work.erase(tx, scope)
      await platform.events.announce(tx, facesErased, scope.parkId, {})
      return fileIds.length
    },
    async photosOf(scope, personIds) {
      const photos = new Map<string, FacePhoto[]>()
      for (const row of await data.findFacesOfPersons(scope, db, personIds))
        photos.set(row.personId!, [...(photos.get(row.personId!) ?? []), photoOf(platform, scope, row)])
      return photos
    },
    count: (scope, personIds) => data.countFaces(scope, db, personIds),
    async storedFacesOf(scope, personIds) {
      const [rows, settings] = await Promise.all([data.findFaceIdsOfPersons(scope, db, personIds), matching.of(scope, personIds)])
      const stored = new Map<string, StoredFaces>()
      for (const id of personIds) stored.set(id, { faceIds: [], threshold: null, loosens: false, lookAlikes: [], ...settings.get(id) })
      for (const { personId, faceId } of rows) stored.get(personId!)!.faceIds.push(faceId)
      return stored
    },
    async photo(scope, faceId) {
      const [face] = await data.findFaces(scope, db, [faceId])
      if (face === undefined || (face.personId === null && face.contactId === null)) return null
      const bytes = await platform.storage.load(scope, face.fileId, 'full')
      return bytes === null ? null : { personId: face.personId, contactId: face.contactId, bytes }
    },
  }
}
