/** The engine that runs, as people see it, and how far a park's photographs are with its model. */
import type { FaceEngineState } from '@gatehouse/contract/faces/calls'
import { scoreOfRate } from '@gatehouse/contract/score'
import type { EngineDescription } from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'
import type { Embedding } from './embedding.ts'
import * as data from './embedding-data.ts'
import type { FacesTables } from './schema.ts'

export interface RefusedPhoto {
  faceId: string
  personId: string
  personName: string
  /** Of a contact of the person, whom it shows. */
  contactName?: string
  code: number
  thumbnail: string
}

export interface EngineState {
  read(scope: Scope): Promise<FaceEngineState>
  /** Photographs the model could not take, newest first. */
  refused(
    scope: Scope,
    page: { page: number; size: number },
  ): Promise<{ total: number; content: RefusedPhoto[]; page: number; size: number }>
}

export interface EngineStateNeeds {
  /** Unknown ids are left out. */
  persons(scope: Scope, ids: readonly string[]): Promise<readonly { id: string; name: string }[]>
  /** Whose contacts these are, by contact; unknown ids are left out. */
  contacts(scope: Scope, ids: readonly string[]): Promise<ReadonlyMap<string, { personId: string; name: string }>>
}

/**
 * The work as whoever asks may know of it. Its steps are the photographs of everybody: for whom the watch list does not exist they
 * are told from the photographs that do.
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
  const db = platform.db as unknown as Database<FacesTables>
  const { modelId, name, kind, dimensions, calibration, livenessModelId, licences } = engine
  return {
    async read(scope) {
      // In this order: work that is said to be done has left nothing uncounted.
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
