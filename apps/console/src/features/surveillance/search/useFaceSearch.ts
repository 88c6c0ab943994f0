/** A face search: whose face, within which window, why, and the search that was started with it. */
import { useState } from 'react'
import type { CachedFace } from '@gatehouse/contract/faces/calls'
import { faceSearchCalls, SEARCH_DAYS_MAX } from '@gatehouse/contract/surveillance/face-search'
import { drafts } from '../../../kit/form/drafts.ts'
import { useSearchAddress, type SearchSettings } from './searchAddress.ts'
import type { TrackSearch } from './trackSearch.ts'

const DAY = 86_400_000
/** Days that a search looks back where no window is chosen. */
export const SEARCH_DAYS = 7

type SearchedPhoto = Pick<CachedFace, 'faceId' | 'url'>

/** What is kept in this tab for the same user: the reason for the next view, and the photo for a window of its own. */
interface Kept {
  reason: string
  photo?: SearchedPhoto & { takenAt: number }
}
const KEPT = 'faceSearch'
/** The address of a photo is valid for minutes; a photo is not offered again after them. */
const PHOTO_KEPT_MS = 10 * 60_000

function readKept(): Kept {
  const { reason, photo } = (drafts.read(KEPT) ?? {}) as Partial<Kept>
  const isFresh = photo !== undefined && Date.now() - photo.takenAt < PHOTO_KEPT_MS
  return { reason: reason ?? '', ...(isFresh && { photo }) }
}

/** A search that was started. */
export interface StartedSearch {
  search: TrackSearch
  /** Epoch milliseconds. */
  startedAt: number
}

type SearchIssue = 'face' | 'window' | 'reason'

export interface FaceSearch {
  settings: SearchSettings
  change: (some: Partial<SearchSettings>) => void
  viewAt: ReturnType<typeof useSearchAddress>['viewAt']
  /** The uploaded photo; undefined where a person or a capture is searched for. */
  photo: SearchedPhoto | undefined
  choosePhoto: (photo: SearchedPhoto) => void
  reason: string
  setReason: (reason: string) => void
  /** What prevents a search, once one was tried. */
  issues: readonly SearchIssue[]
  /** The search whose results are shown: of the face that is chosen now. */
  started: StartedSearch | undefined
  /** Whether window, cameras, similarity or reason have changed since. */
  isChanged: boolean
  /** Starts a search, with these settings changed. */
  start: (changes?: Partial<SearchSettings>) => void
  cancel: () => void
}

type Face = Pick<TrackSearch, 'faceId' | 'personId' | 'captureId'>

function faceOf({ personId, captureId }: SearchSettings, photo: SearchedPhoto | undefined): Face | undefined {
  if (captureId !== undefined) return { captureId }
  if (personId !== undefined) return { personId }
  return photo && { faceId: photo.faceId }
}

/** Return the window that settings stand for now. */
export function windowOf({ startTime, endTime }: SearchSettings, now: number): Pick<TrackSearch, 'startTime' | 'endTime'> {
  const to = endTime ?? now
  return { startTime: startTime ?? to - SEARCH_DAYS * DAY, endTime: to }
}

function issuesOf(settings: SearchSettings, face: Face | undefined, reason: string, now: number): SearchIssue[] {
  const { startTime, endTime } = windowOf(settings, now)
  const isWindow = endTime > startTime && endTime - startTime <= SEARCH_DAYS_MAX * DAY
  return [
    ...(face === undefined ? (['face'] as const) : []),
    ...(isWindow ? [] : (['window'] as const)),
    ...(reason.trim() === '' ? (['reason'] as const) : []),
  ]
}

/** Return all that a search is made of besides the face, to notice what has changed since it was started. */
const conditionsOf = ({ startTime, endTime, deviceIds, minScore }: SearchSettings, reason: string): string =>
  JSON.stringify([startTime, endTime, deviceIds, minScore, reason.trim()])

export function useFaceSearch(): FaceSearch {
  const { settings, change, viewAt } = useSearchAddress()
  const [kept, setKept] = useState(readKept)
  const [last, setLast] = useState<StartedSearch & { face: string; conditions: string }>()
  const [isTried, setTried] = useState(false)
  const { reason } = kept
  const photo = settings.captureId === undefined && settings.personId === undefined ? kept.photo : undefined
  const face = faceOf(settings, photo)
  const isCurrent = last !== undefined && last.face === JSON.stringify(face)

  function keep(some: Partial<Kept>): void {
    const next = { ...kept, ...some }
    setKept(next)
    drafts.write(KEPT, next, { call: faceSearchCalls.search, unkept: [] })
  }

  function start(changes: Partial<SearchSettings> = {}): void {
    const now = Date.now()
    const changed = { ...settings, ...changes }
    if (Object.keys(changes).length > 0) change(changes)
    setTried(true)
    if (face === undefined || issuesOf(changed, face, reason, now).length > 0) return
    const { deviceIds, minScore } = changed
    const search: TrackSearch = {
      ...face,
      ...windowOf(changed, now),
      ...(deviceIds !== undefined && deviceIds.length > 0 && { deviceIds }),
      ...(minScore !== undefined && { minScore }),
      reason: reason.trim(),
    }
    setLast({ search, startedAt: now, face: JSON.stringify(face), conditions: conditionsOf(changed, reason) })
  }

  return {
    settings,
    change,
    viewAt,
    photo,
    choosePhoto: ({ faceId, url }) => {
      keep({ photo: { faceId, url, takenAt: Date.now() } })
      change({ personId: undefined, captureId: undefined })
    },
    reason,
    setReason: (typed) => keep({ reason: typed }),
    issues: isTried ? issuesOf(settings, face, reason, Date.now()) : [],
    started: isCurrent ? last : undefined,
    isChanged: isCurrent && last.conditions !== conditionsOf(settings, reason),
    start,
    cancel: () => setLast(undefined),
  }
}
