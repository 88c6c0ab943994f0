/** What associated rules name: persons a linked park shares, and doors of this park. */
import { isUuid } from '../../platform/database/ids.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { inPark, type Scope } from '../../platform/session/session.ts'
import type { ParkLink } from '../relations/index.ts'
import { FIELDS, type Change, type Chosen, type Values } from './associated-values.ts'
import type { StrategyDependencies } from './dependencies.ts'
import { parkNamer, type SharedPersons } from './shared-persons.ts'
import { distinct } from './strategy-changes.ts'

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

export interface AssociatedMembers {
  /**
   * Check what a change names; what it leaves out stays, whether or not it exists for the caller.
   * @throws InvalidRequest for each field that names something this park does not have, or the link does not share
   */
  assertNamed(scope: Scope, link: ParkLink, sent: Partial<Change>): Promise<void>
  /** Return a rule for the operation log: persons by their ids, as with strategies. */
  logged(scope: Scope, parkId: string, values: Values): Promise<Record<string, unknown>>
}

export function createAssociatedMembers(
  { groups, devices, organisation }: Pick<StrategyDependencies, 'groups' | 'devices' | 'organisation'>,
  shared: SharedPersons,
): AssociatedMembers {
  const parkName = parkNamer(organisation)

  async function assertNamed(scope: Scope, link: ParkLink, sent: Partial<Change>): Promise<void> {
    const values = {
      personIds: distinct(sent.personIds ?? []),
      personGroupIds: distinct(sent.personGroupIds ?? []),
      deviceIds: distinct(sent.deviceIds ?? []),
      deviceGroupIds: distinct(sent.deviceGroupIds ?? []),
    } satisfies Chosen
    const chooses = values.personIds.length + values.personGroupIds.length > 0
    const choice = chooses ? await shared.sharedBy(scope, link) : []
    const [persons, personGroups] = [new Set(idsOf(choice)), new Set(choice.map(({ groupId }) => groupId))]
    const allExist = async (
      ids: readonly string[],
      find: (of: Scope, namedIds: readonly string[]) => Promise<readonly unknown[]>,
    ): Promise<boolean> => ids.length === 0 || (ids.every(isUuid) && (await find(scope, ids)).length === ids.length)
    const isValid: Record<keyof Chosen, boolean> = {
      personIds: values.personIds.every((id) => persons.has(id)),
      personGroupIds: values.personGroupIds.every((id) => personGroups.has(id)),
      deviceIds: await allExist(values.deviceIds, devices.names),
      deviceGroupIds: await allExist(values.deviceGroupIds, devices.groupNames),
    }
    const unknown = (Object.keys(FIELDS) as (keyof Chosen)[]).filter((field) => !isValid[field])
    if (unknown.length > 0) throw new InvalidRequest(unknown.map((path) => ({ path, rule: 'unknown' })))
  }

  async function logged(scope: Scope, parkId: string, values: Values): Promise<Record<string, unknown>> {
    const [deviceNames, deviceGroups] = await Promise.all([
      devices.names(scope, values.deviceIds),
      devices.groupNames(scope, values.deviceGroupIds),
    ])
    const { strategy, everybody, personIds, personGroupIds } = values
    return {
      ...strategy,
      parkName: parkName(parkId),
      everybody,
      personIds,
      personGroups: (await groups.names(inPark(scope, parkId), personGroupIds)).map(({ name }) => name),
      devices: deviceNames.map(({ name }) => name),
      deviceGroups: deviceGroups.map(({ name }) => name),
    }
  }

  return { assertNamed, logged }
}
