/** What agreed links come to: whom of other parks a park may let pass, and where a person may pass besides his own park. */
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { inPark, type Scope } from '../../platform/session/session.ts'
import type { PeopleService } from '../people/index.ts'
import * as data from './data.ts'
import type { RelationsTables } from './schema.ts'

/** An agreed link by which another park shares persons with the park that is asked for. */
export interface ParkLink {
  relationId: string
  /** The park whose persons they are. */
  parkId: string
}

/** Persons and groups of the other park; a group stands for all below it. */
export interface GuestChoice {
  personIds: readonly string[]
  personGroupIds: readonly string[]
}

export interface Sharing {
  /**
   * Parks at which the park of the scope may see a person by an agreed link: of one of its own people those that let him pass,
   * of somebody another park shares with it the park itself. None where no link is about the person.
   */
  sharedAt(scope: Scope, personId: string): Promise<string[]>
  /** Agreed links by which other parks share persons with the park of the scope. */
  links(scope: Scope): Promise<ParkLink[]>
  /** Ids of those an agreed link lets pass at the park of the scope: all it is about, or of them who is chosen. None once it is not agreed any more. */
  guestsOf(scope: Scope, relationId: string, chosen: GuestChoice | null): Promise<string[]>
}

type People = Pick<PeopleService, 'facts' | 'idsInGroups'>

export function createSharing(platform: Platform, { people }: { people: People }): Sharing {
  const db = platform.db as unknown as Database<RelationsTables>

  const agreed = async (scope: Scope): Promise<data.RelationRow[]> =>
    (await data.findOpenRelations(scope, db)).filter(({ status }) => status === 'agreed')

  const inGroups = (scope: Scope, groupIds: readonly string[]): Promise<string[]> =>
    groupIds.length === 0 ? Promise.resolve([]) : people.idsInGroups(scope, groupIds)

  return {
    async sharedAt(scope, personId) {
      const links = await agreed(scope)
      const members = await data.findMembers(
        scope,
        db,
        links.map(({ id }) => id),
      )
      const concerned = await Promise.all(
        links.map(async ({ id, applicantPark }) => {
          // Those of the park that applied, whichever park asks.
          const applicant = inPark(scope, applicantPark)
          const named = members.filter(({ relationId }) => relationId === id)
          const groupIds = named.flatMap(({ kind, memberId }) => (kind === 'personGroup' ? [memberId] : []))
          const isNamed =
            named.some(({ kind, memberId }) => kind === 'person' && memberId === personId) ||
            (await inGroups(applicant, groupIds)).includes(personId)
          return isNamed && (await people.facts(applicant, [personId])).length > 0
        }),
      )
      return [...new Set(links.filter((_, place) => concerned[place]).map(({ receiverPark }) => receiverPark))]
    },
    async links(scope) {
      return (await agreed(scope)).flatMap(({ id, applicantPark, receiverPark }) =>
        receiverPark === scope.parkId ? [{ relationId: id, parkId: applicantPark }] : [],
      )
    },
    async guestsOf(scope, relationId, chosen) {
      const link = await data.findRelation(scope, db, relationId)
      if (link === undefined || link.status !== 'agreed' || link.receiverPark !== scope.parkId) return []
      const home = inPark(scope, link.applicantPark)
      const members = await data.findMembers(scope, db, [relationId])
      const of = (kind: data.MemberKind): string[] => members.flatMap((member) => (member.kind === kind ? [member.memberId] : []))
      const shared = new Set([...of('person'), ...(await inGroups(home, of('personGroup')))])
      if (chosen === null) return [...shared]
      const picked = new Set([...chosen.personIds, ...(await inGroups(home, chosen.personGroupIds))])
      return [...shared].filter((id) => picked.has(id))
    },
  }
}
