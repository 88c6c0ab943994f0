/**
 * Changes of persons that could let a person pass somewhere. The guard of the areas above holds them against the park's written rules, in
 * the transaction that makes them.
 */
import type { Transaction } from '../../platform/database/database.ts'
import type { AdmittedPerson } from './extension-points.ts'
import type { PeopleNeeds } from './needs.ts'
import { VISITOR_KIND } from './policy.ts'
import type { PersonFacts } from './facts-types.ts'
import type { PeopleService } from './service-types.ts'
import type { Changed, PersonAdmission } from './admission-types.ts'

/** Stands for the id of a person who is not registered yet. */
const NEW_PERSON = 'new'

const isSame = (before: PersonFacts, after: AdmittedPerson): boolean =>
  before.groupId === after.groupId &&
  before.kind === after.kind &&
  before.enabled === after.enabled &&
  before.validTo === after.validTo &&
  after.strategyIds === undefined

const admittedAs = (before: PersonFacts, after: Changed): AdmittedPerson => ({
  id: before.id,
  groupId: after.groupId ?? before.groupId,
  kind: after.kind ?? before.kind,
  enabled: after.enabled ?? before.enabled,
  validTo: after.validTo === undefined ? before.validTo : after.validTo,
  ...(after.strategyIds !== undefined && { strategyIds: after.strategyIds }),
})

/** @param facts of persons as they are before the change */
export function createPersonAdmission(facts: PeopleService['facts'], { admitting }: Pick<PeopleNeeds, 'admitting'>): PersonAdmission {
  return {
    create: (scope, { groupId, kind, validTo = null }, write) =>
      admitting(scope, async () => [{ id: NEW_PERSON, groupId, kind, enabled: true, validTo }], 'groupId', write),
    visitor: (scope, person, write) =>
      admitting(scope, async () => [{ ...person, id: NEW_PERSON, kind: VISITOR_KIND, enabled: true }], 'accessGroupIds', write),
    change(scope, ids, after, field, write) {
      /** Persons whom the change leaves as they were are left out. */
      const changed = async (within: Transaction): Promise<AdmittedPerson[]> =>
        (await facts(scope, ids, within)).flatMap((before) => {
          const person = admittedAs(before, after)
          return isSame(before, person) ? [] : [person]
        })
      return admitting(scope, changed, field, write)
    },
    copy(scope, { ids, groupId, kind }, to, write) {
      const copies = async (within: Transaction): Promise<AdmittedPerson[]> =>
        (await facts(scope, ids, within)).map((person) => ({
          ...admittedAs(person, { groupId, kind: kind ?? undefined }),
          id: `${NEW_PERSON} ${person.id}`,
        }))
      return admitting(to, copies, 'groupId', write)
    },
  }
}
