/** Persons of an area: their states, and what an operator knows better. */
import type { DataOf } from '@gatehouse/contract'
import { PERSON_STATE, type PersonState, type RestrictionPerson, type restrictionCalls } from '@gatehouse/contract/restrictions/calls'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as areas from './areas-data.ts'
import type { RestrictionDependencies } from './dependencies.ts'
import * as data from './states-data.ts'

const { inside: INSIDE, outside: OUTSIDE } = PERSON_STATE

export interface PersonFilter {
  personName?: string | undefined
  status?: PersonState | undefined
  page: number
  size: number
}

export interface StateService {
  /** @throws NotFound */
  list(
    scope: Scope,
    areaId: string,
    filter: PersonFilter,
  ): Promise<{ total: number; content: RestrictionPerson[]; page: number; size: number }>
  /** Return how many persons it was set for. @throws NotFound; InvalidRequest for persons this park does not have */
  set(scope: Scope, areaId: string, personIds: readonly string[], status: PersonState | null): Promise<number>
  /** @throws NotFound */
  occupancy(scope: Scope, areaId: string): Promise<DataOf<typeof restrictionCalls.occupancy>>
  /** Take persons out of all areas, those of linked parks too; return how many entries were about them. */
  forget(tx: Transaction, personIds: readonly string[]): Promise<number>
  count(personIds: readonly string[]): Promise<number>
}

/** Return the names of what lists show beside ids. */
export async function namesFor(
  scope: Scope,
  { people, devices }: Pick<RestrictionDependencies, 'people' | 'devices'>,
  rows: readonly { personId: string; deviceId: string | null }[],
) {
  const [persons, doors] = await Promise.all([
    people.facts(
      scope,
      rows.map(({ personId }) => personId),
    ),
    devices.facts(scope, [...new Set(rows.flatMap(({ deviceId }) => deviceId ?? []))]),
  ])
  const personById = new Map(persons.map((person) => [person.id, person]))
  const doorById = new Map(doors.map((door) => [door.id, door.name]))
  return ({ personId, deviceId }: { personId: string; deviceId: string | null }) => ({
    id: personId,
    personId,
    personName: personById.get(personId)?.name ?? '',
    workNumber: personById.get(personId)?.workNumber ?? '',
    deviceName: deviceId === null ? '' : (doorById.get(deviceId) ?? ''),
  })
}

/** @throws InvalidRequest where the park does not have one of them */
export async function assertPersons(
  scope: Scope,
  { people }: Pick<RestrictionDependencies, 'people'>,
  personIds: readonly string[],
): Promise<void> {
  const found = await people.facts(scope, personIds)
  if (found.length < personIds.length) throw new InvalidRequest([{ path: 'personIds', rule: 'unknown' }])
}

export const statusOf = (inside: boolean): PersonState => (inside ? INSIDE : OUTSIDE)

export function createStateService(platform: Platform, needs: Pick<RestrictionDependencies, 'people' | 'devices'>): StateService {
  const db = platform.db

  async function area(scope: Scope, areaId: string): Promise<areas.AreaRow> {
    const row = await areas.findArea(scope, db, areaId)
    if (row === undefined) throw new NotFound()
    return row
  }

  return {
    async list(scope, areaId, { personName = '', status, page, size }) {
      await area(scope, areaId)
      const personIds = personName.trim() === '' ? undefined : await needs.people.idsNamed(scope, personName.trim())
      const { content, total } = await data.listStates(
        scope,
        db,
        areaId,
        { inside: status === undefined ? undefined : status === INSIDE, personIds, page, size },
        platform.clock.now(),
      )
      const names = await namesFor(scope, needs, content)
      return {
        total,
        page,
        size,
        content: content.map((row) => ({
          restrictionId: areaId,
          ...names(row),
          status: statusOf(row.inside),
          since: row.at,
          source: row.source,
          deviceId: row.deviceId,
        })),
      }
    },
    async set(scope, areaId, ids, status) {
      const personIds = [...new Set(ids)]
      const { name } = await area(scope, areaId)
      await assertPersons(scope, needs, personIds)
      return platform.transaction(async (tx) => {
        if ((await areas.lockArea(scope, tx, areaId)) === undefined) throw new NotFound()
        const now = platform.clock.now()
        const latest = await data.latestOf(scope, tx, areaId, personIds, now)
        // A state that a user enters now is later than all states before, whatever the clocks of terminals show.
        const at = latest.reduce((moment, state) => Math.max(moment, state.at + 1), now)
        const changed = await data.putState(scope, tx, areaId, personIds, {
          inside: status === null ? null : status === INSIDE,
          at,
          source: 'hand',
          deviceId: null,
        })
        platform.audit.note({
          entity: 'restrictionArea',
          id: areaId,
          label: name,
          // By their ids, so that no masked or erased name is stored.
          after: { personIds, status },
        })
        return changed
      })
    },
    async occupancy(scope, areaId) {
      const { flowLimit, limitCount } = await area(scope, areaId)
      const now = platform.clock.now()
      const [count, pendingCount] = await Promise.all([
        data.countInside(scope, db, areaId, now),
        data.countRequested(scope, db, areaId, now),
      ])
      return { count, asked: pendingCount, limitCount: flowLimit ? limitCount : null }
    },
    forget: (tx, personIds) => data.deletePersonsUnscoped(tx, personIds),
    count: (personIds) => data.countOfPersonsUnscoped(db, personIds),
  }
}
