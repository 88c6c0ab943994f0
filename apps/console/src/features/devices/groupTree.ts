/** Finding one's way in the tree of device groups. */
import type { DeviceGroupNode } from '@gatehouse/contract/devices/calls'

/** A group of the tree by its id. */
export const groupIn = (groups: readonly DeviceGroupNode[], id: string | null | undefined): DeviceGroupNode | undefined =>
  id ? (groups.find((group) => group.id === id) ?? groups.map(({ children }) => groupIn(children, id)).find(Boolean)) : undefined
