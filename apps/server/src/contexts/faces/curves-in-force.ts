/** What doors of each park ask because of how alike its people are: kept in memory, as everything a decision waits for. */
import { scoreAmongOwn, type OwnCurve } from '@gatehouse/contract/faces/own-curve'
import { CAUTION } from '@gatehouse/contract/faces/promise'
import { scoreOfRate } from '@gatehouse/contract/score'
import type { OwnFit } from '@gatehouse/face-engine/measure/own-curve'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { findOwnCurve, readCurvesUnscoped } from './own-curve-data.ts'
import type { CurvesInForce as Curves, Measured, OwnCurveTables } from './own-curve-schema.ts'

export interface CurvesInForce {
  /** Of a door, or of the park as a whole; null where the model's curve holds alone. */
  of(scope: Scope, deviceId?: string): OwnCurve | null
  fill(): Promise<void>
  refresh(scope: Scope): Promise<void>
}

export function createCurvesInForce(platform: Platform, modelId: string): CurvesInForce {
  const db = platform.db as unknown as Database<OwnCurveTables>
  const kept = new Map<string, Curves>()
  return {
    of({ parkId }, deviceId = '') {
      const curves = kept.get(parkId)
      // Another model's distances are another scale.
      return curves?.modelId === modelId ? (curves.devices[deviceId] ?? curves.curve) : null
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
/** More than a hundred times as often as a model says nobody is believed to be mistaken: something else is wrong with the photographs. */
const MOST_MORE = 20
/** The rarest a single comparison is asked to be: the strictest promise at a door of ten thousand. */
const RAREST = 1e-9

/** At how few people, and at how many, curves are held against each other: between them all run straight. */
type Ends = readonly [loosest: number, rarest: number]
export const endsOf = (loosest: number): Ends => [loosest, RAREST]

/** What a curve asks for at both ends. */
type Asked = readonly [number, number]
const shippedAt = (rate: number): number => scoreOfRate(rate / CAUTION)
/** What is asked for anyway. At a door of very few nothing looser is asked than the loosest rate, and no caution. */
const leastOf = ([loosest, rarest]: Ends): Asked => [scoreOfRate(loosest), shippedAt(rarest)]

function askedBy(curve: OwnCurve | null, ends: Ends): Asked {
  const least = leastOf(ends)
  return curve === null ? least : [Math.max(least[0], scoreAmongOwn(curve, ends[0])), Math.max(least[1], scoreAmongOwn(curve, ends[1]))]
}

/** The curve that asks for so much at both ends, and on a straight line between; null where that is nothing more. */
function curveBetween(ends: Ends, [first, last]: Asked): OwnCurve | null {
  const least = leastOf(ends)
  if (first <= least[0] && last <= least[1]) return null
  return { score: first, rate: ends[0], pointsPerTenfold: (last - first) / Math.log10(ends[0] / ends[1]) }
}

/** What was measured, as far as it is believed: between the model's own curve and what the people show, and no more than can be. */
function believed({ curve, trust }: OwnFit, ends: Ends): OwnCurve | null {
  const at = (rate: number, shipped: number): number =>
    shipped + Math.min(MOST_MORE, trust * Math.max(0, scoreAmongOwn(curve, rate) - shipped))
  const [loosest, rarest] = ends
  const [first, least] = [at(loosest, shippedAt(loosest)), leastOf(ends)[0]]
  return curveBetween(ends, [first > shippedAt(loosest) ? first : at(loosest, least), at(rarest, shippedAt(rarest))])
}

/** The devices that hold the same people. */
interface Group {
  id: string
  devices: readonly { id: string }[]
}

/** What was measured, as it may come in force. */
export function curvesOf(
  modelId: string,
  { fit, audiences }: Pick<Measured, 'fit' | 'audiences'>,
  groups: readonly Group[],
  ends: Ends,
): Curves {
  const curve = fit && believed(fit, ends)
  const own = new Map(audiences.map(({ id, fit: found }) => [id, believed(found, ends)]))
  const devices = groups.flatMap(({ id, devices: there }) => {
    const asked = own.get(id) ?? null
    return asksMore(asked, curve, ends) ? there.map((device) => [device.id, stricter(asked, curve, ends)!] as const) : []
  })
  return { modelId, curve, devices: Object.fromEntries(devices) }
}

/** Whether it is noticed at either end that the one asks for more. */
function asksMore(one: OwnCurve | null, other: OwnCurve | null, ends: Ends): boolean {
  const [ones, others] = [askedBy(one, ends), askedBy(other, ends)]
  return ones[0] > others[0] + NOTICED || ones[1] > others[1] + NOTICED
}

/** Of two curves whatever asks for more, at each end. */
function stricter(measured: OwnCurve | null, inForce: OwnCurve | null, ends: Ends): OwnCurve | null {
  if (!asksMore(measured, inForce, ends)) return inForce
  if (!asksMore(inForce, measured, ends)) return measured
  const [ones, others] = [askedBy(measured, ends), askedBy(inForce, ends)]
  return curveBetween(ends, [Math.max(ones[0], others[0]), Math.max(ones[1], others[1])])
}

const devicesOf = (...all: readonly Curves[]): string[] => [...new Set(all.flatMap(({ devices }) => Object.keys(devices)))]

/** Whether these ask for less somewhere, so that it is noticed. */
export function isLooser(measured: Curves, inForce: Curves, ends: Ends): boolean {
  const at = ({ curve, devices }: Curves, id: string) => devices[id] ?? curve
  return ['', ...devicesOf(measured, inForce)].some((id) => asksMore(at(inForce, id), at(measured, id), ends))
}

/** What holds once this was measured: of each device whatever asks for more. Those that are no more have nothing to ask. */
export function tightened(measured: Curves, known: Curves | null, groups: readonly Group[], ends: Ends): Curves {
  const { modelId } = measured
  const inForce = known?.modelId === modelId ? known : { modelId, curve: null, devices: {} }
  const curve = stricter(measured.curve, inForce.curve, ends)
  const there = new Set(groups.flatMap(({ devices }) => devices.map(({ id }) => id)))
  const devices = devicesOf(measured, inForce).flatMap((id) => {
    const own = there.has(id) ? stricter(measured.devices[id] ?? measured.curve, inForce.devices[id] ?? inForce.curve, ends) : null
    return own !== null && asksMore(own, curve, ends) ? [[id, stricter(own, curve, ends)!] as const] : []
  })
  return { modelId, curve, devices: Object.fromEntries(devices) }
}
