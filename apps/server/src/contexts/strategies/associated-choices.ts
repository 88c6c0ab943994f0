/** Linked parks and the persons they share, from which associated rules are made. */
import type { RelatedPark } from '@gatehouse/contract/strategies/associated-rules'
import { isFoundBy, personOrder } from '../../platform/session/masking.ts'
import { inPark } from '../../platform/session/session.ts'
import type { AssociatedRules } from './associated-rules-types.ts'
import type { StrategyDependencies } from './dependencies.ts'
import { parkNamer, type SharedPersons } from './shared-persons.ts'

export function createAssociatedChoices(
  { organisation, sharing }: Pick<StrategyDependencies, 'organisation' | 'sharing'>,
  shared: SharedPersons,
): Pick<AssociatedRules, 'relatedParks' | 'persons'> {
  const parkName = parkNamer(organisation)
  return {
    async relatedParks(scope) {
      const links = await sharing.links(scope)
      const parks = links.map(async (link): Promise<RelatedPark> => {
        const persons = await shared.sharedBy(scope, link)
        return {
          id: link.parkId,
          parkName: parkName(link.parkId),
          personCount: persons.length,
          personGroups: await shared.groupsOf(inPark(scope, link.parkId), persons),
        }
      })
      return (await Promise.all(parks)).toSorted((one, other) => one.parkName.localeCompare(other.parkName))
    },
    async persons(scope, { parkId, name = '', page, size }) {
      const persons = await shared.sharedBy(scope, await shared.linkWith(scope, parkId))
      const found = persons
        .map((person) => ({ id: person.id, name: person.name, workNumber: person.workNumber ?? '' }))
        .filter(
          (person) => name === '' || isFoundBy(scope, person.name, name) || person.workNumber.toLowerCase().includes(name.toLowerCase()),
        )
        .toSorted(personOrder(scope))
      return { total: found.length, content: found.slice((page - 1) * size, page * size), page, size }
    },
  }
}
