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

/** What was found from a moment on, in the order of time. */
interface FoundSince<Found> {
  found: Found[]
  /** There was more than can be found at a time: what is least alike is missing, whenever it was captured. */
  limited: boolean
}

/**
 * Return all that was captured from a moment on, which is moved on until nothing is missing: a way may begin late, but has no holes.
 * @param find may be called several times, each time from a later moment
 */
export async function newestWhole<Found extends Pick<TrackedCapture, 'capturedAt'>>(
  from: number,
  find: (from: number) => Promise<FoundSince<Found>>,
): Promise<{ found: Found[]; from: number }> {
  for (let since = from; ;) {
    const { found, limited } = await find(since)
    if (!limited) return { found, from: since }
    const middle = found[Math.floor(found.length / 2)]
    since = Math.max(since + 1, middle?.capturedAt ?? 0)
  }
}

/** Return the newest steps of a way, up to `STEPS_MAX`, from the moment since when none is missing; and whether there are earlier ones. */
export function newestOf(
  steps: readonly TrackStep[],
  { from, whole }: { from: number; whole: number },
): { steps: TrackStep[]; more: boolean } {
  const complete = steps.filter(({ until }) => until >= whole)
  return { steps: complete.slice(-STEPS_MAX), more: whole > from || complete.length > STEPS_MAX }
}

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
