/** Persons that strategies cover. */
import type { z } from 'zod'
import { pageOf, type DataOf } from '@gatehouse/contract'
import type { strategyCalls } from '@gatehouse/contract/strategies/calls'
import type { Platform } from '../../platform/context.ts'
import { personOrder } from '../../platform/session/masking.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { StrategyDependencies } from './dependencies.ts'
import type { DeviceStrategies } from './device-strategies.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { membersOf } from './strategy-reach.ts'
import { findStrategies, nameStrategies } from './strategies-data.ts'

type Query = z.output<typeof strategyCalls.relatedPersons.body>
type Persons = DataOf<typeof strategyCalls.relatedPersons>

/**
 * Whom strategies cover, in the order of persons, groups resolved.
 * @throws Refusal 300101; InvalidRequest for a device this park does not have
 */
export type RelatedPersons = (scope: Scope, query: Query) => Promise<Persons>

export function createRelatedPersons(
  platform: Platform,
  { people }: Pick<StrategyDependencies, 'people'>,
  atDevice: Pick<DeviceStrategies, 'idsAt'>,
): RelatedPersons {
  const db = platform.db

  async function strategyIdsFor(scope: Scope, { strategyId, deviceId }: Query): Promise<string[]> {
    if (strategyId !== undefined && (!isUuid(strategyId) || (await findStrategies(scope, db, [strategyId])).length === 0))
      refuse(300101, 'strategyId')
    if (deviceId === undefined) return strategyId === undefined ? (await nameStrategies(scope, db)).map(({ id }) => id) : [strategyId]
    const atIt = await atDevice.idsAt(scope, deviceId)
    if (atIt === null) throw new InvalidRequest([{ path: 'deviceId', rule: 'unknown' }])
    return strategyId === undefined ? atIt : atIt.filter((id) => id === strategyId)
  }

  return async (scope, query) => {
    const { page, size } = pageOf(query)
    const members = [...(await membersOf(scope, db, await strategyIdsFor(scope, query))).values()]
    const groupIds = [...new Set(members.flatMap((one) => one.personGroupIds))]
    const named = query.name === undefined || query.name === '' ? null : new Set(await people.idsNamed(scope, query.name))
    const covered = new Set([
      ...members.flatMap((one) => one.personIds),
      ...(groupIds.length === 0 ? [] : await people.idsInGroups(scope, groupIds)),
    ])
    const persons = await people.facts(
      scope,
      [...covered].filter((id) => named?.has(id) ?? true),
    )
    // Whom to look out for is let in nowhere, whatever names him.
    const content = persons.filter(({ kind }) => kind !== 'special').toSorted(personOrder(scope))
    return {
      total: content.length,
      content: content
        .slice((page - 1) * size, page * size)
        .map(({ id, name, workNumber }) => ({ id, name, workNumber: workNumber ?? '' })),
      page,
      size,
    }
  }
}
