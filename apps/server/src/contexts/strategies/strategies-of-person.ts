/** Devices a person may pass, with the strategies that say so. */
import type { Platform } from '../../platform/context.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import { seeingAll } from '../../platform/session/session.ts'
import type { StrategyDependencies } from './dependencies.ts'
import type { StrategyService } from './strategies-types.ts'
import { findStrategies, findStrategyIdsNaming } from './strategies-data.ts'
import type { Named } from './strategy-members.ts'
import { byName } from './strategy-queries.ts'
import { membersOf } from './strategy-reach.ts'

interface GroupNode {
  id: string
  children: GroupNode[]
}

/** The ids from a root down to a group, empty where it is not in the tree. */
function pathTo(nodes: readonly GroupNode[], id: string): string[] {
  for (const node of nodes) {
    if (node.id === id) return [id]
    const below = pathTo(node.children, id)
    if (below.length > 0) return [node.id, ...below]
  }
  return []
}

export function createStrategiesOfPerson(
  platform: Platform,
  { people, groups, devices }: Pick<StrategyDependencies, 'people' | 'groups' | 'devices'>,
): StrategyService['ofPerson'] {
  const db = platform.db
  return async (scope, personId) => {
    const [person] = await people.facts(scope, [personId])
    if (person === undefined) throw new NotFound()
    const groupPath = pathTo(await groups.tree(scope), person.groupId)
    const strategyIds = await findStrategyIdsNaming(scope, db, [
      { kind: 'person', ids: [personId] },
      { kind: 'personGroup', ids: groupPath },
    ])
    const [strategies, members] = await Promise.all([findStrategies(scope, db, strategyIds), membersOf(scope, db, strategyIds)])
    const opening = new Map<string, Named[]>()
    for (const { id, name } of strategies.toSorted(byName)) {
      const own = members.get(id)!
      // A group that is hidden from the caller may hold devices that are not; `names` leaves out those that are.
      const inGroups = own.deviceGroupIds.length === 0 ? [] : await devices.idsInGroups(seeingAll(scope), own.deviceGroupIds)
      for (const deviceId of new Set([...own.deviceIds, ...inGroups]))
        opening.set(deviceId, [...(opening.get(deviceId) ?? []), { id, name }])
    }
    const named = await devices.names(scope, [...opening.keys()])
    return named.toSorted(byName).map((device) => ({ deviceId: device.id, deviceName: device.name, strategies: opening.get(device.id)! }))
  }
}
