/** Where monitoring tasks look out and for whom: what may be chosen, what it is called, and what of it exists for a caller. */
import { deviceType, personGroupType } from '@gatehouse/contract/enums'
import type { Transaction } from '../../platform/database/database.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { SurveillanceDependencies } from './dependencies.ts'
import type { TaskMembers } from './tasks-data.ts'

export interface Named {
  id: string
  name: string
}

export const distinct = (ids: readonly string[]): string[] => [...new Set(ids)].toSorted()

const byName = (one: Named, other: Named): number => one.name.localeCompare(other.name)

export interface MembersOfTasks {
  /**
   * Check what is sent; what is left out stays.
   * @throws InvalidRequest for devices that this park does not have or that capture no faces; Refusal 500011
   */
  assert(scope: Scope, sent: { deviceIds?: readonly string[] | undefined; personGroupIds?: readonly string[] | undefined }): Promise<void>
  /** Return the members as they are after a change: what is sent, and what exists for others only. */
  changed(tx: Transaction, scope: Scope, stored: TaskMembers, sent: Partial<TaskMembers>): Promise<TaskMembers>
  /** Return the devices and groups of these tasks that exist for the scope. */
  named(scope: Scope, members: Iterable<TaskMembers>): Promise<(of: TaskMembers) => { devices: Named[]; personGroups: Named[] }>
  /** Return members for the operation log: groups of the watch list by their ids, which are left out for those who may not see it. */
  logged(scope: Scope, tx: Transaction, members: TaskMembers): Promise<Record<string, string[]>>
}

export function createTaskMembers({ devices, groups }: Pick<SurveillanceDependencies, 'devices' | 'groups'>): MembersOfTasks {
  return {
    async assert(scope, { deviceIds = [], personGroupIds = [] }) {
      const [deviceIdsSent, groupIdsSent] = [distinct(deviceIds), distinct(personGroupIds)]
      const [found, groupsFound] = await Promise.all([devices.some(scope, deviceIdsSent), groups.types(scope, groupIdsSent)])
      if (found.length < deviceIdsSent.length) throw new InvalidRequest([{ path: 'deviceIds', rule: 'unknown' }])
      if (found.some(({ type }) => type !== deviceType.captureCamera))
        throw new InvalidRequest([{ path: 'deviceIds', rule: 'captureCamera' }])
      if (groupsFound.length < groupIdsSent.length) refuse(500011, 'personGroupIds')
    },
    async changed(tx, scope, stored, sent) {
      const others = async (ids: readonly string[], seen: Promise<readonly Named[]>): Promise<string[]> => {
        const seenIds = new Set((await seen).map(({ id }) => id))
        return ids.filter((id) => !seenIds.has(id))
      }
      const { deviceIds, personGroupIds } = stored
      return {
        deviceIds:
          sent.deviceIds === undefined
            ? deviceIds
            : distinct([...sent.deviceIds, ...(await others(deviceIds, devices.names(scope, deviceIds, tx)))]),
        personGroupIds:
          sent.personGroupIds === undefined
            ? personGroupIds
            : distinct([...sent.personGroupIds, ...(await others(personGroupIds, groups.types(scope, personGroupIds, tx)))]),
      }
    },
    async named(scope, members) {
      const all = [...members]
      const [deviceNames, groupNames] = await Promise.all([
        devices.names(scope, distinct(all.flatMap(({ deviceIds }) => deviceIds))),
        groups.types(scope, distinct(all.flatMap(({ personGroupIds }) => personGroupIds))),
      ])
      const [deviceOf, groupOf] = [deviceNames, groupNames].map((rows) => new Map(rows.map(({ id, name }) => [id, { id, name }])))
      const among = (named: ReadonlyMap<string, Named>, ids: readonly string[]) => ids.flatMap((id) => named.get(id) ?? []).toSorted(byName)
      return ({ deviceIds, personGroupIds }) => ({
        devices: among(deviceOf!, deviceIds),
        personGroups: among(groupOf!, personGroupIds),
      })
    },
    async logged(scope, tx, { deviceIds, personGroupIds }) {
      const [deviceNames, groupNames] = await Promise.all([devices.names(scope, deviceIds, tx), groups.types(scope, personGroupIds, tx)])
      const isWatchList = ({ type }: { type: number }) => type === personGroupType.blacklist
      return {
        devices: deviceNames.map(({ name }) => name).toSorted(),
        personGroups: groupNames
          .filter((group) => !isWatchList(group))
          .map(({ name }) => name)
          .toSorted(),
        watchListGroups: groupNames
          .filter(isWatchList)
          .map(({ id }) => id)
          .toSorted(),
      }
    },
  }
}
