/** What doors of each park ask because of how alike its people are: kept in memory, as everything a decision waits for. */
import { worseOf, type OwnCurve } from '@gatehouse/contract/faces/own-curve'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database.ts'
import type { Scope } from '../../platform/session.ts'
import { findOwnCurve, readCurvesUnscoped } from './own-curve-data.ts'
import type { CurvesInForce as Curves, Measured, OwnCurveTables } from './own-curve-schema.ts'

export interface CurvesInForce {
  /** Of the doors of an audience, or of the park as a whole; null where the model's curve holds alone. */
  of(scope: Scope, audienceId?: string): OwnCurve | null
  fill(): Promise<void>
  refresh(scope: Scope): Promise<void>
}

export function createCurvesInForce(platform: Platform, modelId: string): CurvesInForce {
  const db = platform.db as unknown as Database<OwnCurveTables>
  const kept = new Map<string, Curves>()
  return {
    of({ parkId }, audienceId = '') {
      const curves = kept.get(parkId)
      // Another model's distances are another scale.
      return curves?.modelId === modelId ? (curves.audiences[audienceId] ?? curves.curve) : null
    },
    async fill() {
      for (const { parkId, inForce } of await readCurvesUnscoped(db)) kept.set(parkId, inForce)
    },
    async refresh(scope) {
      const row = await findOwnCurve(scope, db)
      if (row === null) kept.delete(scope.parkId)
      else kept.set(scope.parkId, row.inForce)
    },
  }
}

/** Points of score that matter: with fewer between them, two curves ask the same. */
const NOTICED = 0.5

/** Points by which a curve asks for more than the model's own, where one pair in so many may be mistaken. */
const shiftOf = (curve: OwnCurve | null, rate: number, shipped: number): number =>
  curve === null ? 0 : worseOf(curve, shipped, rate) - shipped

export interface AskedAt {
  /** How often a comparison at a door of the whole park may go wrong. */
  rate: number
  /** What the model's own curve asks for then, with its caution. */
  shipped: number
}

/** What was measured, as it may come in force. */
export const curvesOf = (modelId: string, { fit, audiences }: Pick<Measured, 'fit' | 'audiences'>): Curves => ({
  modelId,
  curve: fit?.curve ?? null,
  audiences: Object.fromEntries(audiences.map(({ id, fit: own }) => [id, own.curve])),
})

/** Whether these ask for less somewhere, so that it is noticed. */
export function isLooser(measured: Curves, inForce: Curves, { rate, shipped }: AskedAt): boolean {
  const of = ({ curve, audiences }: Curves, id: string) => shiftOf(audiences[id] ?? curve, rate, shipped)
  const all = ['', ...Object.keys(inForce.audiences), ...Object.keys(measured.audiences)]
  return all.some((id) => of(measured, id) < of(inForce, id) - NOTICED)
}

/** What holds once this was measured: of each audience whatever asks for more. Those that are no more have nothing to ask. */
export function tightened(measured: Curves, known: Curves | null, audienceIds: ReadonlySet<string>, { rate, shipped }: AskedAt): Curves {
  const { modelId } = measured
  const inForce = known?.modelId === modelId ? known : { modelId, curve: null, audiences: {} }
  const stricter = (one: OwnCurve | null, other: OwnCurve | null) =>
    other === null || shiftOf(one, rate, shipped) > shiftOf(other, rate, shipped) + NOTICED ? one : other
  const curve = stricter(measured.curve, inForce.curve)
  const ids = [...new Set([...Object.keys(measured.audiences), ...Object.keys(inForce.audiences)])].filter((id) => audienceIds.has(id))
  const audiences = ids.flatMap((id) => {
    const own = stricter(measured.audiences[id] ?? measured.curve, inForce.audiences[id] ?? inForce.curve)
    return own === null || shiftOf(own, rate, shipped) <= shiftOf(curve, rate, shipped) ? [] : [[id, own] as const]
  })
  return { modelId, curve, audiences: Object.fromEntries(audiences) }
}
