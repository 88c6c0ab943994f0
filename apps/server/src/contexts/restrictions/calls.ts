/** Handlers of the calls on restriction areas. */
import { restrictionCalls as calls } from '@gatehouse/contract/restrictions/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { AreaService } from './areas.ts'
import type { MusterService } from './muster.ts'
import { canSeeVisits } from './policy.ts'
import type { StateService } from './persons.ts'

/** @throws InvalidRequest where it is left out */
function required(restrictionId: string | undefined): string {
  if (restrictionId === undefined) throw new InvalidRequest([{ path: 'restrictionId', rule: 'required' }])
  return restrictionId
}

interface Persons {
  personId?: string | undefined
  personIds?: readonly string[] | undefined
}
/** @throws InvalidRequest where nobody is named */
function namedIn({ personId, personIds = [] }: Persons): string[] {
  const named = personId === undefined ? [...personIds] : [personId, ...personIds]
  if (named.length === 0) throw new InvalidRequest([{ path: 'personIds', rule: 'required' }])
  return named
}

interface Switched {
  status?: 0 | 1 | undefined
  flowLimit?: boolean | undefined
}
/** @throws InvalidRequest where neither says it, or both do and differ */
function isOn({ status, flowLimit }: Switched): boolean {
  const requested = status === undefined ? flowLimit : status === 1
  if (requested === undefined) throw new InvalidRequest([{ path: 'status', rule: 'required' }])
  if (flowLimit !== undefined && flowLimit !== requested) throw new InvalidRequest([{ path: 'flowLimit', rule: 'invalid' }])
  return requested
}

export const restrictionHandlers = ({
  areas,
  states,
  musters,
}: {
  areas: AreaService
  states: StateService
  musters: MusterService
}): MountedCall[] => [
  handler(calls.list, ({ scope, body }) => areas.list(scope, body)),
  handler(calls.read, ({ scope, params }) => areas.read(scope, params.id)),
  handler(calls.create, async ({ scope, body }) => ({ id: await areas.create(scope, body) })),
  handler(calls.change, async ({ scope, body: { id, version, ...fields } }) => {
    await areas.change(scope, id, version, fields)
    return { id }
  }),
  handler(calls.delete, async ({ scope, params: { id } }) => {
    await areas.delete(scope, id)
    return { id }
  }),
  handler(calls.setFlowLimit, async ({ scope, params: { id }, body: { limitCount, ...switched } }) => {
    await areas.setFlowLimit(scope, id, isOn(switched), limitCount)
    return { id }
  }),
  handler(calls.persons, ({ scope, body: { restrictionId, ...filter } }) => states.list(scope, required(restrictionId), filter)),
  handler(calls.setStatus, async ({ scope, body: { restrictionId, status, ...persons } }) => ({
    changed: await states.set(scope, restrictionId, namedIn(persons), status),
  })),
  handler(calls.occupancy, ({ scope, params }) => states.occupancy(scope, params.id)),
  handler(calls.muster, ({ scope, session, query: { restrictionId, ...query } }) =>
    musters.read(scope, required(restrictionId), { ...query, withVisits: canSeeVisits(session) }),
  ),
  handler(calls.beginMuster, async ({ scope, session, body }) => ({ id: await musters.begin(scope, session, body.restrictionId) })),
  handler(calls.endMuster, async ({ scope, body }) => ({ id: await musters.end(scope, body.restrictionId) })),
  handler(calls.meet, async ({ scope, session, body: { restrictionId, personIds, met } }) => ({
    changed: await musters.meet(scope, session, restrictionId, personIds, met),
  })),
]
