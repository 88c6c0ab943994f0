/** How alike the people of each park are, measured in the background on their own photographs, and what doors ask because of it. */
import { isDeepStrictEqual } from 'node:util'
import type { OwnCurve } from '@gatehouse/contract/faces/own-curve'
import { OWN_CURVE_LEAST_PERSONS, type OwnCurveState, type ownCurveCalls } from '@gatehouse/contract/faces/own-curve-calls'
import type { DataOf } from '@gatehouse/contract'
import { distanceOfScore, type EngineDescription } from '@gatehouse/face-engine'
import { TOLD_RATE, type OwnFit } from '@gatehouse/face-engine/measure/own-curve'
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import { scoreOfRate } from '@gatehouse/contract/score'
import type { Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { Conflict, NotFound } from '../../platform/http/refusal.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { seeingAll, seeingNoWatchList, type Scope } from '../../platform/session/session.ts'
import type { WorkRun } from '../../platform/jobs/work.ts'
import { curvesOf, endsOf, isLooser, tightened } from './curves-in-force.ts'
import { countFaces } from './embedding-data.ts'
import { facePolicyChanged } from './events.ts'
import * as data from './own-curve-data.ts'
import type { OwnCurveResult, OwnCurveTask } from './own-curve-pairs.ts'
import { DOUBTFUL_PAIRS, type OwnCurveTables } from './own-curve-schema.ts'
import type { OwnCurveAnswer } from './own-curve-worker.ts'
import type { CloseSide } from './report-closest.ts'
import { readGallery, type DescribedPerson } from './report-gallery.ts'
import type { FacesTables } from './schema.ts'
import { createShownPairs } from './shown-pairs.ts'
import { answersOf } from './thread-answers.ts'

const WORK = 'faces.ownCurve'
/** All pairs of so many people are two million; of more, so many are drawn. */
const MOST_PERSONS = 2_000
const PAIRS_PER_STEP = 100_000
const WEEK = 7 * 86_400_000

/** People who may come to the same doors. */
export interface DoorGroup {
  /** Of the audience. */
  id: string
  devices: readonly { id: string }[]
  personIds: string[]
}

export interface OwnCurveNeeds {
  engine: EngineDescription
  /** What the model's own curve asks for at a door of the whole park. */
  shippedDoor(scope: Scope): Promise<number>
  /** What holds now, of a door or of the park. */
  curveOf(scope: Scope, deviceId?: string): OwnCurve | null
  /** Reads anew what holds. */
  refreshCurves(scope: Scope): Promise<void>
  /** Those of these devices that exist for the asker. */
  devices(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string }[]>
  /** The score a door asks for that knows everybody. */
  doorScoreOf(scope: Scope): Promise<number>
  persons(scope: Scope, ids: readonly string[]): Promise<readonly DescribedPerson[]>
  /** Ids of the persons the demo made. */
  demoPersons(scope: Scope): Promise<ReadonlySet<string>>
  /** Ids of those who do not exist for the asker. */
  unseen(scope: Scope): Promise<{ ids: ReadonlySet<string> }>
  thumbnailOf(scope: Scope, fileId: string): string
  /** Whom each of these is taken for, as doors know. */
  lookAlikesOf(scope: Scope, personIds: readonly string[]): Promise<ReadonlyMap<string, { lookAlikes: readonly string[] }>>
  doorGroups(scope: Scope): DoorGroup[]
  /** How often anybody was let in by the own face in the last days, and how often one had to look again for it. */
  lookedAgain(scope: Scope): Promise<{ passages: number; again: number }>
  parkIds(): string[]
}

interface KeptPair {
  first: CloseSide
  second: CloseSide
  distance: number
  score: number
}

export interface OwnCurves {
  read(scope: Scope): Promise<OwnCurveState>
  /** Asks for measuring now. */
  measure(scope: Scope): Promise<OwnCurveState>
  /** @throws Conflict where it was measured at another moment */
  confirm(scope: Scope, measuredAt: number): Promise<OwnCurveState>
  pairs(
    scope: Scope,
    place: { page: number; size: number },
    options: { showsPersons: boolean },
  ): Promise<DataOf<typeof ownCurveCalls.pairs>>
  /** @throws NotFound for two nobody asked about */
  answer(scope: Scope, pair: { personId: string; otherId: string; samePerson: boolean }): Promise<{ doubtful: number }>
  /** Photographs of the park are others. */
  noteChanged(scope: Scope): void
  readonly job: Job
}

/** Two ids as their answer is kept. */
const ordered = (one: string, other: string) => (one < other ? { firstId: one, secondId: other } : { firstId: other, secondId: one })
const keyOf = (one: string, other: string): string => Object.values(ordered(one, other)).join(' ')

/** How many times as often as the model's curve says, from the score that one pair in 10,000 reaches. */
const timesAt = ({ curve }: OwnFit, score: number): number => 10 ** ((score - scoreOfRate(TOLD_RATE)) / curve.pointsPerTenfold)

const peopleOf = (fit: OwnFit) => ({
  persons: fit.persons,
  pairs: fit.pairs,
  timesAsOften: timesAt(fit, fit.at.score),
  timesAsOftenLow: timesAt(fit, fit.at.low),
  timesAsOftenHigh: timesAt(fit, fit.at.high),
})

/** Some of the people, drawn by lot, the same for the same seed; all where they are few enough. */
function someOf(ids: readonly string[], seed: string): readonly string[] {
  if (ids.length <= MOST_PERSONS) return ids
  const random = randomOf(seed)
  return ids
    .map((id) => ({ id, lot: random.next() }))
    .toSorted((one, other) => one.lot - other.lot)
    .slice(0, MOST_PERSONS)
    .map(({ id }) => id)
}

export function createOwnCurves(platform: Platform, needs: OwnCurveNeeds): OwnCurves {
  const db = platform.db as unknown as Database<OwnCurveTables & FacesTables>
  const { modelId, calibration } = needs.engine
  const shown = createShownPairs(db, needs)
  const ends = endsOf(calibration.recommended.door)
  /** Parks of which photographs have changed since they were measured here. */
  const changed = new Set<string>()

  const sum = (counts: readonly { count: number }[]) => counts.reduce((all, { count }) => all + count, 0)

  /** Persons whose photographs may count, and in a word all that a measuring depends on. Doors know nobody of the watch list. */
  async function counted(of: Scope): Promise<{ persons: number; stamp: string }> {
    const scope = seeingNoWatchList(seeingAll(of))
    const { persons } = await countFaces(scope, db, modelId)
    const drawn = await countFaces(scope, db, modelId, [...(await needs.demoPersons(scope))])
    const answers = await data.findAnswers(of, db)
    const doors = needs.doorGroups(of).map(({ id, personIds }) => [id, Math.round(4 * Math.log2(personIds.length + 1))])
    return {
      persons: sum(persons) - sum(drawn.persons),
      stamp: JSON.stringify([persons, drawn.persons, answers.filter(({ samePerson }) => samePerson).length, answers.length, doors]),
    }
  }

  /** @throws what the signal is aborted with */
  async function measured(task: OwnCurveTask, signal: AbortSignal, onCompared: (pairs: number) => Promise<void>): Promise<OwnCurveResult> {
    for await (const answer of answersOf<OwnCurveAnswer>(new URL('./own-curve-worker.ts', import.meta.url), task, signal)) {
      if (answer.kind === 'measured') return answer.result
      await onCompared(answer.pairs)
    }
    throw new Error('the thread ended without an answer')
  }

  /** Begun again after the process died it starts over: it takes seconds. */
  async function run({ scope: { parkId }, signal, progress }: WorkRun): Promise<void> {
    const scope = seeingNoWatchList(seeingAll({ parkId }))
    changed.delete(parkId)
    const { stamp } = await counted(scope)
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
    const said = (samePerson: boolean) =>
      answers.filter((answer) => answer.samePerson === samePerson).map(({ firstId, secondId }) => [firstId, secondId] as const)
    const groups = needs.doorGroups(scope)
    const task: OwnCurveTask = {
      gallery,
      calibration,
      left: numbered([...said(true), ...[...alike].flatMap(([id, { lookAlikes }]) => lookAlikes.map((other) => [id, other] as const))]),
      told: numbered(said(false)),
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
    const kept = doubtful.map(({ first, second, score }): KeptPair => {
      return { first: sides[first]!, second: sides[second]!, score, distance: distanceOfScore(calibration, score) }
    })
    const passed = await needs.lookedAgain(seeingAll({ parkId }))
    const sealed = await platform.crypto.seal(parkId, placeOf(DOUBTFUL_PAIRS, parkId), Buffer.from(JSON.stringify(kept)))
    await platform.transaction(async (tx: Tx<OwnCurveTables>) => {
      const known = await data.findOwnCurve(scope, tx)
      const inForce = tightened(curvesOf(modelId, found, groups, ends), known?.inForce ?? null, groups, ends)
      await data.saveOwnCurve(scope, tx, {
        modelId,
        measuredAt: platform.clock.now(),
        stamp,
        measured: { persons: sides.length, passed, ...found },
        inForce,
        doubtful: sealed,
      })
      signal.throwIfAborted()
      // Doors are told only of what is another for them.
      if (!isDeepStrictEqual(inForce, known?.inForce)) await platform.events.announce(tx, facePolicyChanged, parkId, {})
    })
    await progress({ done: total, total })
  }

  platform.work.define({ kind: WORK, run })

  const request = (scope: Scope) => platform.transaction((tx: Tx<OwnCurveTables>) => platform.work.request(tx, scope, WORK, {}))

  /** Of the model that runs; null where nothing was measured with it. */
  async function current(scope: Scope): Promise<data.OwnCurveRow | null> {
    const row = await data.findOwnCurve(scope, db)
    return row?.modelId === modelId ? row : null
  }

  /** The pairs of the last measuring that may be one person, as far as the asker may know of them. */
  async function askedAbout(scope: Scope, row: data.OwnCurveRow | null): Promise<KeptPair[]> {
    if (row === null) return []
    const opened = await platform.crypto.open(scope.parkId, placeOf(DOUBTFUL_PAIRS, scope.parkId), row.doubtful)
    const seen = await shown.seen(scope, JSON.parse(opened.toString('utf8')) as KeptPair[])
    const ids = [...new Set(seen.flatMap(({ first, second }) => [first.personId, second.personId]))]
    const there = new Set((await needs.persons(scope, ids)).map(({ id }) => id))
    return seen.filter(({ first, second }) => there.has(first.personId) && there.has(second.personId))
  }

  /** Those of whom nobody has said. */
  async function waiting(scope: Scope, row: data.OwnCurveRow | null): Promise<KeptPair[]> {
    const [pairs, answers] = await Promise.all([askedAbout(scope, row), data.findAnswers(scope, db)])
    const answered = new Set(answers.map(({ firstId, secondId }) => keyOf(firstId, secondId)))
    return pairs.filter(({ first, second }) => !answered.has(keyOf(first.personId, second.personId)))
  }

  /** Whether these two were asked about, or answered before, and exist for the asker. */
  async function mayAnswer(scope: Scope, row: data.OwnCurveRow | null, personId: string, otherId: string): Promise<boolean> {
    const key = keyOf(personId, otherId)
    const asked = await askedAbout(scope, row)
    if (asked.some(({ first, second }) => keyOf(first.personId, second.personId) === key)) return true
    const answers = await data.findAnswers(scope, db)
    if (!answers.some(({ firstId, secondId }) => keyOf(firstId, secondId) === key)) return false
    const [{ ids: unseen }, there] = await Promise.all([needs.unseen(scope), needs.persons(scope, [personId, otherId])])
    return there.length === 2 && !unseen.has(personId) && !unseen.has(otherId)
  }

  async function read(scope: Scope): Promise<OwnCurveState> {
    const row = await current(scope)
    const [score, shippedScore, doubtful, work] = await Promise.all([
      needs.doorScoreOf(scope),
      needs.shippedDoor(scope),
      waiting(scope, row),
      platform.work.latest(scope, WORK),
    ])
    const fit = row?.measured.fit ?? null
    const groups = needs.doorGroups(scope)
    const asking = new Set(Object.keys(row?.inForce.devices ?? {}))
    const names = new Map((await needs.devices(scope, [...asking])).map(({ id, name }) => [id, name]))
    const namesIn = (audienceId: string): string[] =>
      groups.find(({ id }) => id === audienceId)?.devices.flatMap(({ id }) => names.get(id) ?? []) ?? []
    const genuine = row?.measured.genuine
    const half = row?.measured.heldOut ?? null
    return {
      measuredAt: row?.measuredAt ?? null,
      modelId,
      persons: row?.measured.persons ?? (await counted(scope)).persons,
      people: fit && peopleOf(fit),
      heldOut: half && { pairs: half.pairs, expected: half.expected, counted: half.counted },
      shippedScore,
      score,
      doors: (row?.measured.audiences ?? []).flatMap(({ id, fit: own }) => {
        const there = namesIn(id)
        return there.length === 0 ? [] : [{ ...peopleOf(own), devices: there }]
      }),
      missed:
        genuine === undefined || genuine.pairs === 0
          ? null
          : { pairs: genuine.pairs, share: genuine.scores.filter((value) => value < score).length / genuine.scores.length },
      passed: row?.measured.passed ?? null,
      looser: row !== null && isLooser(curvesOf(modelId, row.measured, groups, ends), row.inForce, ends),
      doubtful: doubtful.length,
      work,
    }
  }

  /** Whether photographs of the park tell something that was not measured. */
  async function isDue(scope: Scope): Promise<boolean> {
    const [row, { persons, stamp }] = await Promise.all([current(scope), counted(scope)])
    if (row === null) return persons >= OWN_CURVE_LEAST_PERSONS
    return changed.has(scope.parkId) || row.stamp !== stamp || platform.clock.now() - row.measuredAt >= WEEK
  }

  return {
    read,
    async measure(scope) {
      await request(scope)
      platform.audit.note({ entity: 'faceOwnCurve', id: scope.parkId, after: { measured: true } })
      return read(scope)
    },
    async confirm(scope, measuredAt) {
      const row = await current(scope)
      if (row === null) throw new Conflict([])
      const inForce = curvesOf(modelId, row.measured, needs.doorGroups(scope), ends)
      await platform.transaction(async (tx: Tx<OwnCurveTables>) => {
        if (!(await data.takeInForce(scope, tx, measuredAt, inForce))) throw new Conflict([])
        platform.audit.note({
          entity: 'faceOwnCurve',
          id: scope.parkId,
          before: { curve: row.inForce.curve },
          after: { curve: inForce.curve },
        })
        await platform.events.announce(tx, facePolicyChanged, scope.parkId, {})
      })
      await needs.refreshCurves(scope)
      return read(scope)
    },
    async pairs(scope, { page, size }, { showsPersons }) {
      const all = await waiting(scope, await current(scope))
      return {
        total: all.length,
        content: await shown.present(scope, all.slice((page - 1) * size, page * size), showsPersons),
        page,
        size,
      }
    },
    async answer(scope, { personId, otherId, samePerson }) {
      const row = await current(scope)
      if (!(await mayAnswer(scope, row, personId, otherId))) throw new NotFound()
      await data.saveAnswer(scope, db, { ...ordered(personId, otherId), samePerson }, platform.clock.now())
      platform.audit.note({ entity: 'faceOwnCurve', id: scope.parkId, after: { ...ordered(personId, otherId), samePerson } })
      changed.add(scope.parkId)
      await request(scope)
      return { doubtful: (await waiting(scope, row)).length }
    },
    noteChanged: ({ parkId }) => void changed.add(parkId),
    job: {
      name: 'faces.measureOwn',
      schedule: '*/10 * * * *',
      async run() {
        let asked = 0
        for (const parkId of needs.parkIds()) {
          if (!(await isDue({ parkId }))) continue
          await request({ parkId })
          asked++
        }
        return { outcome: asked === 0 ? 'skipped' : 'success', counts: { curvesMeasured: asked } }
      },
    },
  }
}
