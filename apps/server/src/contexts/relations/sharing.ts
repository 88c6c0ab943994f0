/** The effect of agreed links: which persons of other parks a park may let pass, and where a person may pass besides their home park. */
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { inPark, type Scope } from '../../platform/session/session.ts'
import type { PeopleService } from '../people/index.ts'
import * as data from './data.ts'

/** An agreed link by which another park shares persons with the park that is asked for. */
export interface ParkLink {
  relationId: string
  /** The home park of the persons. */
  parkId: string
}

/** Persons and groups of the other park; a group stands for all below it. */
export interface GuestChoice {
  personIds: readonly string[]
  personGroupIds: readonly string[]
}

export interface Sharing {
  /**
   * Return the parks at which the park of the scope may see a person by an agreed link: for a person of its own those that let them
   * pass, for a shared person of another park the park itself. None where no link is about the person.
   */
  sharedAt(scope: Scope, personId: string): Promise<string[]>
  /** Return the agreed links by which other parks share persons with the park of the scope. */
  links(scope: Scope): Promise<ParkLink[]>
  /**
   * Return the ids of persons that an agreed link lets pass at the park of the scope: all its members, or the chosen ones of them.
   * None once it is not agreed any more.
   * @param within read through this transaction
   */
  guestsOf(scope: Scope, relationId: string, chosen: GuestChoice | null, within?: Transaction): Promise<string[]>
}

type People = Pick<PeopleService, 'facts' | 'idsInGroups'>

export function createSharing(platform: Platform, { people }: { people: People }): Sharing {
  const db = platform.db

  const agreed = async (scope: Scope): Promise<data.RelationRow[]> =>
    (await data.findOpenRelations(scope, db)).filter(({ status }) => status === 'agreed')

  const inGroups = (scope: Scope, groupIds: readonly string[], within?: Transaction): Promise<string[]> =>
    groupIds.length === 0 ? Promise.resolve([]) : people.idsInGroups(scope, groupIds, within, 'registered')

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
    async guestsOf(scope, relationId, chosen, within) {
      const from = within ?? db
      const link = await data.findRelation(scope, from, relationId)
      if (link === undefined || link.status !== 'agreed' || link.receiverPark !== scope.parkId) return []
      const home = inPark(scope, link.applicantPark)
      const members = await data.findMembers(scope, from, [relationId])
      const of = (kind: data.MemberKind): string[] => members.flatMap((member) => (member.kind === kind ? [member.memberId] : []))
      const shared = new Set([...of('person'), ...(await inGroups(home, of('personGroup'), within))])
      if (chosen === null) return [...shared]
      const picked = new Set([...chosen.personIds, ...(await inGroups(home, chosen.personGroupIds, within))])
      return [...shared].filter((id) => picked.has(id))
    },
  }
}
