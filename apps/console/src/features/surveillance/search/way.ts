/** The steps of a way, as they are listed beside the plan and numbered on it. */
import type { DataOf } from '@gatehouse/contract'
import type { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import { formatDate } from '../../../kit/time.ts'

export type Track = DataOf<(typeof faceSearchCalls)['track']>
export type TrackStep = Track['steps'][number]

/** Steps of one day of the park. */
interface TrackDay {
  /** `2026-11-20`. */
  date: string
  steps: TrackStep[]
  /** Index of the first of them among all steps. */
  first: number
}

/** Return steps, which are in the order of time, by the days they began on. @param offset minutes east of UTC */
export function daysOf(steps: readonly TrackStep[], offset: number): TrackDay[] {
  const days: TrackDay[] = []
  for (const [index, step] of steps.entries()) {
    const date = formatDate(step.time, offset)
    const last = days.at(-1)
    if (last?.date === date) last.steps.push(step)
    else days.push({ date, steps: [step], first: index })
  }
  return days
}

/** Return the numbers of devices, from 1, in the order in which the way first led to them. @param placed ids of devices on the plan */
export function numbersOf(steps: readonly TrackStep[], placed: ReadonlySet<string>): Map<string, number> {
  const numbers = new Map<string, number>()
  for (const { deviceId } of steps) if (placed.has(deviceId) && !numbers.has(deviceId)) numbers.set(deviceId, numbers.size + 1)
  return numbers
}

/** Return the devices of a way that are not on the plan, each once, in the order of the way. */
export function unplacedOf(steps: readonly TrackStep[], placed: ReadonlySet<string>): { id: string; name: string }[] {
  const names = new Map(steps.map(({ deviceId, deviceName }) => [deviceId, deviceName]))
  return [...names].filter(([id]) => !placed.has(id)).map(([id, name]) => ({ id, name }))
}

/** Return the index of the next step at a device, after the last one from the first again; undefined: the way never led there. */
export function nextAt(steps: readonly TrackStep[], deviceId: string, current: number | undefined): number | undefined {
  const indexes = steps.flatMap((step, index) => (step.deviceId === deviceId ? [index] : []))
  return indexes.find((index) => index > (current ?? -1)) ?? indexes[0]
}

/** Return the leg of the way that leads to a step, from the last place on the plan before it. */
export function legTo(steps: readonly TrackStep[], index: number | undefined, placed: ReadonlySet<string>) {
  const to = index === undefined ? undefined : steps[index]?.deviceId
  if (to === undefined || !placed.has(to)) return undefined
  const from = steps.slice(0, index).findLast(({ deviceId }) => placed.has(deviceId))?.deviceId
  return from === undefined || from === to ? undefined : { from, to }
}
