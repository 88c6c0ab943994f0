/** What a removal of the demo would delete and what would stay, reported before the removal is requested. */
import type { DemoRemoval } from '@gatehouse/contract/organisation/calls'
import type { Scope } from '../../platform/session/session.ts'
import type { RecordsContext } from '../records/index.ts'
import type { StrategiesContext } from '../strategies/index.ts'
import type { DevicesService } from '../devices/index.ts'
import type { PeopleService } from '../people/index.ts'
import type { DemoService } from './service.ts'

export interface ForeseenNeeds {
  people: Pick<PeopleService, 'facts' | 'count'>
  devices: Pick<DevicesService, 'all'>
  strategies: StrategiesContext['strategies']
  countRecords: RecordsContext['countRecords']
}

/** @returns a function that returns how the removal would turn out now; things that a user has already deleted are not counted */
export function createForeseeRemoval(
  demo: Pick<DemoService, 'things'>,
  { people, devices, strategies, countRecords }: ForeseenNeeds,
): (scope: Scope) => Promise<DemoRemoval> {
  return async (scope) => {
    const things = await demo.things(scope)
    const idsOf = (entity: string): readonly string[] => things.get(entity) ?? []
    const among = (entity: string, rows: readonly { id: string }[]): number => {
      const made = new Set(idsOf(entity))
      return rows.filter(({ id }) => made.has(id)).length
    }
    const [demoPersons, persons, allDevices, named, records] = await Promise.all([
      people.facts(scope, idsOf('person')),
      people.count(scope),
      devices.all(scope),
      strategies.names(scope),
      countRecords(scope, { personIds: idsOf('person'), deviceIds: idsOf('device') }),
    ])
    const removed = {
      persons: demoPersons.length,
      devices: among('device', allDevices),
      strategies: among('strategy', named),
      records: records.these,
    }
    return {
      goes: removed,
      stays: {
        persons: persons - removed.persons,
        devices: allDevices.length - removed.devices,
        strategies: named.length - removed.strategies,
        records: records.all - removed.records,
      },
    }
  }
}
