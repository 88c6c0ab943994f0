/** Strategies: who may pass where, when and by which methods. */
import type { Platform } from '../../platform/context.ts'
import type { Guarding } from './changes.ts'
import type { StrategyDependencies } from './dependencies.ts'
import { createStrategiesOfPerson } from './strategies-of-person.ts'
import { createStrategyMembers } from './strategy-members.ts'
import { createStrategyReach } from './strategy-reach.ts'
import { createStrategyQueries } from './strategy-queries.ts'
import { createStrategySaving } from './strategy-saving.ts'
import type { StrategyService } from './strategies-types.ts'

export function createStrategyService(platform: Platform, needs: StrategyDependencies, guard: Guarding): StrategyService {
  const members = createStrategyMembers(platform, needs)
  const { note, ...reach } = createStrategyReach(platform)
  return {
    ...createStrategyQueries(platform, needs, members),
    ofPerson: createStrategiesOfPerson(platform, needs),
    ...createStrategySaving(platform, needs, { members, reach: { note }, guard }),
    ...reach,
  }
}
