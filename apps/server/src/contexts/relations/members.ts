/** The persons and groups that links are about. */
import { VISITOR_KIND } from '../people/index.ts'
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { inPark, type Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import type { Members } from './members-types.ts'
import type { RelationDependencies } from './service-types.ts'

export const distinct = (ids: readonly string[]): string[] => [...new Set(ids)]

export function createMembers({ db }: Pick<Platform, 'db'>, { people, groups }: Pick<RelationDependencies, 'people' | 'groups'>): Members {
  return {
    async personsOf(
      scope: Scope,
      rows: readonly data.RelationRow[],
    ): Promise<Map<string, { personIds: string[]; groupIds: string[]; all: string[] }>> {
      const members = await data.findMembers(
        scope,
        db,
        rows.map(({ id }) => id),
      )
      const entries = rows.map(async (row) => {
        const of = (kind: data.MemberKind) =>
          members.filter((member) => member.relationId === row.id && member.kind === kind).map(({ memberId }) => memberId)
        const applicant = inPark(scope, row.applicantPark)
        const { ids: unseen } = await people.unseen(applicant)
        const [personIds, groupIds] = [of('person').filter((id) => !unseen.has(id)), of('personGroup').filter((id) => !unseen.has(id))]
        return [
          row.id,
          {
            personIds,
            groupIds,
            all: distinct([
              ...personIds,
              ...(groupIds.length === 0 ? [] : await people.idsInGroups(applicant, groupIds, undefined, 'registered')),
            ]),
          },
        ] as const
      })
      return new Map(await Promise.all(entries))
    },
    async assertExist(scope: Scope, personIds: readonly string[], groupIds: readonly string[]): Promise<void> {
      const [facts, names] = await Promise.all([people.facts(scope, personIds), groups.names(scope, groupIds)])
      // Persons of visits are shared with no park.
      const persons = facts.filter(({ kind }) => kind !== VISITOR_KIND)
      const issues = [
        ...(persons.length < distinct(personIds).length ? [{ path: 'personIds', rule: 'unknown' }] : []),
        ...(names.length < distinct(groupIds).length ? [{ path: 'personGroupIds', rule: 'unknown' }] : []),
      ]
      if (issues.length > 0) throw new InvalidRequest(issues)
    },
  }
}
