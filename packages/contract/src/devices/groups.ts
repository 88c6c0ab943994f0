/** Groups of devices: the trees, and the fields of a form. */
import { z } from 'zod'
import { id } from '../schema.ts'
import { changesByItself } from '../wire-names.ts'
import { deviceGroupName } from './fields.ts'

export interface DeviceGroupNode {
  id: string
  name: string
  parentId: string | null
  /** Level in the tree, 1 at the top. */
  level: number
  /** Direction of new devices in this group; null: not set. */
  defaultDirection: number | null
  deviceCount: number
  children: DeviceGroupNode[]
}
export const deviceGroupNode: z.ZodType<DeviceGroupNode> = z
  .lazy(() =>
    z.object({
      id,
      name: z.string(),
      parentId: id.nullable(),
      level: z.number().int(),
      defaultDirection: z.number().int().nullable(),
      deviceCount: changesByItself(z.number().int()),
      children: z.array(deviceGroupNode),
    }),
  )
  .meta({ id: 'DeviceGroupNode' })

/** Groups and devices to choose from: names, and the codes of devices. */
export interface DeviceTreeNode {
  id: string
  name: string
  /** Code of a device; absent for a group. */
  code?: string
  kind: 'group' | 'device'
  children: DeviceTreeNode[]
}
export const deviceTreeNode: z.ZodType<DeviceTreeNode> = z
  .lazy(() =>
    z.object({
      id,
      name: z.string(),
      code: z.string().optional(),
      kind: z.enum(['group', 'device']),
      children: z.array(deviceTreeNode),
    }),
  )
  .meta({ id: 'DeviceTreeNode' })

export const deviceGroupFields = z.object({
  name: deviceGroupName,
  parentId: id.nullish(),
  defaultDirection: z.union([z.literal(1), z.literal(2)]).nullish(),
})
