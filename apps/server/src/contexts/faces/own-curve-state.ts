/** The state of a park's own curve, in the form of the call's answer. */
import type { OwnCurveState } from '@gatehouse/contract/faces/own-curve-calls'
import { REPORTED_RATE, type OwnFit } from '@gatehouse/face-engine/measure/own-curve'
import { scoreOfRate } from '@gatehouse/contract/score'
import type { Scope } from '../../platform/session/session.ts'
import { curvesOf, endsOf, isLooser } from './curves-in-force.ts'
import type { OwnCurveRow } from './own-curve-data.ts'
import type { OwnCurveNeeds } from './own-curve-types.ts'

/** Return how many times as often as by the model's curve a score is reached, from the score that one pair in 10,000 reaches. */
const timesAt = ({ curve }: OwnFit, score: number): number => 10 ** ((score - scoreOfRate(REPORTED_RATE)) / curve.pointsPerTenfold)

const peopleOf = (fit: OwnFit) => ({
  persons: fit.persons,
  pairs: fit.pairs,
  timesAsOften: timesAt(fit, fit.at.score),
  timesAsOftenLow: timesAt(fit, fit.at.low),
  timesAsOftenHigh: timesAt(fit, fit.at.high),
})

type StateNeeds = Pick<OwnCurveNeeds, 'engine' | 'doorScoreOf' | 'shippedDoor' | 'doorGroups' | 'devices'>

/** Sources of a state besides its row. */
export interface StateSources {
  /** How many pairs wait for an answer. */
  doubtful(): Promise<number>
  /** The work of the newest measurement. */
  work(): Promise<OwnCurveState['work']>
  /** Persons whose photographs would count. */
  persons(): Promise<number>
}

export async function ownCurveStateOf(
  needs: StateNeeds,
  scope: Scope,
  row: OwnCurveRow | null,
  sources: StateSources,
): Promise<OwnCurveState> {
  const { modelId, calibration } = needs.engine
  const ends = endsOf(calibration.recommended.door)
  const [score, shippedScore, doubtful, work] = await Promise.all([
    needs.doorScoreOf(scope),
    needs.shippedDoor(scope),
    sources.doubtful(),
    sources.work(),
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
    persons: row?.measured.persons ?? (await sources.persons()),
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
    doubtful,
    work,
  }
}
