/** The check that several photographs of one person show one person. Embeddings are compared within one model only. */
import {
  BUILTIN_ENGINE,
  PhotoRefusal,
  assertSamePerson,
  embeddingOfBytes,
  samePersonDistance,
  type Calibration,
  type EngineDescription,
} from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import type { Embedding } from './embedding.ts'
import { FACE_TEMPLATE } from './schema.ts'

export interface SamePerson {
  /** @throws Refusal 200203 when one of these photographs shows another person */
  assert(tx: Transaction, scope: Scope, faceIds: readonly string[]): Promise<void>
}

export function createSamePerson(platform: Platform, engine: EngineDescription, embedding: Pick<Embedding, 'makeNow'>): SamePerson {
  /** Calibrations of the models that can be compared here, the running one first. */
  const calibrations = new Map<string, Calibration>([
    [engine.modelId, engine.calibration],
    [BUILTIN_ENGINE.modelId, BUILTIN_ENGINE.calibration],
  ])

  /**
   * Return templates of a model that has one of every photograph; otherwise of the running model, making the missing ones where
   * it accepts the photograph.
   */
  async function comparable(tx: Transaction, scope: Scope, faceIds: readonly string[]): Promise<data.TemplateRow[]> {
    const rows = await data.findTemplates(scope, tx, faceIds)
    for (const modelId of calibrations.keys()) {
      const own = rows.filter((row) => row.modelId === modelId)
      if (own.length === faceIds.length) return own
    }
    const own = rows.filter((row) => row.modelId === engine.modelId)
    const missing = faceIds.filter((id) => !own.some(({ faceId }) => faceId === id))
    return [...own, ...(await embedding.makeNow(tx, scope, missing))]
  }

  return {
    async assert(tx, scope, faceIds) {
      if (faceIds.length < 2) return
      const rows = await comparable(tx, scope, faceIds)
      const open = await platform.crypto.opener(scope.parkId)
      const templates = faceIds.flatMap((id) =>
        rows
          .filter(({ faceId }) => faceId === id)
          .map(({ modelId, template }) => ({ modelId, embedding: embeddingOfBytes(open(placeOf(FACE_TEMPLATE, id, modelId), template)) })),
      )
      try {
        for (const [index, template] of templates.entries())
          assertSamePerson(template, templates.slice(0, index), samePersonDistance(calibrations.get(template.modelId)!))
      } catch (error) {
        if (!(error instanceof PhotoRefusal)) throw error
        throw new Refusal(error.code, { fields: [{ path: 'facePhotos', rule: `code.${error.code}`, params: { ...error.measured } }] })
      }
    },
  }
}
