/** What a caller may see and change of a tree. Pure functions of the tree that is passed. */
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import { checkPlace, offOf } from './area-rules.ts'
import type { Caller, ChangeFields } from './areas-types.ts'
import type { Organisation } from './data.ts'
import type { Tree } from './tree.ts'

/** Return an organisation as the operation log shows it. */
export const loggedOrganisation = (
  tree: Tree,
  {
    name,
    code,
    type,
    parkType,
    parentId,
    zone,
    modulesOff,
  }: Pick<Organisation, 'name' | 'code' | 'type' | 'parkType' | 'parentId' | 'zone' | 'modulesOff'>,
) => ({
  name,
  code,
  type,
  parkType,
  parent: parentId === null ? null : (tree.get(parentId)?.name ?? null),
  zone,
  modulesOff: modulesOff.toSorted(),
})

/** Return a node that the caller may see. @throws NotFound */
export const visibleIn = (tree: Tree, caller: Caller, id: string): Organisation => {
  const node = tree.get(id)
  if (node === undefined || !tree.path(id).some((above) => above.id === caller.organisationId)) throw new NotFound()
  return node
}
/** Return the parent that a body names. @throws InvalidRequest, since a wrong one is a wrong field */
export const parentIn = (tree: Tree, caller: Caller, id: string): Organisation => {
  const node = tree.get(id)
  if (node === undefined || !tree.path(id).some((above) => above.id === caller.organisationId))
    throw new InvalidRequest([{ path: 'parentId', rule: 'unknown' }])
  return node
}
/** Return whether a node is the caller's own. Only users above it change it, except for the topmost node, which has none above. */
export const isOwn = (caller: Caller, node: Organisation): boolean => node.id === caller.organisationId
/** Return whether the caller may switch modules of a node. */
export const maySwitch = (caller: Caller, node: Organisation): boolean => !isOwn(caller, node) || node.parentId === null
/**
 * Return the parent of a node after a change.
 * @param parentId undefined or null: the current one @param cap most children of a node
 * @throws InvalidRequest where the node cannot stand there
 */
export function parentAfter(
  tree: Tree,
  caller: Caller,
  node: Organisation,
  parentId: string | null | undefined,
  cap: number,
): Organisation | null {
  if (parentId == null || parentId === node.parentId) return node.parentId === null ? null : tree.get(node.parentId)!
  if (isOwn(caller, node) || node.parentId === null) throw new InvalidRequest([{ path: 'parentId', rule: 'ownOrganisation' }])
  const parent = parentIn(tree, caller, parentId)
  if (tree.path(parent.id).some((above) => above.id === node.id))
    throw new InvalidRequest([{ path: 'parentId', rule: 'organisationPlace' }])
  checkPlace(tree, parent, node.type, cap)
  return parent
}

/**
 * Return the modules that are off after a change.
 * @param modules that are on; undefined: unchanged; null: those of the parent
 */
export function modulesAfter(node: Organisation, parent: Organisation | null, modules: ChangeFields['modules']): string[] {
  if (modules === undefined) return node.modulesOff
  return modules === null ? (parent ?? node).modulesOff : offOf(modules)
}
