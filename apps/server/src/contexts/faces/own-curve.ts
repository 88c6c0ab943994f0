/**
 * Own curves: how alike the people of each park are, measured in the background on their own photographs, and how much stricter
 * doors are because of it.
 */
import { OWN_CURVE_LEAST_PERSONS, type OwnCurveState, type ownCurveCalls } from '@gatehouse/contract/faces/own-curve-calls'
import type { DataOf } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { Conflict } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { curvesOf, endsOf } from './curves-in-force.ts'
import { createDoubtfulPairs } from './doubtful-pairs.ts'
import { facePolicyChanged } from './events.ts'
import { createPersonCount } from './own-curve-counting.ts'
import * as data from './own-curve-data.ts'
import { createOwnCurveRun } from './own-curve-run.ts'
import { ownCurveStateOf } from './own-curve-state.ts'
import { canReadPersons, type FaceViewer } from './policy.ts'
import { createShownPairs } from './shown-pairs.ts'
import type { OwnCurveNeeds } from './own-curve-types.ts'

const WORK = 'faces.ownCurve'
const WEEK = 7 * 86_400_000

export interface OwnCurves {
  read(scope: Scope): Promise<OwnCurveState>
  /** Request a measurement now. */
  measure(scope: Scope): Promise<OwnCurveState>
  /** Put the measurement of that moment into force, even where it is looser. @throws Conflict where there is another measurement or none */
  confirm(scope: Scope, measuredAt: number): Promise<OwnCurveState>
  /** Names and pictures are empty for a viewer who may not read persons. */
  pairs(scope: Scope, viewer: FaceViewer, place: { page: number; size: number }): Promise<DataOf<typeof ownCurveCalls.pairs>>
  /** @throws NotFound for two persons who are no pair in question */
  answer(scope: Scope, pair: { personId: string; otherId: string; samePerson: boolean }): Promise<{ doubtful: number }>
  /** Note that photographs of the park changed. */
  noteChanged(scope: Scope): void
  readonly job: Job
}

export function createOwnCurves(platform: Platform, needs: OwnCurveNeeds): OwnCurves {
  const db = platform.db
  const { modelId, calibration } = needs.engine
  const shown = createShownPairs(db, needs)
  const ends = endsOf(calibration.recommended.door)
  /** Parks whose photographs changed since they were measured here. */
  const changedParks = new Set<string>()

  const countPersons = createPersonCount(platform, needs)
  const doubtful = createDoubtfulPairs(platform, needs, shown)

  // On the leader, where the job runs too: parks are noted as changed there until they are measured.
  platform.work.define({
    kind: WORK,
    run: createOwnCurveRun(platform, needs, countPersons, changedParks),
    startsOver: true,
    leaderOnly: true,
  })

  const request = (scope: Scope) => platform.transaction((tx) => platform.work.request(tx, scope, WORK, {}))

  /** Return the measurement of the running model; null where there is none. */
  async function current(scope: Scope): Promise<data.OwnCurveRow | null> {
    const row = await data.findOwnCurve(scope, db)
    return row?.modelId === modelId ? row : null
  }

  async function read(scope: Scope): Promise<OwnCurveState> {
    const row = await current(scope)
    return ownCurveStateOf(needs, scope, row, {
      doubtful: async () => (await doubtful.waiting(scope, row)).length,
      work: () => platform.work.latest(scope, WORK),
      persons: async () => (await countPersons(scope)).persons,
    })
  }

  /** Whether a measurement is due. */
  async function isDue(scope: Scope): Promise<boolean> {
    const [row, { persons, stamp }] = await Promise.all([current(scope), countPersons(scope)])
    if (row === null) return persons >= OWN_CURVE_LEAST_PERSONS
    return changedParks.has(scope.parkId) || row.stamp !== stamp || platform.clock.now() - row.measuredAt >= WEEK
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
      await platform.transaction(async (tx) => {
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
    async pairs(scope, viewer, { page, size }) {
      const all = await doubtful.waiting(scope, await current(scope))
      return {
        total: all.length,
        content: await shown.present(scope, all.slice((page - 1) * size, page * size), canReadPersons(viewer)),
        page,
        size,
      }
    },
    async answer(scope, pair) {
      const row = await current(scope)
      await doubtful.answer(scope, row, pair)
      changedParks.add(scope.parkId)
      await request(scope)
      return { doubtful: (await doubtful.waiting(scope, row)).length }
    },
    noteChanged: ({ parkId }) => void changedParks.add(parkId),
    job: {
      name: 'faces.measureOwn',
      schedule: '*/10 * * * *',
      async run() {
        let requested = 0
        for (const parkId of needs.parkIds()) {
          if (!(await isDue({ parkId }))) continue
          await request({ parkId })
          requested++
        }
        return { outcome: requested === 0 ? 'skipped' : 'success', counts: { curvesMeasured: requested } }
      },
    },
  }
}
