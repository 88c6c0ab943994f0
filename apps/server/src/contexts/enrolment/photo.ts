/** The photo of an application, and whom it resembles. */
import type { SimilarPerson } from '@gatehouse/contract/faces/calls'
import type { Platform } from '../../platform/context.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import { createSubmittedPhotos, type FacesService, type SubmittedPhoto, type SubmittedPhotos } from '../faces/index.ts'
import { type PeopleService, VISITOR_KIND } from '../people/index.ts'
import type { ApplicationRow } from './data.ts'
import { APPLICATION_TEMPLATE } from './schema.ts'

export type Similar = SimilarPerson & { url: string }

export interface Photos extends Pick<SubmittedPhotos, 'take' | 'hand'> {
  /**
   * Return whether a photo shows the same person as the application's first one; true if the models differ, because they cannot be
   * compared.
   */
  showsSame(scope: Scope, row: Pick<ApplicationRow, 'id' | 'template' | 'modelId'>, photo: SubmittedPhoto): Promise<boolean>
  /** Return similar persons, the most similar first, without the person the application is about. */
  similarTo(scope: Scope, row: ApplicationRow): Promise<Similar[]>
}

const SIMILAR_MAX = 3

export function createPhotos(
  { storage, crypto }: Pick<Platform, 'storage' | 'crypto'>,
  faces: FacesService,
  people: Pick<PeopleService, 'describe'>,
): Photos {
  const { take, hand } = createSubmittedPhotos({ storage }, faces)
  return {
    take,
    hand,
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
