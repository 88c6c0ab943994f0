/** The persons whom linked parks share with a park. */
import { personStatusAt } from '@gatehouse/access-rules'
import type { AssociatedPerson } from '@gatehouse/contract/people/relation'
import { NotFound } from '../../platform/http/refusal.ts'
import { isFoundBy } from '../../platform/session/masking.ts'
import { inPark, type Scope } from '../../platform/session/session.ts'
import type { PersonFacts } from '../people/index.ts'
import * as data from './data.ts'
import type { RelationService, RelationParts } from './service-types.ts'

/** A person of another park. */
interface SharedPerson {
  facts: PersonFacts
  parkId: string
  /** Epoch milliseconds. */
  since: number
}

/** Return whether a text contains a part; an empty part is in every text. */
const contains = (text: string | null, part: string | undefined): boolean =>
  part === undefined || part === '' || (text ?? '').toLowerCase().includes(part.toLowerCase())
const isNamed = (scope: Scope, name: string, part: string | undefined): boolean =>
  part === undefined || part === '' || isFoundBy(scope, name, part)

export function createSharedPersons({
  platform,
  people,
  members,
  rows: { parkOf },
}: RelationParts): Pick<RelationService, 'associated' | 'associatedPerson'> {
  const db = platform.db

  /** @param parkId of the park that shares; undefined: any */
  async function sharedWith(scope: Scope, parkId: string | undefined): Promise<SharedPerson[]> {
    const agreed = (await data.findOpenRelations(scope, db)).filter(
      (row) => row.status === 'agreed' && row.receiverPark === scope.parkId && (parkId === undefined || row.applicantPark === parkId),
    )
    const membersOf = await members.personsOf(scope, agreed)
    const lists = await Promise.all(
      agreed.map(async (row) =>
        (await people.facts(inPark(scope, row.applicantPark), membersOf.get(row.id)!.all)).map((facts): SharedPerson => ({
          facts,
          parkId: row.applicantPark,
          since: row.decidedAt!,
        })),
      ),
    )
    return lists.flat()
  }

  async function present(scope: Scope, { facts, parkId, since }: SharedPerson): Promise<AssociatedPerson> {
    const person = await people.read(inPark(scope, parkId), facts.id)
    const { id, name, workNumber, phone, gender, groupName, validFrom, validTo, faces } = person
    return {
      id,
      name,
      workNumber,
      phone,
      gender,
      groupName,
      validFrom,
      validTo,
      parkId,
      since,
      status: personStatusAt(facts, platform.clock.now()),
      parkName: parkOf(parkId)?.name ?? '',
      url: faces[0]?.url ?? '',
      thumbnail: faces[0]?.thumbnail ?? '',
    }
  }

  return {
    async associated(scope, { page, size, name, workNumber, parkId }) {
      const found = (await sharedWith(scope, parkId)).filter(
        ({ facts }) => isNamed(scope, facts.name, name) && contains(facts.workNumber, workNumber),
      )
      found.sort((a, b) => b.since - a.since || (a.facts.id < b.facts.id ? -1 : 1))
      const content = await Promise.all(found.slice((page - 1) * size, page * size).map((shared) => present(scope, shared)))
      return { content, total: found.length, page, size }
    },
    async associatedPerson(scope, id) {
      const found = (await sharedWith(scope, undefined)).find(({ facts }) => facts.id === id)
      if (found === undefined) throw new NotFound()
      return present(scope, found)
    },
  }
}
