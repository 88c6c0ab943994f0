/** One-to-N: whom of the park a photograph shows. */
import { personStatusAt } from '@gatehouse/access-rules'
import { monitorPrecision, resultOrder, type ValueOf } from '@gatehouse/contract/enums'
import { scoreOfPrecision } from '@gatehouse/contract/faces/precision'
import { SEARCHED_KINDS, searchCalls, type SearchHit } from '@gatehouse/contract/people/search'
import { handler, type CallRequest, type MountedCall, type Platform } from '../../platform/context.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { FacesService } from '../faces/index.ts'
import { canSeeVisitors, VISITOR_KIND } from './policy.ts'
import * as data from './search-data.ts'

type Request = CallRequest<(typeof searchCalls)['oneToN']>
type Hit = Omit<SearchHit, 'url' | 'thumbnail'> & { faceId: string }

/** Persons asked of the search for each that is wanted, where those of some registers are left out. */
const SPARE = 4

const ORDERS: Record<ValueOf<typeof resultOrder>, (one: Hit, other: Hit) => number> = {
  [resultOrder.similarity]: (one, other) => other.score - one.score,
  [resultOrder.oldestFirst]: (one, other) => one.registeredAt - other.registeredAt,
  [resultOrder.newestFirst]: (one, other) => other.registeredAt - one.registeredAt,
}

export function searchHandlers(platform: Platform, faces: FacesService): MountedCall[] {
  const db = platform.db

  function thresholdOf({ precision, custom }: Request['body']): number {
    if (precision === monitorPrecision.custom && custom == null) throw new InvalidRequest([{ path: 'custom', rule: 'required' }])
    return scoreOfPrecision(precision, faces.description.calibration.recommended.search, custom ?? null)
  }

  /** The most alike of these kinds. The search knows no kinds: where others stood before them it is asked for more. */
  async function nearest(scope: Scope, { faceId, top }: Request['body'], kinds: readonly string[], score: number): Promise<Hit[]> {
    const now = platform.clock.now()
    for (let limit = top * (kinds.length === SEARCHED_KINDS.length ? 1 : SPARE); ; limit *= SPARE) {
      const matches = await faces.searchCached(scope, faceId, { score, limit })
      if (matches === null) refuse(200201, 'faceId')
      const persons = new Map(
        (
          await data.findFound(
            scope,
            db,
            matches.map(({ personId }) => personId),
            kinds,
          )
        ).map((row) => [row.id, row]),
      )
      const hits = matches.flatMap(({ personId, faceId: photo, score: reached }): Hit[] => {
        const person = persons.get(personId)
        // Of another kind, or deleted meanwhile.
        if (person === undefined) return []
        return [
          {
            personId,
            name: person.name,
            workNumber: person.workNumber ?? '',
            groupName: person.groupName,
            kind: person.kind as SearchHit['kind'],
            status: personStatusAt({ enabled: person.enabled, validTo: person.validTo }, now),
            score: reached,
            registeredAt: person.createdAt,
            faceId: photo,
          },
        ]
      })
      if (hits.length >= top || matches.length < limit) return hits.slice(0, top)
    }
  }

  async function oneToN({ scope, session, ip, body }: Request) {
    const kinds = (body.kinds ?? SEARCHED_KINDS).filter((kind) => kind !== VISITOR_KIND || canSeeVisitors(session))
    const threshold = thresholdOf(body)
    const found = (await nearest(scope, body, kinds, threshold)).toSorted(ORDERS[body.order])
    const [photos, searched] = await Promise.all([
      faces.photosOf(
        scope,
        found.map(({ personId }) => personId),
      ),
      data.countPhotosOf(scope, db, kinds),
    ])
    const hits = found.map(({ faceId, ...hit }): SearchHit => {
      const { url = '', thumbnail = '' } = photos.get(hit.personId)?.find((photo) => photo.faceId === faceId) ?? {}
      return { ...hit, url, thumbnail }
    })
    platform.audit.read(
      searchCalls.oneToN,
      session,
      ip,
      hits.map(({ personId }) => personId),
      body.reason !== undefined,
      body.reason,
    )
    return { hits, threshold, searched }
  }

  return [handler(searchCalls.oneToN, oneToN)]
}
