/** Groups of devices: the trees, and the fields of a form. */
import { z } from 'zod'
import { id } from '../schema.ts'
import { changesByItself } from '../wire-names.ts'
import { deviceGroupName } from './fields.ts'

export interface DeviceGroupNode {
  id: string
  name: string
  parentId: string | null
  /** 1 at the top. */
  level: number
  /** Which way people pass at a device that is added here; null: nobody has said. */
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

/** Groups and devices to choose from: names, of devices the codes they bear too, and nothing else. */
export interface DeviceTreeNode {
  id: string
  name: string
  /** Of a device alone. */
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
