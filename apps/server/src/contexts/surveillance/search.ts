/** The search for a face among captures, and the way of a face over cameras. */
import { resultOrder } from '@gatehouse/contract/enums/alarms'
import { accessResult } from '@gatehouse/contract/enums'
import type { DataOf, OutputOf } from '@gatehouse/contract'
import { SEARCH_DAYS_MAX, type faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import { recordedScore } from '@gatehouse/contract/score'
import type { Platform } from '../../platform/context.ts'
import { refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { CaptureLists } from './captures.ts'
import * as data from './search-data.ts'
import type { SearchWindow } from './search-data.ts'
import type { NearestSearch } from './search-nearest.ts'
import type { ProbeReader } from './search-probe.ts'
import type { SearchDependencies } from './search-types.ts'
import { newestOf, newestWhole, stepsOf, STEPS_MAX, type TrackStep } from './search-track.ts'

type Calls = typeof faceSearchCalls
type SearchBody = OutputOf<Calls['search']['body']>
type TrackBody = OutputOf<Calls['track']['body']>

export interface FaceSearch {
  /**
   * @param alarms the scope in which the caller is shown alarms; null: none is told
   * @throws Refusal 900007 a window that does not end after it begins or is too long, 500015 nothing to compare; NotFound; InvalidRequest
   */
  search(scope: Scope, body: SearchBody, alarms: Scope | null, signal: AbortSignal): Promise<DataOf<Calls['search']>>
  /** @throws as `search` */
  track(scope: Scope, body: TrackBody, signal: AbortSignal): Promise<DataOf<Calls['track']>>
}

/** Captures of a face that are found at a time: the nearest. */
const TRACKED_MAX = 20_000
/** Access records that are read at a time. */
const RECORDS_AT_ONCE = 200

interface PassagesSince {
  /** The newest first. */
  passages: TrackStep[]
  /** From when on none is missing. */
  from: number
}

function windowOf({ startTime, endTime, deviceIds }: Pick<SearchBody, 'startTime' | 'endTime' | 'deviceIds'>, now: number): SearchWindow {
  if (endTime <= startTime || endTime - startTime > SEARCH_DAYS_MAX * data.DAY_MS) refuse(900007, 'endTime')
  return data.withoutFuture({ from: startTime, to: endTime, deviceIds }, now)
}

export function createFaceSearch(
  platform: Pick<Platform, 'db' | 'storage' | 'clock'>,
  needs: SearchDependencies,
  { captures, probes, lists }: { captures: NearestSearch; probes: ProbeReader; lists: Pick<CaptureLists, 'named'> },
): FaceSearch {
  const { db, storage, clock } = platform
  const { faces, records } = needs
  const scoreOf = (distance: number): number => recordedScore(faces.scoreOf(distance))

  /** Return the newest passages of a person within a window, up to as many as a way has steps, and since when they are all of them. */
  async function passagesOf(scope: Scope, personId: string, { from, to, deviceIds }: SearchWindow): Promise<PassagesSince> {
    const passages: TrackStep[] = []
    let after: string | undefined
    do {
      const page = await records.list(scope, {
        personId,
        startTime: from,
        endTime: to,
        result: accessResult.allowed,
        size: RECORDS_AT_ONCE,
        ...(after !== undefined && { after }),
      })
      for (const { id, time, deviceId, deviceName, captureImage } of page.content)
        if (deviceIds === undefined || deviceIds.includes(deviceId))
          passages.push({ kind: 'passage', id, time, until: time, count: 1, deviceId, deviceName, image: captureImage, score: null })
      after = page.next
      if (passages.length >= STEPS_MAX && after !== undefined) return { passages, from: passages.at(-1)!.time }
    } while (after !== undefined)
    return { passages, from }
  }

  /** Return what is searched for and where, and how many of the captures that are compared do not exist for the caller. */
  async function begin(scope: Scope, body: SearchBody | TrackBody) {
    const window = windowOf(body, clock.now())
    const probe = await probes.read(scope, body)
    const [searched, unseen] = await Promise.all([
      captures.prepare(scope, window, body.minScore),
      data.countUnseen(scope, db, window, faces.modelId),
    ])
    return { window, probe, searched, unseen }
  }

  return {
    async search(scope, body, alarms, signal) {
      const { probe, searched, unseen } = await begin(scope, body)
      const { matches, compared } = await captures.nearest(scope, probe, searched, {
        limit: body.top,
        signal,
        identifiedOnly: body.identifiedOnly,
      })
      const rows = new Map(
        (
          await lists.named(
            scope,
            matches.map(({ id }) => id),
            alarms,
          )
        ).map((row) => [row.captureId, row]),
      )
      const hits = matches.flatMap(({ id, distance }) => {
        const row = rows.get(id)
        return row === undefined ? [] : [{ ...row, searchScore: scoreOf(distance) }]
      })
      if (body.order === resultOrder.oldestFirst) hits.sort((a, b) => a.captureTime - b.captureTime)
      if (body.order === resultOrder.newestFirst) hits.sort((a, b) => b.captureTime - a.captureTime)
      return { hits, searched: compared - unseen, notComparable: searched.notComparable, threshold: searched.threshold }
    },
    async track(scope, body, signal) {
      const { window, probe, searched, unseen } = await begin(scope, body)
      let compared: number | undefined
      const sighted = await newestWhole(window.from, async (from) => {
        // The score from which a capture counts stays that of the whole window.
        const part = from === window.from ? searched : await captures.prepare(scope, { ...window, from }, searched.threshold)
        const nearest = await captures.nearest(scope, probe, part, { limit: TRACKED_MAX, signal })
        compared ??= nearest.compared
        const distances = new Map(nearest.matches.map(({ id, distance }) => [id, distance]))
        const places = await data.findPlaces(scope, db, [...distances.keys()])
        return {
          found: places.map((place) => ({ ...place, score: scoreOf(distances.get(place.id)!) })),
          limited: nearest.matches.length === TRACKED_MAX,
        }
      })
      const sightings = sighted.found.map(({ fileId, ...place }) => ({
        ...place,
        image: fileId === null ? '' : storage.address(scope, fileId, '96'),
      }))
      const passed = probe.person === null ? null : await passagesOf(scope, probe.person.id, window)
      return {
        person: probe.person,
        ...newestOf(stepsOf(sightings, passed?.passages ?? []), {
          from: window.from,
          whole: Math.max(sighted.from, passed?.from ?? window.from),
        }),
        searched: (compared ?? unseen) - unseen,
        notComparable: searched.notComparable,
        threshold: searched.threshold,
      }
    },
  }
}
