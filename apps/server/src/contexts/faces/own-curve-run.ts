/** The work that measures how alike the people of a park are and tightens the curves in force accordingly. */
import { isDeepStrictEqual } from 'node:util'
import { distanceOfScore } from '@gatehouse/face-engine'
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import type { Platform } from '../../platform/context.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { WorkRun } from '../../platform/jobs/work.ts'
import { seeingAll, seeingNoWatchList } from '../../platform/session/session.ts'
import { curvesOf, endsOf, tightened } from './curves-in-force.ts'
import type { StoredPair } from './doubtful-pairs.ts'
import { facePolicyChanged } from './events.ts'
import type { CountPersons } from './own-curve-counting.ts'
import * as data from './own-curve-data.ts'
import type { OwnCurveResult, OwnCurveTask } from './own-curve-pairs.ts'
import { DOUBTFUL_PAIRS } from './own-curve-schema.ts'
import type { OwnCurveAnswer } from './own-curve-worker.ts'
import type { OwnCurveNeeds } from './own-curve-types.ts'
import type { CloseSide } from './report-closest.ts'
import { readGallery } from './report-gallery.ts'
import { answersOf } from './thread-answers.ts'

/** Largest number of people measured, which is two million pairs; of more people this many are drawn. */
const MOST_PERSONS = 2_000
const PAIRS_PER_STEP = 100_000

/** Return some of the people, drawn at random, the same for the same seed; all where they are few enough. */
function someOf(ids: readonly string[], seed: string): readonly string[] {
  if (ids.length <= MOST_PERSONS) return ids
  const random = randomOf(seed)
  return ids
    .map((id) => ({ id, lot: random.next() }))
    .toSorted((one, other) => one.lot - other.lot)
    .slice(0, MOST_PERSONS)
    .map(({ id }) => id)
}

/** Measure in a thread. @throws the reason the signal is aborted with */
async function measured(task: OwnCurveTask, signal: AbortSignal, onCompared: (pairs: number) => Promise<void>): Promise<OwnCurveResult> {
  for await (const answer of answersOf<OwnCurveAnswer>(new URL('./own-curve-worker.ts', import.meta.url), task, signal)) {
    if (answer.kind === 'measured') return answer.result
    await onCompared(answer.pairs)
  }
  throw new Error('the thread ended without an answer')
}

type RunNeeds = Pick<OwnCurveNeeds, 'engine' | 'persons' | 'demoPersons' | 'lookAlikesOf' | 'doorGroups' | 'lookedAgain'>

/** @param changedParks ids of parks whose photographs changed since they were measured here; a park that is measured is removed */
export function createOwnCurveRun(
  platform: Platform,
  needs: RunNeeds,
  countPersons: CountPersons,
  changedParks: Set<string>,
): (work: WorkRun) => Promise<void> {
  const db = platform.db
  const { modelId, calibration } = needs.engine
  const ends = endsOf(calibration.recommended.door)

  // An attempt after a crash starts over: a measurement takes seconds.
  return async function run({ scope: { parkId }, signal, progress }: WorkRun): Promise<void> {
    const scope = seeingNoWatchList(seeingAll({ parkId }))
    changedParks.delete(parkId)
    const { stamp } = await countPersons(scope)
    const drawn = await needs.demoPersons(scope)
    const { persons, faceIds, ...gallery } = await readGallery(platform, scope, {
      model: needs.engine,
      persons: needs.persons,
      drawn,
      choose: (ids) =>
        someOf(
          ids.filter((id) => !drawn.has(id)),
          parkId,
        ),
      signal,
    })
    const sides = persons.map(({ id }, at): CloseSide => ({ personId: id, faceId: faceIds[gallery.starts[at]!]! }))
    const numbers = new Map(sides.map(({ personId }, number) => [personId, number]))
    const [answers, alike] = await Promise.all([data.findAnswers(scope, db), needs.lookAlikesOf(scope, [...numbers.keys()])])
    const numbered = (pairs: readonly (readonly [string, string])[]) =>
      pairs.flatMap(([one, other]): [number, number][] => {
        const [first, second] = [numbers.get(one), numbers.get(other)]
        return first === undefined || second === undefined ? [] : [[first, second]]
      })
    const pairsAnswered = (samePerson: boolean) =>
      answers.filter((answer) => answer.samePerson === samePerson).map(({ firstId, secondId }) => [firstId, secondId] as const)
    const groups = needs.doorGroups(scope)
    const task: OwnCurveTask = {
      gallery,
      calibration,
      left: numbered([
        ...pairsAnswered(true),
        ...[...alike].flatMap(([id, { lookAlikes }]) => lookAlikes.map((other) => [id, other] as const)),
      ]),
      answeredPairs: numbered(pairsAnswered(false)),
      audiences: groups.map(({ id, personIds }) => ({
        id,
        persons: Uint32Array.from(personIds.flatMap((personId) => numbers.get(personId) ?? [])),
      })),
    }
    const total = Math.ceil((sides.length * (sides.length - 1)) / 2 / PAIRS_PER_STEP)
    let pairs = 0
    await progress({ done: 0, total })
    const { doubtful, ...found } = await measured(task, signal, (more) => {
      pairs += more
      return progress({ done: Math.min(total, Math.floor(pairs / PAIRS_PER_STEP)), total })
    })
    const doubtfulPairs = doubtful.map(({ first, second, score }): StoredPair => {
      return { first: sides[first]!, second: sides[second]!, score, distance: distanceOfScore(calibration, score) }
    })
    const passed = await needs.lookedAgain(seeingAll({ parkId }))
    const sealed = await platform.crypto.seal(parkId, placeOf(DOUBTFUL_PAIRS, parkId), Buffer.from(JSON.stringify(doubtfulPairs)))
    await platform.transaction(async (tx) => {
      const previous = await data.findOwnCurve(scope, tx)
      const inForce = tightened(curvesOf(modelId, found, groups, ends), previous?.inForce ?? null, groups, ends)
      await data.saveOwnCurve(scope, tx, {
        modelId,
        measuredAt: platform.clock.now(),
        stamp,
        measured: { persons: sides.length, passed, ...found },
        inForce,
        doubtful: sealed,
      })
      signal.throwIfAborted()
      // Announced only where something changes for doors.
      if (!isDeepStrictEqual(inForce, previous?.inForce)) await platform.events.announce(tx, facePolicyChanged, parkId, {})
    })
    await progress({ done: total, total })
  }
}
