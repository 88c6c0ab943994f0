/** Making of templates of the running model for existing photographs: long work, a few photographs at a time. */
import type { WorkState } from '@gatehouse/contract/work'
import type { EngineDescription } from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { BEFORE_ALL_IDS } from '../../platform/database/ids.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { WorkRun } from '../../platform/jobs/work.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Analysis } from './analysis.ts'
import * as faces from './data.ts'
import * as data from './embedding-data.ts'
import { createTemplateMaking, type Outcome } from './template-making.ts'

export const EMBED = 'faces.embed'

export interface Embedding {
  /** Request the work in every park in which templates of the running model are missing. */
  requestMissing(): Promise<void>
  /** Make the missing templates of a park, including photographs refused before; return the id of the work. */
  again(scope: Scope): Promise<string>
  /** Cancel the current work and return the id of the newest. @throws NotFound where there never was any */
  cancel(scope: Scope): Promise<string>
  latest(scope: Scope): Promise<WorkState | null>
  /** Make templates of these photographs immediately, in the transaction; those the model refuses are noted and left out. */
  makeNow(tx: Transaction, scope: Scope, faceIds: readonly string[]): Promise<faces.TemplateRow[]>
  /**
   * Make the missing templates of photographs that were checked by an earlier model and are assigned to a person only now: the
   * work that makes missing templates may already be past them.
   */
  makeMissing(tx: Transaction, scope: Scope, faceIds: readonly string[]): Promise<void>
  /** Delete templates of other models where the running model has covered every photograph for 30 days; return how many. */
  dropOld(): Promise<number>
}

const DAY = 86_400_000
const KEPT_DAYS = 30
/** Photographs of one transaction: a crash loses at most this many. */
const CHUNK = 16

/** The counts when the work started. Compared with what is missing now they give the progress, whatever a crashed attempt had noted. */
interface WorkStart {
  modelId: string
  total: number
  /** Photographs the model had refused before. */
  refused: number
}

export function createEmbedding(platform: Platform, engine: EngineDescription, analysis: Analysis): Embedding {
  const db = platform.db
  const { modelId } = engine
  const making = createTemplateMaking(platform, engine, analysis)

  async function run({ scope, input, state, signal, progress }: WorkRun): Promise<void> {
    const earlier = state as WorkStart | null
    // The state of another model is of no use: the server was restarted with this one during the work.
    const isFirst = earlier?.modelId !== modelId
    // Only in the first attempt: a later one keeps the refusals that the first noted again.
    if (isFirst && (input as { refusedToo?: boolean }).refusedToo === true) await data.deleteRefusals(scope, db, modelId)
    const [missing, refused] = [await data.countMissing(scope, db, modelId), await data.countRefused(scope, db, modelId)]
    const start: WorkStart = isFirst ? { modelId, total: missing, refused } : earlier
    // Counted, not read from the state: an attempt may have crashed between storing templates and noting its progress.
    let done = Math.max(0, start.total - missing)
    let failed = Math.max(0, refused - start.refused)
    const total = done + missing
    await progress({ done, total, failed, state: start })
    for (let after = BEFORE_ALL_IDS; ;) {
      const photos = await data.findMissing(scope, db, modelId, after, CHUNK)
      // Photographs deleted meanwhile do not count.
      if (photos.length === 0) return progress({ done, total: done, failed })
      const outcomes: Outcome[] = []
      const waiting = photos.values()
      const takeWaiting = async () => {
        for (const photo of waiting)
          outcomes.push(await making.embed(scope, photo, (bytes) => analysis.analyseInBackground(bytes, {}, signal)))
      }
      await Promise.all(Array.from({ length: platform.config.faceWorkers }, takeWaiting))
      // An aborted attempt keeps its templates; photographs it interrupted are no failures.
      const whole = signal.aborted ? outcomes.filter((one) => !('fault' in one)) : outcomes
      for (const one of whole)
        if ('fault' in one) platform.log.error({ err: one.fault, faceId: one.faceId }, 'a photograph could not be embedded anew')
      const kept = await platform.transaction(async (tx) => {
        const outcome = await making.keep(tx, scope, whole)
        const made = new Set(outcome.made.map(({ faceId }) => faceId))
        if (made.size > 0)
          await making.announce(
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
    platform.transaction((tx) => platform.work.request(tx, scope, EMBED, input))

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
    makeNow: making.makeNow,
    async makeMissing(tx, scope, faceIds) {
      const present = new Set((await faces.findTemplates(scope, tx, faceIds, modelId)).map(({ faceId }) => faceId))
      await making.makeNow(
        tx,
        scope,
        faceIds.filter((id) => !present.has(id)),
      )
    },
    dropOld: () => data.dropOldTemplatesUnscoped(db, modelId, platform.clock.now() - KEPT_DAYS * DAY),
  }
}
