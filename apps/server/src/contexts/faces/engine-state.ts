/** The state of the running engine, and how many of a park's photographs its model covers. */
import type { FaceEngineState } from '@gatehouse/contract/faces/calls'
import { scoreOfRate } from '@gatehouse/contract/score'
import type { EngineDescription } from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'
import type { Embedding } from './embedding.ts'
import * as data from './embedding-data.ts'

export interface RefusedPhoto {
  faceId: string
  personId: string
  personName: string
  /** Name of the contact of the person whom the photograph shows. */
  contactName?: string
  code: number
  thumbnail: string
}

export interface EngineState {
  read(scope: Scope): Promise<FaceEngineState>
  /** Photographs the model refused, newest first. */
  refused(
    scope: Scope,
    page: { page: number; size: number },
  ): Promise<{ total: number; content: RefusedPhoto[]; page: number; size: number }>
}

export interface EngineStateNeeds {
  /** Unknown ids are left out. */
  persons(scope: Scope, ids: readonly string[]): Promise<readonly { id: string; name: string }[]>
  /** The person and the name of each contact, by contact id; unknown ids are left out. */
  contacts(scope: Scope, ids: readonly string[]): Promise<ReadonlyMap<string, { personId: string; name: string }>>
}

/**
 * Return the work as the caller may see it. Its steps count the photographs of everybody; for a caller who may not see the watch
 * list they are replaced by counts of the visible photographs.
 */
function workSeen(
  scope: Scope,
  work: FaceEngineState['work'],
  { photos, current, refused }: Pick<FaceEngineState, 'photos' | 'current' | 'refused'>,
): FaceEngineState['work'] {
  if (work === null || work.total === null || seesWatchList(scope)) return work
  return { ...work, done: current + refused, total: photos, failed: refused }
}

export function createEngineState(
  platform: Platform,
  engine: EngineDescription,
  embedding: Embedding,
  { persons, contacts }: EngineStateNeeds,
): EngineState {
  const db = platform.db
  const { modelId, name, kind, dimensions, calibration, livenessModelId, licences } = engine
  return {
    async read(scope) {
      // In this order: templates of work that is done are then included in the counts.
      const work = await embedding.latest(scope)
      const { photos, refused, models } = await data.countByModel(scope, db, modelId)
      const current = models.find((model) => model.modelId === modelId)?.photos ?? 0
      return {
        modelId,
        name,
        kind,
        dimensions,
        liveness: livenessModelId !== null,
        measured: calibration.measured,
        source: calibration.source,
        licences: [...licences],
        curve: calibration.curve.map(({ falseMatchRate, falseNonMatchRate }) => ({
          score: scoreOfRate(falseMatchRate),
          falseMatchRate,
          falseNonMatchRate,
        })),
        photos,
        current,
        refused,
        models,
        work: workSeen(scope, work, { photos, current, refused }),
      }
    },
    async refused(scope, { page, size }) {
      const { content, total } = await data.listRefusals(scope, db, modelId, { page, size })
      const shown = await contacts(
        scope,
        content.flatMap(({ contactId }) => contactId ?? []),
      )
      const owned = content.flatMap(({ personId, contactId, ...photo }) => {
        const contact = contactId === null ? undefined : shown.get(contactId)
        const owner = personId ?? contact?.personId
        // Deleted meanwhile.
        return owner === undefined ? [] : [{ ...photo, personId: owner, ...(contact !== undefined && { contactName: contact.name }) }]
      })
      const names = new Map(
        (
          await persons(
            scope,
            owned.map(({ personId }) => personId),
          )
        ).map((person) => [person.id, person.name]),
      )
      return {
        total,
        page,
        size,
        content: owned.map(({ fileId, ...photo }) => ({
          ...photo,
          personName: names.get(photo.personId) ?? '',
          thumbnail: platform.storage.address(scope, fileId, '96'),
        })),
      }
    },
  }
}
