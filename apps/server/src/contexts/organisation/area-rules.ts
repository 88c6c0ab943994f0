/** Which nodes may stand where in the tree, and which modules a node may have. Pure functions of the tree that is passed. */
import type { PermissionModule } from '@gatehouse/contract'
import { SWITCHABLE_MODULES, type OrganisationModule } from '@gatehouse/contract/organisation/areas'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import { COMPANY, PARK, PARTNER, type Organisation } from './data.ts'
import type { Tree } from './tree.ts'

/**
 * Return the types that may stand directly below a node. Partners stand below the topmost node only, companies nest, parks have no
 * children.
 */
export const typesBelow = ({ type, parentId }: Pick<Organisation, 'type' | 'parentId'>): readonly number[] => {
  if (type === PARK) return []
  if (type === COMPANY) return [COMPANY, PARK]
  return parentId === null ? [PARTNER, COMPANY] : [COMPANY]
}

/** @throws InvalidRequest where a node of the type cannot stand below the parent, or no more can */
export function checkPlace(tree: Tree, parent: Organisation, type: number, cap: number): void {
  if (!typesBelow(parent).includes(type)) throw new InvalidRequest([{ path: 'parentId', rule: 'organisationPlace' }])
  if (tree.children(parent.id).length >= cap) throw new InvalidRequest([{ path: 'parentId', rule: 'childrenCap', params: { limit: cap } }])
}

/** @throws Refusal 900004 where a sibling is called the same */
export function checkName(tree: Tree, parentId: string, name: string, except?: string): void {
  const same = name.toLowerCase()
  if (tree.children(parentId).some((sibling) => sibling.id !== except && sibling.name.toLowerCase() === same)) refuse(900004, 'name')
}

const isOn = (node: Organisation, module: string): boolean => !node.modulesOff.includes(module)

/** Return how many nodes below have the module on. */
const onBelow = (tree: Tree, id: string, module: string): number =>
  tree.below(id).filter((node) => node.id !== id && isOn(node, module)).length

/** Return the modules that are off where only these are on. */
export const offOf = (on: readonly string[]): PermissionModule[] => SWITCHABLE_MODULES.filter((module) => !on.includes(module))

/**
 * Check the modules of a node. A module that is off above is off below, so a node's own list is complete.
 *
 * @throws InvalidRequest for a module that is off above; Refusal 200228 for closing one that is on below
 */
export function checkModules(
  tree: Tree,
  node: Organisation | null,
  parent: Organisation | null,
  off: readonly string[],
  path = 'modules',
): void {
  for (const module of SWITCHABLE_MODULES) {
    if (!off.includes(module)) {
      if (parent !== null && !isOn(parent, module))
        throw new InvalidRequest([{ path, rule: 'moduleAbove', params: { organisation: parent.name } }])
    } else if (node !== null && isOn(node, module) && onBelow(tree, node.id, module) > 0) refuse(200228, 'modules')
  }
}

/** Return the modules of a node, or of a new one below `parent`, as a form offers them. @param own whether the caller may switch them */
export function modulesOf(tree: Tree, node: Organisation | null, parent: Organisation | null, own: boolean): OrganisationModule[] {
  return SWITCHABLE_MODULES.map((module) => ({
    module,
    enabled: isOn((node ?? parent)!, module),
    available: own && (parent === null || isOn(parent, module)),
    enabledBelow: node === null ? 0 : onBelow(tree, node.id, module),
  }))
}
