/** Groups of persons: the tree, and the fields of a form. */
import { z } from 'zod'
import { id } from '../schema.ts'
import { groupName } from './fields.ts'
import { changesByItself } from '../wire-names.ts'

/** A group with its children; its count includes the groups below. */
export interface PersonGroupNode {
  id: string
  name: string
  parentId: string | null
  type: number
  order: number
  personCount: number
  children: PersonGroupNode[]
}
export const personGroupNode: z.ZodType<PersonGroupNode> = z
  .lazy(() =>
    z.object({
      id,
      name: z.string(),
      parentId: id.nullable(),
      type: z.number().int(),
      order: z.number().int(),
      personCount: changesByItself(z.number().int()),
      children: z.array(personGroupNode),
    }),
  )
  .meta({ id: 'PersonGroupNode' })
export const personGroupFields = z.object({
  name: groupName,
  parentId: id.nullish(),
  type: z.union([z.literal(1), z.literal(2), z.literal(3)]).default(1),
})
