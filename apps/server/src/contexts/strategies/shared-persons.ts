/** The persons a linked park shares. */
import type { RelatedPark } from '@gatehouse/contract/strategies/associated-rules'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { inPark, type Scope } from '../../platform/session/session.ts'
import type { ParkLink } from '../relations/index.ts'
import type { StrategyDependencies } from './dependencies.ts'

type Facts = Awaited<ReturnType<StrategyDependencies['people']['facts']>>

export interface SharedPersons {
  /** Return the link with a park. @throws InvalidRequest for a park that is not linked */
  linkWith(scope: Scope, parkId: string): Promise<ParkLink>
  /** Return the persons a link shares, without those of the watch list: no door lets them in. */
  sharedBy(scope: Scope, link: ParkLink): Promise<Facts>
  /** Return the groups of these shared persons, by name, which is all of its groups that this park sees. @param home the linked park */
  groupsOf(home: Scope, shared: readonly { groupId: string }[]): Promise<RelatedPark['personGroups']>
}

export const byName = (one: { name: string }, other: { name: string }): number => one.name.localeCompare(other.name)

/** Return what names parks, '' for one that does not exist. */
export const parkNamer =
  (organisation: StrategyDependencies['organisation']) =>
  (parkId: string): string =>
    organisation.parks().find(({ id }) => id === parkId)?.name ?? ''

export function createSharedPersons({
  people,
  groups,
  sharing,
}: Pick<StrategyDependencies, 'people' | 'groups' | 'sharing'>): SharedPersons {
  return {
    async linkWith(scope, parkId) {
      const link = (await sharing.links(scope)).find((one) => one.parkId === parkId)
      if (link === undefined) throw new InvalidRequest([{ path: 'parkId', rule: 'unknown' }])
      return link
    },
    async sharedBy(scope, { relationId, parkId }) {
      const facts = await people.facts(inPark(scope, parkId), await sharing.guestsOf(scope, relationId, null))
      return facts.filter(({ kind }) => kind !== 'special')
    },
    async groupsOf(home, shared) {
      const counts = new Map([...Map.groupBy(shared, ({ groupId }) => groupId)].map(([id, members]) => [id, members.length]))
      return (await groups.names(home, [...counts.keys()]))
        .map(({ id, name }) => ({ id, name, personCount: counts.get(id)! }))
        .toSorted(byName)
    },
  }
}
