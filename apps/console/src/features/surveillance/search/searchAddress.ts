/** What a face search looks for, and how its results are shown, in the address: everything but the uploaded photo and the reason. */
import { useLocation, useSearchParams } from 'react-router'
import type { OutputOf } from '@gatehouse/contract'
import { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import { readQuery, writeQuery } from '../../../kit/list/address.ts'
import { path } from '../../../paths.ts'

export const SEARCH_VIEWS = ['captured', 'identified', 'track', 'people'] as const
export type SearchView = (typeof SEARCH_VIEWS)[number]

const schema = faceSearchCalls.search.body
  .pick({ personId: true, captureId: true, startTime: true, endTime: true, deviceIds: true, minScore: true, top: true, order: true })
  .partial({ startTime: true, endTime: true })

export interface SearchSettings extends OutputOf<typeof schema> {
  view: SearchView
  /** When the capture was taken whose face is searched for: its picture is found by it. */
  captureTime?: number | undefined
}

function settingsOf(address: URLSearchParams): SearchSettings {
  const captureTime = Number(address.get('captureTime') ?? Number.NaN)
  return {
    ...readQuery(schema, address),
    view: SEARCH_VIEWS.find((view) => view === address.get('view')) ?? 'captured',
    ...(Number.isSafeInteger(captureTime) && { captureTime }),
  }
}

function addressOf({ view, captureTime, ...query }: SearchSettings): URLSearchParams {
  const address = writeQuery(schema, query)
  if (view !== 'captured') address.set('view', view)
  if (captureTime !== undefined && query.captureId !== undefined) address.set('captureTime', String(captureTime))
  return address
}

interface SearchAddress {
  settings: SearchSettings
  change: (some: Partial<SearchSettings>) => void
  /** Returns the address of another view of the same search. */
  viewAt: (view: SearchView) => string
}

export function useSearchAddress(): SearchAddress {
  const [address, setAddress] = useSearchParams()
  const { pathname } = useLocation()
  const settings = settingsOf(address)
  return {
    settings,
    change: (some) => setAddress((before) => addressOf({ ...settingsOf(before), ...some }), { replace: true }),
    viewAt: (view) => withQuery(pathname, addressOf({ ...settings, view })),
  }
}

const withQuery = (to: string, address: URLSearchParams): string => (address.size === 0 ? to : `${to}?${address}`)

/** Return a function that gives the address of a search for the face of a capture: in this window, where it shows searches alone. */
export function useCaptureSearch(): (capture: { captureId: string; captureTime: number }) => string {
  const { pathname } = useLocation()
  const alone = path('faceTrackFull')
  return ({ captureId, captureTime }) => {
    const to = pathname === alone ? alone : path('faceTrack')
    return `${to}?captureId=${captureId}&captureTime=${captureTime}`
  }
}
