/** Pages of the persons who break a written rule. */
import type { Breaker } from '@gatehouse/contract/approvals/written-rules'
import { isUuid } from '../../platform/database/ids.ts'
import { personOrder } from '../../platform/session/masking.ts'
import { inPark, seeingAll, type Scope } from '../../platform/session/session.ts'
import type { ApprovalDependencies } from './dependencies.ts'
import { placesOf } from './written-rules-breaches.ts'
import type { Hit } from './written-rules-check.ts'

export interface Paging {
  page: number
  size: number
}

export interface Page<Row> extends Paging {
  total: number
  content: Row[]
}

export type BreakerPages = (visible: Scope, hits: readonly Hit[], paging: Paging) => Promise<Page<Breaker>>

export function createBreakerPages({ people, organisation }: Pick<ApprovalDependencies, 'people' | 'organisation'>): BreakerPages {
  return async (visible, hits, { page, size }) => {
    const scope = seeingAll(visible)
    const byPerson = Map.groupBy(
      hits.flatMap((hit) => hit.persons.map(({ id, home }) => ({ id, home, hit }))),
      ({ id }) => id,
    )
    const byHome = Map.groupBy(
      [...byPerson.values()].map(([first]) => first!),
      ({ home }) => home,
    )
    const named = async (home: string | undefined, some: readonly { id: string }[]) => {
      const parkName = home === undefined ? null : (organisation.parks().find(({ id }) => id === home)?.name ?? '')
      return (await people.facts(inPark(scope, home ?? scope.parkId), some.map(({ id }) => id).filter(isUuid))).map((person) => ({
        ...person,
        parkName,
      }))
    }
    const facts = (await Promise.all([...byHome].map(([home, some]) => named(home, some)))).flat()
    const content = facts.toSorted(personOrder(visible)).slice((page - 1) * size, page * size)
    return {
      total: facts.length,
      content: content.map(({ id, name, workNumber, parkName }) => ({
        id,
        name,
        workNumber: workNumber ?? '',
        parkName,
        ...placesOf(byPerson.get(id)!.map(({ hit }) => hit)),
        contactsOnly: byPerson.get(id)!.every(({ hit }) => hit.by === 'contact'),
      })),
      page,
      size,
    }
  }
}
