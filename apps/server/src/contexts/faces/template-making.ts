/** Making of templates of the running model from stored photographs: made, stored, announced. */
import {
  PhotoRefusal,
  acceptedFace,
  bytesOfEmbedding,
  type EngineDescription,
  type PhotoAnalysis,
  type RefusalCode,
} from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { nullUnlessPassing } from '../../platform/passing-fault.ts'
import type { Scope } from '../../platform/session/session.ts'
import { refusalOf, type Analysis } from './analysis.ts'
import * as faces from './data.ts'
import * as data from './embedding-data.ts'
import { templatesMade } from './events.ts'
import { indexOfChosen } from './face-centre.ts'
import { FACE_TEMPLATE } from './schema.ts'

/** The code for a stored picture that is missing or cannot be opened. */
const UNREADABLE: RefusalCode = 200205
/** Largest number of persons in one event. */
const EVENT_PERSONS = 40

export type Outcome = { faceId: string; template: Buffer } | { faceId: string; code: RefusalCode } | { faceId: string; fault: unknown }

export interface TemplateMaking {
  /** Make the template of a photograph; a refusal and a fault are outcomes. */
  embed(scope: Scope, photo: faces.StoredPhoto, analyse: (bytes: Uint8Array) => Promise<PhotoAnalysis>): Promise<Outcome>
  /** Store outcomes, except of photographs deleted meanwhile. Return the templates and the refusals. */
  keep(tx: Transaction, scope: Scope, outcomes: readonly Outcome[]): Promise<{ made: faces.TemplateRow[]; refused: data.RefusedFace[] }>
  /** Announce that these persons have new templates. */
  announce(tx: Transaction, scope: Scope, personIds: readonly string[]): Promise<void>
  /** Make templates of these photographs immediately, in the transaction; those the model refuses are noted and left out. */
  makeNow(tx: Transaction, scope: Scope, faceIds: readonly string[]): Promise<faces.TemplateRow[]>
}

export function createTemplateMaking(platform: Platform, engine: EngineDescription, analysis: Analysis): TemplateMaking {
  const { modelId } = engine
  async function embed(scope: Scope, photo: faces.StoredPhoto, analyse: (bytes: Uint8Array) => Promise<PhotoAnalysis>): Promise<Outcome> {
    const faceId = photo.id
    const bytes = await platform.storage.load(scope, photo.fileId, 'full').catch(nullUnlessPassing)
    if (bytes === null) return { faceId, code: UNREADABLE }
    try {
      const found = await analyse(bytes)
      const faceIndex = indexOfChosen(found, photo.quality)
      const { embedding } = acceptedFace(found, faceIndex === undefined ? {} : { faceIndex })
      const place = placeOf(FACE_TEMPLATE, faceId, modelId)
      return { faceId, template: await platform.crypto.seal(scope.parkId, place, bytesOfEmbedding(embedding)) }
    } catch (error) {
      return error instanceof PhotoRefusal ? { faceId, code: error.code } : { faceId, fault: error }
    }
  }

  async function keep(
    tx: Transaction,
    scope: Scope,
    outcomes: readonly Outcome[],
  ): Promise<{ made: faces.TemplateRow[]; refused: data.RefusedFace[] }> {
    const now = platform.clock.now()
    const there = await faces.holdFaces(
      scope,
      tx,
      outcomes.map(({ faceId }) => faceId),
    )
    const kept = outcomes.filter(({ faceId }) => there.has(faceId))
    const made = kept.flatMap((one) => ('template' in one ? [{ faceId: one.faceId, modelId, template: one.template }] : []))
    const refused = kept.flatMap((one) => ('code' in one ? [{ faceId: one.faceId, code: one.code }] : []))
    await faces.insertTemplates(scope, tx, made, now)
    await data.insertRefusals(scope, tx, modelId, refused, now)
    return { made, refused }
  }

  async function announce(tx: Transaction, scope: Scope, personIds: readonly string[]): Promise<void> {
    const distinct = [...new Set(personIds)]
    // At least one event: for photographs of contacts only it names no person, but there are new templates all the same.
    const batches = Array.from({ length: Math.max(1, Math.ceil(distinct.length / EVENT_PERSONS)) }, (_, at) =>
      distinct.slice(at * EVENT_PERSONS, (at + 1) * EVENT_PERSONS),
    )
    await platform.events.announceAll(
      tx,
      templatesMade,
      scope.parkId,
      batches.map((batch) => ({ modelId, personIds: batch })),
    )
  }

  return {
    embed,
    keep,
    announce,
    async makeNow(tx, scope, faceIds) {
      const photos = await faces.findStoredPhotos(scope, tx, faceIds)
      const outcomes = await Promise.all(photos.map((photo) => embed(scope, photo, (bytes) => analysis.analyse(bytes))))
      for (const one of outcomes) if ('fault' in one) refusalOf(one.fault)
      const { made } = await keep(tx, scope, outcomes)
      if (made.length > 0)
        await announce(
          tx,
          scope,
          photos.flatMap(({ personId }) => personId ?? []),
        )
      return made
    },
  }
}
