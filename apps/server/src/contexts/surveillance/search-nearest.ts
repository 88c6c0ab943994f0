/** The nearest captures of a window: which days hold them, from what score they count, and the two phases of the search. */
import { nearestCaptures, type CaptureFilter, type CaptureLimits, type CaptureMatch } from '../faces/index.ts'
import type { Platform } from '../../platform/context.ts'
import { refuse } from '../../platform/http/refusal.ts'
import { seesAllDevices, type Scope } from '../../platform/session/session.ts'
import * as data from './search-data.ts'
import type { SearchWindow } from './search-data.ts'
import type { SearchDays } from './search-days.ts'
import type { FaceProbe } from './search-probe.ts'
import type { CaptureTemplates } from './search-templates.ts'
import type { SearchDependencies } from './search-types.ts'

/** What a search compares with, and how far. */
export interface Searched {
  days: readonly number[]
  deviceIds: ReadonlySet<string> | undefined
  window: SearchWindow
  threshold: number
  notComparable: number
}

export interface NearestOptions {
  limit: number
  signal: AbortSignal
  /** Only captures that a task identified as somebody. */
  identifiedOnly?: boolean | undefined
}

export interface NearestSearch {
  /** @param minScore absent: what the park promises of its searches */
  prepare(scope: Scope, window: SearchWindow, minScore: number | undefined): Promise<Searched>
  /** Return the captures that come nearest, nearest first, and how many were compared. */
  nearest(
    scope: Scope,
    probe: FaceProbe,
    searched: Searched,
    options: NearestOptions,
  ): Promise<{ matches: CaptureMatch[]; compared: number }>
}

export function createNearestSearch(
  { db }: Pick<Platform, 'db'>,
  { faces }: Pick<SearchDependencies, 'faces'>,
  days: SearchDays,
  templates: Pick<CaptureTemplates, 'open'>,
): NearestSearch {
  const { modelId } = faces

  async function prepare(scope: Scope, window: SearchWindow, minScore: number | undefined): Promise<Searched> {
    const counted = await data.countByDay(scope, db, window, modelId)
    const sumOf = (of: 'captures' | 'comparable') => counted.reduce((sum, row) => sum + row[of], 0)
    const comparable = counted.filter((row) => row.comparable > 0)
    const isLimited = window.deviceIds !== undefined || !seesAllDevices(scope)
    return {
      window,
      // The newest days first: they are in memory most often.
      days: [...new Set(comparable.map(({ day }) => day))].toSorted((a, b) => b - a),
      deviceIds: isLimited ? new Set(comparable.map(({ deviceId }) => deviceId)) : undefined,
      threshold: minScore ?? faces.searchScoreAmong(scope, sumOf('comparable')),
      notComparable: sumOf('captures') - sumOf('comparable'),
    }
  }

  /** Return candidates of all days of a search, and how many captures were compared. */
  async function scan(scope: Scope, { embeddings }: FaceProbe, searched: Searched, limits: CaptureLimits, options: NearestOptions) {
    const { window, deviceIds } = searched
    const filterOf = async (day: number): Promise<CaptureFilter> => {
      if (options.signal.aborted) refuse(900000)
      const filter = { from: window.from, until: window.to + 1, deviceIds }
      if (options.identifiedOnly !== true) return filter
      const [from, until] = [Math.max(filter.from, day * data.DAY_MS), Math.min(filter.until, (day + 1) * data.DAY_MS)]
      return { ...filter, only: await data.identifiedWithin(scope, db, from, until) }
    }
    const search = days.worker().begin(
      embeddings.map((embedding) => ({ modelId, embedding })),
      limits,
    )
    try {
      const compared = await days.scan(scope, searched.days, search, filterOf)
      return { candidates: await search.candidates(), compared }
    } finally {
      search.end()
    }
  }

  /** Return the nearest captures that count, nearest first. */
  async function nearest(scope: Scope, probe: FaceProbe, searched: Searched, options: NearestOptions) {
    const { limit } = options
    const within = faces.distanceOf(searched.threshold)
    /** Candidates that were deleted after they were found stand for others that would have been found in their place. */
    let isShort = false
    const read = async (ids: readonly string[]) => {
      const rows = await data.readTemplates(scope, db, ids, modelId)
      if (rows.length < ids.length) isShort = true
      return new Map((await templates.open(scope, rows)).map(({ id, embedding }) => [id, embedding]))
    }
    for (let looked = limit; ; looked *= 10) {
      const { candidates, compared } = await scan(scope, probe, searched, { limit: looked, within }, options)
      const matches = await nearestCaptures(candidates, probe.embeddings, { limit, within }, read)
      // No capture that is no candidate is nearer than the last candidate can be.
      const farthest = matches.length < limit ? Infinity : matches.at(-1)!.distance ** 2
      if (!isShort || candidates.length < looked || farthest <= candidates.at(-1)!.least) return { matches, compared }
    }
  }

  /** Run a search, and once again where its thread died meanwhile. */
  async function retried<T>(run: () => Promise<T>): Promise<T> {
    const worker = days.worker()
    try {
      return await run()
    } catch (error) {
      if (days.worker() === worker) throw error
      return run()
    }
  }

  return {
    prepare,
    nearest: (scope, probe, searched, options) => retried(() => nearest(scope, probe, searched, options)),
  }
}
