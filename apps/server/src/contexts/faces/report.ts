/** The own-gallery report: error rates measured on the photographs a park has, kept over time. */
import type { CurvePoint, FaceReport, ReportSlice, reportSummary } from '@gatehouse/contract/faces/report'
import type { WorkState } from '@gatehouse/contract/work'
import { bytesOfEmbedding, distanceOfScore, gridOf, scoreOf, type EngineDescription, type GalleryMatch } from '@gatehouse/face-engine'
import type { z } from 'zod'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Database, type OpenTransaction, type Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { Conflict, NotFound } from '../../platform/http/refusal.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { seeingNoWatchList, type Scope } from '../../platform/session/session.ts'
import type { WorkRun } from '../../platform/jobs/work.ts'
import type { SearchOptions } from './gallery.ts'
import { createClosestPairs, type CloseFaces, type CloseSide } from './report-closest.ts'
import * as data from './report-data.ts'
import { readGallery, type DescribedPerson, type ReadGallery } from './report-gallery.ts'
import { measureParts, type MeasuredPart } from './report-measure.ts'
import { PAIR_BOUNDS, countPairs, probesOf } from './report-pairs.ts'
import { CLOSEST_PAIRS, type ReportTables } from './report-schema.ts'
import { slicesOf, type Slice } from './report-slices.ts'
import type { FacesTables } from './schema.ts'
import { createShownPairs } from './shown-pairs.ts'

type ReportSummary = z.output<typeof reportSummary>

export interface ReportNeeds {
  engine: EngineDescription
  /** The door's threshold as a raw score. */
  doorScoreOf(scope: Scope): Promise<number>
  search(scope: Scope, modelId: string, template: Uint8Array, options: SearchOptions): Promise<GalleryMatch[]>
  /** What the register says of persons; those that are gone are absent. */
  persons(scope: Scope, ids: readonly string[]): Promise<readonly DescribedPerson[]>
  /** Ids of the persons the demo made. */
  demoPersons(scope: Scope): Promise<ReadonlySet<string>>
  /** Ids of those who do not exist for the asker. */
  unseen(scope: Scope): Promise<{ ids: ReadonlySet<string> }>
  thumbnailOf(scope: Scope, fileId: string): string
}

export interface FaceReports {
  /** Asks for a report; answers its id. @throws Conflict while one of the park waits or is being made */
  start(scope: Scope): Promise<string>
  /** Newest first. */
  list(
    scope: Scope,
    place: { page: number; size: number },
  ): Promise<{ total: number; content: ReportSummary[]; page: number; size: number }>
  /** @param showsPersons false: names and pictures are left empty. @throws NotFound */
  read(scope: Scope, id: string, options: { showsPersons: boolean }): Promise<FaceReport>
  /** Ends one that is being made; of one that has ended nothing changes. @throws NotFound */
  cancel(scope: Scope, id: string): Promise<void>
  /** @throws NotFound */
  delete(scope: Scope, id: string): Promise<void>
  erase(tx: OpenTransaction, scope: Scope): Promise<number>
}

/** With its score by the model of the report: another may run when it is read. */
type KeptPair = CloseFaces & { score: number }

const REPORT_WORK = 'faces.report'

/** Scores of the curves: from one pair of strangers in one taken for one another, to one in a million. */
const SCORES = Array.from({ length: 25 }, (_, step) => 40 + 2.5 * step)
const CLOSEST = 50
/** What one pair of strangers in a hundred reaches: those below are not close. */
const CLOSE_SCORE = 60
/** Photographs searched with: beyond so many each person's first ones. */
const SEARCHES = 30_000
const SEARCHES_PER_STEP = 100
const PAIRS_PER_STEP = 100_000

/** Who each photograph is of. */
function ownersOf({ starts, faceIds, persons }: ReadGallery): Uint32Array {
  const owners = new Uint32Array(faceIds.length)
  for (const person of persons.keys()) owners.fill(person, starts[person]!, starts[person + 1]!)
  return owners
}

function sliceOf({ persons, ...slice }: Slice, { photos, curve }: MeasuredPart, doorScore: number): ReportSlice {
  return {
    ...slice,
    persons: persons.length,
    photos,
    genuinePairs: curve.genuinePairs,
    impostorPairs: curve.impostorPairs,
    equalErrorRate: curve.equalErrorRate,
    atDoor: curve.points.find(({ score }) => score === doorScore)!,
    curve: curve.points,
  }
}

export function createFaceReports(platform: Platform, needs: ReportNeeds): FaceReports {
  const db = platform.db as unknown as Database<ReportTables & FacesTables>
  const { engine } = needs
  const shown = createShownPairs(db, needs)

  /** Who of different persons come close, by the search itself. @param onSearched told how many more photographs were searched with */
  async function closestOf(
    scope: Scope,
    gallery: ReadGallery,
    drawn: ReadonlySet<string>,
    signal: AbortSignal,
    onSearched: (photos: number) => Promise<void>,
  ): Promise<CloseFaces[]> {
    const closest = createClosestPairs(CLOSEST, distanceOfScore(engine.calibration, CLOSE_SCORE))
    const owners = ownersOf(gallery)
    const { dimensions, embeddings, persons, faceIds } = gallery
    let searched = 0
    for (const photo of probesOf(gallery, SEARCHES)) {
      signal.throwIfAborted()
      const own: CloseSide = { personId: persons[owners[photo]!]!.id, faceId: faceIds[photo]! }
      const template = bytesOfEmbedding(embeddings.subarray(photo * dimensions, (photo + 1) * dimensions))
      const matches = await needs.search(scope, engine.modelId, template, {
        limit: CLOSEST,
        except: new Set([own.personId, ...drawn]),
        within: closest.within(),
      })
      for (const { personId, photoId, distance } of matches) closest.offer(own, { personId, faceId: photoId }, distance)
      if (++searched % SEARCHES_PER_STEP === 0) await onSearched(SEARCHES_PER_STEP)
    }
    await onSearched(searched % SEARCHES_PER_STEP)
    return closest.list()
  }

  /** Steps are 100 photographs searched with, or 100,000 pairs compared, so that both kinds take about as long. */
  function totalOf(gallery: ReadGallery, slices: readonly Slice[]): number {
    const pairs = slices.reduce((sum, { persons }, place) => {
      const { genuine, impostor } = countPairs(gallery, persons)
      return sum + genuine + Math.min(impostor, place === 0 ? PAIR_BOUNDS.all : PAIR_BOUNDS.part)
    }, 0)
    return pairs / PAIRS_PER_STEP + probesOf(gallery, SEARCHES).length / SEARCHES_PER_STEP
  }

  /**
   * Begun again after the process died it starts over: it takes about a minute, counts that are half made would not fit a gallery
   * that has changed, and with the report's id as the seed the same pairs are drawn.
   */
  async function run({ scope, input, signal, progress }: WorkRun): Promise<void> {
    const { reportId } = input as { reportId: string }
    const report = await data.findReport(scope, db, reportId)
    // Deleted while it waited.
    if (report === null) return
    if (report.modelId !== engine.modelId) throw new Error(`the report was asked for ${report.modelId}, and ${engine.modelId} runs now`)
    const sight = report.watchList ? scope : seeingNoWatchList(scope)
    const drawn = await needs.demoPersons(scope)
    const gallery = await readGallery(platform, sight, {
      model: engine,
      persons: needs.persons,
      drawn,
      signal,
    })
    const slices = slicesOf(gallery.persons, platform.clock.now())
    const total = Math.ceil(totalOf(gallery, slices))
    let steps = 0
    const step = (more: number): Promise<void> => progress({ done: Math.min(total, Math.floor((steps += more))), total })
    await step(0)
    const grid = gridOf(engine.calibration, [...SCORES, report.doorScore])
    const { dimensions, embeddings, starts } = gallery
    const task = {
      gallery: { dimensions, embeddings, starts },
      parts: slices.map(({ persons }) => persons),
      grid,
      seed: reportId,
      bounds: PAIR_BOUNDS,
    }
    const measured = slices.length === 0 ? [] : await measureParts(task, signal, (pairs) => step(pairs / PAIRS_PER_STEP))
    const found = await closestOf(sight, gallery, drawn, signal, (photos) => step(photos / SEARCHES_PER_STEP))
    const closest = found.map((pair): KeptPair => ({ ...pair, score: scoreOf(engine.calibration, pair.distance) }))
    await progress({ done: total, total })
    const parts = slices.map((slice, place) => sliceOf(slice, measured[place]!, report.doorScore))
    const result = {
      persons: gallery.persons.length,
      photos: gallery.faceIds.length,
      demoPhotos: gallery.drawn,
      genuinePairs: parts[0]?.genuinePairs ?? 0,
      impostorPairs: parts[0]?.impostorPairs ?? 0,
      slices: parts,
      closest: await platform.crypto.seal(scope.parkId, placeOf(CLOSEST_PAIRS, reportId), Buffer.from(JSON.stringify(closest))),
    }
    await platform.transaction(async (tx: Tx<ReportTables>) => {
      await data.finishReport(scope, tx, reportId, result)
      // Cancelled at the last moment it has no figures either.
      signal.throwIfAborted()
    })
  }

  const falseMatchOf = (whole: ReportSlice | null): CurvePoint['falseMatch'] | null =>
    whole === null || whole.impostorPairs === 0 ? null : whole.atDoor.falseMatch

  /** A report with its work; null where either is gone. */
  async function withWork<Row extends data.ReportRow>(
    scope: Scope,
    row: Row,
    again: (id: string) => Promise<Row | null>,
  ): Promise<{ row: Row; work: WorkState } | null> {
    const work = await platform.work.read(scope, row.workId)
    if (work === null) return null
    if (work.state !== 'done' || row.persons !== null) return { row, work }
    // Finished after the row was read.
    const finished = await again(row.id)
    return finished === null ? null : { row: finished, work }
  }

  function summaryOf({ row, work }: { row: data.ReportRow; work: WorkState }): ReportSummary {
    return {
      id: row.id,
      createdAt: row.createdAt,
      modelId: row.modelId,
      work,
      persons: row.persons ?? 0,
      photos: row.photos ?? 0,
      demoPhotos: row.demoPhotos,
      genuinePairs: row.genuinePairs ?? 0,
      impostorPairs: row.impostorPairs ?? 0,
      doorScore: row.doorScore,
      falseMatch: falseMatchOf(row.whole),
      falseNonMatch: row.whole?.atDoor.falseNonMatch ?? null,
    }
  }

  async function existing(scope: Scope, id: string) {
    const row = await data.findReport(scope, db, id)
    if (row === null) throw new NotFound()
    return row
  }

  platform.work.define({ kind: REPORT_WORK, run })

  return {
    async start(scope) {
      const [id, doorScore] = [newId(), await needs.doorScoreOf(scope)]
      await platform
        .transaction(async (tx: Tx<ReportTables>) => {
          const workId = await platform.work.request(tx, scope, REPORT_WORK, { reportId: id })
          const report = { id, workId, modelId: engine.modelId, doorScore }
          await data.insertReport(scope, tx, report, platform.clock.now())
          platform.audit.note({ entity: 'faceReport', id, after: { modelId: report.modelId, doorScore: report.doorScore } })
        })
        .catch((error: unknown) => {
          // The work that was answered is another report's: one is under way.
          if (violatedConstraint(error) === 'face_report_work') throw new Conflict([])
          throw error
        })
      return id
    },
    async list(scope, { page, size }) {
      const { content, total } = await data.listReports(scope, db, { page, size })
      const reports = await Promise.all(content.map((row) => withWork(scope, row, (id) => data.findReport(scope, db, id))))
      return { total, content: reports.filter((report) => report !== null).map(summaryOf), page, size }
    },
    async read(scope, id, { showsPersons }) {
      const report = await withWork(scope, await existing(scope, id), (reportId) => data.findReport(scope, db, reportId))
      if (report === null) throw new NotFound()
      const { row } = report
      const opened = row.closest && (await platform.crypto.open(scope.parkId, placeOf(CLOSEST_PAIRS, row.id), row.closest))
      const pairs = opened === null ? [] : (JSON.parse(opened.toString('utf8')) as KeptPair[])
      return {
        ...summaryOf(report),
        slices: row.slices ?? [],
        closest: await shown.present(scope, await shown.seen(scope, pairs), showsPersons),
      }
    },
    async cancel(scope, id) {
      await platform.work.cancel(scope, (await existing(scope, id)).workId)
      platform.audit.note({ entity: 'faceReport', id, before: {}, after: { state: 'cancelled' } })
    },
    async delete(scope, id) {
      await platform.work.cancel(scope, (await existing(scope, id)).workId)
      await data.deleteReport(scope, db, id)
      platform.audit.note({ entity: 'faceReport', id, before: {} })
    },
    erase: (tx, scope) => data.deleteReportsOfPark(scope, tx as Tx<ReportTables>),
  }
}
