/** Handlers of the search among captures and of the plan. */
import { faceSearchCalls as calls } from '@gatehouse/contract/surveillance/face-search'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import type { MapPositions } from './map-positions.ts'
import { scopeOfAlarms } from './policy.ts'
import type { FaceSearch } from './search.ts'
import { probeIdOf } from './search-probe.ts'

/** Each search is kept in the log of reads with its reason, also one that finds nobody. */
export const searchHandlers = ({ audit }: Pick<Platform, 'audit'>, parts: { search: FaceSearch; map: MapPositions }): MountedCall[] => [
  handler(calls.search, async ({ scope, session, ip, body, signal }) => {
    const answer = await parts.search.search(scope, body, scopeOfAlarms(session), signal)
    const subjects = new Set([probeIdOf(body), ...answer.hits.flatMap(({ personId }) => personId ?? [])])
    audit.read(calls.search, session, ip, [...subjects], true, body.reason)
    return answer
  }),
  handler(calls.track, async ({ scope, session, ip, body, signal }) => {
    const answer = await parts.search.track(scope, body, signal)
    const subjects = new Set([probeIdOf(body), ...(answer.person === null ? [] : [answer.person.id])])
    audit.read(calls.track, session, ip, [...subjects], true, body.reason)
    return answer
  }),
  handler(calls.positions, ({ scope }) => parts.map.read(scope)),
  handler(calls.savePositions, ({ scope, body }) => parts.map.save(scope, body)),
]
