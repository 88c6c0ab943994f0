/** The devices of one task as a list of its own. The task stands in the page's address beside what the list asks, and is no filter. */
import { addressOf, id as idSchema } from '@gatehouse/contract'
import { upgradeCalls, type UpgradeDevice } from '@gatehouse/contract/upgrades/calls'
import { useList, type List, type ListQuery } from '../../kit/list/useList.ts'

const { taskDevices } = upgradeCalls

const devicesOf = (id: string) => ({
  ...taskDevices,
  url: addressOf(taskDevices, { id }),
  query: taskDevices.query.extend({ id: idSchema.optional() }),
})
export type TaskDevicesCall = ReturnType<typeof devicesOf>

/** @returns the list and the call it reads */
export function useTaskDevices(id: string): { list: List<UpgradeDevice, ListQuery<TaskDevicesCall>>; call: TaskDevicesCall } {
  const call = devicesOf(id)
  const list = useList(call, { name: 'upgradeDevices' })
  const { name, state } = list.query
  return { list: { ...list, filtered: Boolean(name ?? state), clear: () => list.setQuery({ name: undefined, state: undefined }) }, call }
}
