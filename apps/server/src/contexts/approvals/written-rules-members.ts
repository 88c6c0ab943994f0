/** The members that written rules name, and the form of rules in answers and in the operation log. */
import type { WrittenRule } from '@gatehouse/contract/approvals/written-rules'
import { isUuid } from '../../platform/database/ids.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { personOrder } from '../../platform/session/masking.ts'
import type { Scope } from '../../platform/session/session.ts'
import { type PeopleService, VISITOR_KIND } from '../people/index.ts'
import { distinct } from '../strategies/index.ts'
import type { ApprovalDependencies } from './dependencies.ts'
import type * as data from './written-rules-data.ts'

type Named = { id: string; name: string }
const FIELDS = ['personIds', 'personGroupIds', 'deviceIds', 'deviceGroupIds'] as const
const byName = (one: Named, other: Named): number => one.name.localeCompare(other.name)

export interface WrittenRuleMembers {
  /** @throws InvalidRequest for each field that names something this park does not have */
  assertMembers(scope: Scope, values: Pick<data.WrittenRuleValues, (typeof FIELDS)[number]>): Promise<void>
  /** Return rules with those members that still exist: a form sends back what it received, and must not be refused for it. */
  present(scope: Scope, rows: readonly data.WrittenRuleRow[]): Promise<WrittenRule[]>
  /** Return a rule for the operation log: persons by their ids, so that no erased name remains. */
  logged(scope: Scope, values: data.WrittenRuleValues): Promise<Record<string, unknown>>
}

export function createWrittenRuleMembers({
  people,
  groups,
  devices,
}: Pick<ApprovalDependencies, 'people' | 'groups' | 'devices'>): WrittenRuleMembers {
  /** Return the persons that a rule can name: those of visits exist no longer than the visits. */
  const namable: PeopleService['facts'] = async (scope, ids) => (await people.facts(scope, ids)).filter(({ kind }) => kind !== VISITOR_KIND)

  const REGISTER: Record<(typeof FIELDS)[number], (scope: Scope, ids: readonly string[]) => Promise<Named[]>> = {
    personIds: namable,
    personGroupIds: groups.names,
    deviceIds: devices.names,
    deviceGroupIds: devices.groupNames,
  }

  const namesOf = async (scope: Scope, field: (typeof FIELDS)[number], ids: readonly string[]): Promise<Named[]> =>
    ids.length === 0 ? [] : (await REGISTER[field](scope, ids)).toSorted(byName)

  async function assertMembers(scope: Scope, values: Pick<data.WrittenRuleValues, (typeof FIELDS)[number]>): Promise<void> {
    const exist = await Promise.all(
      FIELDS.map(
        async (field) => values[field].every(isUuid) && (await namesOf(scope, field, values[field])).length === new Set(values[field]).size,
      ),
    )
    const unknown = FIELDS.filter((_, place) => !exist[place])
    if (unknown.length > 0) throw new InvalidRequest(unknown.map((path) => ({ path, rule: 'unknown' })))
  }

  async function present(scope: Scope, rows: readonly data.WrittenRuleRow[]): Promise<WrittenRule[]> {
    const every = (field: (typeof FIELDS)[number]): string[] => distinct(rows.flatMap((row) => row[field]))
    const [persons, personGroups, doors, deviceGroups] = await Promise.all([
      people.facts(scope, every('personIds')),
      namesOf(scope, 'personGroupIds', every('personGroupIds')),
      namesOf(scope, 'deviceIds', every('deviceIds')),
      namesOf(scope, 'deviceGroupIds', every('deviceGroupIds')),
    ])
    const among = <One extends Named>(some: readonly One[], ids: readonly string[], order = byName): One[] =>
      some.filter(({ id }) => ids.includes(id)).toSorted(order)
    const idsOf = (some: readonly Named[]): string[] => some.map(({ id }) => id)
    return rows.map((row) => {
      const named = {
        persons: among(persons, row.personIds, personOrder(scope)).map(({ id, name, workNumber }) => ({
          id,
          name,
          workNumber: workNumber ?? '',
        })),
        personGroups: among(personGroups, row.personGroupIds),
        devices: among(doors, row.deviceIds),
        deviceGroups: among(deviceGroups, row.deviceGroupIds),
      }
      return {
        ...row,
        ...named,
        personIds: idsOf(named.persons),
        personGroupIds: idsOf(named.personGroups),
        deviceIds: idsOf(named.devices),
        deviceGroupIds: idsOf(named.deviceGroups),
        periods: row.periods as WrittenRule['periods'],
        updatedAt: row.updatedAt,
      }
    })
  }

  async function logged(scope: Scope, values: data.WrittenRuleValues) {
    const names = async (field: 'personGroupIds' | 'deviceIds' | 'deviceGroupIds'): Promise<string[]> =>
      (await namesOf(scope, field, values[field])).map(({ name }) => name)
    const { name, everybodyExcept, kinds, personIds, periods, reaction, enabled, sentence } = values
    return {
      name,
      everybodyExcept,
      kinds,
      personIds,
      personGroups: await names('personGroupIds'),
      devices: await names('deviceIds'),
      deviceGroups: await names('deviceGroupIds'),
      periods,
      reaction,
      enabled,
      sentence,
    }
  }

  return { assertMembers, present, logged }
}
