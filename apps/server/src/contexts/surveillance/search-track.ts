/** The way of a face: captures merged while it stays, and passages, in the order of time. Pure. */
import type { DataOf } from '@gatehouse/contract'
import type { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'

export type TrackStep = DataOf<(typeof faceSearchCalls)['track']>['steps'][number]

export interface TrackedCapture {
  id: string
  capturedAt: number
  deviceId: string
  deviceName: string
  image: string
  score: number
}

/** Steps of one answer. */
export const STEPS_MAX = 2000
/** Milliseconds between two captures of one device within which the face counts as staying there. */
export const STAY_MS = 60_000

/** Return the steps of a way. @param captures in the order of time */
export function stepsOf(captures: readonly TrackedCapture[], passages: readonly TrackStep[]): TrackStep[] {
  const stays: TrackStep[] = []
  for (const { id, capturedAt, deviceId, deviceName, image, score } of captures) {
    const last = stays.at(-1)
    if (last === undefined || last.deviceId !== deviceId || capturedAt - last.until > STAY_MS) {
      stays.push({ kind: 'capture', id, time: capturedAt, until: capturedAt, count: 1, deviceId, deviceName, image, score })
      continue
    }
    last.until = capturedAt
    last.count++
    // The capture that is most alike stands for all of them.
    if (score > last.score!) Object.assign(last, { id, image, score })
  }
  return [...stays, ...passages].sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
}
