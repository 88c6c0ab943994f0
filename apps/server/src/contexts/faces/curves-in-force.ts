/** Curves in force: how much stricter doors of each park are because its people look alike. Kept in memory, since decisions read them. */
import { scoreAmongOwn, type OwnCurve } from '@gatehouse/contract/faces/own-curve'
import { CAUTION } from '@gatehouse/contract/faces/promise'
import { scoreOfRate } from '@gatehouse/contract/score'
import type { OwnFit } from '@gatehouse/face-engine/measure/own-curve'
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import { findOwnCurve, readCurvesUnscoped } from './own-curve-data.ts'
import type { CurvesInForce as Curves, Measured } from './own-curve-schema.ts'

export interface CurvesInForce {
  /** The curve of a door, or of the whole park without `deviceId`; null where only the model's curve applies. */
  of(scope: Scope, deviceId?: string): OwnCurve | null
  fill(): Promise<void>
  refresh(scope: Scope): Promise<void>
}

export function createCurvesInForce(platform: Platform, modelId: string): CurvesInForce {
  const db = platform.db
  const kept = new Map<string, Curves>()
  return {
    of({ parkId }, deviceId = '') {
      const curves = kept.get(parkId)
      // Distances of another model are on another scale.
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

/** Smallest difference in points of score that counts: closer curves are taken as equal. */
const NOTICED = 0.5
/**
 * Largest difference in points of score that is believed, a hundredfold of false matches: beyond it, something else is wrong with
 * the photographs.
 */
const MOST_MORE = 20
/** The smallest rate of false matches of a single comparison: the strictest promise at a door of ten thousand. */
const RAREST = 1e-9

/**
 * The rates at which curves are compared: for a door of very few people and for one of very many. Between them all curves are
 * straight lines.
 */
type Ends = readonly [loosest: number, rarest: number]
export const endsOf = (loosest: number): Ends => [loosest, RAREST]

/** The scores a curve requires at both ends. */
type RequiredScores = readonly [number, number]
const shippedAt = (rate: number): number => scoreOfRate(rate / CAUTION)
/** Return the scores required without an own curve. At a door of very few the loosest rate applies without caution. */
const leastOf = ([loosest, rarest]: Ends): RequiredScores => [scoreOfRate(loosest), shippedAt(rarest)]

function requiredBy(curve: OwnCurve | null, ends: Ends): RequiredScores {
  const least = leastOf(ends)
  return curve === null ? least : [Math.max(least[0], scoreAmongOwn(curve, ends[0])), Math.max(least[1], scoreAmongOwn(curve, ends[1]))]
}

/**
 * Return the curve that requires these scores at the ends and is a straight line between; null where it requires no more than
 * without it.
 */
function curveBetween(ends: Ends, [first, last]: RequiredScores): OwnCurve | null {
  const least = leastOf(ends)
  if (first <= least[0] && last <= least[1]) return null
  return { score: first, rate: ends[0], pointsPerTenfold: (last - first) / Math.log10(ends[0] / ends[1]) }
}

/** Return the part of a measured curve that is believed: between the model's own curve and the measurement, and not beyond `MOST_MORE`. */
function believed({ curve, trust }: OwnFit, ends: Ends): OwnCurve | null {
  const at = (rate: number, shipped: number): number =>
    shipped + Math.min(MOST_MORE, trust * Math.max(0, scoreAmongOwn(curve, rate) - shipped))
  const [loosest, rarest] = ends
  const [first, least] = [at(loosest, shippedAt(loosest)), leastOf(ends)[0]]
  return curveBetween(ends, [first > shippedAt(loosest) ? first : at(loosest, least), at(rarest, shippedAt(rarest))])
}

/** Devices that store the same people. */
interface Group {
  id: string
  devices: readonly { id: string }[]
}

/** Return the measured curves in the form in which they can come into force. */
export function curvesOf(
  modelId: string,
  { fit, audiences }: Pick<Measured, 'fit' | 'audiences'>,
  groups: readonly Group[],
  ends: Ends,
): Curves {
  const curve = fit && believed(fit, ends)
  const own = new Map(audiences.map(({ id, fit: found }) => [id, believed(found, ends)]))
  const devices = groups.flatMap(({ id, devices: there }) => {
    const ownScores = own.get(id) ?? null
    return asksMore(ownScores, curve, ends) ? there.map((device) => [device.id, stricter(ownScores, curve, ends)!] as const) : []
  })
  return { modelId, curve, devices: Object.fromEntries(devices) }
}

/** Whether one curve requires noticeably more than the other at either end. */
function asksMore(one: OwnCurve | null, other: OwnCurve | null, ends: Ends): boolean {
  const [ones, others] = [requiredBy(one, ends), requiredBy(other, ends)]
  return ones[0] > others[0] + NOTICED || ones[1] > others[1] + NOTICED
}

/** Return the stricter of two curves, at each end separately. */
function stricter(measured: OwnCurve | null, inForce: OwnCurve | null, ends: Ends): OwnCurve | null {
  if (!asksMore(measured, inForce, ends)) return inForce
  if (!asksMore(inForce, measured, ends)) return measured
  const [ones, others] = [requiredBy(measured, ends), requiredBy(inForce, ends)]
  return curveBetween(ends, [Math.max(ones[0], others[0]), Math.max(ones[1], others[1])])
}

const devicesOf = (...all: readonly Curves[]): string[] => [...new Set(all.flatMap(({ devices }) => Object.keys(devices)))]

/** Whether the measured curves require noticeably less anywhere than those in force. */
export function isLooser(measured: Curves, inForce: Curves, ends: Ends): boolean {
  const at = ({ curve, devices }: Curves, id: string) => devices[id] ?? curve
  return ['', ...devicesOf(measured, inForce)].some((id) => asksMore(at(inForce, id), at(measured, id), ends))
}

/** Return the curves in force after a measurement: for each device the stricter one. Devices that no longer exist are left out. */
export function tightened(measured: Curves, previous: Curves | null, groups: readonly Group[], ends: Ends): Curves {
  const { modelId } = measured
  const inForce = previous?.modelId === modelId ? previous : { modelId, curve: null, devices: {} }
  const curve = stricter(measured.curve, inForce.curve, ends)
  const there = new Set(groups.flatMap(({ devices }) => devices.map(({ id }) => id)))
  const devices = devicesOf(measured, inForce).flatMap((id) => {
    const own = there.has(id) ? stricter(measured.devices[id] ?? measured.curve, inForce.devices[id] ?? inForce.curve, ends) : null
    return own !== null && asksMore(own, curve, ends) ? [[id, stricter(own, curve, ends)!] as const] : []
  })
  return { modelId, curve, devices: Object.fromEntries(devices) }
}
