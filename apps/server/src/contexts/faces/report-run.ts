/** The work of a report: read the photographs of a park, compare them with each other, and count. */
import type { ReportSlice } from '@gatehouse/contract/faces/report'
import { bytesOfEmbedding, distanceOfScore, gridOf, scoreOf } from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { WorkRun } from '../../platform/jobs/work.ts'
import { seeingNoWatchList, type Scope } from '../../platform/session/session.ts'
import { createClosestPairs, type CloseFaces, type CloseSide } from './report-closest.ts'
import * as data from './report-data.ts'
import { readGallery, type ReadGallery } from './report-gallery.ts'
import { measureParts, type MeasuredPart } from './report-measure.ts'
import { PAIR_BOUNDS, countPairs, probesOf } from './report-pairs.ts'
import { CLOSEST_PAIRS } from './report-schema.ts'
import { slicesOf, type Slice } from './report-slices.ts'
import type { ReportNeeds } from './report-types.ts'

/** A pair with its score by the model of the report: another model may be running when it is read. */
export type KeptPair = CloseFaces & { score: number }

/** Scores of the curves, for false match rates from one in one to one in a million. */
const SCORES = Array.from({ length: 25 }, (_, step) => 40 + 2.5 * step)
const CLOSEST = 50
/** The score that one pair of strangers in a hundred reaches: pairs below it are not close. */
const CLOSE_SCORE = 60
/** Largest number of photographs to search with; of more, each person's first ones. */
const SEARCHES = 30_000
const SEARCHES_PER_STEP = 100
const PAIRS_PER_STEP = 100_000

/** Return the person of each photograph. */
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

type RunNeeds = Pick<ReportNeeds, 'engine' | 'search' | 'persons' | 'demoPersons'>

export function createReportRun(platform: Platform, needs: RunNeeds): (work: WorkRun) => Promise<void> {
  const db = platform.db
  const { engine } = needs

  /**
   * Return the closest pairs of different persons, found by the search itself.
   * @param onSearched called with the number of photographs searched with since the last call
   */
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

  /** Return the number of steps. A step is 100 photographs searched with, or 100,000 pairs compared, which take about equally long. */
  function totalOf(gallery: ReadGallery, slices: readonly Slice[]): number {
    const pairs = slices.reduce((sum, { persons }, place) => {
      const { genuine, impostor } = countPairs(gallery, persons)
      return sum + genuine + Math.min(impostor, place === 0 ? PAIR_BOUNDS.all : PAIR_BOUNDS.part)
    }, 0)
    return pairs / PAIRS_PER_STEP + probesOf(gallery, SEARCHES).length / SEARCHES_PER_STEP
  }

  // An attempt after a crash starts over: a report takes about a minute, partial counts would not fit a gallery that has changed, and with
  // the report's id as the seed the same pairs are drawn.
  return async function run({ scope, input, signal, progress }: WorkRun): Promise<void> {
    const { reportId } = input as { reportId: string }
    const report = await data.findReport(scope, db, reportId)
    // Deleted before the work started.
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
    await platform.transaction(async (tx) => {
      await data.finishReport(scope, tx, reportId, result)
      // A report cancelled at the last moment has no figures either.
      signal.throwIfAborted()
    })
  }
}
