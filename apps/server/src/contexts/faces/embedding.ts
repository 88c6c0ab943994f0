/** Templates of the model that runs for photographs that were there before it: long work, a few photographs at a time. */
import {
  PhotoRefusal,
  acceptedFace,
  bytesOfEmbedding,
  type EngineDescription,
  type PhotoAnalysis,
  type RefusalCode,
} from '@gatehouse/face-engine'
import type { WorkState } from '@gatehouse/contract/work'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { BEFORE_ALL_IDS } from '../../platform/database/ids.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { WorkRun } from '../../platform/jobs/work.ts'
import { refusalOf, type Analysis } from './analysis.ts'
import * as faces from './data.ts'
import * as data from './embedding-data.ts'
import { templatesMade } from './events.ts'
import { FACE_TEMPLATE, type FacesTables } from './schema.ts'

export const EMBED = 'faces.embed'

export interface Embedding {
  /** Asks for the work in every park in which templates of the model that runs are missing. */
  requestMissing(): Promise<void>
  /** Makes the missing templates of a park, those refused before included; answers the work. */
  again(scope: Scope): Promise<string>
  /** Ends the work that is under way; answers the newest work. @throws NotFound where there never was any */
  cancel(scope: Scope): Promise<string>
  latest(scope: Scope): Promise<WorkState | null>
  /** Makes templates of these photographs at once, in the transaction; those the model refuses are noted and left out. */
  makeNow(tx: OpenTransaction, scope: Scope, faceIds: readonly string[]): Promise<faces.TemplateRow[]>
  /** Drops templates of other models where the one that runs has had its say for 30 days. Answers how many. */
  dropOld(): Promise<number>
}

/** What is kept beside a photograph so that its face is found again among others. */
export interface FaceCentre {
  /** Share of the picture's width and height, 0 to 1. */
  x: number
  y: number
}

export const centreOf = (
  { x, y, width, height }: PhotoAnalysis['faces'][number]['box'],
  photo: { width: number; height: number },
): FaceCentre => ({
  x: (x + width / 2) / photo.width,
  y: (y + height / 2) / photo.height,
})

const DAY = 86_400_000
const KEPT_DAYS = 30
/** Photographs of one transaction: what a crash loses at most. */
const CHUNK = 16
/** The stored picture is gone or cannot be opened. */
const UNREADABLE: RefusalCode = 200205
/** Ids of one event. */
const EVENT_PERSONS = 40

type Outcome = { faceId: string; template: Buffer } | { faceId: string; code: RefusalCode } | { faceId: string; fault: unknown }

/** How it stood when the work began; with what is missing now it says how far it is, whatever an attempt that died had noted. */
interface Begun {
  modelId: string
  total: number
  /** Photographs the model had refused before. */
  refused: number
}

/** The face that was chosen when the photograph was handed in; undefined where that was not noted. */
function indexOfChosen(analysis: PhotoAnalysis, quality: unknown): number | undefined {
  const centre = (quality as { centre?: FaceCentre } | null)?.centre
  if (centre === undefined || analysis.faces.length < 2) return undefined
  const away = analysis.faces.map(({ box }) => {
    const { x, y } = centreOf(box, analysis)
    return Math.hypot((x - centre.x) * analysis.width, (y - centre.y) * analysis.height)
  })
  return away.indexOf(Math.min(...away))
}

export function createEmbedding(platform: Platform, engine: EngineDescription, analysis: Analysis): Embedding {
  const db = platform.db as unknown as Database<FacesTables>
  const { modelId } = engine

  async function embed(scope: Scope, photo: faces.StoredPhoto, analyse: (bytes: Uint8Array) => Promise<PhotoAnalysis>): Promise<Outcome> {
    const faceId = photo.id
    const bytes = await platform.storage.load(scope, photo.fileId, 'full').catch(() => null)
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

  /** Keeps what came of some photographs, but of those that were deleted meanwhile. Answers the templates and the refusals. */
  async function keep(
    tx: Tx<FacesTables>,
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

  async function announce(tx: OpenTransaction, scope: Scope, personIds: readonly string[]): Promise<void> {
    const distinct = [...new Set(personIds)]
    // Of contacts alone nobody is named, and all the same there are templates that were not there before.
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

  async function run({ scope, input, state, signal, progress }: WorkRun): Promise<void> {
    const earlier = state as Begun | null
    // An attempt of another model has nothing to go on from: the server was started with this one in the middle of it.
    const isFirst = earlier?.modelId !== modelId
    // Only the first attempt: a later one goes on behind what the first refused anew.
    if (isFirst && (input as { refusedToo?: boolean }).refusedToo === true) await data.deleteRefusals(scope, db, modelId)
    const [missing, refused] = [await data.countMissing(scope, db, modelId), await data.countRefused(scope, db, modelId)]
    const begun: Begun = isFirst ? { modelId, total: missing, refused } : earlier
    // Counted, not remembered: an attempt may have died between keeping templates and noting that it did.
    let done = Math.max(0, begun.total - missing)
    let failed = Math.max(0, refused - begun.refused)
    const total = done + missing
    await progress({ done, total, failed, state: begun })
    for (let after = BEFORE_ALL_IDS; ;) {
      const photos = await data.findMissing(scope, db, modelId, after, CHUNK)
      // Photographs deleted meanwhile are not waited for.
      if (photos.length === 0) return progress({ done, total: done, failed })
      const outcomes: Outcome[] = []
      const waiting = photos.values()
      const hand = async () => {
        for (const photo of waiting) outcomes.push(await embed(scope, photo, (bytes) => analysis.gently(bytes, {}, signal)))
      }
      await Promise.all(Array.from({ length: platform.config.faceWorkers }, hand))
      // An attempt that ends keeps what it has made; the photographs it broke off are no failures.
      const whole = signal.aborted ? outcomes.filter((one) => !('fault' in one)) : outcomes
      for (const one of whole)
        if ('fault' in one) platform.log.error({ err: one.fault, faceId: one.faceId }, 'a photograph could not be embedded anew')
      const kept = await platform.transaction(async (tx: Tx<FacesTables>) => {
        const outcome = await keep(tx, scope, whole)
        const made = new Set(outcome.made.map(({ faceId }) => faceId))
        if (made.size > 0)
          await announce(
            tx,
            scope,
            photos.flatMap(({ id, personId }) => (personId !== null && made.has(id) ? [personId] : [])),
          )
        return outcome
      })
      const faults = whole.filter((one) => 'fault' in one).length
      done += kept.made.length + kept.refused.length + faults
      failed += kept.refused.length + faults
      await progress({ done, total: Math.max(total, done), failed })
      after = photos.at(-1)!.id
    }
  }

  platform.work.define({ kind: EMBED, run })

  const request = (scope: Scope, input: { refusedToo: boolean }): Promise<string> =>
    platform.transaction((tx: Tx<FacesTables>) => platform.work.request(tx, scope, EMBED, input))

  return {
    async requestMissing() {
      for (const parkId of await data.findParksMissingUnscoped(db, modelId)) await request({ parkId }, { refusedToo: false })
    },
    async again(scope) {
      const id = await request(scope, { refusedToo: true })
      platform.audit.note({ entity: 'faceTemplates', id, after: { state: 'waiting' } })
      return id
    },
    async cancel(scope) {
      const latest = await platform.work.latest(scope, EMBED)
      if (latest === null) throw new NotFound()
      await platform.work.cancel(scope, latest.id)
      platform.audit.note({ entity: 'faceTemplates', id: latest.id, before: {}, after: { state: 'cancelled' } })
      return latest.id
    },
    latest: (scope) => platform.work.latest(scope, EMBED),
    async makeNow(open, scope, faceIds) {
      const tx = open as Tx<FacesTables>
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
    dropOld: () => data.dropOldTemplatesUnscoped(db, modelId, platform.clock.now() - KEPT_DAYS * DAY),
  }
}
